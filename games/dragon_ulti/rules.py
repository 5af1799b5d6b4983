"""The rules of Ulti over a record of bit sets: one source for every contract and rule variant.

Contract, trump and rule variants are in the record, so that they need no compiling of their
own. A card is a *place*, see `dragon_ulti.cards`: bit 8 * suit + strength of a set. The
record's fields::

    hands    the three hands                   talon    two cards out of play, 0 if not known
    trumps   all cards of the trump suit       config   CONFIG: goals and rule variants
    seat     to move, TERMINAL at the end      won      units that the declarer has taken
    first    the card led + 1, 0 before        need     units that make the contract
    second   the one that followed + 1, or 0   status   OPEN, MADE, FAILED or UNMET
    pending  marriages, in pairs of units, that count once their side has a trick:
             the declarer's + 16 * the defenders'

A move is the place of the card played. The declarer is seat 0.
"""

from __future__ import annotations

from typing import Any

from dragon import TERMINAL, rule
from dragon.bits import bit, draw, elements, has, popcount, select, shl, u64

NUMBERS = ("config", "seat", "first", "second", "won", "need", "pending", "status")
FIELDS = [
    ("hands", "u8", (3,)),
    ("talon", "u8"),
    ("trumps", "u8"),
    *((name, "i8") for name in NUMBERS),
]
OPEN, MADE, FAILED, UNMET = 0, 1, 2, 3

# What `config` holds: goals,
ACES, TENS, ULTI, NONE, ALL, POINTS = 1, 2, 4, 8, 16, 32
# and rule variants.
OVERTAKE, DUTY, OVERTRUMP, OVERTAKE_TRUMPED = 64, 128, 256, 512
OFFSUIT, ACE_TEN, LITERAL, COUNTED = 1024, 2048, 4096, 8192
SOME = 16384
"""One of the goals is enough: those that are spoiled leave `config`."""
GOALS = ACES | TENS | ULTI | NONE | ALL

SUIT = 0xFF
LEAST = u64(0x01010101)
"""The weakest rank of each suit,"""
TENTHS, TOP = u64(0x40404040), u64(0x80808080)
"""the two strongest: in ace-ten order ten and ace."""
KING_TENS = u64(0x08080808)
"""The tens in ace-king order."""
DECK = u64(0xFFFFFFFF)


@rule
def tens_of(s):
    """Return all tens."""
    return TENTHS if s.config & ACE_TEN else KING_TENS


@rule
def above(place):
    """Return the places of a card's suit that are stronger."""
    return shl(u64(SUIT), place & 24) & ~(shl(u64(2), place) - u64(1))


@rule
def stronger(cards, place):
    """Those of `cards` that are stronger than a card of their suit; all, if there are none."""
    over = cards & above(place)
    return over if over else cards


@rule
def beats(s, place, best):
    """Return True if a card takes the trick from the best one so far."""
    if place >> 3 == best >> 3:
        return place > best
    return has(s.trumps, place)


@rule
def legal(s: Any) -> Any:
    """Return the cards that the seat to move may play."""
    own = s.hands[s.seat]
    if s.first == 0:
        return own
    led = s.first - 1
    suit = shl(u64(SUIT), led & 24)
    follow = own & suit
    if follow:
        if not s.config & OVERTAKE:
            return follow
        if s.second == 0:
            return stronger(follow, led)
        other = s.second - 1
        if s.config & OFFSUIT:
            return stronger(follow, (led & 24) + max(led & 7, other & 7))
        if other >> 3 == led >> 3:
            return stronger(follow, max(led, other))
        if has(s.trumps, other) and not s.config & OVERTAKE_TRUMPED:
            return follow
        return stronger(follow, led)
    if s.config & DUTY and own & s.trumps:
        ruff = own & s.trumps
        if s.second and s.config & OVERTRUMP and has(s.trumps, s.second - 1):
            return stronger(ruff, s.second - 1)
        return ruff
    return own


@rule
def turn(s):
    """Return the seat to play a card; TERMINAL when the goal is decided or no card is left."""
    return s.seat


@rule
def moves(s, out):
    """Return the places in the deck of the cards that may be played, from the lowest up."""
    return elements(legal(s), out)


@rule
def sample(s, random):
    """One of them, each as likely."""
    cards = legal(s)
    return select(cards, draw(random, popcount(cards)))


@rule
def play(s: Any, place: Any) -> None:
    """Lay the card; the third of a trick completes it."""
    s.hands[s.seat] &= ~bit(place)
    if s.first == 0:
        s.first = place + 1
        s.seat = s.seat + 1 if s.seat < 2 else 0
    elif s.second == 0:
        s.second = place + 1
        s.seat = s.seat + 1 if s.seat < 2 else 0
    else:
        complete(s, place)


