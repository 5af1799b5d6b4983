"""Every state visited, each once: max^n with expectation at chance nodes.

Slow and obvious: the oracle that the other searches are held against. It supports any
number of seats and teams (max^n, Luckhardt and Irani 1986; expectimax, Michie 1966).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.core import CHANCE, TERMINAL, Bound, Limit, Result, Search, State, Trait
from dragon.search.budget import Budget, OutOfBudget
from dragon.search.two_sided import refuse_later

if TYPE_CHECKING:
    from numpy.random import Generator

Values = tuple[float, ...]
"""What each seat gets."""


@frozen
class Exhaustive(Search):
    """The exact value of any game small enough to visit state by state."""

    name = "exhaustive"
    excludes = frozenset({Trait.HIDDEN})
    limits = frozenset({"seconds", "nodes", "depth"})
    deterministic = True

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """One result; where the limit came first, a legal move and no claim."""
        run = _Run(self, state, Budget(limit))
        seat = max(state.turn, 0)
        try:
            values = run.values(state, limit.depth)
        except (OutOfBudget, RecursionError) as stop:
            extra = {"states": len(run.table), **run.budget.stopped(stop)}
            line = (state.moves()[0],) if state.turn >= 0 else ()
            yield run.budget.result(0.0, Bound.ESTIMATE, line, extra=extra)
        else:
            bound = Bound.ESTIMATE if run.cut else Bound.EXACT
            line = tuple(run.line(state, limit.depth))
            yield run.budget.result(values[seat], bound, line, extra={"states": len(run.table)})


def values(state: State[Any]) -> Values:
    """The exact value of a state for each seat, by all that can follow it."""
    return _Run(Exhaustive(), state, Budget(Limit())).values(state, None)


class _Run:
    """The table of one run: (state, plies left) -> what each seat gets, and the best move."""

    def __init__(self, search: Exhaustive, root: State[Any], budget: Budget) -> None:
        self.search, self.root, self.budget = search, root, budget
        self.table: dict[tuple[State[Any], int | None], tuple[Values, Any]] = {}
        self.cut = False

    def values(self, state: State[Any], depth: int | None) -> Values:
        """The value of `state` for each seat; without a depth each state is visited once."""
        known = self.table.get((state, depth))
        if known is not None:
            return known[0]
        self.budget.visit()
        turn = state.turn
        if turn == TERMINAL:
            values = state.payoff()
            self.table[state, depth] = values, None
            return values
        if state.conceals:
            refuse_later(self.search, state, self.root, chance=True)
        if depth == 0:
            self.cut = True
            return tuple(state.evaluate(seat) * state.largest for seat in range(len(state.teams)))
        moves = state.moves()
        left = None if depth is None else depth - 1
        after = [self.values(state.after(move), left) for move in moves]
        if turn == CHANCE:
            odds = state.odds()
            seats = range(len(state.teams))
            values = tuple(sum(p * v[i] for p, v in zip(odds, after, strict=True)) for i in seats)
            self.table[state, depth] = values, None
        else:
            best = max(range(len(moves)), key=lambda i: after[i][turn])
            values = after[best]
            self.table[state, depth] = values, moves[best]
        return values

    def line(self, state: State[Any], depth: int | None) -> Iterator[Any]:
        """The best moves from `state`, up to the end or to a chance node."""
        while (state, depth) in self.table:
            move = self.table[state, depth][1]
            if move is None:
                return
            yield move
            state, depth = state.after(move), None if depth is None else depth - 1
