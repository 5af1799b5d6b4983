"""The number of opening hands that satisfy an objective, out of C(N, h).

The count goes through the deck class by class: a *class* is the cards that belong to the same
sets. It keeps only the part of the hands that can still matter: the counts that are
undecided and the value of each. Hands of equal prospects are counted together, in
whole numbers, for each number of cards drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import zip_longest
from math import comb
from typing import TypeAlias

from attrs import define, field

from dragon_hands.formula import Count, Objective, in_hand

MOST_WORK = 400_000
"""The most prospects, weighted by their alternatives: about ten seconds, and some hundred
megabytes."""

_Open: TypeAlias = frozenset[frozenset[frozenset[int]]]
"""The undecided counts of each term still possible, of each formula not yet satisfied."""
_Key: TypeAlias = tuple[_Open, tuple[int, ...]]


class TooLarge(Exception):
    """More prospects than can be kept; never shown to a user."""


@define
class Allowance:
    """The work that may still be done."""

    left: int = MOST_WORK

    def take(self, work: int) -> None:
        """Take work from the allowance; raise TooLarge if nothing is left."""
        self.left -= work
        if self.left < 0:
            raise TooLarge


def successes(
    objective: Objective, copies: Sequence[int], hand: int, allowance: Allowance | None = None
) -> int:
    """Return the number of the C(N, h) opening hands that satisfy the objective.

    copies: those of each card of the deck, blanks included; their sum is N. Zones other than the
    hand and the deck are empty. Raise TooLarge if the allowance is used up.
    """
    table = _Table.of(objective, copies, hand, allowance or Allowance())
    return 0 if table is None else table.run()


@define
class _Table:
    """The memory of one count."""

    bounds: list[tuple[int, Count]]
    """The bounds, each with its counter: the number of its set."""
    classes: list[tuple[int, tuple[int, ...]]]
    """The copies of each class, and the counters that it moves."""
    rest: int
    """Cards that no bound counts."""
    hand: int
    left: list[list[int]]
    """The cards to come for each counter, before each class and after the last."""
    start: _Open
    allowance: Allowance
    found: int = 0
    seen: dict[tuple[int, _Open, tuple[int, ...]], _Key | bool | None] = field(factory=dict)

    @classmethod
    def of(
        cls, objective: Objective, copies: Sequence[int], hand: int, allowance: Allowance
    ) -> _Table | None:
        """Return the table at its start; None if no hand can satisfy the objective."""
        masks: dict[int, int] = {}
        bounds: dict[tuple[int, Count], int] = {}
        formulas: list[frozenset[frozenset[int]]] = []
        for formula in objective:
            terms = set()
            for term in formula:
                kept = in_hand(term, copies, hand)
                if kept is not None:
                    counters = [masks.setdefault(count.cards, len(masks)) for count in kept]
                    pairs = zip(counters, kept, strict=True)
                    terms.add(frozenset(bounds.setdefault(pair, len(bounds)) for pair in pairs))
            if not terms:
                return None
            formulas.append(frozenset(terms))
        classes = _classes(list(masks), copies)
        rest = sum(copies) - sum(n for n, _ in classes)
        left = [[0] * len(masks)]
        for n, moved in reversed(classes):
            left.append([c + (n if i in moved else 0) for i, c in enumerate(left[-1])])
        left.reverse()
        return cls(list(bounds), classes, rest, hand, left, frozenset(formulas), allowance)

    def run(self) -> int:
        """Return the number of hands."""
        states: dict[_Key, list[int]] = {}
        zeros = (0,) * len(self.left[0])
        self._add(states, 0, self.start, zeros, [1])
        for step, (copies, moved) in enumerate(self.classes):
            after: dict[_Key, list[int]] = {}
            for (opened, values), weights in states.items():
                for taken in range(min(copies, self.hand) + 1):
                    if taken and not any(weights[: self.hand + 1 - taken]):
                        break
                    ways = comb(copies, taken)
                    shifted = [0] * taken + [w * ways for w in weights]
                    del shifted[self.hand + 1 :]
                    moved_values = tuple(v + taken * (i in moved) for i, v in enumerate(values))
                    self._add(after, step + 1, opened, moved_values, shifted)
            states = after
        assert not states  # after the last class nothing is undecided
        return self.found

    def _add(
        self,
        states: dict[_Key, list[int]],
        step: int,
        opened: _Open,
        values: tuple[int, ...],
        weights: list[int],
    ) -> None:
        """Enter hands among those of equal prospects, or count them if they are decided."""
        question = step, opened, values
        if question not in self.seen:
            self.allowance.take(1 + sum(map(len, opened)) // 2)
            self.seen[question] = self._prospects(step, opened, values)
        key = self.seen[question]
        if key is True:
            others = self.rest + sum(n for n, _ in self.classes[step:])
            self.found += sum(
                w * comb(others, self.hand - drawn) for drawn, w in enumerate(weights) if w
            )
        elif key:
            known = states.get(key, ())
            states[key] = [a + b for a, b in zip_longest(known, weights, fillvalue=0)]

    def _prospects(self, step: int, opened: _Open, values: tuple[int, ...]) -> _Key | bool:
        """Return all that can still matter; True if all is satisfied, False if it cannot be."""
        formulas = set()
        used: set[int] = set()
        verdicts: dict[int, bool | None] = {}
        for terms in opened:
            kept: set[frozenset[int]] = set()
            for term in terms:
                undecided = self._undecided(term, step, values, verdicts)
                if undecided is not None:
                    kept.add(undecided)
                    if not undecided:
                        break
            if not kept:
                return False
            if frozenset() not in kept:
                formulas.add(frozenset(kept))
                used.update(b for term in kept for b in term)
        if not formulas:
            return True
        caps: dict[int, int] = {}
        for b in used:
            counter, bound = self.bounds[b]
            caps[counter] = max(caps.get(counter, 0), bound.count + (not bound.least))
        return frozenset(formulas), tuple(min(v, caps.get(i, 0)) for i, v in enumerate(values))

    def _undecided(
        self,
        term: frozenset[int],
        step: int,
        values: tuple[int, ...],
        verdicts: dict[int, bool | None],
    ) -> frozenset[int] | None:
        """Return the counts of a term that are still open; None if one has failed."""
        kept = []
        for b in term:
            if b not in verdicts:
                counter, bound = self.bounds[b]
                there = values[counter]
                verdicts[b] = bound.decided(there, there + self.left[step][counter])
            verdict = verdicts[b]
            if verdict is False:
                return None
            if verdict is None:
                kept.append(b)
        return frozenset(kept)


def _classes(masks: Sequence[int], copies: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """Return copies of cards that move the same counters, in an order that soon closes some."""
    left = Counter[tuple[int, ...]]()
    for card, n in enumerate(copies):
        moved = tuple(i for i, mask in enumerate(masks) if mask >> card & 1)
        if moved and n:
            left[moved] += n
    order: list[tuple[int, tuple[int, ...]]] = []
    started: set[int] = set()
    waiting = Counter(i for moved in left for i in moved)
    """The number of classes that still move each counter."""
    while left:
        chosen = min(
            left,
            key=lambda m: (
                len(m) - len(started.intersection(m)), min(map(waiting.__getitem__, m)), -len(m), m
            ),
        )  # fmt: skip
        started.update(chosen)
        waiting.subtract(chosen)
        order.append((left.pop(chosen), chosen))
    return order