@rule
def complete(s, place):
    """End a trick with its third card: units, the next to lead, and whether that decides."""
    best = s.first - 1
    seat = s.seat + 1 if s.seat < 2 else 0
    if beats(s, s.second - 1, best):
        best = s.second - 1
        seat = seat + 1 if seat < 2 else 0
    if beats(s, place, best):
        best = place
        seat = s.seat
    trick = bit(s.first - 1) | bit(s.second - 1) | bit(place)
    s.first = 0
    s.second = 0
    s.seat = seat
    if seat == 0 and s.config & COUNTED:
        s.won += popcount(trick & (tens_of(s) | TOP))
        if not s.hands[0]:
            s.won += 1
    if s.pending:
        count_marriages(s, seat)
    lost = spoiled(s, trick, seat, best)
    if lost and not s.config & SOME:
        s.status = FAILED
        s.seat = TERMINAL
    else:
        s.config &= ~lost
        settle(s)


@rule
def count_marriages(s, seat):
    """Count the marriages of a side with its first trick: the need moves by half of them."""
    mine, theirs = s.pending & 15, s.pending >> 4
    if seat == 0:
        s.need -= mine
        s.pending = theirs << 4
    else:
        s.need += theirs
        s.pending = mine


@rule
def spoiled(s, trick, seat, best):
    """Return the goals, as bits, that a trick spoils which `seat` took with the card `best`."""
    goals, seven = s.config, s.trumps & LEAST
    lost = 0
    if goals & ULTI:
        kept = s.hands[0] & seven if s.hands[0] else (seven & bit(best) if seat == 0 else u64(0))
        if not kept:
            lost = ULTI
    if seat == 0:
        return lost | goals & NONE
    if trick & TOP:
        lost |= goals & ACES
    if trick & tens_of(s):
        lost |= goals & TENS
    return lost | goals & ALL


@rule
def held(s):
    """Return the cards in the three hands."""
    return s.hands[0] | s.hands[1] | s.hands[2]


@rule
def in_play(s):
    """Return the cards in the hands and on the table."""
    cards = held(s)
    if s.first:
        cards = cards | bit(s.first - 1)
    if s.second:
        cards = cards | bit(s.second - 1)
    return cards


@rule
def settle(s: Any) -> None:
    """End the game between two tricks if nothing can change its outcome any more."""
    rest = held(s)
    if s.config & POINTS:
        if not rest:
            s.seat = TERMINAL
        return
    status = outcome(s, rest)
    if status != OPEN:
        s.status = status
        s.seat = TERMINAL


@rule
def counts(s):
    """Return True if units matter to the contract: some are needed, or may come to be."""
    return s.need > 0 or s.pending != 0


@rule
def outcome(s, rest):
    """MADE, FAILED or OPEN with `rest` in the hands and no trick spoiled."""
    if s.config & SOME:
        return some_outcome(s, rest)
    going = False
    if counts(s):
        come = popcount(rest & (tens_of(s) | TOP)) + (1 if rest else 0)
        pending = s.pending if rest else 0  # a side without a trick has lost its marriages
        if s.won + come < s.need - (pending & 15):
            return FAILED
        going = s.won < s.need + (pending >> 4)
    if s.config & ACES and rest & TOP:
        going = True
    if s.config & TENS and rest & tens_of(s):
        going = True
    if s.config & ULTI and rest:
        if not s.hands[0] & s.trumps & LEAST:
            return FAILED
        going = True
    if s.config & (NONE | ALL) and rest:
        going = True
    return OPEN if going else MADE


@rule
def some_outcome(s, rest):
    """MADE, FAILED or OPEN where one goal is enough: the units, or one that is not spoiled."""
    hope = s.config & GOALS != 0
    if s.config & COUNTED:
        come = popcount(rest & (tens_of(s) | TOP)) + (1 if rest else 0)
        if s.won >= s.need + (s.pending >> 4 if rest else 0):
            return MADE
        hope = hope or s.won + come >= s.need - (s.pending & 15)
    if not rest:
        return MADE if s.config & GOALS else FAILED
    return OPEN if hope else FAILED


@rule
def payoff(s, seat):
    """Return the declarer's units, or 1 for made and -1 for failed; negated for defenders.

    Where units are counted `need` begins at 0, so that it holds the marriages that have counted.
    """
    made = 1 if s.status == MADE else -1
    units = s.won - s.need if s.config & POINTS else made
    return units if seat == 0 else -units


@rule
def banked(s):
    """Return the units that the declarer has won; a contract is not made in parts."""
    return s.won - s.need if s.config & POINTS else 0


@rule
def bounds(s):
    """Units: between what is won and all that is left; else between failed and made."""
    if not s.config & POINTS:
        return -1, 1
    units, come = s.won - s.need, popcount(in_play(s) & (tens_of(s) | TOP)) + 1
    return units - (s.pending >> 4), units + come + (s.pending & 15)
