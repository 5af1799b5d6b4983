"""Negamax in its plainest form: no window, no table, no order.

What is good for me is as bad for you: the value of a state is the best of what its
successors are worth to its mover (Knuth and Moore 1975).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.core import TERMINAL, Bound, Game, Limit, Result, Search, State, Trait
from dragon.search.budget import FOREVER, Budget, OutOfBudget, count_setting
from dragon.search.two_sided import (
    check_two_sided,
    refuse_chance,
    refuse_later,
    two_sided_objection,
)

if TYPE_CHECKING:
    from numpy.random import Generator


def negamax(
    search: Search, state: State[Any], depth: int, budget: Budget
) -> tuple[float, tuple[Any, ...], bool]:
    """The value of `state` for its mover, the line that leads there, and whether it is proven."""
    budget.visit()
    if state.turn == TERMINAL:
        return state.payoff()[0], (), True
    if depth == 0:
        return state.evaluate(state.turn) * state.largest, (), False
    refuse_chance(search, state)
    best, line, proven = float("-inf"), (), True
    for move in state.moves():
        child = state.after(move)
        if child.conceals:
            refuse_later(search, child, state, chance=False)
        value, rest, sure = negamax(search, child, depth - 1, budget)
        value = value if same_side(state, child) else -value
        proven = proven and sure
        if value > best:
            best, line = value, (move, *rest)
    return best, line, proven


def same_side(state: State[Any], child: State[Any]) -> bool:
    """Return True if a child's value keeps its sign: one team moves twice, or it is seat 0's."""
    mover = 0 if child.turn == TERMINAL else child.turn
    return state.teams[state.turn] == state.teams[mover]


@frozen
class Negamax(Search):
    """The whole tree, or all of it down to a depth; readable before fast."""

    name = "negamax"
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    limits = frozenset({"seconds", "nodes", "depth"})
    deterministic = True

    depth: int | None = count_setting()
    """Plies looked ahead; none: to the end of every line."""

    def objection(self, game: Game[Any]) -> str | None:
        """More than two sides have no negative of each other."""
        return super().objection(game) or two_sided_objection(self, game)

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """A result for each root move that is better than those before, then the last word."""
        check_two_sided(self, state)
        budget = Budget(limit)
        depth = min(self.depth or FOREVER, limit.depth or FOREVER)
        best, line, proven = float("-inf"), (state.moves()[0],), True
        extra: dict[str, Any] = {}
        try:
            budget.visit()
            for move in state.moves():
                child = state.after(move)
                if child.conceals:
                    refuse_later(self, child, state, chance=False)
                value, rest, sure = negamax(self, child, depth - 1, budget)
                value = value if same_side(state, child) else -value
                proven = proven and sure
                if value > best:
                    best, line = value, (move, *rest)
                    yield budget.result(best, Bound.ESTIMATE, line)
        except (OutOfBudget, RecursionError) as stop:
            proven, extra = False, budget.stopped(stop)
        value = best if best > float("-inf") else 0.0
        bound = Bound.EXACT if proven else Bound.ESTIMATE
        yield budget.result(value, bound, line, extra=extra)
