"""Covers counted by a diagram of subproblems, each solved once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import field, frozen, validators

from dragon.core import Bound, Game, Limit, Result, State
from dragon.cover.search import CoverSearch, claimed, cover_state, room
from dragon.errors import Objection, SearchError

if TYPE_CHECKING:
    import numpy as np

    from dragon.cover.diagram import Diagram
    from dragon.cover.diagram_builder import DiagramBuilder
    from dragon.cover.game import CoverState
    from dragon.cover.problem import Problem
    from dragon.cover.stream import Stream

COUNTED_BY_SIZE = (
    "list overlapping ones with dlx, or count all of them by size with "
    "dragon.cover.sizes.covers_by_size"
)
FIRST_RESULT = 1 << 16
"""Subproblems solved before the first result, if they are not all; twice as many for the next."""


@frozen
class Count(CoverSearch):
    """The number of exact covers without listing them; of ranked ones the best."""

    name = "count"
    exact_only = True

    megabytes: float = field(default=1000.0, validator=validators.gt(0))
    """What the table of subproblems may take (10**6 bytes)."""

    def objection(self, game: Game[Any]) -> str | None:
        """Say what counts overlapping covers."""
        if not getattr(game, "exact", True):
            return f"{self} knows exact covers, not overlapping ones; {COUNTED_BY_SIZE}"
        return super().objection(game)

    def stream(self, problem: Problem, exact: bool, size: int | None) -> Stream:
        """All covers at once when the diagram is complete; overlapping ones are refused."""
        from dragon.cover.diagram_builder import DiagramStream

        self._refuse(exact)
        return DiagramStream(problem, size, self.megabytes)

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """The value with a cover that proves it; `extra` holds `covers`, how many were found.

        `covers_bound` says whether these are all. A node is a subproblem come to.
        """
        from dragon.cover.diagram_builder import DiagramBuilder

        state = cover_state(self, state)
        self._refuse(state.table.exact)
        problem = state.table.problem
        if state.table.ranked and not problem.plain:
            # A game ends when nothing need be chosen any more; a diagram's covers may go on.
            raise SearchError(
                f"{self} ranks covers of items covered once, but {problem.bounded[0]!r} has "
                "bounds; rank them with dlx"
            )
        builder = DiagramBuilder(state.rest(), limit, self.megabytes)
        target = FIRST_RESULT
        while builder.advance():
            if builder.states >= target:
                target *= 2
                yield _result(state, builder, limit)
        yield _result(state, builder, limit)

    def _refuse(self, exact: bool) -> None:
        if not exact:
            raise Objection(f"{self} counts exact covers; {COUNTED_BY_SIZE}")


def _result(state: CoverState, builder: DiagramBuilder, limit: Limit) -> Result:
    """Return what is known so far."""
    table, diagram, size = state.table, builder.diagram(), room(state, limit)
    cover = _best(diagram, table.ranked, size)
    proven = diagram.complete and size == room(state, Limit())
    value, bound, line = claimed(state, cover, proven)
    verdict = "no cover" if cover is None else "cover"
    extra = {
        "verdict": "unknown" if bound is Bound.ESTIMATE else verdict,
        "covers": diagram.count(size),
        "covers_bound": str(Bound.EXACT if diagram.complete else Bound.LOWER),
        "states": builder.states,
    }
    if builder.full:
        extra["stopped"] = f"{builder.megabytes:g} megabytes are full"
    return Result(value, bound, line, 0.0, builder.nodes, builder.seconds, extra)


def _best(diagram: Diagram, ranked: bool, size: int | None) -> tuple[int, ...] | None:
    """A cover as good as any, if the diagram is complete; or else any, or None."""
    if ranked and diagram.complete:
        found = diagram.cheapest(size)
        return None if found is None else found[1]
    if size is None:
        return diagram.cover(0) if diagram.count() else None
    return diagram.smallest(size)
