"""The reason why there is no cover: a minimal set of items that cannot be covered together.

To hide an item only removes a condition, so a problem without a cover has minimal parts without
one. QuickXplain (Junker 2004) finds such a part by halving: it asks few questions if the part is
small, and a search that stops at the first cover answers each of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, evolve, frozen

from dragon.core import Bound, Limit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dragon.cover.problem import Problem


@frozen
class Conflict:
    """Primary items that no set of options can cover together."""

    items: tuple[str, ...]
    """In the order of the problem; empty if it is not known whether there is a cover."""
    bound: Bound
    """EXACT: if any of the items is left out, there is a cover. UPPER: the limit was reached, and a
    part of them may be enough. ESTIMATE: it was reached before a proof that there is no cover."""
    nodes: int
    """The nodes of all searches together."""
    seconds: float
    """Wall-clock seconds of the searches alone."""

    @property
    def verdict(self) -> str:
        """`no cover`, or `unknown` where the limit was reached before the proof."""
        return "unknown" if self.bound is Bound.ESTIMATE else "no cover"


class Undecided(Exception):
    """The limit was reached; never leaves this module."""


def impossible(
    problem: Problem, exact: bool = True, size: int | None = None, limit: Limit | None = None
) -> Conflict | None:
    """Return a minimal set of primary items that no set of at most `size` options covers together.

    None when there is a cover. Items outside the set are treated as hidden.

    >>> from dragon.cover import Problem
    >>> impossible(Problem.of("abcd", ["ab", "bc", "ca", "d"])).items
    ('a', 'b', 'c')
    """
    return ConflictSearch(problem, exact, size, limit or Limit()).conflict()


@define
class ConflictSearch:
    """Questions about parts of a problem, under one limit."""

    problem: Problem
    exact: bool
    size: int | None
    limit: Limit
    nodes: int = 0
    seconds: float = 0.0
    known: list[str] | None = None
    """The smallest set found so far that cannot be covered."""

    @property
    def names(self) -> list[str]:
        """The primary items that are not hidden."""
        return [name for name in self.problem.primary if name not in self.problem.hidden_items]

    def conflict(self) -> Conflict | None:
        """Ask about all items, then about smaller parts; None when there is a cover."""
        try:
            if self.possible(self.names):
                return None
            self.known = self.smallest([], False, self.names)
        except Undecided:
            return self.so_far()
        return evolve(self.so_far(), bound=Bound.EXACT)

    def so_far(self) -> Conflict:
        """Return the result when the search is interrupted."""
        known = set(self.known or ())
        return Conflict(
            tuple(name for name in self.names if name in known),
            Bound.ESTIMATE if self.known is None else Bound.UPPER,
            self.nodes,
            self.seconds,
        )

    def smallest(self, base: list[str], grown: bool, items: list[str]) -> list[str]:
        """Return a minimal part of `items` that cannot be covered together with `base`.

        grown: whether `base` has grown since the last question about it.
        """
        if grown and not self.possible(base):
            return []
        if len(items) <= 1:
            return items
        half = len(items) // 2
        first, second = items[:half], items[half:]
        late = self.smallest(base + first, True, second)
        early = self.smallest(base + late, bool(late), first)
        return early + late

    def possible(self, items: Sequence[str]) -> bool:
        """Return whether these primary items can be covered; raise Undecided at the limit."""
        from dragon.cover.arrays import idle_of

        asked = set(items)
        part = self.problem.hide(items=[n for n in self.problem.primary if n not in asked])
        part = part.hide(options=[part.names[o] for o in idle_of(part).nonzero()[0]])
        # The diagram of exact covers of any size solves each subproblem once.
        by_diagram = self.exact and self.size is None
        answer = self._by_diagram(part) if by_diagram else self._by_enumeration(part)
        if not answer and (self.known is None or len(items) < len(self.known)):
            self.known = list(items)
        return answer

    def _rest(self) -> Limit:
        nodes, seconds = self.limit.nodes, self.limit.seconds
        nodes = None if nodes is None else nodes - self.nodes
        seconds = None if seconds is None else seconds - self.seconds
        if (nodes is not None and nodes <= 0) or (seconds is not None and seconds <= 0):
            raise Undecided
        return evolve(self.limit, nodes=nodes, seconds=seconds)

    def _by_diagram(self, part: Problem) -> bool:
        from dragon.cover.diagram_builder import DiagramBuilder

        builder = DiagramBuilder(part, self._rest())
        while builder.advance() and not builder.found():
            pass
        self.nodes += builder.nodes
        self.seconds += builder.seconds
        if builder.found():
            return True
        if not builder.done:
            raise Undecided
        return False

    def _by_enumeration(self, part: Problem) -> bool:
        from dragon.cover.searches import covers

        found = covers(part, self.exact, self.size, self._rest())
        any(True for _ in found)
        self.nodes += found.nodes
        self.seconds += found.seconds
        if found.verdict == "unknown":
            raise Undecided
        return found.verdict == "cover"
