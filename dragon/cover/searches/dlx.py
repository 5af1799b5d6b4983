"""Dancing links: Algorithms X, C and M of TAOCP 4B, 7.2.2.1, in a compiled kernel."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.core import Bound, Limit, Result, State
from dragon.cover.search import CoverSearch, claimed, cover_state, result, room

if TYPE_CHECKING:
    import numpy as np

    from dragon.cover.game import CoverState
    from dragon.cover.problem import Problem
    from dragon.cover.stream import Stream


@frozen
class DLX(CoverSearch):
    """Exact covers by dancing links, with colours and multiplicities; overlapping ones as well."""

    name = "dlx"
    follows = True

    def stream(self, problem: Problem, exact: bool, size: int | None) -> Stream:
        """Exact covers by dancing links; of overlapping ones those without a needless option."""
        from dragon.cover.exact import exact_stream
        from dragon.cover.minimal import minimal_stream

        return exact_stream(problem, size) if exact else minimal_stream(problem, size)

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """The first cover; of ranked covers ever cheaper ones, by branch and bound."""
        state = cover_state(self, state)
        table = state.table
        mixed = state.chosen and not table.exact  # what was chosen may share items with the rest
        if table.ranked and (table.spare or (table.problem.plain and not mixed)):
            return self._cheapest(state, limit)
        return super().improve(state, limit, rng)

    def _cheapest(self, state: CoverState, limit: Limit) -> Iterator[Result]:
        from dragon.cover.optimum import improve

        size = room(state, limit)
        unlimited = size == room(state, Limit())
        among = "all" if state.table.spare else "minimal"
        for best in improve(state.rest(), 1, state.table.exact, among, size, limit):
            proven = unlimited and best.bound is Bound.EXACT
            cover = best.covers[0].options if best.covers else None
            yield result(best, *claimed(state, cover, proven))
