"""Df-pn by the kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from dragon.core import Limit
from dragon.record import RecordState
from dragon.search.dfpn import Answer, Known
from dragon.search.driver import KernelDriver, room_for
from dragon.search.kernels.dfpn import FRAME, ROOM, RUN, START, Memory
from dragon.search.ordering import HISTORY
from dragon.search.proof_table import NEVER, PROOF_ENTRY
from dragon.search.sides import side

if TYPE_CHECKING:
    from dragon.search.dfpn import DfPn
    from dragon.table import Lease

SETTINGS = (
    "epsilon", "focus", "weak", "ends", "order", "history", "reduce", "bounds", "solved",
)  # fmt: skip


class CompiledDriver(KernelDriver):
    """The working memory of the search of one state, on a game by Rules."""

    template = "dragon.search.kernels.dfpn"
    stack = ("codes", "numbers", "worths")

    def __init__(self, search: DfPn, state: RecordState, limit: Limit, lease: Lease) -> None:
        rules, table = state.rules, lease.of(state)
        p, room = rules.plies + 2, room_for(rules, rules.plies + 2, ROOM)
        states, entries = np.zeros(p, rules.layout), table.entries.view(PROOF_ENTRY)
        m = Memory(
            states=states,
            words=states.view(np.uint64).reshape(p, -1),
            frames=np.zeros(p, FRAME),
            codes=np.zeros(room, np.int64),
            numbers=np.zeros((2, room), np.int64),
            worths=np.zeros(room, np.int64),
            table=entries,
            tablebase=rules.opened(search.solved),
            history=np.zeros((2, HISTORY), np.int64),
            runs=np.zeros(1, RUN),
        )
        run = m.runs[0]
        run["age"], run["mode"] = table.age, START
        for name in SETTINGS:
            run[name] = getattr(search, name)
        self.known = Known(search, entries.view(np.recarray), table.age)
        self.watch: Callable[[int], object] | None = None
        super().__init__(search, state, limit, m)

    @property
    def hits(self) -> int:
        """How often the table decided."""
        return int(self.m.runs[0]["hits"])

    def ask(self, state: RecordState, asked: int) -> Answer:
        """Whether seat 0's side gets `asked` units; unanswered where the budget ended."""
        run, frame = self.m.runs[0], self.m.frames[0]
        run["mode"], run["ply"], run["asked"] = START, 0, asked
        frame["proof_limit"] = frame["disproof_limit"] = NEVER
        frame["seen"] = frame["base"] = 0
        self.m.states[0] = np.frombuffer(state.data, self.m.states.dtype)[0]
        if not self.go_on():
            return Answer(None, move=self._move(state, answered=False))
        move = self._move(state, answered=True)
        return Answer(int(run["proof"]) == 0, int(run["worth"]), move)

    def paused(self) -> None:
        """Tells whoever watches."""
        if self.watch is not None:
            self.watch(self.budget.nodes)

    def _move(self, state: RecordState, answered: bool) -> str | None:
        """The root's move that decides, or that looks best of those that were looked at."""
        frame, sign = self.m.frames[0], side(state)
        looked = int(frame["seen"])
        if not looked:
            return None
        own = self.m.numbers[0 if sign > 0 else 1, :looked]
        index = int(own.argmin())
        if answered:
            worths = sign * self.m.worths[:looked]
            among = own == 0 if own[index] == 0 else np.ones(looked, bool)
            index = int(np.where(among, worths, worths.min() - 1).argmax())
        return state.text(int(self.m.codes[index]))
