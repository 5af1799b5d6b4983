"""The covers of a problem by way of its diagram, in the form of an enumeration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragon.cover.diagram_builder import MEGABYTES, DiagramBuilder
from dragon.errors import SearchError

if TYPE_CHECKING:
    from dragon.cover.diagram import Diagram
    from dragon.cover.problem import Problem
    from dragon.cover.stream import Cover


class DiagramStream:
    """Builds the diagram first. Then all covers are counted, and listed if they are asked for."""

    updates = 0
    """No links are changed."""

    def __init__(
        self, problem: Problem, size: int | None = None, megabytes: float = MEGABYTES
    ) -> None:
        self._builder = DiagramBuilder(problem, megabytes=megabytes)
        self._size = size
        self._diagram: Diagram | None = None
        self._counted = 0, 0  # covers found when there were so many nodes
        self._listed: int | None = None

    @property
    def nodes(self) -> int:
        """Subproblems come to, known ones too."""
        return self._builder.nodes

    @property
    def found(self) -> int:
        """Covers found so far: all of them when the diagram is complete.

        Before that a limited size is looked at only when there are twice as many nodes.
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
        """Return True if all covers are counted, and listed if any were asked for."""
        diagram = self._diagram
        return diagram is not None and self._listed in (None, diagram.count())

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for so many nodes; once complete, the next `keep` covers.

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
        """Of the diagram that is built, as far as the branches on the path show."""
        return self._builder.fraction()
