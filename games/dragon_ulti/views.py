"""Hidden hands as rules: the record with what all have seen, and the rules `hide` and `deal`.

The record is that of `rules`, and after it::

    denied     for each seat, and the talon, the cards that it cannot hold: a seat that does not
               follow suit has none of it, one that does not overtake nothing higher, and what
               the contract requires is the declarer's
    gone       the cards that each seat has played     line, made   all of them in order, as places
    announced  for each seat, as it plays its first card, its marriages + 1: 1 for 40 and 2 for
               each 20; or 0        took   bit 0: the declarer has a trick, 1: the defenders
    weds       0: no marriages count, WITH_TRICK or AT_ONCE     asks   what a 20-100 requires
    lead, units, needed, mine, theirs     how play began: `seat`, `won`, `need`, `pending`
    viewer     in a view its seat + 1     unseen   and the cards in hands that it is not shown

A view of a deal with marriages does not have `need` and `pending`; what is known of them is
announced.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from dragon import TERMINAL, rule
from dragon.bits import bit, draw, has, popcount, select, shr, u64
from dragon_ulti import rules
from dragon_ulti.rules import (
    DUTY,
    OFFSUIT,
    OPEN,
    OVERTAKE,
    OVERTAKE_TRUMPED,
    OVERTRUMP,
    POINTS,
    above,
    in_play,
    outcome,
)

SMALL = ("made", "viewer", "took", "weds", "asks", "lead", "units", "needed", "mine", "theirs")
FIELDS: list[Any] = [
    *rules.FIELDS,
    ("denied", "u4", (4,)),
    ("gone", "u4", (3,)),
    ("unseen", "u4"),
    ("line", "i1", (30,)),
    ("announced", "i1", (3,)),
    *((name, "i1") for name in SMALL),
]
WITH_TRICK, AT_ONCE = 1, 2
OVERS, UNDERS = u64(0x10101010), u64(0x08080808)
OVER_KING, UNDER_OVER = 1, 2
"""The marriage, besides trumps, that the declarer of a 20-100 holds."""
MANY = 1 << 40
"""More than all deals."""
TRIES = 100_000
"""Deals drawn for one that fits announcements and prerequisites."""
CHOOSE = np.array([comb(n, k) for n in range(32) for k in range(32)], np.int64)
"""The ways to choose k of n cards, at 32 n + k."""


@rule
def forced(s: Any, place: Any) -> Any:
    """Return the cards that the seat to move would have had to play instead of its card."""
    if s.first == 0:
        return u64(0)
    led = s.first - 1
    second = s.second - 1
    suit = above(led & 24) | bit(led & 24)
    if place >> 3 == led >> 3:
        highest = led
        if second >= 0 and s.config & OFFSUIT:
            highest = (led & 24) + max(led & 7, second & 7)
        elif second >= 0 and second >> 3 == led >> 3:
            highest = max(led, second)
        elif second >= 0 and has(s.trumps, second) and not s.config & OVERTAKE_TRUMPED:
            return u64(0)
        return above(highest) if s.config & OVERTAKE and place <= highest else u64(0)
    if s.config & DUTY:
        if not has(s.trumps, place):
            return suit | s.trumps
        if second >= 0 and s.config & OVERTRUMP and has(s.trumps, second) and place < second:
            return suit | above(second)
    return suit


@rule
def wed(s, cards):
    """Return the marriages of a hand: 1 for 40, and 2 for each 20."""
    pairs = cards & shr(cards, 1) & OVERS
    return 2 * popcount(pairs) - popcount(pairs & s.trumps)


@rule
def halves(s, seat):
    """Return half the units of a seat's marriages."""
    found = wed(s, s.hands[seat] | u64(s.gone[seat]))
    return (found >> 1) + 2 * (found & 1)


@rule
def play(s: Any, place: Any) -> None:
    """Lay the card, and keep what it shows."""
    seat = s.seat
    s.denied[seat] = u64(s.denied[seat]) | forced(s, place)
    if s.weds and s.announced[seat] == 0:
        s.announced[seat] = 1 + wed(s, s.hands[seat])
    s.gone[seat] = u64(s.gone[seat]) | bit(place)
    s.line[s.made] = place
    s.made += 1
    rules.play(s, place)
    if s.first == 0:
        s.took |= 1 if s.seat == 0 else 2


@rule
def hide(s: Any, seat: Any) -> None:
    """Remove the other hands, and from defenders the talon."""
    if s.seat == TERMINAL or s.viewer:
        return
    unseen = u64(0)
    for other in range(3):
        if other != seat:
            unseen |= s.hands[other]
            s.hands[other] = 0
    if seat:
        unseen |= s.talon
        s.talon = 0
    s.unseen = unseen
    s.viewer = seat + 1
    if s.weds:
        s.need, s.pending = s.needed, 0


@rule
def wed_again(s: Any) -> None:
    """Counts the marriages of a world."""
    if not s.weds:
        return
    mine, theirs = halves(s, 0), halves(s, 1) + halves(s, 2)
    if s.weds == AT_ONCE:
        s.need = s.needed + theirs - mine
        return
    s.need = s.needed - (mine if s.took & 1 else 0) + (theirs if s.took & 2 else 0)
    s.pending = (0 if s.took & 1 else mine) + 16 * (0 if s.took & 2 else theirs)


