"""Driver: a kernel that keeps a stack, at work in slices between which it looks at the clock.

The kernel is the function `resume(m)` of a template. Its argument is a NamedTuple of arrays; among
them are `states`, records[p] of which the first is the root's; `codes`, the moves on the stack; and
`runs`, one record with at least the fields `nodes`, `ply` and `stop`. It goes on where it was, and
returns one of the four statuses below.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from dragon.core import Limit, Search
from dragon.record import RecordState
from dragon.rehearsal import rehearsed
from dragon.search.budget import Budget, Pace
from dragon.search.sides import chance_met
from dragon.specialise import specialise

PAUSED, DONE, GROW, CHANCE_MET = 0, 1, 2, 3
"""`run.stop` nodes are visited; all is done; `codes` is too short; chance decides at ply + 1."""
FIRST_SLICE, SLICE = 500, 50_000
"""Nodes between two looks at the clock: as many as take about ten milliseconds."""
FIRST_ROOM = 500
"""Moves on the stack for which there is room at first, where two lists are no longer."""


class KernelDriver:
    """The working memory of a search on a game by Rules."""

    template: ClassVar[str]
    stack: ClassVar[tuple[str, ...]] = ("codes",)
    """The arrays that are made longer, along their last axis, where `codes` is too short."""

    def __init__(self, search: Search, state: RecordState, limit: Limit, m: Any) -> None:
        """`m`: the arrays, ready for a first slice of no nodes."""
        self._search, self._game = search, state.game
        self.rules = state.rules
        self.m = m
        self.m.states[0] = np.frombuffer(state.data, self.rules.layout)[0]
        self._kernel = specialise(self.template, self.rules)
        self.m.runs[0]["stop"] = 0
        self._resume()  # compiles or loads the kernel before the clock starts
        timed = limit.seconds is not None
        self._pace = Pace(FIRST_SLICE if timed else SLICE, SLICE, timed)
        self.budget = Budget(limit)

    def go_on(self) -> bool:
        """Whether the kernel is done; if not, the budget is spent. Raises Objection for chance."""
        run, budget = self.m.runs[0], self.budget
        nodes = budget.limit.nodes
        while True:
            stop = budget.nodes + self._pace.steps
            run["stop"] = stop if nodes is None else min(stop, nodes)
            began = budget.seconds
            status = self._resume()
            self._pace.took(budget.seconds - began)
            budget.nodes = int(run["nodes"])
            self.paused()
            if status == CHANCE_MET:
                met = self.m.states[int(run["ply"]) + 1].tobytes()
                raise chance_met(self._search, RecordState(self._game, met))
            if status == DONE or budget.spent():
                return bool(status == DONE)

    def paused(self) -> None:
        """Called after every slice; by default nothing is done."""

    @rehearsed
    def _resume(self) -> int:
        while True:
            status = int(self._kernel.resume(self.m))
            if status != GROW:
                return status
            longer = {}
            for name in self.stack:  # twice as long, what is on the stack stays
                each = getattr(self.m, name)
                longer[name] = np.append(each, np.zeros_like(each), axis=-1)
            self.m = self.m._replace(**longer)


def room_for(rules: Any, plies: int, lists: int = 2) -> int:
    """Moves on the stack at first: `lists` of them at least, where each ply takes so many."""
    most: int = lists * rules.width * min(plies, max(2, FIRST_ROOM // rules.width))
    return most
