"""Whether what a table says of each position follows from what it says of the positions after it.

Nothing of how the table was made is used but the list of positions: places are looked up by
bisection, and no counts, edges or slots. A win needs a move to a loss of one ply less, a loss has
moves to wins only; so each of them is proven by those nearer to the end. A draw has a move to a
draw and none to better: neither side can be made to leave the draws. Scores count down the plies
alike, so that no cycle supports itself.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,assignment"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

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
        ("count", "i8"),  # of so many
        ("scores", "i8"),  # whether there is more than wins, draws and losses
    ]
)


class Memory(NamedTuple):
    """What the kernel reads, of c positions; beside `states` there is room for one record."""

    states: Any  # records[c + 1 or more]
    words: Any  # uint64[any, itemsize / 8]: the same memory
    places: Any  # uint64[n], rising
    values: Any  # int32[n]
    plies: Any  # int32[n]
    out: Any  # int64[width]
    runs: Any  # RUN[1]


@kernel
def index_of(places, place):
    """Where a place is among all, or -1."""
    low, high = 0, len(places)
    while low < high:
        middle = (low + high) // 2
        if places[middle] < place:
            low = middle + 1
        else:
            high = middle
    return low if low < len(places) and places[low] == place else -1


@kernel
def right(m, run, at):
    """Whether the entry of a position follows from those of the positions after it."""
    s, spare = m.states[at], run.count
    here = index_of(m.places, place_of(s, m.words[at]))
    if here < 0:
        return False
    seat = turn(s)
    sign, base, best, soonest, latest = sign_of(seat), secured(s), UNKNOWN, 1 << 40, 0
    n = moves(s, m.out)
    for i in range(n):
        after = m.states[spare]
        m.states[spare] = m.states[at]
        play(after, m.out[i])
        run.nodes += 1
        seat, plies = turn(after), 0
        if seat == TERMINAL:
            units = sign * (payoff(after, 0) - base)
        else:
            there = index_of(m.places, place_of(after, m.words[spare]))
            if there < 0:
                return False
            plies = np.int64(m.plies[there])
            units = sign * (secured(after) - base)
            units += sign * sign_of(seat) * m.values[there]
        if units > best or (units == best and plies < soonest):
            soonest = plies
        best, latest = max(best, units), max(latest, plies)
    if m.values[here] != best:
        return False
    if run.scores or best < 0:
        return m.plies[here] == latest + 1
    return m.plies[here] == (soonest + 1 if best > 0 else 0)


@kernel
def resume(m):
    """Goes on until DONE, PAUSED at `stop`, or WRONG."""
    run = m.runs[0]
    while run.at < run.count:
        if run.nodes >= run.stop:
            return PAUSED
        if not right(m, run, run.at):
            return WRONG
        run.at += 1
    return DONE if run.stop else PAUSED
