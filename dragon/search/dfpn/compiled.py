"""The memory of df-pn's kernel, and its driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dragon.core import Limit
from dragon.rules.record import RecordState
from dragon.search.dfpn.kernel import START
from dragon.search.dfpn.plain import Known
from dragon.search.dfpn.settings import Answer, Settings
from dragon.search.dfpn.table import NEVER, PROOF_ENTRY, PROOF_LOAD
from dragon.search.driver import TableDriver, room_for, run_of, words_of
from dragon.search.move_ordering import HISTORY
from dragon.search.table import FIRST_MEGABYTES, Lease, Table
from dragon.search.two_sided import side

FRAME = np.dtype(
    [
        ("proof_limit", "i8"),  # go back when the proof number has come to this,
        ("disproof_limit", "i8"),  # or the disproof number to this
        ("key", "u8"),  # mixed
        ("asked", "i8"),  # units that the mover must still get
        ("began", "i8"),  # nodes visited before this visit
        ("work", "i8"),  # nodes that earlier visits took
        ("base", "i8"),  # where the ply's moves begin on the stack
        ("n", "i8"),
        ("seen", "i8"),  # how many of them have been looked at,
        ("open", "i8"),  # and how many of those are open
        ("focus", "i8"),  # so many should be
        ("scanned", "i8"),  # how many have been asked whether they end the game
        ("at", "i8"),  # the move that is gone into
        ("sign", "i8"),
        ("seat", "i8"),  # to move
    ],
    align=True,
)
RUN = np.dtype(
    [
        ("mode", "i8"),
        ("ply", "i8"),
        ("asked", "i8"),  # whether seat 0's side gets so many units is the question
        ("proof", "i8"),  # numbers of the state just left, or looked at
        ("disproof", "i8"),
        ("worth", "i8"),  # where one of them is 0: the units of seat 0 that it proves
        ("nodes", "i8"),
        ("stop", "i8"),  # pause when this many nodes have been visited
        ("hits", "i8"),
        ("age", "i8"),  # of the table's entries that count
        ("epsilon", "f8"),
        ("focus", "f8"),
        ("order", "i1"),
        ("history", "i1"),
        ("reduce", "i1"),
        ("bounds", "i1"),
        ("weak", "i1"),
        ("ends", "i1"),
        ("solved", "i1"),
    ],
    align=True,
)


class Memory(NamedTuple):
    """What the kernel works on, for p plies and `room` moves on the stack."""

    states: Any  # records[p]
    words: Any  # uint64[p, itemsize / 8], the same memory
    frames: Any  # FRAME[p]
    codes: Any  # int64[room]
    numbers: Any  # int64[2, room]
    worths: Any  # int64[room], units of seat 0 where a number is 0
    table: Any  # PROOF_ENTRY[2**k]
    tablebase: Any  # uint8[any]
    history: Any  # int64[2, HISTORY]
    runs: Any  # RUN[1]


class CompiledDriver(TableDriver):
    """The working memory of the search of one state, on a game by Rules."""

    entry, load = PROOF_ENTRY, PROOF_LOAD
    stack = ("codes", "numbers", "worths")

    def __init__(self, settings: Settings, state: RecordState, limit: Limit, lease: Lease) -> None:
        rules, table = state.rules, lease.of(state, FIRST_MEGABYTES)
        p, room = rules.plies + 2, room_for(rules)
        states = np.zeros(p, rules.layout)
        m = Memory(
            states=states,
            words=words_of(states),
            frames=np.zeros(p, FRAME),
            codes=np.zeros(room, np.int64),
            numbers=np.zeros((2, room), np.int64),
            worths=np.zeros(room, np.int64),
            table=table.entries.view(PROOF_ENTRY),
            tablebase=rules.opened(settings.solved),
            history=np.zeros((2, HISTORY), np.int64),
            runs=run_of(RUN, settings, age=table.age, mode=START),
        )
        self.known = Known(settings, table)
        self.watch: Callable[[int], object] | None = None
        """Called with the nodes visited, now and then."""
        super().__init__("dragon.search.dfpn.kernel", settings, state, limit, m)
        self.lend(lease)

    def ask(self, state: Any, asked: int) -> Answer:
        """Return True if seat 0's side gets `asked` units; unanswered where the budget ended."""
        run, frame = self.m.runs[0], self.m.frames[0]
        run["mode"], run["ply"], run["asked"] = START, 0, asked
        frame["proof_limit"] = frame["disproof_limit"] = NEVER
        frame["seen"] = frame["base"] = 0
        self.turn_to(state)
        if not self.go_on():
            return Answer(None, move=self._move(answered=False))
        return Answer(int(run["proof"]) == 0, int(run["worth"]), self._move(answered=True))

    def paused(self) -> None:
        """Reads how often the table decided, and calls whoever watches."""
        self.known.hits = int(self.m.runs[0]["hits"])
        if self.watch is not None:
            self.watch(self.budget.nodes)

    def take(self, table: Table) -> None:
        """Works on this table from now on, and asks it for what is known."""
        super().take(table)
        self.known.take(table)

    def _move(self, answered: bool) -> str | None:
        """The root's move that decides, or that looks best of those that were looked at."""
        frame, sign = self.m.frames[0], side(self.root)
        looked = int(frame["seen"])
        if not looked:
            return None
        phis = self.m.numbers[0 if sign > 0 else 1, :looked]
        index = int(phis.argmin())
        if answered:
            worths = sign * self.m.worths[:looked]
            among = phis == 0 if phis[index] == 0 else np.ones(looked, bool)
            index = int(np.where(among, worths, worths.min() - 1).argmax())
        return self.root.text(int(self.m.codes[index]))
