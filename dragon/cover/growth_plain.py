"""A cover problem's diagram grown in plain Python: the twin of `dragon.cover.kernels.diagram`.

    grow(subproblem) = done if every item is covered
                       dead if some item has too few options left
                       known[key] if it has been seen
                       a node with one edge for each option of the item branched on

It visits the same subproblems in the same order as the kernel, but its keys are the
subproblems themselves.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from dragon.cover.growth import Unfinished
from dragon.cover.kernels.diagram import DEAD, DONE, EDGE, MET, NONE
from dragon.cover.subproblems import Subproblem, Subproblems
from dragon.errors import SearchError

KEY_BYTES = 400
"""About what a known subproblem takes in a dict."""
EDGE_BYTES = 100


class PlainGrowth:
    """A diagram in the making."""

    def __init__(self, whole: Subproblems, megabytes: float) -> None:
        self.whole = whole
        self.visits = self.states = 0
        self.root = -1
        self.full = False
        self._path: list[Unfinished] = []
        self._known: dict[Subproblem, int] = {}
        self._first = [0, 0, 0]
        self._counts = [0, 1]
        self._edges: list[tuple[int, int]] = []
        self._room = megabytes * 1e6
        self._visiting = self._grow(whole.root)
        next(self._visiting)  # up to the first visit

    def advance(self, visits: int) -> bool:
        """Goes on for so many visits; True when the diagram is complete."""
        for _ in range(visits):
            if self.root >= 0:
                break
            if KEY_BYTES * len(self._known) + EDGE_BYTES * len(self._edges) > self._room:
                self.full = True
                break
            try:
                next(self._visiting)
            except StopIteration as end:
                self.root = end.value
            except RecursionError as deep:
                raise SearchError(
                    f"covers of some {self.whole.levels} choices are too long for plain Python; "
                    "use the compiled diagram, without DRAGON_JIT=0"
                ) from deep
        return self.root >= 0

    def tables(self) -> tuple[Any, Any]:
        """int64[nodes + 1] and EDGE[edges], as far as they have been made."""
        return np.array(self._first, np.int64), np.array(self._edges, EDGE)

    def counts(self) -> list[int]:
        """The ways from each node to a cover."""
        return self._counts

    def path(self) -> list[Unfinished]:
        """The unfinished nodes from the root down."""
        return list(self._path)

    def _grow(self, at: Subproblem) -> Generator[None, None, int]:
        yield
        self.visits += 1
        item = self.whole.select(at)
        if item < 0:
            return DONE if item == MET else DEAD
        key = self._key(at)
        if key in self._known:
            return self._known[key]
        node = Unfinished(self.whole.degree(at, item))
        self._path.append(node)
        for option, after in self.whole.branches(at, item):
            node.tried += 1
            node.option = option
            child = yield from self._grow(after)
            if child != DEAD:
                node.edges.append((option, child))
        self._path.pop()
        self._known[key] = self._finish(node.edges)
        self.states += 1
        return self._known[key]

    def _finish(self, edges: list[tuple[int, int]]) -> int:
        if not edges:
            return DEAD
        if len(edges) == 1 and edges[0][0] == NONE:
            return edges[0][1]
        self._edges += edges
        self._counts.append(sum(self._counts[child] for _, child in edges))
        self._first.append(len(self._edges))
        return len(self._first) - 2

    def _key(self, at: Subproblem) -> Subproblem:
        """No item can be covered more often than it has options left."""
        left = ((at.options & row).bit_count() for row in self.whole.rows)
        return Subproblem(at.options, at.low, tuple(map(min, at.high, left)))
