"""All exact covers of a problem as a decision diagram: counts, samples, the cheapest cover.

A search that solves each subproblem once builds it (Nishino, Yasuda, Minato and Nagata, "Dancing
with decision diagrams", 2017; see `dragon.cover.diagram_builder`). Its nodes are subproblems, its
edges options, and each path from the root to the terminal node TOP is a cover. There may be far
more covers than nodes: dominoes on a chessboard have 12,988,816 covers and 1,012 nodes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import frozen

from dragon.cover.kernels.diagram import MANY, NONE, TOP
from dragon.errors import ConfigError, SearchError

if TYPE_CHECKING:
    import numpy as np

    from dragon.cover.problem import Problem

T = TypeVar("T")
Edge = tuple[int, int]
"""An option, or NONE, and the node below."""
Least = dict[int, tuple[int, int]]
"""The least cost by number of options, and the first edge that has it."""


@frozen(eq=False)
class Diagram:
    """The exact covers of a problem, or, if it is not complete, those found so far."""

    problem: Problem
    numbers: tuple[int, ...]
    """The number in the problem of each option of an edge."""
    first: Any
    """int64[nodes + 1]: the edges of a node are first[node] to first[node + 1] - 1."""
    edge: Any
    """EDGE[edges]: an option and a node of smaller number. Node 0 is a dead end, node 1 a cover."""
    root: int
    """The node of the whole problem."""
    known: Sequence[int] = ()
    """The number of ways from each node to a cover, as far as known; MANY for that many or more."""
    complete: bool = True

    @property
    def nodes(self) -> int:
        """The number of nodes, including the two terminal ones."""
        return len(self.first) - 1

    def edges(self, node: int) -> list[Edge]:
        edges: list[Edge] = self.edge[self.first[node] : self.first[node + 1]].tolist()
        return edges

    @cached_property
    def counts(self) -> Sequence[int]:
        """The number of ways from each node to a cover."""
        if max(self.known, default=0) < MANY and len(self.known) == self.nodes:
            return self.known
        return self._folded([0, 1], lambda below, edges: sum(below[child] for _, child in edges))

    def _folded(self, known: list[T], fold: Callable[[list[T], list[Edge]], T]) -> list[T]:
        """Return a value for each node, from those of the nodes below; `known`: the first two."""
        ends, edges = self.first.tolist(), self.edge.tolist()
        for begin, end in pairwise(ends[2:]):
            known.append(fold(known, edges[begin:end]))
        return known

    def count(self, size: int | None = None) -> int:
        """Return the number of covers of at most `size` options that have been found."""
        if size is None:
            return int(self.counts[self.root])
        return sum(count for n, count in self.by_size().items() if n <= size)

    def by_size(self) -> dict[int, int]:
        """Return the number of covers of each size."""
        sizes: list[Counter[int]] = [Counter(), Counter({0: 1})]
        return dict(sorted(self._folded(sizes, _sizes)[self.root].items()))

    def cover(self, i: int) -> tuple[int, ...]:
        """Return the cover of index i, from 0 on: the numbers of its options, ascending.

        Raises ConfigError if there is none.
        """
        if not 0 <= i < self.count():
            raise ConfigError(f"no cover {i}: there are {self.count()}, numbered from 0")
        chosen, node = [], self.root
        while node != TOP:
            for option, child in self.edges(node):  # noqa: B007
                if i < self.counts[child]:
                    break
                i -= int(self.counts[child])
            if option != NONE:
                chosen.append(self.numbers[option])
            node = child
        return tuple(sorted(chosen))

    def sample(self, n: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
        """Return n covers drawn independently from the uniform distribution; consumes `rng`.

        Raises SearchError if there is no cover, or if the diagram is not complete.
        """
        self._require_complete("a sample would miss the covers not yet found")
        total = self.count()
        if n and not total:
            raise SearchError("there is no cover to sample")
        return [self.cover(_below(total, rng)) for _ in range(n)]

    def cheapest(self, size: int | None = None) -> tuple[int, tuple[int, ...]] | None:
        """Return the least cost of a cover of at most `size` options, and a cover of that cost.

        Of equal cost the one with the fewest options, then the first; None if there is no cover.
        Raises SearchError if the diagram is not complete, or if an item that may be covered more
        than once has weights: then the cost is not a sum over the options.
        """
        self._require_complete("a cheaper cover may be missing")
        return self._least(prices(self.problem, self.numbers), size)

    def smallest(self, size: int | None = None) -> tuple[int, ...] | None:
        """Return the cover with the fewest options, at most `size`, of those found, or None."""
        found = self._least([0] * len(self.numbers), size)
        return None if found is None else found[1]

    def _least(self, prices: list[int], size: int | None) -> tuple[int, tuple[int, ...]] | None:
        least: list[Least] = [{}, {0: (0, -1)}]
        self._folded(least, lambda known, edges: _cheaper(known, edges, prices))
        own = least[self.root]
        fitting = [(cost, n) for n, (cost, _) in own.items() if size is None or n <= size]
        if not fitting:
            return None
        cost, left = min(fitting)
        chosen, node = [], self.root
        while node != TOP:
            option, child = self.edges(node)[least[node][left][1]]
            if option != NONE:
                chosen.append(self.numbers[option])
                left -= 1
            node = child
        return cost, tuple(sorted(chosen))

    def _require_complete(self, why: str) -> None:
        if not self.complete:
            raise SearchError(f"the diagram is not complete, and {why}; give it a wider limit")


def _sizes(sizes: list[Counter[int]], edges: Sequence[Edge]) -> Counter[int]:
    total: Counter[int] = Counter()
    for option, child in edges:
        for size, count in sizes[child].items():
            total[size + (option != NONE)] += count
    return total


def _cheaper(least: list[Least], edges: Sequence[Edge], prices: list[int]) -> Least:
    best: Least = {}
    for i, (option, child) in enumerate(edges):
        price, one = (0, 0) if option == NONE else (prices[option], 1)
        for size, (rest, _) in least[child].items():
            cost = rest + price
            if size + one not in best or cost < best[size + one][0]:
                best[size + one] = cost, i
    return best


def prices(problem: Problem, numbers: Iterable[int]) -> list[int]:
    """Return the addition of each option to the cost of a cover if every item is covered once.

    Raises SearchError where an item with weights may be covered more often: then the cost is not a
    sum over the options.
    """
    summed = []
    for option in (problem.options[number] for number in numbers):
        weights = {n: w for n, w in option.weights.items() if n not in problem.hidden_items}
        for name in weights:
            if problem.bounds_of(name)[1] > 1:
                raise SearchError(
                    f"item {name!r} has weights and may be covered more than once; "
                    "ask `best` for the cheapest cover"
                )
        summed.append(option.cost + sum(weights.values()))
    return summed


def _below(n: int, rng: np.random.Generator) -> int:
    """Return a uniform random integer from 0 to n - 1, of any size."""
    bits = (n - 1).bit_length()
    while True:
        drawn = int.from_bytes(rng.bytes(-(-bits // 8)), "little") & ((1 << bits) - 1)
        if drawn < n:
            return drawn
