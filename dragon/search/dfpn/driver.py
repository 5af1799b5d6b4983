"""The memory of df-pn's kernel, and its driver.

The module is imported when a search begins, since `search` has to be quick to import.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from dragon.bits import mix
from dragon.core import TERMINAL, Limit, State
from dragon.rules.record import Moves
from dragon.search.budget import Counted
from dragon.search.dfpn.kernel import (
    LOOK,
    NEVER,
    PROOF_ENTRY,
    PROOF_LOAD,
    PROOF_RECORD,
    START,
    consult,
)
from dragon.search.driver import TableDriver, backend_of, run_of, settings_of
from dragon.search.move_ordering import HISTORY
from dragon.search.table import FIRST_MEGABYTES, Lease, Table
from dragon.search.two_sided import check_two_sided, refuse_later, side, whole_units

FRAME = np.dtype(
    [
        ("proof_limit", "i8"),  # threshold: go back when the proof number reaches this,
        ("disproof_limit", "i8"),  # or the disproof number this
        ("key", "u8"),  # mixed
        ("asked", "i8"),  # units that the mover must still get
        ("began", "i8"),  # nodes visited before this visit
        ("work", "i8"),  # nodes that earlier visits took
        ("base", "i8"),  # where the ply's moves begin on the stack
        ("n", "i8"),
        ("seen", "i8"),  # how many of them have been looked at,
        ("open", "i8"),  # and how many of those are open
        ("focus", "i8"),  # how many should be open (`focus`)
        ("scanned", "i8"),  # how many have been tested for an end
        ("at", "i8"),  # the move that is searched
        ("sign", "i8"),
        ("seat", "i8"),  # to move
    ],
    align=True,
)
RUN = np.dtype(
    [
        ("mode", "i8"),
        ("ply", "i8"),
        ("asked_seat0", "i8"),  # the question: does seat 0's side get at least this many?
        ("nodes", "i8"),
        ("stop", "i8"),  # pause when this many nodes have been visited
        ("age", "i8"),  # of the table's entries that count
    ]
)
"""The budget of a run, its question, and the place where it paused."""
RESULTS = np.dtype(
    [
        ("proof", "i8"),  # proof and disproof number of the state just left, or looked at
        ("disproof", "i8"),
        ("worth_seat0", "i8"),  # where one of them is 0: the units of seat 0 that it proves
        ("hits", "i8"),  # how often the table decided
    ]
)
"""The results of a run."""


class Memory(NamedTuple):
    """The arrays of the kernel, for p plies and `room` moves on the stack."""

    states: Any  # records[p]
    words: Any  # uint64[p, itemsize / 8], the same memory
    frames: Any  # FRAME[p]
    codes: Any  # int64[room]
    numbers: Any  # int64[2, room]
    worths_seat0: Any  # int64[room], units of seat 0 where a number is 0
    table: Any  # PROOF_ENTRY[2**k]
    tablebase: Any  # uint8[any]
    history: Any  # int64[2, HISTORY]
    settings: Any  # of `settings_of`[1]
    runs: Any  # RUN[1]
    results: Any  # RESULTS[1]


@frozen
class Answer:
    """The answer to a question: whether seat 0's side gets the units asked; None if the budget
    ended."""

    yes: bool | None
    worth: int = 0
    """The units of seat 0 that the proof has shown, as a lower or an upper bound."""
    move: Any = None
    """The root's proven move, or the one that loses least, or the one nearest to a proof."""


