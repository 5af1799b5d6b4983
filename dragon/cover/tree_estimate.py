"""Tree estimate: how large a search will be, by random descents before it starts.

From the root of the search tree to a leaf, each branch as likely as its siblings: a leaf
reached past d1, d2, ... branches stands for d1 * d2 * ... leaves, and the sum of these
products along the way for all nodes (Knuth, "Estimating the efficiency of backtrack
programs", Mathematics of Computation 29, 1975). The mean is right; its spread may be wide.
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
"""How many where neither their number nor the time is given."""
FEWEST = 2
"""A spread takes two."""


@frozen
class Estimate:
    """Means over random descents, each with its standard error.

    They are whole numbers where no float is as large.
    """

    nodes: float | int
    """Nodes of the search tree of exact covers, the root among them."""
    nodes_error: float | int
    covers: float | int
    """Covers of any size."""
    covers_error: float | int
    descents: int


def estimate(
    problem: Problem, descents: int | None = None, seed: int = 0, seconds: float | None = None
) -> Estimate:
    """The size of the tree that dancing links search, and the number of exact covers.

    Descends until the seconds or the descents are over, but twice at least; without either
    DESCENTS times. Raises ConfigError for less than two descents.

    >>> from dragon.cover import Problem
    >>> estimate(Problem.of("abc", ["ab", "c", "bc"]), descents=100).covers
    1.0
    """
    *_, last = estimates(problem, descents, seed, seconds)
    return last


def estimates(
    problem: Problem, descents: int | None = None, seed: int = 0, seconds: float | None = None
) -> Iterator[Estimate]:
    """The estimate after each descent from the second on; the last is what `estimate` gives."""
    if descents is not None and descents < FEWEST:
        raise ConfigError(f"{descents} descents give no spread; take at least two")
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
    """Number, sum and sum of squares of whole numbers of any size, without rounding."""

    def __init__(self) -> None:
        self.number = self.sum = self.squares = 0

    def add(self, value: int) -> None:
        """One more."""
        self.number += 1
        self.sum += value
        self.squares += value * value

    def mean(self) -> tuple[float | int, float | int]:
        """The mean and its standard error; of two numbers at least."""
        n = self.number
        spread = Fraction(n * self.squares - self.sum**2, n * n * (n - 1))
        return as_number(Fraction(self.sum, n)), root(spread)


def as_number(value: Fraction) -> float | int:
    """Return a float, or a whole number where no float is as large."""
    try:
        return float(value)
    except OverflowError:
        return round(value)


def root(value: Fraction) -> float | int:
    """The square root of a fraction of any size."""
    scale = max(0, 128 - (value.numerator // value.denominator).bit_length()) // 2
    return as_number(
        Fraction(isqrt((value.numerator << 2 * scale) // value.denominator), 1 << scale)
    )


def descend(sets: Subproblems, rng: np.random.Generator) -> tuple[int, int]:
    """Knuth's unbiased guess of the nodes and the covers from one random path; consumes `rng`."""
    at, weight, nodes = sets.root, 1, 1
    while True:
        item = sets.select(at)
        if item in (MET, UNMET):
            return nodes, weight if item == MET else 0
        degree = sets.degree(at, item)
        weight *= degree
        nodes += weight
        _, at = next(islice(sets.branches(at, item), int(rng.integers(degree)), None))
