"""Build the diagram of a problem under a limit, by a kernel whose tables grow; list its covers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from dragon.compiler.specialise import Constants
from dragon.cover.diagram import Diagram
from dragon.cover.kernel_stream import CoverKernel, passed
from dragon.cover.kernels.diagram import BOTTOM, EDGE, MANY
from dragon.cover.stream import Slices
from dragon.cover.subproblems import memory_of, subproblems_of
from dragon.errors import SearchError
from dragon.search.budget import Counted, lengthened

if TYPE_CHECKING:
    from dragon.core import Limit
    from dragon.cover.problem import Problem
    from dragon.cover.stream import Cover

MEGABYTES = 1000.0
FIRST_SLICE, SLICE = 1 << 8, 1 << 16
"""Visits between two looks at the clock, at first and at most."""
GROWTH = 1.5
"""The factor by which full tables grow."""


def diagram_of(
    problem: Problem, limit: Limit | None = None, megabytes: float = MEGABYTES
) -> Diagram:
    """Return the diagram of all exact covers.

    megabytes: the most memory of its tables (10**6 bytes). Raises SearchError where the limit or
    the megabytes are too small; a `DiagramBuilder` then still has the covers found so far.

    >>> from dragon.cover import Problem
    >>> diagram_of(Problem.of("abc", ["ab", "c", "bc", "a"])).count()
    2
    """
    builder = DiagramBuilder(problem, limit, megabytes)
    while builder.advance():
        pass
    if not builder.done:
        why = f"its {megabytes:g} megabytes are full" if builder.full else "its limit was reached"
        raise SearchError(
            f"the diagram is not complete after {builder.nodes} nodes: {why}; allow more, "
            "or enumerate with `covers`"
        )
    return builder.diagram()


@frozen
class Unfinished:
    """A node with branches that have not been searched."""

    total: int
    """The number of its branches."""
    tried: int
    """The number of branches that have been begun."""
    option: int
    """The option of the last of these."""
    edges: list[tuple[int, int]]
    """The finished branches that lead to covers."""


class Full(Exception):
    """The megabytes are used up. It does not leave this module."""


class DiagramBuilder(CoverKernel):
    """A diagram that is being built: `advance` it until `done`, or stop anywhere.

    A node of the limit is a visit of a subproblem, known or not.
    """

    stack = ("avail", "low", "high", "frames", "key")
    """The arrays with a row for each choice on the path; of the deepest path so far."""

    def __init__(
        self, problem: Problem, limit: Limit | None = None, megabytes: float = MEGABYTES
    ) -> None:
        self.problem, self.megabytes = problem, megabytes
        timed = limit is not None and limit.seconds is not None
        self._slices = Slices(limit, FIRST_SLICE, SLICE, timed)
        self._sets = subproblems_of(problem)
        super().__init__(
            "dragon.cover.kernels.diagram", Constants("cover diagrams"), memory_of(self._sets)
        )
        self._resume()  # compile, or load, before the clock starts
        self._kernel.rehash(self.m.slots, self.m.keys, 0)
        self.full = self._bytes > megabytes * 1e6
        """True if it stopped because the megabytes are used up."""

    nodes = Counted("visits")
    """Visits of subproblems, known or not."""
    states = Counted("states")
    """Solved subproblems."""

    @property
    def done(self) -> bool:
        """Return whether the diagram is complete."""
        return self._number("root") >= 0

    @property
    def over(self) -> bool:
        """Return whether the builder is done, full, or at its limit."""
        return self.done or self.full or self._slices.over(self.nodes)

    @property
    def seconds(self) -> float:
        """Wall-clock seconds of the search alone."""
        return self._slices.seconds

    def _number(self, name: str) -> int:
        return int(self.m.runs[0][name])

    def advance(self) -> bool:
        """Build for one slice; return True while it is not over."""
        if not self.over:
            self._slices.next(self.nodes, self.work)
        return not self.over

    def work(self, nodes: int) -> None:
        """Build this number of nodes, without a look at the limit."""
        if not (self.done or self.full):
            self.m.runs["stop"] = self.nodes + nodes
            try:
                self._resume()
            except Full:
                self.full = True

    def fraction(self) -> float:
        """Knuth's estimate of the part that is done, from 0 to 1, by the branches on the path.

        It is usually too low: many of the subproblems that are still to come will be known.
        """
        if self.done:
            return 1.0
        return passed((max(0, node.tried - 1), node.total) for node in self.path())

    def diagram(self) -> Diagram:
        """Return the diagram of all covers once done, else of those found so far."""
        m, root, nodes = self.m, self._number("root"), self._number("nodes")
        first, edges = m.first[: nodes + 1], m.edges[: self._number("edges")]
        if root < 0:
            first, edges, root = _closed(first, edges, self.path())
        numbers, counts = self._sets.numbers, m.counts[:nodes]
        return Diagram(self.problem, numbers, first, edges, root, counts, self.done)

    def found(self) -> int:
        """Return the number of covers found so far; it is quick up to 2**60."""
        counts = self.m.counts
        numbers = [int(counts[child]) for node in self.path() for _, child in node.edges]
        numbers += [int(counts[self._number("root")])] if self.done else []
        return sum(numbers) if max(numbers, default=0) < MANY else self.diagram().count()

    def path(self) -> list[Unfinished]:
        """The unfinished nodes from the root down."""
        if self.done:
            return []
        depth = self._number("depth") + (not self._number("entering"))
        frames = self.m.frames[:depth].tolist()
        ends = [begin for _, _, begin, _, _ in frames[1:]] + [self._number("pending")]
        return [
            Unfinished(total, tried, option, self.m.pending[begin:end].tolist())
            for (_, option, begin, tried, total), end in zip(frames, ends, strict=False)
        ]

    @property
    def _bytes(self) -> int:
        """The bytes of the tables, of the stack, and of the problem's rows."""
        return sum(array.nbytes for array in self.m)

    def lengthen(self) -> None:
        """Grow the tables that are full; raise Full where the megabytes do not hold them."""
        m, states = self.m, self.states
        short: list[str] = []
        if self._number("depth") + 1 == len(m.frames):
            short += self.stack
        if states >= len(m.keys):
            short += ["keys", "ids"]
        if self._number("nodes") + 1 >= len(m.first):
            short += ["first", "counts"]
        if self._number("edges") + len(m.pending) > len(m.edges):
            short += ["edges"]
        old = {name: getattr(m, name) for name in short}
        lengths = {name: int(GROWTH * len(table)) for name, table in old.items()}
        slots = len(m.slots)
        while slots < 2 * lengths.get("keys", 0):
            slots *= 2
        more = sum((lengths[name] - len(table)) * table[:1].nbytes for name, table in old.items())
        if self._bytes + more + 4 * (slots - len(m.slots)) > self.megabytes * 1e6:
            raise Full
        longer = {name: lengthened(table, lengths[name]) for name, table in old.items()}
        if slots > len(m.slots):
            longer["slots"] = np.full(slots, -1, np.int32)
        self.hold(m._replace(**longer))
        if slots > len(m.slots):
            self._kernel.rehash(self.m.slots, self.m.keys, states)


