"""Df-pn in plain Python: the algorithm as it is read aloud.

The kernel `dragon.search.kernels.dfpn` is this file with an explicit stack; a law holds the
two together, value for value and node for node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import define, field

from dragon.core import TERMINAL, Limit, State
from dragon.search.budget import Budget, OutOfBudget
from dragon.search.dfpn import Answer, Known
from dragon.search.ordering import HISTORY, ORDER_SHIFT, remember, slot
from dragon.search.proof_table import MOST_WORK, NEVER, PROOF_ENTRY, record
from dragon.search.sides import refuse_chance, side, whole_units

if TYPE_CHECKING:
    from dragon.search.dfpn import DfPn
    from dragon.table import Lease

Numbers = tuple[int, int, int]
"""Proof and disproof number; where one is 0, the units of seat 0 that this proves."""


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

    def own(self) -> list[int]:
        """The numbers of which the mover needs one: proofs that it gets what it wants."""
        return [proof if self.sign > 0 else disproof for proof, disproof, _ in self.numbers]

    def others(self) -> list[int]:
        """The numbers of which the other side needs all."""
        return [disproof if self.sign > 0 else proof for proof, disproof, _ in self.numbers]

    def wanting(self) -> bool:
        """Whether another move should be looked at."""
        if 0 in self.own():
            return False
        open_ones = sum(n < NEVER for n in self.own())
        return len(self.numbers) < len(self.moves) and open_ones < self.focus

    def settled(self, proven: bool) -> tuple[int, int]:
        """Which move is worth most to the mover, of those proven or of all, and its worth."""
        own, worths = self.own(), [self.sign * worth for _, _, worth in self.numbers]
        index = max(
            (i for i in range(len(own)) if own[i] == 0 or not proven), key=lambda i: worths[i]
        )
        return index, self.sign * worths[index]


class PlainDriver:
    """The working memory of the search of one state, on any State."""

    def __init__(self, search: DfPn, state: State[Any], limit: Limit, lease: Lease) -> None:
        table = lease.of(state)
        entries: Any = table.entries.view(PROOF_ENTRY).view(np.recarray)
        self.on = search
        self.known = Known(search, entries, table.age)
        self.asked = 0
        self.root = Children(1)
        self.history = np.zeros((2, HISTORY), np.int64)
        self.budget = Budget(limit)
        self.watch: Callable[[int], object] | None = None

    @property
    def hits(self) -> int:
        """How often the table decided."""
        return self.known.hits

    def ask(self, state: State[Any], asked: int) -> Answer:
        """Whether seat 0's side gets `asked` units; unanswered where the budget ended."""
        self.asked = asked
        self.root = Children(side(state))
        try:
            self.budget.visit()
            proof, _, worth = self.visit(state, NEVER, NEVER, 0)
        except (OutOfBudget, RecursionError) as stop:
            own = self.root.own()
            move = self.root.moves[own.index(min(own))] if own else None
            return Answer(None, move=move, told=self.budget.told(stop))
        index, _ = self.root.settled(0 in self.root.own())
        return Answer(proof == 0, worth, self.root.moves[index])

    def visit(self, s: State[Any], proof_limit: int, disproof_limit: int, ply: int) -> Numbers:
        """Works on `s` until one of its numbers comes to its limit."""
        if self.watch is not None:
            self.watch(self.budget.nodes)
        known, asked = self.known, self.asked
        key, work, began = known.key(s), 0, self.budget.nodes
        if ply > 0 and (entry := known.entry(s, key, asked)) is not None:
            numbers = known.numbers(s, entry, asked)
            if numbers[0] >= proof_limit or numbers[1] >= disproof_limit:
                return numbers
            work = int(entry.work)
        children = self.children(s)
        if ply == 0:
            self.root = children
        if self.on.ends and work == 0 and len(children.moves) > children.focus:
            self.scan(s, children)
        while True:
            while children.wanting():
                self.budget.visit()
                child = s.after(children.moves[len(children.numbers)])
                children.numbers.append(known.look(child, asked))
                if children.own()[-1] == 0:
                    break
            proof, disproof, index, limits = self.choose(children, proof_limit, disproof_limit)
            if proof >= proof_limit or disproof >= disproof_limit:
                break
            child = s.after(children.moves[index])
            children.numbers[index] = self.visit(child, *limits, ply + 1)
        worth = children.settled(0 in children.own())[1] if 0 in (proof, disproof) else 0
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
            self.budget.visit()
            child = s.after(move)
            refuse_chance(self.on, child)
            if child.turn == TERMINAL:
                children.numbers.append(self.known.look(child, self.asked))
                if children.own() == [0]:
                    moves[0], moves[i], codes[0], codes[i] = moves[i], moves[0], codes[i], codes[0]
                    return
                children.numbers.pop()

    def choose(
        self, children: Children, proof_limit: int, disproof_limit: int
    ) -> tuple[int, int, int, tuple[int, int]]:
        """Proof and disproof number, the child nearest to its mover's proof, and its limits.

        The mover needs one of its own numbers to fall to 0, and takes the least; the other
        side needs all of theirs.
        """
        own, others = children.own(), children.others()
        least = min(own)
        index = own.index(least)
        second = min((n for i, n in enumerate(own) if i != index), default=NEVER)
        total, count = sum(others), sum(n > 0 for n in others)
        if self.on.weak and count:
            total = max(others) + count - 1
        against = NEVER if NEVER in others else min(total, NEVER - 1)
        own_limit, other_limit = proof_limit, disproof_limit
        if children.sign < 0:
            own_limit, other_limit = disproof_limit, proof_limit
        if second < NEVER:  # a little longer than until the second is the best
            own_limit = min(own_limit, second + max(1, int(self.on.epsilon * second)))
        if other_limit < NEVER:  # what the others leave of it
            other_limit -= count - 1 if self.on.weak else total - others[index]
        if children.sign > 0:
            return least, against, index, (own_limit, other_limit)
        return against, least, index, (other_limit, own_limit)

    def children(self, s: State[Any]) -> Children:
        """The moves, the most promising first, ties in the list's order."""
        moves = s.distinct() if self.on.reduce else s.moves()
        codes = moves.codes.tolist() if hasattr(moves, "codes") else [s.code(m) for m in moves]
        own = s.order(moves) if self.on.order else None
        counters = self.history[0 if side(s) > 0 else 1]

        def score(i: int) -> int:
            asked = int(own[i]) << ORDER_SHIFT if own is not None else 0
            return asked + (int(counters[slot(codes[i])]) if self.on.history else 0)

        places = sorted(range(len(moves)), key=lambda i: -score(i))
        focus = max(2, int(self.on.focus * len(moves)))
        return Children(side(s), [moves[i] for i in places], [codes[i] for i in places], focus)

    def reward(self, children: Children) -> None:
        """Remembers the moves that proved what their side wants."""
        row = 0 if children.sign > 0 else 1
        for code, number in zip(children.codes, children.own(), strict=False):
            if self.on.history and number == 0:
                remember(self.history, row, code)
