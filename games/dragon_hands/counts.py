"""Bounds on the cards of a hand, the formulas made of them, and counts of cards by class."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from math import comb
from typing import TypeAlias

from attrs import frozen

from dragon.errors import ConfigError

FIRST, PRIZES, DRAWS = "012"
"""The samples: the opening hand, cards set aside, and cards drawn later."""
MOST_TERMS = 5_000
"""The most alternatives of one condition."""


@frozen(order=True)
class Count:
    """A bound on the cards of a set in a zone: at least, or at most, `count`."""

    zone: str
    """A zone of conditions, or the numbers of the samples that are drawn to it."""
    cards: int
    least: bool
    count: int

    def holds(self, there: int) -> bool:
        """Return True if this number of cards satisfies the bound."""
        return there >= self.count if self.least else there <= self.count

    def decided(self, low: int, high: int) -> bool | None:
        """Return True if it holds for all of low to high, False for none, None for some."""
        if self.least:
            return True if low >= self.count else None if high >= self.count else False
        return False if low > self.count else None if high > self.count else True

    @property
    def denial(self) -> Count:
        """The bound that holds exactly where this one does not."""
        return Count(self.zone, self.cards, not self.least, self.count + (-1 if self.least else 1))


Term: TypeAlias = frozenset[Count]
"""Counts that must all hold."""
Formula: TypeAlias = tuple[Term, ...]
"""Alternative terms: one must hold. No term never holds; an empty term always does."""
Objective: TypeAlias = tuple[Formula, ...]
"""Formulas that must all hold, each by itself."""
Counts: TypeAlias = tuple[int, ...]
"""The number of cards of each class."""


def either(formulas: Sequence[Formula]) -> Objective:
    """Return the objective that at least one of the formulas holds."""
    return (shortest(term for each in formulas for term in each),)


def objectives_of(formulas: Sequence[Formula]) -> list[Objective]:
    """Return the objectives of each formula, of any, and of all."""
    return [*((each,) for each in formulas), either(formulas), tuple(formulas)]


def in_hand(term: Term, copies: Sequence[int], hand: int) -> list[Count] | None:
    """Return the counts of a term as bounds on the first sample; None if one never holds.

    Graveyard and banishment are empty; a card in the hand is not in the deck.
    """
    found = []
    for count in sorted(term):
        if count.zone == "Deck":
            left = within(count.cards, copies) - count.count
            count = Count("Hand", count.cards, not count.least, left)
        verdict = count.decided(0, hand if count.zone == "Hand" else 0)
        if verdict is False:
            return None
        if verdict is None:
            found.append(Count(FIRST, count.cards, count.least, count.count))
    return tightest(found)


def within(cards: int, copies: Sequence[int]) -> int:
    """Return the number of cards of a set."""
    return sum([n for i, n in enumerate(copies) if cards >> i & 1])


def tightest(counts: Iterable[Count]) -> list[Count]:
    """Return the tightest bounds on each set, from below and from above."""
    found: dict[tuple[str, int, bool], Count] = {}
    for count in counts:
        key = count.zone, count.cards, count.least
        known = found.get(key, count)
        found[key] = max(known, count) if count.least else min(known, count)
    return list(found.values())


def shortest(terms: Iterable[Term]) -> Formula:
    """Return the terms, each once, without those that another makes superfluous."""
    found: list[Term] = []
    for term in sorted(set(terms), key=lambda t: (len(t), sorted(t))):
        if len(found) > 300 or not any(known <= term for known in found):
            found.append(term)
    if len(found) > MOST_TERMS:
        raise too_many()
    return tuple(found)


def too_many() -> ConfigError:
    """Return the error for more than MOST_TERMS alternatives."""
    return ConfigError(
        f"a condition with more than {MOST_TERMS:,} alternatives; "
        "list them as conditions of their own, or give the cards a common tag"
    )


def compositions(held: Counts, n: int) -> Iterator[tuple[Counts, int]]:
    """Yield every choice of n cards by class, in a fixed order, with its number of ways."""
    if not 0 <= n <= sum(held):
        return
    size = len(held)
    after = [*accumulate(reversed(held), initial=0)][::-1]
    taken = [0] * size

    def choose(i: int, left: int, ways: int) -> Iterator[tuple[Counts, int]]:
        if not left:
            yield (*taken[:i], *(0,) * (size - i)), ways
            return
        for t in range(max(0, left - after[i + 1]), min(held[i], left) + 1):
            taken[i] = t
            yield from choose(i + 1, left - t, ways * comb(held[i], t))
        taken[i] = 0

    yield from choose(0, n, 1)


def added(a: Counts, b: Counts) -> Counts:
    """Return the sum of two counts."""
    return tuple([x + y for x, y in zip(a, b, strict=True)])


def minus(a: Counts, b: Counts) -> Counts:
    """Return the difference of two counts."""
    return tuple([x - y for x, y in zip(a, b, strict=True)])


def less(counts: Counts, c: int) -> Counts:
    """Return counts with one card of a class less."""
    return (*counts[:c], counts[c] - 1, *counts[c + 1 :])


def more(counts: Counts, c: int) -> Counts:
    """Return counts with one card of a class more."""
    return (*counts[:c], counts[c] + 1, *counts[c + 1 :])