def _closed(first: Any, edges: Any, path: list[Unfinished]) -> tuple[Any, Any, int]:
    """Make nodes of the unfinished ones, the deepest first; the last is the root."""
    ends, more, below = [], [], BOTTOM
    for node in reversed(path):
        more += node.edges + ([(node.option, below)] if below != BOTTOM else [])
        ends.append(len(edges) + len(more))
        below = len(first) - 2 + len(ends)
    return np.append(first, ends), np.append(edges, np.array(more, EDGE)), below


class DiagramStream:
    """A stream that first builds the diagram, which then counts all covers, and lists them."""

    updates = 0
    """A diagram changes no links."""

    def __init__(
        self, problem: Problem, size: int | None = None, megabytes: float = MEGABYTES
    ) -> None:
        self._builder = DiagramBuilder(problem, megabytes=megabytes)
        self._size = size
        self._diagram: Diagram | None = None
        self._counted = 0, 0  # covers found, and the node count then
        self._listed: int | None = None

    @property
    def nodes(self) -> int:
        """The number of visits of subproblems, known or not."""
        return self._builder.nodes

    @property
    def found(self) -> int:
        """Covers found so far: all of them when the diagram is complete.

        Before that, covers of limited size are counted only after twice as many nodes.
        """
        if self._size is None:
            return self._builder.found()
        if self._diagram is not None or self.nodes > 2 * self._counted[1]:
            diagram = self._diagram or self._builder.diagram()
            if self._counted[1] != self.nodes:
                self._counted = diagram.count(self._size), self.nodes
        return self._counted[0]

    @property
    def done(self) -> bool:
        """Return whether all covers are counted, and listed if listing has begun."""
        diagram = self._diagram
        return diagram is not None and self._listed in (None, diagram.count())

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Build this number of nodes; when complete, return the next `keep` covers.

        Raises SearchError when the megabytes are used up.
        """
        if self._diagram is None:
            if keep:
                self._listed = self._listed or 0
            self._builder.work(nodes)
            if self._builder.full:
                raise SearchError(
                    f"the diagram's {self._builder.megabytes:g} megabytes are full after "
                    f"{self.nodes} nodes, with {self.found} covers found; allow more or use dlx"
                )
            if not self._builder.done:
                return []
            self._diagram = self._builder.diagram()
        return self._list(self._diagram, keep)

    def _list(self, diagram: Diagram, keep: int) -> list[Cover]:
        if not keep:
            self._listed = None
            return []
        listed: list[Cover] = []
        at = self._listed or 0
        while len(listed) < keep and at < diagram.count():
            cover = diagram.cover(at)
            at += 1
            if self._size is None or len(cover) <= self._size:
                listed.append(cover)
        self._listed = at
        return listed

    def fraction(self) -> float:
        """Return the part of the diagram that is built, estimated from the branches on the path."""
        return self._builder.fraction()
