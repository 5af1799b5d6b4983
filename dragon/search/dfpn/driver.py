"""The memory of df-pn's kernel, and its driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from dragon.bits import mix
from dragon.core import TERMINAL, Limit, State
from dragon.search.dfpn.kernel import (
    NEVER,
    OPEN,
    PROOF_ENTRY,
    PROOF_LOAD,
    PROOF_RECORD,
    START,
    consult,
)
from dragon.search.driver import TableDriver, backend_of, run_of
from dragon.search.move_ordering import HISTORY
from dragon.search.table import FIRST_MEGABYTES, Lease, Table, bound_of
from dragon.search.two_sided import check_two_sided, refuse_later, side, whole_units

Numbers = tuple[int, int, int]
"""Proof and disproof number; where one is 0, the units of seat 0 that this proves."""

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
        ("focus", "i8"),  # the number there should be
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
    """The arrays of the kernel, for p plies and `room` moves on the stack."""

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


class Known:
    """Knowledge of a state without a search of it: its end, bounds, `solved`, the table."""

    def __init__(self, settings: Any, table: Table) -> None:
        self.settings = settings
        self.hits = 0
        """The number of times that the table decided."""
        self.take(table)

    def take(self, table: Table) -> None:
        """Look in this table from now on."""
        self.table: Any = table.entries.view(PROOF_RECORD)
        self.age = table.age

    def key(self, s: State[Any]) -> Any:
        """Return the mixed key of `s`, 0 where the table does not keep it."""
        return mix(s.key())

    def rest(self, s: State[Any], asked: int) -> int:
        """The question from the mover's side, about the units not banked yet.

        The other side's question is the contrary: whether it gets more than what is left.
        """
        left = asked - whole_units(s, s.banked())
        return left if side(s) > 0 else 1 - left

    def entry(self, s: State[Any], key: Any, asked: int) -> Any:
        """The table's entry for the question whether seat 0's side gets `asked`, or None."""
        at = consult(self.table, self.age, key, self.rest(s, asked)) if key else -1
        return self.table[at] if at >= 0 else None

    def numbers(self, s: State[Any], entry: Any, asked: int) -> Numbers:
        if bound_of(entry) != OPEN:
            self.hits += 1
            return answered(side(s) * int(entry.asked) + whole_units(s, s.banked()), asked)
        phi, delta = int(entry.phi), int(entry.delta)
        return (phi, delta, 0) if side(s) > 0 else (delta, phi, 0)

    def work(self, s: State[Any], asked: int) -> int:
        """Return the nodes that an entry of the table has cost, 0 where there is none."""
        entry = None if s.turn == TERMINAL else self.entry(s, self.key(s), asked)
        return 0 if entry is None else int(entry.work)

    def look(self, s: State[Any], asked: int) -> Numbers:
        """The numbers of any state: of its end, its bounds, solved, or its entry; else 1 and 1."""
        on = self.settings
        if s.turn == TERMINAL:
            return answered(whole_units(s, s.payoff()[0]), asked)
        if on.bounds and (bounds := s.bounds()) is not None:
            low, high = (whole_units(s, units) for units in bounds)
            if low >= asked or high < asked:
                return answered(low if low >= asked else high, asked)
        if on.solved and s.turn >= 0 and (solved := s.solved()) is not None:
            return answered(whole_units(s, solved[0]), asked)
        check_two_sided(on, s)
        entry = self.entry(s, self.key(s), asked)
        return (1, 1, 0) if entry is None else self.numbers(s, entry, asked)


def answered(worth: int, asked: int) -> Numbers:
    """The numbers where `worth` is the value, a lower bound as high as asked, or an upper below."""
    return (0, NEVER, worth) if worth >= asked else (NEVER, 0, worth)


@frozen
class Answer:
    """The answer to whether seat 0's side gets what was asked; None where the budget ended."""

    yes: bool | None
    worth: int = 0
    """The units of seat 0 that the proof has shown, as a lower or an upper bound."""
    move: Any = None
    """The root's move that is proven, that loses least, or that looks nearest to a proof."""


class Driver(TableDriver):
    """The working memory of the search of one state."""

    entry, load = PROOF_ENTRY, PROOF_LOAD
    stack = ("codes", "numbers", "worths")

    def __init__(self, settings: Any, state: State[Any], limit: Limit, lease: Lease) -> None:
        table = lease.of(state, FIRST_MEGABYTES)

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
            worths=arrays.zeros(room),
            table=arrays.table(table.entries.view(PROOF_ENTRY)),
            tablebase=arrays.tablebase(settings.solved),
            history=arrays.zeros(2, HISTORY),
            runs=arrays.runs(run_of(RUN, settings, age=table.age, mode=START)),
        )
        self.known = Known(settings, table)
        self.watch: Callable[[int], object] | None = None
        """Called with the nodes visited, now and then."""
        super().__init__("dragon.search.dfpn.kernel", settings, state, limit, m, arrays)
        self.lend(lease)

    def ask(self, state: State[Any], asked: int) -> Answer:
        """Answer if seat 0's side gets `asked` units; unanswered where the budget ended."""
        run, frame = self.m.runs[0], self.m.frames[0]
        run["mode"], run["ply"], run["asked"] = START, 0, asked
        frame["proof_limit"] = frame["disproof_limit"] = NEVER
        frame["seen"] = frame["base"] = 0
        self.turn_to(state)
        if not self.go_on():
            return Answer(None, move=self._move(answered=False))
        return Answer(int(run["proof"]) == 0, int(run["worth"]), self._move(answered=True))

    def paused(self) -> None:
        """Read how often the table decided, and call what watches the search."""
        self.known.hits = int(self.m.runs[0]["hits"])
        if self.watch is not None:
            self.watch(self.budget.nodes)

    def take(self, table: Table) -> None:
        """Work on this table from now on, and ask it for what is known."""
        super().take(table)
        self.known.take(table)

    def _move(self, answered: bool) -> Any:
        """The root's move that decides, or that looks best of those that were looked at."""
        looked = int(self.m.frames[0]["seen"])
        if not looked:
            return None
        sign, listed = side(self.root), self.backend.listed
        phis = listed(self.m.numbers[0 if sign > 0 else 1], looked)
        index = phis.index(min(phis))
        if answered:
            worths = listed(self.m.worths, looked)
            among = [i for i in range(looked) if phis[i] == 0 or phis[index] > 0]
            index = max(among, key=lambda i: sign * worths[i])
        return self.moves_of(listed(self.m.codes, index + 1)[index:])[0]
