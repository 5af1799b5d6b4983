"""Df-pn by the kernel, in slices between which it looks at the clock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from dragon.core import Limit
from dragon.record import RecordState
from dragon.rehearsal import rehearsed
from dragon.search.budget import Budget, Pace
from dragon.search.dfpn import Answer, Known
from dragon.search.kernels.dfpn import (
    CHANCE_MET,
    DONE,
    FRAME,
    GROW,
    PAUSED,
    ROOM,
    RUN,
    START,
    Memory,
)
from dragon.search.ordering import HISTORY
from dragon.search.proof_table import NEVER, PROOF_ENTRY
from dragon.search.sides import refuse_chance, side
from dragon.specialise import specialise

if TYPE_CHECKING:
    from dragon.search.dfpn import DfPn
    from dragon.table import Lease

SETTINGS = (
    "epsilon", "focus", "weak", "ends", "order", "history", "reduce", "bounds", "solved",
)  # fmt: skip
FIRST_SLICE, SLICE = 500, 50_000
"""Nodes between two looks at the clock: as many as take about ten milliseconds."""
FIRST_ROOM = 500
"""Moves on the stack for which there is room at first, where two lists are no longer."""


class CompiledDriver:
    """The working memory of the search of one state, on a game by Rules."""

    def __init__(self, search: DfPn, state: RecordState, limit: Limit, lease: Lease) -> None:
        self._search = search
        self.rules = rules = state.rules
        self._game = state.game
        self._kernel = specialise("dragon.search.kernels.dfpn", rules)
        plies = rules.plies + 2
        table = lease.of(state)
        entries = table.entries.view(PROOF_ENTRY)
        self.known = Known(search, entries.view(np.recarray), table.age)
        states = np.zeros(plies, rules.layout)
        room = ROOM * rules.width * min(plies, max(2, FIRST_ROOM // rules.width))
        self._m = Memory(
            states=states,
            words=states.view(np.uint64).reshape(plies, -1),
            frames=np.zeros(plies, FRAME),
            codes=np.zeros(room, np.int64),
            numbers=np.zeros((2, room), np.int64),
            worths=np.zeros(room, np.int64),
            table=entries,
            tablebase=rules.opened(search.solved),
            history=np.zeros((2, HISTORY), np.int64),
            runs=np.zeros(1, RUN),
        )
        run = self._m.runs[0]
        run["age"] = table.age
        for name in SETTINGS:
            run[name] = getattr(search, name)
        self._begin(state, 0)
        run["stop"] = 0
        self._resume()  # compiles or loads the kernel before the clock starts
        timed = limit.seconds is not None
        self._pace = Pace(FIRST_SLICE if timed else SLICE, SLICE, timed)
        self.budget = Budget(limit)
        self.watch: Callable[[int], object] | None = None

    @property
    def hits(self) -> int:
        """How often the table decided."""
        return int(self._m.runs[0]["hits"])

    def ask(self, state: RecordState, asked: int) -> Answer:
        """Whether seat 0's side gets `asked` units; unanswered where the budget ended."""
        self._begin(state, asked)
        run, budget = self._m.runs[0], self.budget
        nodes = budget.limit.nodes
        while True:
            stop = budget.nodes + self._pace.steps
            run["stop"] = stop if nodes is None else min(stop, nodes)
            began = budget.seconds
            status = self._resume()
            self._pace.took(budget.seconds - began)
            budget.nodes = int(run["nodes"])
            if self.watch is not None:
                self.watch(budget.nodes)
            if status == DONE:
                proven = self._move(state, answered=True)
                return Answer(int(run["proof"]) == 0, int(run["worth"]), proven)
            if status == CHANCE_MET:
                met = self._m.states[int(run["ply"]) + 1].tobytes()
                refuse_chance(self._search, RecordState(self._game, met))
            if status == PAUSED and budget.spent():
                return Answer(None, move=self._move(state, answered=False))

    def _begin(self, state: RecordState, asked: int) -> None:
        run, frame = self._m.runs[0], self._m.frames[0]
        run["mode"], run["ply"], run["asked"] = START, 0, asked
        frame["proof_limit"] = frame["disproof_limit"] = NEVER
        frame["seen"] = frame["base"] = 0
        self._m.states[0] = np.frombuffer(state.data, self._m.states.dtype)[0]

    def _move(self, state: RecordState, answered: bool) -> str | None:
        """The root's move that decides, or that looks best of those that were looked at."""
        frame, sign = self._m.frames[0], side(state)
        looked = int(frame["seen"])
        if not looked:
            return None
        own = self._m.numbers[0 if sign > 0 else 1, :looked]
        index = int(own.argmin())
        if answered:
            worths = sign * self._m.worths[:looked]
            among = own == 0 if own[index] == 0 else np.ones(looked, bool)
            index = int(np.where(among, worths, worths.min() - 1).argmax())
        return state.text(int(self._m.codes[index]))

    @rehearsed
    def _resume(self) -> int:
        while True:
            status = int(self._kernel.resume(self._m))
            if status != GROW:
                return status
            room = len(self._m.codes)  # twice as long, what is on the stack stays
            self._m = self._m._replace(
                codes=np.append(self._m.codes, np.zeros(room, np.int64)),
                worths=np.append(self._m.worths, np.zeros(room, np.int64)),
                numbers=np.append(self._m.numbers, np.zeros((2, room), np.int64), axis=1),
            )