class Driver(TableDriver):
    """The working memory of the search of one state."""

    entry, load = PROOF_ENTRY, PROOF_LOAD
    stack = ("codes", "numbers", "worths_seat0")

    def __init__(self, settings: Any, state: State[Any], limit: Limit, lease: Lease) -> None:
        self._table = table = lease.of(state, FIRST_MEGABYTES)

        def visit(after: State[Any]) -> None:
            refuse_later(settings, after, state, chance=False)
            if after.turn != TERMINAL:
                check_two_sided(settings, after)

        arrays = backend_of(settings, state, whole_units, visit)
        p, room = arrays.plies + 2, arrays.room
        states = arrays.states(p)
        m = Memory(
            states=states,
            words=arrays.words(states),
            frames=arrays.zeros(p, kind=FRAME),
            codes=arrays.zeros(room),
            numbers=arrays.zeros(2, room),
            worths_seat0=arrays.zeros(room),
            table=arrays.table(table.entries.view(PROOF_ENTRY)),
            tablebase=arrays.tablebase(settings.solved),
            history=arrays.zeros(2, HISTORY),
            settings=arrays.runs(run_of(settings_of(settings.__class__), settings)),
            runs=arrays.runs(run_of(RUN, age=table.age, mode=START)),
            results=arrays.runs(run_of(RESULTS)),
        )
        self.watch: Callable[[int], object] | None = None
        """A function that is called with the nodes visited, now and then."""
        super().__init__("dragon.search.dfpn.kernel", settings, state, limit, m, arrays)
        self.lend(lease)

    def ask(self, state: State[Any], asked: int) -> Answer:
        """Return the Answer to whether seat 0's side gets `asked` units."""
        run, frame = self.m.runs[0], self.m.frames[0]
        run["mode"], run["ply"], run["asked_seat0"] = START, 0, asked
        frame["proof_limit"] = frame["disproof_limit"] = NEVER
        frame["seen"] = frame["base"] = 0
        self.turn_to(state)
        if not self.go_on():
            return Answer(None, move=self._move(answered=False))
        found = self.m.results[0]
        yes, worth = int(found["proof"]) == 0, int(found["worth_seat0"])
        return Answer(yes, worth, self._move(answered=True))

    hits = Counted("hits", "results")
    """The number of times that the table decided."""

    def paused(self) -> None:
        """Call the observer of the search."""
        if self.watch is not None:
            self.watch(self.budget.nodes)

    def known(self, state: State[Any], asked: int) -> Any:
        """Return the first move that is known to answer `asked` as the mover wants, without a
        search: by ends, bounds, `solved` or the table; None if there is no such move."""
        run, frame, moves = self.m.runs[0], self.m.frames[0], state.moves()
        codes = moves.codes.tolist() if isinstance(moves, Moves) else None
        if codes is None or not self.backend.compiled:
            codes = [*self.backend.rules.coded(state, moves)]
        n, sign, nodes, hits = len(codes), side(state), run["nodes"], self.hits
        self.turn_to(state)
        for i, code in enumerate(codes):
            self.m.codes[i] = code
        for name in ("seen", "open", "base", "key", "proof_limit", "disproof_limit"):
            frame[name] = 0  # so that no child is searched, and nothing is kept
        frame["n"], frame["focus"], frame["sign"] = n, n, sign
        run["mode"], run["ply"], run["asked_seat0"] = LOOK, 0, asked
        run["stop"] = run["nodes"] + n
        on = self.m.settings[0]
        learns, on["history"] = on["history"], 0
        self._resume()
        on["history"], run["nodes"], self.m.results[0]["hits"] = learns, nodes, hits
        last = int(frame["seen"]) - 1
        phis = self.backend.listed(self.m.numbers[0 if sign > 0 else 1], last + 1)
        return moves[last] if phis and phis[last] == 0 else None

    def cost(self, s: State[Any], asked: int) -> int:
        """Return the nodes spent on the question whether seat 0's side gets `asked`, as the table's
        entry has them; 0 without an entry."""
        if s.turn == TERMINAL or not (key := mix(s.key())):
            return 0
        # The other side's question is the complement: does it get more than the rest?
        left = asked - whole_units(s, s.banked())
        table: Any = self._table.entries.view(PROOF_RECORD)
        at = consult(table, self._table.age, key, left if side(s) > 0 else 1 - left)
        return int(table[at].work) if at >= 0 else 0

    def take(self, table: Table) -> None:
        """Use this table from now on."""
        super().take(table)
        self._table = table

    def _move(self, answered: bool) -> Any:
        """Return the root's move that decides, or else the best of those looked at."""
        looked = int(self.m.frames[0]["seen"])
        if not looked:
            return None
        sign, listed = side(self.root), self.backend.listed
        phis = listed(self.m.numbers[0 if sign > 0 else 1], looked)
        index = phis.index(min(phis))
        if answered:
            worths = listed(self.m.worths_seat0, looked)
            among = [i for i in range(looked) if phis[i] == 0 or phis[index] > 0]
            index = max(among, key=lambda i: sign * worths[i])
        return self.moves_of(listed(self.m.codes, index + 1)[index:])[0]
