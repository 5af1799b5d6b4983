"""Covers counted by a diagram of subproblems, each solved once.

The algorithm to be read is in `dragon.cover.growth_plain`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import field, frozen, validators

from dragon.core import Bound, Limit, Result, State
from dragon.cover.search import CoverSearch, cover_state, names, played, room
from dragon.errors import Objection, SearchError

if TYPE_CHECKING:
    import numpy as np

    from dragon.cover.diagram import Diagram
    from dragon.cover.drawing import Drawing
    from dragon.cover.enumeration import Stream
    from dragon.cover.game import CoverState
    from dragon.cover.problem import Problem

FIRST_RESULT = 1 << 16
"""Subproblems solved before the first result, if they are not all; twice as many for the next."""


@frozen
class Count(CoverSearch):
    """The number of exact covers without listing them; of ranked ones the best."""

    name = "count"
    exact_only = True

    megabytes: float = field(default=1000.0, validator=validators.gt(0))
    """What the table of subproblems may take (10**6 bytes)."""

    def stream(self, problem: Problem, exact: bool, size: int | None) -> Stream:
        """All covers at once when the diagram is complete; overlapping ones are refused."""
        from dragon.cover.counting import DiagramStream

        self._refuse(exact)
        return DiagramStream(problem, size, self.megabytes)

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """The value with a cover that proves it; `extra` holds `covers`, how many were found.

        `covers_bound` says whether these are all. A node is a subproblem come to.
        """
        from dragon.cover.drawing import Drawing

        state = cover_state(self, state)
        self._refuse(state.table.exact)
        if state.table.ranked:
            self._refuse_bounds(state.table.problem)
        drawing = Drawing(state.rest(), limit, self.megabytes)
        target = FIRST_RESULT
        while drawing.advance():
            if drawing.states >= target:
                target *= 2
                yield _result(state, drawing, limit)
        yield _result(state, drawing, limit)

    def _refuse(self, exact: bool) -> None:
        if not exact:
            raise Objection(
                f"{self} counts exact covers; list overlapping ones with dlx, or count all of "
                "them by size with dragon.cover.covers_by_size"
            )

    def _refuse_bounds(self, problem: Problem) -> None:
        """A game ends when nothing need be chosen any more; a diagram's covers may go on."""
        for name in problem.primary:
            if name not in problem.hidden_items and problem.bounds_of(name) != (1, 1):
                raise SearchError(
                    f"{self} ranks covers of items covered once, but {name!r} has bounds; "
                    "rank them with dlx"
                )


def _result(state: CoverState, drawing: Drawing, limit: Limit) -> Result:
    """What is known so far."""
    table, diagram, size = state.table, drawing.diagram(), room(state, limit)
    cover = _best(diagram, table.ranked, size)
    proven = diagram.complete and size == room(state, Limit())
    end = None if cover is None else played(state, cover)
    if end is None:
        value, line = -table.largest if table.ranked else 0.0, state.moves()[:1]
        bound = Bound.EXACT if proven else Bound.ESTIMATE
    else:
        value, line = end.payoff()[0], names(end, len(state.chosen))
        bound = Bound.EXACT if proven or not table.ranked else Bound.LOWER
    verdict = "no cover" if end is None else "cover"
    extra = {
        "verdict": "unknown" if bound is Bound.ESTIMATE else verdict,
        "covers": diagram.count(size),
        "covers_bound": str(Bound.EXACT if diagram.complete else Bound.LOWER),
        "states": drawing.states,
    }
    if drawing.full:
        extra["stopped"] = f"{drawing.megabytes:g} megabytes are full"
    return Result(value, bound, line, 0.0, drawing.nodes, drawing.seconds, extra)


def _best(diagram: Diagram, ranked: bool, size: int | None) -> tuple[int, ...] | None:
    """A cover as good as any, if the diagram is complete; or else any, or None."""
    if ranked and diagram.complete:
        found = diagram.cheapest(size)
        return None if found is None else found[1]
    if size is None:
        return diagram.cover(0) if diagram.count() else None
    return diagram.smallest(size)
