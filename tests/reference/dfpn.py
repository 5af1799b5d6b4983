"""Df-pn as a textbook has it: recursive, for any State of two sides whose positions never recur.

Every number is from the side of the mover. The memory of the table is that of the product, so
that both forget the same entries and can be compared node for node.

Sources: Nagai 2002 (df-pn, phi and delta); Pawlewicz and Lew 2007 (the 1 + epsilon trick); Ueda,
Hashimoto, Hashimoto and Iida 2008 (weak proof numbers).
"""

from __future__ import annotations

from typing import Any, NamedTuple

from attrs import define, field

from dragon.bits import mix
from dragon.core import TERMINAL, State
from dragon.search.dfpn.kernel import MOST_WORK, NEVER, OPEN, PROOF_RECORD, consult, record
from dragon.search.table import Table, bound_of
from tests.reference.alphabeta import side


class Numbers(NamedTuple):
    """Proof numbers: of the mover getting what it wants (phi), and of the other side denying it.

    Where one of them is 0, `worth` is what is proven: the units that the mover gets at least, or
    at most.
    """

    phi: int
    delta: int
    worth: int = 0


def answered(worth: int, wanted: int) -> Numbers:
    """Return the numbers of a mover who wants `wanted` units and gets `worth`."""
    return Numbers(0, NEVER, worth) if worth >= wanted else Numbers(NEVER, 0, worth)


@define
class DfPn:
    """Depth-first proof-number search: whether the mover gets at least the wanted units."""

    table: Table
    epsilon: float = 0.0
    """Share by which a child is followed beyond its best sibling."""
    weak: bool = False
    """Count the largest of the deltas and one for each other child, instead of their sum."""
    nodes: int = field(default=0, init=False)

    def solve(self, state: State[Any]) -> int:
        """Return the units that the mover gets, found by halving what is possible."""
        high = round(state.largest / state.unit)
        low = -high
        while low < high:
            wanted = high if high - low <= 2 else (low + high + 1) // 2
            self.nodes += 1
            found = self.search(state, wanted, NEVER, NEVER, ply=0)
            if found.phi == 0:
                low = max(low, found.worth)
            else:
                high = min(high, found.worth)
        return low

    def search(
        self, s: State[Any], wanted: int, phi_limit: int, delta_limit: int, ply: int
    ) -> Numbers:
        """Work on `s` until phi or delta reaches its limit."""
        key, began, work = mix(s.key()), self.nodes, 0
        if ply > 0 and (at := self.stored(key, wanted)) >= 0:
            known = self.entry_numbers(at, wanted)
            if known.phi >= phi_limit or known.delta >= delta_limit:
                return known
            work = int(self.entries[at].work)
        states = [s.after(move) for move in s.distinct()]
        children: list[Numbers] = []
        for child in states:
            self.nodes += 1
            children.append(self.turned(s, child, self.look(child, self.wants(s, child, wanted))))
            if children[-1].phi == 0:
                break
        while True:
            phi, delta = min(n.phi for n in children), self.total(children)
            if phi >= phi_limit or delta >= delta_limit:
                break
            at = next(i for i, n in enumerate(children) if n.phi == phi)
            second = min((n.phi for i, n in enumerate(children) if i != at), default=NEVER)
            limit, rest = phi_limit, delta_limit
            if second < NEVER:
                limit = min(limit, second + max(1, int(self.epsilon * second)))
            if delta_limit < NEVER:
                open_ = sum(n.delta > 0 for n in children)
                rest -= open_ - 1 if self.weak else delta - children[at].delta
            child = states[at]
            same = side(child) == side(s)
            limits = (limit, rest) if same else (rest, limit)
            found = self.search(child, self.wants(s, child, wanted), *limits, ply + 1)
            children[at] = self.turned(s, child, found)
        worth = 0
        if phi == 0 or delta == 0:
            worth = max(n.worth for n in children if n.phi == 0 or phi > 0)
        work = min(MOST_WORK, work + self.nodes - began)
        record(self.entries, self.table.age, key, wanted, phi, delta, worth, work)
        return Numbers(phi, delta, worth)

    def total(self, children: list[Numbers]) -> int:
        """Return the delta of a state: the other side has to refute every move."""
        deltas = [n.delta for n in children]
        if NEVER in deltas:
            return NEVER
        open_ = sum(n > 0 for n in deltas)
        total = max(deltas) + open_ - 1 if self.weak and open_ else sum(deltas)
        return min(total, NEVER - 1)

    def look(self, s: State[Any], wanted: int) -> Numbers:
        """Return the numbers of a state without a search: of its end, its entry, else 1 and 1."""
        if s.turn == TERMINAL:
            return answered(round(s.payoff()[0] / s.unit), wanted)
        at = self.stored(mix(s.key()), wanted)
        return self.entry_numbers(at, wanted) if at >= 0 else Numbers(1, 1)

    def wants(self, s: State[Any], child: State[Any], wanted: int) -> int:
        """Return what the child's mover has to get; the other side wants to deny it."""
        return wanted if side(child) == side(s) else 1 - wanted

    def turned(self, s: State[Any], child: State[Any], found: Numbers) -> Numbers:
        """Return the numbers of a child from the side of its parent's mover."""
        if side(child) == side(s):
            return found
        return Numbers(found.delta, found.phi, -found.worth)

    def stored(self, key: Any, wanted: int) -> int:
        """Return the index of the table's entry for a question, or -1."""
        return int(consult(self.entries, self.table.age, key, wanted))

    def entry_numbers(self, at: int, wanted: int) -> Numbers:
        """Return the numbers in the entry at an index."""
        entry = self.entries[at]
        if bound_of(entry) != OPEN:
            return answered(int(entry.asked), wanted)
        return Numbers(int(entry.phi), int(entry.delta))

    @property
    def entries(self) -> Any:
        """The entries of the table, with their fields as attributes."""
        return self.table.entries.view(PROOF_RECORD)
