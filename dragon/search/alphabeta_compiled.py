"""One iteration of alpha-beta by the kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dragon.core import Limit
from dragon.record import RecordState
from dragon.search.alphabeta import Outcome, fades
from dragon.search.budget import Budget
from dragon.search.driver import KernelDriver, room_for
from dragon.search.kernels.alphabeta import FRAME, ROOM, RUN, START, Memory
from dragon.search.ordering import HISTORY
from dragon.search.sides import side
from dragon.table import ENTRY

if TYPE_CHECKING:
    from dragon.search.alphabeta import AlphaBeta
    from dragon.table import Lease

FLAGS = ("table", "pvs", "killers", "history", "order", "shuffle", "reduce", "bounds", "solved")
"""Settings that the kernel has under the same names."""
SLICE_MOVES = 100_000
"""Moves listed between two looks at the clock, where lists are long."""


class CompiledDriver(KernelDriver):
    """The working memory of the search of one state, on a game by Rules."""

    template = "dragon.search.kernels.alphabeta"
    stack = ("codes", "scores", "places")

    def __init__(
        self, search: AlphaBeta, state: RecordState, limit: Limit, seed: int, lease: Lease
    ) -> None:
        self.root = state
        self.lines = True
        self.sooner = fades(search, state)
        rules, table = state.rules, lease.of(state) if search.table else None
        depths = [depth + 2 for depth in (search.depth, limit.depth) if depth is not None]
        p, room = min([rules.plies + 2, *depths]), room_for(rules, rules.plies + 2, ROOM)
        states = np.zeros(p, rules.layout)
        m = Memory(
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
        run = m.runs[0]
        run["seed"], run["lead"], run["sooner"] = seed, -1, self.sooner
        run["age"] = 0 if table is None else table.age
        for name in FLAGS:
            run[name] = getattr(search, name)
        run["mode"], run["pause"] = START, SLICE_MOVES
        super().__init__(search, state, limit, m)

    @property
    def hits(self) -> int:
        """How often the table decided."""
        return int(self.m.runs[0]["hits"])

    def restart(self, state: RecordState, limit: Limit) -> None:
        """Turns to another state of the same game; what was learnt of it stays."""
        self.root = state
        run = self.m.runs[0]
        run["nodes"], run["lead"] = 0, -1
        self.budget = Budget(limit)

    def search(self, depth: int, low: int, high: int) -> Outcome:
        """One iteration; where the budget ended it, what the root had found."""
        m, run, frame = self.m, self.m.runs[0], self.m.frames[0]
        run["mode"], run["ply"] = START, 0
        frame["depth"], frame["low"], frame["high"], frame["base"] = depth, low, high, 0
        m.lengths[0] = 0
        m.states[0] = np.frombuffer(self.root.data, m.states.dtype)[0]
        if self.go_on():
            return Outcome(int(run["value"]), self._line(), bool(run["open"]), finished=True)
        if not m.lengths[0] or frame["best"] <= frame["first_alpha"]:
            return Outcome(0, (), open=True, finished=False)
        best = int(frame["best"]) * side(self.root)
        return Outcome(best, self._line(), open=True, finished=False)

    def paused(self) -> None:
        """The next slice, too, lists so many moves at most."""
        self.m.runs[0]["listed"] = 0

    def _line(self) -> tuple[str, ...]:
        """The root's line as moves."""
        if not self.lines:
            return ()
        line, data = [], self.root.data
        engine, text = self.rules.engine, self.rules.notation.move_text
        for code in self.m.lines[0, : self.m.lengths[0]].tolist():
            line.append(text(self.rules.record(data), code))
            data = engine.play(data, code)
        return tuple(line)
