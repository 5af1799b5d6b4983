"""Df-pn in plain Python: the algorithm as it is read aloud.

The kernel `dragon.search.dfpn.kernel` is this file with an explicit stack, step by step under
the same numbers; a law holds the two together, value for value and node for node.

Of a state phi is the number towards a proof of what its mover wants, delta that towards the
contrary (Nagai 2002): proof and disproof number where the mover is on seat 0's side, else
disproof and proof number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import define, field

from dragon.bits import mix
from dragon.core import TERMINAL, Limit, State
from dragon.search.budget import Budget, OutOfBudget
from dragon.search.dfpn.settings import Answer, Settings
from dragon.search.dfpn.table import (
    MOST_WORK,
    NEVER,
    OPEN,
    PROOF_LOAD,
    PROOF_RECORD,
    consult,
    record,
    transfer,
)
from dragon.search.move_ordering import HISTORY, codes_of, credit, promise
from dragon.search.table import FIRST_MEGABYTES, Lease, Table, bound_of
from dragon.search.two_sided import check_two_sided, refuse_later, side, whole_units

Numbers = tuple[int, int, int]
"""Proof and disproof number; where one is 0, the units of seat 0 that this proves."""


class Known:
    """What is known of a state without a search of it."""

    def __init__(self, settings: Settings, table: Table) -> None:
        self.settings = settings
        self.hits = 0
        """How often the table decided."""
        self.take(table)

    def take(self, table: Table) -> None:
        """What is known is in this table from now on."""
        self.table: Any = table.entries.view(PROOF_RECORD)
        self.age = table.age

    def key(self, s: State[Any]) -> Any:
        """What the table keeps `s` under, mixed; 0 where it is not kept."""
        return mix(s.key())

    def rest(self, s: State[Any], asked: int) -> int:
        """The question from the mover's side, of what is not banked yet.

        The other side's question is the contrary: whether it gets more than what is left.
        """
        left = asked - whole_units(s, s.banked())
        return left if side(s) > 0 else 1 - left

    def entry(self, s: State[Any], key: Any, asked: int) -> Any:
        """The table's entry for the question whether seat 0's side gets `asked`, or None."""
        at = consult(self.table, self.age, key, self.rest(s, asked)) if key else -1
        return self.table[at] if at >= 0 else None

    def numbers(self, s: State[Any], entry: Any, asked: int) -> Numbers:
        """The numbers in an entry."""
        if bound_of(entry) != OPEN:
            self.hits += 1
            return answered(side(s) * int(entry.asked) + whole_units(s, s.banked()), asked)
        phi, delta = int(entry.phi), int(entry.delta)
        return (phi, delta, 0) if side(s) > 0 else (delta, phi, 0)

    def work(self, s: State[Any], asked: int) -> int:
        """How many nodes an entry of the table has cost; 0 where there is none."""
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


@define
class Children:
    """The moves of a state in the order of promise, and what is known of those looked at."""

    sign: int
    """1 where the mover is on seat 0's side, -1 where not."""
    moves: list[Any] = field(factory=list)
    codes: list[int] = field(factory=list)
    focus: int = 2
    """How many should be open at a time."""
    numbers: list[Numbers] = field(factory=list)

    def phis(self) -> list[int]:
        """The numbers towards a proof for the mover of this state, who needs one of them."""
        return [proof if self.sign > 0 else disproof for proof, disproof, _ in self.numbers]

    def deltas(self) -> list[int]:
        """The numbers towards a proof for the other side, which needs all of them."""
        return [disproof if self.sign > 0 else proof for proof, disproof, _ in self.numbers]

    def wanting(self) -> bool:
        """Return True if another move should be looked at."""
        phis = self.phis()
        if 0 in phis:
            return False
        return len(phis) < len(self.moves) and sum(n < NEVER for n in phis) < self.focus

    def settled(self) -> tuple[int, int]:
        """Which move is worth most to the mover, of those proven if any is, and its worth."""
        phis, worths = self.phis(), [self.sign * worth for _, _, worth in self.numbers]
        among = (i for i in range(len(phis)) if phis[i] == 0 or 0 not in phis)
        index = max(among, key=lambda i: worths[i])
        return index, self.sign * worths[index]


