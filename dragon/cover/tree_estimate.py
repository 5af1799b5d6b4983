"""The tree estimate: the size of a search before it starts, by random descents.

A descent goes from the root to a leaf and takes each branch of a node with the same probability. If
it meets nodes of d1, d2, ... branches, the leaf stands for d1 * d2 * ... leaves, and the sum of
these products along the path for all nodes (Knuth, "Estimating the efficiency of backtrack
programs", Mathematics of Computation 29, 1975). The mean is unbiased; its spread may be wide.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import isqrt
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from dragon.cover.kernels.diagram import MET, UNMET
from dragon.cover.subproblems import Subproblems, subproblems_of
from dragon.errors import ConfigError

if TYPE_CHECKING:
    from dragon.cover.problem import Problem

DESCENTS = 1000
"""The number of descents where neither that nor the time is given."""
FEWEST = 2
"""The fewest descents that have a spread."""


@frozen
class Estimate:
    """Means over random descents, each with its standard error.

    They are integers where they are too large for a float.
    """

    nodes: float | int
    """Nodes of the search tree of exact covers, including the root."""
    nodes_error: float | int
    covers: float | int
    """Covers of any size."""
    covers_error: float | int
    descents: int


def estimate(
    problem: Problem, descents: int | None = None, seed: int = 0, seconds: float | None = None
) -> Estimate:
    """Estimate the size of the tree that dancing links search, and the number of exact covers.

    It stops after the seconds or the descents, but not before the second descent; without either,
    after DESCENTS. Raises ConfigError for fewer than two descents.

    >>> from dragon.cover import Problem
    >>> estimate(Problem.of("abc", ["ab", "c", "bc"]), descents=100).covers
    1.0
    """
    *_, last = estimates(problem, descents, seed, seconds)
    return last


def estimates(
    problem: Problem, descents: int | None = None, seed: int = 0, seconds: float | None = None
) -> Iterator[Estimate]:
    """Yield the estimate after each descent from the second on; `estimate` returns the last."""
    if descents is not None and descents < FEWEST:
        raise ConfigError(f"{descents} descents have no spread; ask for at least {FEWEST}")
    most = DESCENTS if descents is None and seconds is None else descents
    start = time.perf_counter()
    sets = subproblems_of(problem, sweep=False)
    rng = np.random.default_rng(seed)
    nodes, covers, number = Moments(), Moments(), 0
    while True:
        of_nodes, of_covers = descend(sets, rng)
        nodes.add(of_nodes)
        covers.add(of_covers)
        number += 1
        if number >= FEWEST:
            yield Estimate(*nodes.mean(), *covers.mean(), number)
            late = seconds is not None and time.perf_counter() - start >= seconds
            if late or number == most:
                return


class Moments:
    """The number, the sum and the sum of squares of integers of any size, without rounding."""

    def __init__(self) -> None:
        self.number = self.sum = self.squares = 0

    def add(self, value: int) -> None:
        """Count one more value."""
        self.number += 1
        self.sum += value
        self.squares += value * value

    def mean(self) -> tuple[float | int, float | int]:
        """Return the mean and its standard error; there must be at least two values."""
        n = self.number
        spread = Fraction(n * self.squares - self.sum**2, n * n * (n - 1))
        return as_number(Fraction(self.sum, n)), root(spread)


def as_number(value: Fraction) -> float | int:
    """Return a float, or an integer where the value is too large for a float."""
    try:
        return float(value)
    except OverflowError:
        return round(value)


def root(value: Fraction) -> float | int:
    """Return the square root of a fraction of any size."""
    scale = max(0, 128 - (value.numerator // value.denominator).bit_length()) // 2
    return as_number(
        Fraction(isqrt((value.numerator << 2 * scale) // value.denominator), 1 << scale)
    )


def descend(sets: Subproblems, rng: np.random.Generator) -> tuple[int, int]:
    """Return Knuth's unbiased estimate of nodes and covers from a random path; consumes `rng`."""
    at, weight, nodes = sets.root, 1, 1
    while True:
        item = sets.select(at)
        if item in (MET, UNMET):
            return nodes, weight if item == MET else 0
        degree = sets.degree(at, item)
        weight *= degree
        nodes += weight
        _, at = next(islice(sets.branches(at, item), int(rng.integers(degree)), None))
