"""One iteration of alpha-beta by the kernel, in slices between which it looks at the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dragon.core import Limit
from dragon.record import RecordState
from dragon.rehearsal import rehearsed
from dragon.search.alphabeta import Outcome, fades
from dragon.search.budget import Budget, Pace
from dragon.search.kernels.alphabeta import (
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
from dragon.search.sides import refuse_chance, side
from dragon.specialise import specialise
from dragon.table import ENTRY

if TYPE_CHECKING:
    from dragon.search.alphabeta import AlphaBeta
    from dragon.table import Lease

FLAGS = ("table", "pvs", "killers", "history", "order", "shuffle", "reduce", "bounds", "solved")
"""Settings that the kernel has under the same names."""
FIRST_SLICE, SLICE = 500, 50_000
"""Nodes between two looks at the clock: as many as take about ten milliseconds,"""
FIRST_ROOM = 500
"""Moves on the stack for which there is room at first, where two lists are no longer."""
SLICE_MOVES = 100_000
"""or moves listed, where lists are long."""


class CompiledDriver:
    """The working memory of the search of one state, on a game by Rules."""

    def __init__(
        self,
        search: AlphaBeta,
        state: RecordState,
        limit: Limit,
        seed: int,
        lease: Lease,
    ) -> None:
        self.root = state
        self.lines = True
        self._search = search
        self.rules = rules = state.rules
        self.sooner = fades(search, state)
        self._kernel = specialise("dragon.search.kernels.alphabeta", rules)
        plies = rules.plies + 2
        self._plies = plies if search.depth is None else min(plies, search.depth + 2)
        if limit.depth is not None:
            self._plies = min(self._plies, limit.depth + 2)
        table = lease.of(state) if search.table else None
        p, room = self._plies, ROOM * rules.width * min(plies, max(2, FIRST_ROOM // rules.width))
        states = np.zeros(p, rules.layout)
        self._m = Memory(
            states=states,
            words=states.view(np.uint64).reshape(p, -1),
            frames=np.zeros(p, FRAME),
            codes=np.zeros(room, np.int64),
            scores=np.zeros(room, np.int64),
            places=np.zeros(room, np.int64),
            killers=np.full((p, 2), -1, np.int64),
            history=np.zeros((2, HISTORY), np.int64),
            table=np.zeros(4, ENTRY) if table is None else table.entries,
            lines=np.zeros((p, p), np.int64),
            lengths=np.zeros(p, np.int64),
            random=np.zeros(1, np.uint64),
            tablebase=rules.opened(search.solved),
            runs=np.zeros(1, RUN),
        )
        run = self._m.runs[0]
        run["seed"], run["lead"] = seed, -1
        run["age"] = 0 if table is None else table.age
        for name in FLAGS:
            run[name] = getattr(search, name)
        run["sooner"] = self.sooner
        self._begin(1, -1, 1)
        run["stop"] = 0
        self._resume()  # compiles or loads the kernel before the clock starts
        timed = limit.seconds is not None
        self._pace = Pace(FIRST_SLICE if timed else SLICE, SLICE, timed)
        self.budget = Budget(limit)

    @property
    def hits(self) -> int:
        """How often the table decided."""
        return int(self._m.runs[0]["hits"])

    def restart(self, state: RecordState, limit: Limit) -> None:
        """Turns to another state of the same game; what was learnt of it stays."""
        self.root = state
        run = self._m.runs[0]
        run["nodes"], run["listed"], run["lead"] = 0, 0, -1
        self.budget = Budget(limit)

    def search(self, depth: int, low: int, high: int) -> Outcome:
        """One iteration; where the budget ended it, what the root had found."""
        self._begin(depth, low, high)
        run, budget = self._m.runs[0], self.budget
        nodes = budget.limit.nodes
        while True:
            stop = budget.nodes + self._pace.steps
            run["stop"] = stop if nodes is None else min(stop, nodes)
            run["pause"] = run["listed"] + SLICE_MOVES
            began = budget.seconds
            status = self._resume()
            self._pace.took(budget.seconds - began)
            budget.nodes = int(run["nodes"])
            if status == DONE:
                return Outcome(int(run["value"]), self._line(), bool(run["open"]), finished=True)
            if status == CHANCE_MET:
                state = RecordState(self.root.game, self._m.states[int(run["ply"]) + 1].tobytes())
                refuse_chance(self._search, state)
            if status == PAUSED and budget.spent():
                frame = self._m.frames[0]
                if not self._m.lengths[0] or frame["best"] <= frame["first_alpha"]:
                    return Outcome(0, (), open=True, finished=False)
                best = int(frame["best"]) * side(self.root)
                return Outcome(best, self._line(), open=True, finished=False)

    def _begin(self, depth: int, low: int, high: int) -> None:
        run, frame = self._m.runs[0], self._m.frames[0]
        run["mode"], run["ply"] = START, 0
        frame["depth"], frame["low"], frame["high"], frame["base"] = depth, low, high, 0
        self._m.lengths[0] = 0
        self._m.states[0] = np.frombuffer(self.root.data, self._m.states.dtype)[0]

    @rehearsed
    def _resume(self) -> int:
        while True:
            status = int(self._kernel.resume(self._m))
            if status != GROW:
                return status
            longer = np.zeros(len(self._m.codes), np.int64)  # what is on the stack stays
            stack = (self._m.codes, self._m.scores, self._m.places)
            codes, scores, places = (np.append(each, longer) for each in stack)
            self._m = self._m._replace(codes=codes, scores=scores, places=places)

    def _line(self) -> tuple[str, ...]:
        """The root's line as moves."""
        if not self.lines:
            return ()
        line, data = [], self.root.data
        engine, text = self.rules.engine, self.rules.notation.move_text
        for code in self._m.lines[0, : self._m.lengths[0]].tolist():
            line.append(text(self.rules.record(data), code))
            data = engine.play(data, code)
        return tuple(line)
