"""One iteration of alpha-beta by the kernel, in slices between which it looks at the clock."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dragon.core import Limit
from dragon.record import RecordState
from dragon.rehearsal import rehearsed
from dragon.search.alphabeta import Outcome, fades
from dragon.search.budget import Budget, Pace
from dragon.search.kernels.alphabeta import CHANCE_MET, DONE, FRAME, GROW, PAUSED, ROOM, RUN, START
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
        self._table = np.zeros(4, ENTRY) if table is None else table.entries
        self._states = np.zeros(self._plies, rules.layout)
        self._words = self._states.view(np.uint64).reshape(self._plies, -1)
        self._frames = np.zeros(self._plies, FRAME)
        self._killers = np.full((self._plies, 2), -1, np.int64)
        self._history = np.zeros((2, HISTORY), np.int64)
        self._lines = np.zeros((self._plies, self._plies), np.int64)
        self._lengths = np.zeros(self._plies, np.int64)
        room = ROOM * rules.width * min(plies, max(2, FIRST_ROOM // rules.width))
        self._codes, self._scores, self._places = np.zeros((3, room), np.int64)
        self._random = np.zeros(1, np.uint64)
        self._tablebase = rules.opened(search.solved)
        self._runs = np.zeros(1, RUN)
        run = self._runs[0]
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
        return int(self._runs[0]["hits"])

    def restart(self, state: RecordState, limit: Limit) -> None:
        """Turns to another state of the same game; what was learnt of it stays."""
        self.root = state
        run = self._runs[0]
        run["nodes"], run["listed"], run["lead"] = 0, 0, -1
        self.budget = Budget(limit)

    def search(self, depth: int, low: int, high: int) -> Outcome:
        """One iteration; where the budget ended it, what the root had found."""
        self._begin(depth, low, high)
        run, budget = self._runs[0], self.budget
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
                state = RecordState(self.root.game, self._states[int(run["ply"]) + 1].tobytes())
                refuse_chance(self._search, state)
            if status == PAUSED and budget.spent():
                frame = self._frames[0]
                if not self._lengths[0] or frame["best"] <= frame["first_alpha"]:
                    return Outcome(0, (), open=True, finished=False)
                best = int(frame["best"]) * side(self.root)
                return Outcome(best, self._line(), open=True, finished=False)

    def _begin(self, depth: int, low: int, high: int) -> None:
        run, frame = self._runs[0], self._frames[0]
        run["mode"], run["ply"] = START, 0
        frame["depth"], frame["low"], frame["high"], frame["base"] = depth, low, high, 0
        self._lengths[0] = 0
        self._states[0] = np.frombuffer(self.root.data, self._states.dtype)[0]

    @rehearsed
    def _resume(self) -> int:
        while True:
            status = int(
                self._kernel.resume(
                    self._states,
                    self._words,
                    self._frames,
                    self._codes,
                    self._scores,
                    self._places,
                    self._killers,
                    self._history,
                    self._table,
                    self._lines,
                    self._lengths,
                    self._random,
                    self._tablebase,
                    self._runs,
                )
            )
            if status != GROW:
                return status
            room = len(self._codes)  # twice as long, what is on the stack stays
            self._codes = np.append(self._codes, np.zeros(room, np.int64))
            self._scores = np.append(self._scores, np.zeros(room, np.int64))
            self._places = np.append(self._places, np.zeros(room, np.int64))

    def _line(self) -> tuple[str, ...]:
        """The root's line as moves."""
        if not self.lines:
            return ()
        line, data = [], self.root.data
        engine, text = self.rules.engine, self.rules.notation.move_text
        for code in self._lines[0, : self._lengths[0]].tolist():
            line.append(text(self.rules.record(data), code))
            data = engine.play(data, code)
        return tuple(line)
