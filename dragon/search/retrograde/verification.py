"""The check of a table: each entry must follow from those of the positions after it.

Nothing of how the table was made is used but the list of positions: places are looked up in their
order, without counts, edges or slots. A win needs a move to a loss of one ply less, a loss has
moves to wins only; so each of them is proven by those nearer to the end. A draw has a move to a
draw and none to better: neither side can be made to leave the draws. Scores count down the plies
alike, so that no cycle supports itself.

Places are mixed, so that where one stands can be told from how large it is, and nearly so (Perl,
Itai and Avni 1978, interpolation search). Those of a batch are looked for together, so that
they wait for the memory once. Threads share out the positions.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,assignment"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dragon.bits import u64
from dragon.core import TERMINAL
from dragon.rules.template import kernel, moves, payoff, play, turn
from dragon.search.driver import DONE, PAUSED
from dragon.search.path.promise import secured
from dragon.search.retrograde.kernel import UNKNOWN, place_of, sign_of

WRONG = 4
"""The status where the table is wrong about the position `at`."""
RUN = np.dtype(
    [
        ("stop", "i8"),  # pause when so many moves have been looked at
        ("nodes", "i8"),
        ("ply", "i8"),
        ("at", "i8"),  # the position that is looked at next,
        ("end", "i8"),  # and behind the last one
        ("spare", "i8"),  # a record of no position
        ("scores", "i8"),  # whether there is more than wins, draws and losses
    ]
)
ASKED = np.dtype(
    [
        ("place", "u8"),  # 0: the game is over
        ("at", "i8"),  # where it is among all
        ("units", "i8"),  # what the mover has by the move: payoff, or banked
        ("sign", "i4"),  # whether what is still to come is the mover's, or the other side's: -1
        ("opens", "i4"),  # whether it is a position, of which the entries up to the next are moves
    ]
)
"""A position, or a move of one."""
NEARER = 3
"""How often a place is looked for where those that were read let it be expected."""
BATCH = 128
"""Entries looked up together, at least."""


class Memory(NamedTuple):
    """The arrays that the kernel reads; records and places are as the maker's."""

    states: Any  # records[any]
    words: Any  # uint64[any, itemsize / 8]: the same memory
    places: Any  # uint64[n], rising
    values: Any  # int32[n]
    plies: Any  # int32[n]
    out: Any  # int64[width]
    asked: Any  # ASKED[BATCH + 1 + width]
    runs: Any  # RUN[1]


@kernel
def ask(m, run, at, n):
    """List a position and its moves behind n entries; return how many there are then."""
    s, after = m.states[at], m.states[run.spare]
    sign, base, own = sign_of(turn(s)), secured(s), m.asked[n]
    own.place, own.opens = place_of(s, m.words[at]), 1
    count = moves(s, m.out)
    for i in range(count):
        m.states[run.spare] = m.states[at]
        play(after, m.out[i])
        seat, each = turn(after), m.asked[n + 1 + i]
        each.opens = 0
        if seat == TERMINAL:
            each.place, each.units = 0, sign * (payoff(after, 0) - base)
        else:
            each.place = place_of(after, m.words[run.spare])
            each.units, each.sign = sign * (secured(after) - base), sign * sign_of(seat)
    run.nodes += count
    return n + 1 + count


@kernel
def high(place):
    """Return the upper half of a place."""
    return np.int64(place >> u64(32))


@kernel
def look_up(m, n):
    """Find the places of n entries among all, by interpolation, then step by step."""
    count = len(m.places)
    for i in range(n):
        m.asked[i].at = high(m.asked[i].place) * count >> 32
    for _ in range(NEARER):
        for i in range(n):
            each = m.asked[i]
            off = high(each.place) - high(m.places[each.at])
            each.at = min(max(each.at + (off * count >> 32), 0), count - 1)
    for i in range(n):
        each = m.asked[i]
        at, place = np.int64(each.at), each.place
        while at > 0 and m.places[at] > place:
            at -= 1
        while at + 1 < count and m.places[at] < place:
            at += 1
        each.at = at


@kernel
def right(m, run, first, n):
    """Return the entry behind a position and its moves, or -1 if the table is wrong about it."""
    here, best, soonest, latest, i = m.asked[first].at, UNKNOWN, 1 << 40, 0, first + 1
    if m.places[here] != m.asked[first].place:
        return -1
    while i < n and not m.asked[i].opens:
        each, plies = m.asked[i], 0
        units = np.int64(each.units)
        if each.place:
            if m.places[each.at] != each.place:
                return -1
            plies = np.int64(m.plies[each.at])
            units += each.sign * m.values[each.at]
        if units > best or (units == best and plies < soonest):
            soonest = plies
        best, latest = max(best, units), max(latest, plies)
        i += 1
    plies = soonest + 1 if best > 0 else 0
    if run.scores or best < 0:
        plies = latest + 1
    return i if m.values[here] == best and m.plies[here] == plies else -1


@kernel
def resume(m):
    """Go on until DONE, PAUSED at `stop`, or WRONG about the position `at`."""
    run = m.runs[0]
    while run.at < run.end:
        if run.nodes >= run.stop:
            return PAUSED
        n, at, first = 0, run.at, 0
        while at < run.end and n < BATCH:
            n = ask(m, run, at, n)
            at += 1
        look_up(m, n)
        while first < n:
            first = right(m, run, first, n)
            if first < 0:
                return WRONG
            run.at += 1
    return DONE if run.stop else PAUSED