class PlainDriver:
    """The working memory of the search of one state, on any State."""

    def __init__(self, settings: Settings, state: State[Any], limit: Limit, lease: Lease) -> None:
        self.settings = settings
        self.known = Known(settings, lease.of(state, FIRST_MEGABYTES))
        self.lease, self._grows_at = lease, lease.grows_at(PROOF_LOAD)
        self.asked = 0
        self.root = Children(1)
        self.history = np.zeros((2, HISTORY), np.int64)
        self.budget = Budget(limit)
        self.watch: Callable[[int], object] | None = None
        """Called with the nodes visited, now and then."""

    def ask(self, state: State[Any], asked: int) -> Answer:
        """Return True if seat 0's side gets `asked` units; unanswered where the budget ended."""
        self.asked = asked
        self.root = Children(side(state))
        try:
            self._count()
            proof, _, worth = self.visit(state, NEVER, NEVER, 0)
        except (OutOfBudget, RecursionError) as stop:
            phis = self.root.phis()
            move = self.root.moves[phis.index(min(phis))] if phis else None
            return Answer(None, move=move, extra=self.budget.stopped(stop))
        return Answer(proof == 0, worth, self.root.moves[self.root.settled()[0]])

    def _count(self) -> None:
        """Counts one node; the table may grow before it is visited."""
        self.budget.visit()
        if self.budget.nodes > self._grows_at:
            self.known.take(self.lease.grow(transfer, PROOF_RECORD))
            self._grows_at = self.lease.grows_at(PROOF_LOAD)

    def visit(self, s: State[Any], proof_limit: int, disproof_limit: int, ply: int) -> Numbers:
        """Works on `s` until one of its numbers comes to its limit."""
        if self.watch is not None:
            self.watch(self.budget.nodes)
        known, asked = self.known, self.asked
        key, work, began = known.key(s), 0, self.budget.nodes
        # 1. Ask the table once more.
        if ply > 0 and (entry := known.entry(s, key, asked)) is not None:
            numbers = known.numbers(s, entry, asked)
            if numbers[0] >= proof_limit or numbers[1] >= disproof_limit:
                return numbers
            work = int(entry.work)
        # 2. The moves, the most promising first.
        children = self.children(s)
        if ply == 0:
            self.root = children
        # 3. At a first visit, a move that ends the game as the mover wants.
        if self.settings.ends and work == 0 and len(children.moves) > children.focus:
            self.scan(s, children)
        while True:
            # 4. Look at children, until one is proven or enough are open.
            while children.wanting():
                self._count()
                child = s.after(children.moves[len(children.numbers)])
                if child.conceals:
                    refuse_later(self.settings, child, s, chance=False)
                children.numbers.append(known.look(child, asked))
            # 5. Add up; choose the child that is nearest to a proof, and its limits.
            proof, disproof, index, limits = self.choose(children, proof_limit, disproof_limit)
            if proof >= proof_limit or disproof >= disproof_limit:
                break
            # 6. Go into it, and learn what came of it.
            child = s.after(children.moves[index])
            children.numbers[index] = self.visit(child, *limits, ply + 1)
        # 7. Keep what was found.
        worth = children.settled()[1] if 0 in (proof, disproof) else 0
        self.reward(children)
        if key:
            phi, delta = (proof, disproof) if children.sign > 0 else (disproof, proof)
            bound = children.sign * (worth - whole_units(s, s.banked()))
            work = min(MOST_WORK, work + self.budget.nodes - began)
            record(known.table, known.age, key, known.rest(s, asked), phi, delta, bound, work)
        return proof, disproof, worth

    def scan(self, s: State[Any], children: Children) -> None:
        """Puts a move first, and looks at it, that ends the game as the mover wants, if any."""
        moves, codes = children.moves, children.codes
        for i, move in enumerate(moves):
            self._count()
            child = s.after(move)
            refuse_later(self.settings, child, s, chance=False)
            if child.turn == TERMINAL:
                children.numbers.append(self.known.look(child, self.asked))
                if children.phis() == [0]:
                    moves[0], moves[i], codes[0], codes[i] = moves[i], moves[0], codes[i], codes[0]
                    return
                children.numbers.pop()

    def choose(
        self, children: Children, proof_limit: int, disproof_limit: int
    ) -> tuple[int, int, int, tuple[int, int]]:
        """Proof and disproof number, the child nearest to its mover's proof, and its limits.

        The mover needs one phi to fall to 0, and takes the least; the other side needs all of
        the deltas.
        """
        on, phis, deltas = self.settings, children.phis(), children.deltas()
        phi = min(phis)
        index = phis.index(phi)
        second = min((n for i, n in enumerate(phis) if i != index), default=NEVER)
        total, count = sum(deltas), sum(n > 0 for n in deltas)
        if on.weak and count:
            total = max(deltas) + count - 1
        delta = NEVER if NEVER in deltas else min(total, NEVER - 1)
        phi_limit, delta_limit = proof_limit, disproof_limit
        if children.sign < 0:
            phi_limit, delta_limit = disproof_limit, proof_limit
        if second < NEVER:  # a little longer than until the second is the best
            phi_limit = min(phi_limit, second + max(1, int(on.epsilon * second)))
        if delta_limit < NEVER:  # what the others leave of it
            delta_limit -= count - 1 if on.weak else total - deltas[index]
        if children.sign > 0:
            return phi, delta, index, (phi_limit, delta_limit)
        return delta, phi, index, (delta_limit, phi_limit)

    def children(self, s: State[Any]) -> Children:
        """The moves, the most promising first, ties in the list's order."""
        on = self.settings
        moves = s.distinct() if on.reduce else s.moves()
        codes = codes_of(s, moves)
        scores = promise(s, moves, codes, on, self.history)
        places = sorted(range(len(moves)), key=lambda i: -scores[i])
        focus = max(2, int(on.focus * len(moves)))
        return Children(side(s), [moves[i] for i in places], [codes[i] for i in places], focus)

    def reward(self, children: Children) -> None:
        """Remembers the moves that proved what their side wants."""
        for code, phi in zip(children.codes, children.phis(), strict=False):
            if self.settings.history and phi == 0:
                credit(self.history, 0 if children.sign > 0 else 1, code, 1)
