"""A diagram drawn under a limit, in moments short enough to look at the clock between them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from dragon.core import Limit
from dragon.cover.diagram import Diagram
from dragon.cover.growth import Growth, Unfinished, growth_of
from dragon.cover.kernels.diagram import DEAD, EDGE, MANY
from dragon.cover.subproblems import Subproblems, subproblems_of
from dragon.errors import SearchError
from dragon.search.budget import Pace

if TYPE_CHECKING:
    from dragon.cover.problem import Problem

MEGABYTES = 1000.0
FIRST_STEPS = 1 << 8
SLICE = 1 << 16
"""Visits between two looks at the clock, at most."""


def diagram_of(
    problem: Problem, limit: Limit | None = None, megabytes: float = MEGABYTES
) -> Diagram:
    """The diagram of all exact covers.

    `megabytes` (10**6 bytes) is what its tables may take. Raises SearchError where the limit
    or the megabytes end it too early; a `Drawing` then still has the covers found so far.

    >>> from dragon.cover import Problem
    >>> diagram_of(Problem.of("abc", ["ab", "c", "bc", "a"])).count()
    2
    """
    drawing = Drawing(problem, limit, megabytes)
    while drawing.advance():
        pass
    if not drawing.done:
        why = f"its {megabytes:g} megabytes are full" if drawing.full else "its limit was reached"
        raise SearchError(
            f"the diagram is not complete after {drawing.nodes} nodes: {why}; allow more, "
            "or enumerate with `covers`"
        )
    return drawing.diagram()


class Drawing:
    """A diagram in the making, under a limit: `advance` it until `done`, or stop anywhere.

    A node of the limit is a subproblem come to, known or not.
    """

    def __init__(
        self, problem: Problem, limit: Limit | None = None, megabytes: float = MEGABYTES
    ) -> None:
        self.problem = problem
        self.limit = limit or Limit()
        self.megabytes = megabytes
        self.seconds = 0.0
        self._whole: Subproblems = subproblems_of(problem)
        self._growth: Growth = growth_of(self._whole, megabytes)
        timed = self.limit.seconds is not None
        self._pace = Pace(FIRST_STEPS, SLICE, timed)

    @property
    def nodes(self) -> int:
        """Subproblems come to, known ones too."""
        return self._growth.visits

    @property
    def states(self) -> int:
        """Subproblems solved."""
        return self._growth.states

    @property
    def done(self) -> bool:
        """Whether the diagram is complete."""
        return self._growth.root >= 0

    @property
    def full(self) -> bool:
        """Whether it stopped because the megabytes are used up."""
        return self._growth.full

    @property
    def over(self) -> bool:
        """Whether it is done, full, or at its limit."""
        nodes, seconds = self.limit.nodes, self.limit.seconds
        spent = nodes is not None and self.nodes >= nodes
        late = seconds is not None and self.seconds >= seconds
        return self.done or self.full or spent or late

    def advance(self) -> bool:
        """Goes on for a moment; True while it is not over."""
        if self.over:
            return False
        steps = self._pace.steps
        if self.limit.nodes is not None:
            steps = min(steps, self.limit.nodes - self.nodes)
        before = self.seconds
        self.work(steps)
        self._pace.took(self.seconds - before)
        return not self.over

    def work(self, nodes: int) -> None:
        """Goes on for so many nodes, whatever the limit says."""
        began = time.perf_counter()
        self._growth.advance(nodes)
        self.seconds += time.perf_counter() - began

    def fraction(self) -> float:
        """Knuth's estimate of the part that is done, 0 to 1, from the branches on the path.

        Too low as a rule: what is still to come will be known in part.
        """
        if self.done:
            return 1.0
        part, done = 1.0, 0.0
        for node in self._growth.path():
            part /= node.total
            done += max(0, node.tried - 1) * part
        return done

    def diagram(self) -> Diagram:
        """What there is: all covers once done, else those found so far."""
        (first, edges), counts = self._growth.tables(), self._growth.counts()
        root = self._growth.root
        if root < 0:
            first, edges, root = _closed(first, edges, self._growth.path())
        return Diagram(self.problem, self._whole.numbers, first, edges, root, counts, self.done)

    def found(self) -> int:
        """How many covers have been found so far: cheap, but for more than 2**60."""
        counts, root = self._growth.counts(), self._growth.root
        path = self._growth.path()
        ways = [int(counts[child]) for node in path for _, child in node.edges]
        ways += [int(counts[root])] if root >= 0 else []
        return sum(ways) if max(ways, default=0) < MANY else self.diagram().count()


def _closed(first: Any, edges: Any, path: list[Unfinished]) -> tuple[Any, Any, int]:
    """Makes nodes of those that are unfinished, the deepest first; the last is the root."""
    ends, more, below = [], [], DEAD
    for node in reversed(path):
        more += node.edges + ([(node.option, below)] if below != DEAD else [])
        ends.append(len(edges) + len(more))
        below = len(first) - 2 + len(ends)
    return np.append(first, ends), np.append(edges, np.array(more, EDGE)), below