@rule
def fits(s: Any) -> Any:
    """Return True if a world agrees with the bid and what was announced, and play goes on there."""
    for seat in range(3):
        own = 1 + wed(s, s.hands[seat] | u64(s.gone[seat]))
        if s.announced[seat] and s.announced[seat] != own:
            return False
    if s.talon & u64(s.denied[3]):
        return False
    dealt = s.hands[0] | u64(s.gone[0])
    whole = popcount(dealt) == 10
    if whole and s.asks:
        pairs = OVERS if s.asks == OVER_KING else UNDERS
        if not dealt & shr(dealt, 1) & pairs & ~s.trumps:
            return False
    if (whole and s.made < 3) or s.config & POINTS:
        return True
    hand = s.hands[0]
    for i in range(s.made - s.made % 3, s.made):  # its hand before the trick on the table
        s.hands[0] |= bit(s.line[i]) & u64(s.gone[0])
    going = outcome(s, in_play(s)) == OPEN
    s.hands[0] = hand
    return going


@rule
def choose(n, k):
    """Return in how many ways k of n cards can be chosen."""
    return CHOOSE[32 * n + k]


@rule
def taken(cards, n, random):
    """Return n of the cards, each choice as likely."""
    left = cards
    for _ in range(n):
        left &= ~bit(select(left, draw(random, popcount(left))))
    return cards & ~left


@rule
def room_of(s, seat, size):
    """Return the number of cards in a hand that had `size` before the trick on the table."""
    laid = int(s.first > 0) + int(s.second > 0)
    leader = (s.seat - laid + 3) % 3
    return size - int((seat - leader + 3) % 3 < laid)


@rule
def deal(s: Any, seat: Any, random: Any) -> None:
    """Deals the unseen cards, each deal that agrees with what was seen as likely.

    Cards are of seven kinds by the places that may hold them: a and b, the other seats, and t, the
    talon. How many of each kind go where is drawn by the number of deals, and then which.
    """
    if s.viewer != seat + 1:
        return
    a, b = (seat + 1) % 3, (seat + 2) % 3
    unseen = u64(s.unseen)
    size = popcount(s.hands[seat])
    size += size - room_of(s, seat, size)
    room_a, room_b = room_of(s, a, size), room_of(s, b, size)
    room_t = popcount(unseen) - room_a - room_b
    may_a, may_b = unseen & ~u64(s.denied[a]), unseen & ~u64(s.denied[b])
    may_t = unseen & ~u64(s.denied[3]) if room_t > 0 else u64(0)
    ab, at, bt = may_a & may_b & ~may_t, may_a & may_t & ~may_b, may_b & may_t & ~may_a
    only_a, only_b = may_a & ~may_b & ~may_t, may_b & ~may_a & ~may_t
    anywhere = may_a & may_b & may_t
    n_ab, n_at, n_bt, n = popcount(ab), popcount(at), popcount(bt), popcount(anywhere)
    room_a -= popcount(only_a)
    room_b -= popcount(only_b)
    room_t -= popcount(may_t & ~may_a & ~may_b)
    ways = MANY - share(n_ab, n_at, n_bt, n, room_a, room_b, room_t, MANY)
    if ways == 0 or (may_a | may_b | may_t) != unseen:
        return
    s.viewer = 0
    for _ in range(TRIES):
        parts = -share(n_ab, n_at, n_bt, n, room_a, room_b, room_t, draw(random, ways))
        x, y, z = parts >> 16, parts >> 8 & 255, parts & 255
        to_b = taken(ab, n_ab - x, random) | taken(bt, z, random)
        to_a = (ab & ~to_b) | taken(at, y, random)
        to_a |= taken(anywhere, room_a - x - y, random)
        to_b |= taken(anywhere & ~to_a, room_b - (n_ab - x) - z, random)
        s.hands[a], s.hands[b] = only_a | to_a, only_b | to_b
        if seat:
            s.talon = unseen & ~s.hands[a] & ~s.hands[b]
        wed_again(s)
        if fits(s):
            s.unseen = 0
            return
    s.hands[a] = s.hands[b] = 0  # a view again
    s.viewer = seat + 1
    if seat:
        s.talon = 0
    if s.weds:
        s.need, s.pending = s.needed, 0


@rule
def share(n_ab, n_at, n_bt, n, room_a, room_b, room_t, number):
    """Return how the deal of a number shares out the kinds, as -(x << 16 | y << 8 | z).

    x of n_ab and y of n_at cards go to a, and z of n_bt to b; n may go to all three. For a number
    beyond the last deal it returns that number without all deals.
    """
    for x in range(n_ab + 1):
        for y in range(n_at + 1):
            for z in range(n_bt + 1):
                left_a, left_b = room_a - x - y, room_b - (n_ab - x) - z
                left_t = room_t - (n_at - y) - (n_bt - z)
                if left_a >= 0 and left_b >= 0 and left_t >= 0:
                    ways = choose(n_ab, x) * choose(n_at, y) * choose(n_bt, z)
                    number -= ways * choose(n, left_a) * choose(n - left_a, left_b)
                    if number < 0:
                        return -(x << 16 | y << 8 | z)
    return number
