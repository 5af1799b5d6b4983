"""Perfect play with open cards (double dummy): searches of one deal that share a table.

They are dragon's alpha-beta with the settings of SEARCH: there is no horizon, so nothing is
deepened, and cards that cut off at one ply say little about the next trick, so killers are
left out.
"""

from __future__ import annotations

import time
from functools import cache
from typing import TYPE_CHECKING

from attrs import evolve

from dragon.config import search
from dragon.core import TERMINAL, Bound, Limit, Position

if TYPE_CHECKING:
    from dragon import RecordState, Result, Search

SEARCH = "alphabeta(deepening=false, aspiration=false, killers=false, megabytes=16)"
"""For units."""
VERDICT = SEARCH.replace("aspiration=false", "aspiration=false, pvs=false")
"""The search for verdicts: where only a win counts, there is no value between to ask for."""


def left_of(limit: Limit, seconds: float, nodes: int = 0) -> Limit:
    """Return what is left of a limit after this work; where nothing is, the least there can be."""
    return evolve(
        limit,
        seconds=None if limit.seconds is None else max(limit.seconds - seconds, 1e-9),
        nodes=None if limit.nodes is None else max(limit.nodes - nodes, 1),
    )


class Solver:
    """Searches that share a table and a limit, and count their nodes."""

    def __init__(self, limit: Limit | None, spec: str = SEARCH) -> None:
        self.run = _search(spec).open()
        self.nodes = 0
        self._limit = limit or Limit()
        self._begun = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Since the work began."""
        return time.perf_counter() - self._begun

    def _searched(self, state: RecordState) -> Result:
        result = self.run.best(Position(state), left_of(self._limit, self.seconds, self.nodes))
        if not self.nodes:  # what the first search compiled is not on the clock
            self._begun = time.perf_counter() - result.seconds
        self.nodes += result.nodes
        return result

    def value(self, state: RecordState) -> int | None:
        """Seat 0's payoff under best play; None where the limit came first."""
        if state.turn == TERMINAL:
            return round(state.payoff()[0])
        result = self._searched(state)
        if result.bound is not Bound.EXACT:
            return None
        return round(result.value) * (1 if state.turn == 0 else -1)

    def worth(self, state: RecordState, units: bool) -> int | None:
        """Return the units, or 1 for made and 0 for failed; None if the limit came first."""
        value = self.value(state)
        return value if units or value is None else int(value > 0)

    def line(self, state: RecordState) -> tuple[str, ...]:
        """Best play from `state` to the end, as far as the limit allows."""
        line: list[str] = []
        while state.turn != TERMINAL:
            result = self._searched(state)
            if result.bound is not Bound.EXACT:
                break
            for move in result.line:
                line.append(move)
                state = state.after(move)
        return tuple(line)

    def close(self) -> None:
        """Give the table back."""
        self.run.close()


@cache
def _search(spec: str) -> Search:
    return search(spec)
