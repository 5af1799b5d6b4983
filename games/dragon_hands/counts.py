"""Counts: how many cards of each class there are; their sums, differences and choices."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import TypeAlias

Counts: TypeAlias = tuple[int, ...]
"""Cards of each class."""


def compositions(held: Counts, n: int) -> Iterator[tuple[Counts, int]]:
    """Every choice of n cards by class, in a fixed order, with the number of ways to make it."""
    if not 0 <= n <= sum(held):
        return
    size = len(held)
    after = [0] * (size + 1)
    for i in range(size - 1, -1, -1):
        after[i] = after[i + 1] + held[i]
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
    """The sum of two counts."""
    return tuple([x + y for x, y in zip(a, b, strict=True)])


def minus(a: Counts, b: Counts) -> Counts:
    """The difference of two counts."""
    return tuple([x - y for x, y in zip(a, b, strict=True)])


def less(counts: Counts, c: int) -> Counts:
    """A card of a class fewer."""
    return (*counts[:c], counts[c] - 1, *counts[c + 1 :])


def more(counts: Counts, c: int) -> Counts:
    """A card of a class more."""
    return (*counts[:c], counts[c] + 1, *counts[c + 1 :])
