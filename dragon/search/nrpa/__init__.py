"""Nested rollout policy adaptation (NRPA, Rosin 2011): settings and run.

`kernel` has the algorithm, which is playouts, policies and levels, and its memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import field, frozen, validators

from dragon.core import Bound, Limit, Result, Search, State, Trait
from dragon.search.budget import FOREVER, Budget, Pace, count_setting, simulations_budget

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.nrpa.kernel import Levels

SLICE = 1024
"""Playouts between two looks at the clock, after the first has shown that they are quick."""


@frozen
class NRPA(Search):
    """Nested rollout policy adaptation: playouts by a policy that learns from the best line."""

    name = "nrpa"
    needs = frozenset({Trait.SOLO})
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    proves = False
    limits = frozenset({"seconds", "nodes", "simulations"})

    levels: int = field(default=3, validator=[validators.ge(1), validators.le(8)])
    """The number of nested levels; each call of a level starts with the policy of the level above
    it."""
    iterations: int = field(default=100, validator=[validators.ge(1), validators.le(1 << 40)])
    """The calls of the level below, and steps of adaptation, before a level returns its best
    line."""
    alpha: float = field(default=1.0, validator=[validators.gt(0), validators.le(100)])
    """The step size of the adaptation: how much the weight of a move of the best line grows."""
    simulations: int | None = count_setting()
    """Playouts for each move; none: until the limit, or 10,000 without a limit."""

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """Yield a result each time that the playouts have doubled."""
        from dragon.search.nrpa.kernel import Levels

        budget, until = simulations_budget(self.simulations, limit)
        levels, clock = Levels(self, state, int(rng.integers(1 << 63))), Budget(limit)
        timed, target = limit.seconds is not None, 1
        pace = Pace(1 if timed else SLICE, SLICE, timed)
        while True:
            target = min(2 * target, budget)
            more = _advance(levels, target, clock, pace)
            clock.nodes = levels.nodes
            extra = {"simulations": levels.simulations, "budget": until}
            if levels.units is None:
                yield clock.result(0.0, Bound.ESTIMATE, (state.moves()[0],), extra=extra)
            else:
                value = levels.units * state.unit
                yield clock.result(value, Bound.LOWER, levels.line(), extra=extra)
            if not more or target >= budget:
                return


def _advance(levels: Levels, target: int, clock: Budget, pace: Pace) -> bool:
    """Run until `target` playouts in all, in slices; return False if the run is over."""
    nodes = min(clock.limit.nodes or FOREVER, FOREVER)
    while levels.simulations < target:
        began = clock.seconds
        levels.advance(min(target, levels.simulations + pace.steps), nodes, clock.late)
        pace.took(clock.seconds - began, clock.left)
        if levels.ended or levels.nodes >= nodes or clock.late():
            return False
    return True
