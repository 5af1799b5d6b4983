"""Worlds in a kernel: each is dealt to a view, and each of its moves searched to the end.

It is the kernel of alpha-beta with a loop about it, so that a world costs no more than its
searches. These share a table, and a move that cut off in one world is tried early in the next. The
module is imported when a search of worlds begins.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from dragon.core import TERMINAL, Limit, State, Trait
from dragon.rules.record import RecordState
from dragon.rules.template import LARGEST, deal, kernel, payoff, play, turn
from dragon.search.alphabeta.depth import NO_HORIZON
from dragon.search.alphabeta.driver import Driver
from dragon.search.alphabeta.driver import Memory as Searching
from dragon.search.alphabeta.kernel import START
from dragon.search.alphabeta.kernel import resume as search
from dragon.search.alphabeta.kernel import transfer as transfer  # which the driver calls
from dragon.search.alphabeta.values import scale
from dragon.search.driver import DONE, Fields
from dragon.search.interpreted import Cells, record_of

if TYPE_CHECKING:
    from dragon.search.table import Lease

TALLY = np.dtype(
    [
        ("seat", "i8"),  # whose view it is
        ("worlds", "i8"),  # that are complete,
        ("last", "i8"),  # and that are to be
        ("at", "i8"),  # the move whose value is asked for, -1 before a world is dealt
        ("within", "i8"),  # whether its search has begun
    ]
)
ARRAYS = (
    "worlds",  # records[2]: the view, and a world
    "moves",  # int64[n], codes
    "units",  # int64[n], what they lead to in the world, for seat 0
    "sums",  # int64[n], in all complete worlds,
    "squares",  # int64[n], and squared
    "deals",  # uint64[1], the generator of `deal`
    "tally",  # TALLY[1]
)
Memory = cast("Any", namedtuple)("Memory", (*Searching._fields, *ARRAYS))
"""The arrays of alpha-beta's kernel, and those of the worlds."""


@kernel
def begin(m):
    """Make the move whose value is wanted; return True if it is known at once."""
    t, s = m.tally[0], m.states[0]
    m.states[0] = m.worlds[1]
    play(s, m.moves[t.at])
    if turn(s) == TERMINAL:
        m.units[t.at] = payoff(s, 0)
        m.runs[0].nodes += 1
        return True
    m.runs[0].mode = START
    m.results[0].root_best = -1
    m.frames[0].depth = NO_HORIZON
    infinity = LARGEST * scale() + 1
    m.frames[0].low_seat0, m.frames[0].high_seat0 = -infinity, infinity
    t.within = 1
    return False


@kernel
def add(m):
    """Add the values of a complete world to the sums."""
    for i in range(len(m.moves)):
        m.sums[i] += m.units[i]
        m.squares[i] += m.units[i] * m.units[i]
    m.tally[0].worlds += 1
    m.tally[0].at = -1


@kernel
def resume(m):
    """Search until `last` worlds are complete, or return the status of alpha-beta."""
    t, n = m.tally[0], len(m.moves)
    while True:
        if t.at < 0:
            if t.worlds >= t.last:
                return DONE
            m.worlds[1] = m.worlds[0]
            deal(m.worlds[1], t.seat, m.deals)
            t.at = 0
        while t.at < n:
            if t.within or not begin(m):
                status = search(m)
                if status != DONE:
                    return status
                t.within = 0
                value = m.results[0].value_seat0
                whole = (abs(value) + scale() - 1) // scale()
                m.units[t.at] = whole if value > 0 else -whole
            t.at += 1
        add(m)


def solves(settings: Any, state: State[Any]) -> bool:
    """Return True if the worlds of a view can be solved in the kernel, by these settings.

    They must be sure to end: the rules have `bounds`, no chance decides, and no depth is set.
    """
    if not isinstance(state, RecordState) or settings.threads > 1 or settings.depth is not None:
        return False
    rules = state.rules
    open_ended = Trait.CHANCE in rules.traits or rules.bounds is None or settings.driver != "pvs"
    return state.turn >= 0 and rules.deal is not None and not open_ended


def deal_open(rule: Callable[..., None], s: Any, seat: int, random: Any) -> None:
    """Deal by the rule of an interpreted kernel; searches of the world see all of it."""
    rule(s, seat, random)
    s.state = s.state.opened()


class SolvedWorlds(Driver):
    """The worlds of one view; `codes` is the number of move codes of the seat to move."""

    template = "dragon.search.worlds"

    def __init__(
        self, settings: Any, view: RecordState, codes: Sequence[int], seed: int, lease: Lease
    ) -> None:
        """Make the memory, and compile; `allow` starts a budget."""
        self._codes, self._deals, self._view = codes, seed, view
        super().__init__(settings, view, Limit(), 0, lease)
        self.lines = False

    def extended(self, m: Searching, arrays: Any) -> Any:
        """Return the memory with the arrays of the worlds."""
        n, view = len(self._codes), self._view
        worlds, tally = arrays.states(2), np.zeros(1, TALLY)
        tally["seat"], tally["at"] = view.turn, -1
        own: dict[str, Any] = {"worlds": worlds, "deals": arrays.random(self._deals)}
        if arrays.compiled:
            worlds[:1].view(np.uint8)[:] = np.frombuffer(view.data, np.uint8)
            self.tally: Any = Fields(tally)
            numbers = {name: arrays.zeros(n) for name in ("units", "sums", "squares")}
            own |= {"moves": np.array(self._codes, np.int64), "tally": tally}
        else:
            worlds[0].state = view
            record = record_of(tally)
            self.tally = Cells(record)
            numbers = {name: [0] * n for name in ("units", "sums", "squares")}
            moves = arrays.rules.coded(view, [*map(view.text, self._codes)])
            own |= {"moves": [*moves], "tally": [record]}
            arrays.names |= {"deal": partial(deal_open, arrays.names["deal"])}
        return Memory(*m, **own, **numbers)

    @property
    def worlds(self) -> int:
        """The worlds that are complete."""
        return int(self.tally["worlds"][0])

    def solve(self, worlds: int) -> bool:
        """Search until `worlds` worlds are complete; return False if the budget is spent."""
        self.tally["last"][0] = worlds
        return self.go_on()

    def sums(self) -> list[tuple[int, int, int]]:
        """Return, for each move, in how many worlds its value is known, their sum, and of squares.

        In units for seat 0. One that the budget breaks off counts only if it is the first.
        """
        m, n = self.m, self.worlds
        if n:
            return [(n, int(a), int(b)) for a, b in zip(m.sums, m.squares, strict=True)]
        known = map(int, m.units[: max(0, self.tally["at"][0])])
        return [(1, units, units * units) for units in known]
