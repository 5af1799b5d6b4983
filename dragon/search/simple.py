"""Simple searches, slow and obvious: others must beat them, or agree with them.

In this order: a move at random; the move that looks best at once; negamax in its plainest form,
with no window, no table and no order; every state visited, each once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon import bits
from dragon.core import CHANCE, POLICY, TERMINAL, Bound, Game, Limit, Result, Search, State, Trait
from dragon.search.budget import FOREVER, Budget, OutOfBudget, count_setting
from dragon.search.two_sided import (
    check_two_sided,
    refuse_chance,
    refuse_later,
    two_sided_objection,
)

if TYPE_CHECKING:
    from numpy.random import Generator


@frozen
class Uniform(Mapping[str, float]):
    """A uniform distribution over the texts of moves, which are written only where asked for."""

    moves: Sequence[Any]

    def __getitem__(self, move: str) -> float:
        if move not in (*self,):
            raise KeyError(move)
        return 1 / len(self.moves)

    def __iter__(self) -> Iterator[str]:
        return map(str, self.moves)

    def __len__(self) -> int:
        return len(self.moves)


@frozen
class Random(Search):
    """One legal move, uniformly at random."""

    name = "random"
    proves = False
    values = False
    limits = frozenset[str]()

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """The one result; it claims nothing about the value."""
        budget, moves = Budget(limit), state.moves()
        budget.nodes = 1
        move = moves[bits.Random(int(rng.integers(1 << 63)))(len(moves))]
        extra = {"budget": "one move", POLICY: Uniform(moves)}
        yield budget.result(0.0, line=(move,), extra=extra)


@frozen
class Greedy(Search):
    """The move that looks best one ply ahead, the first of equals; with one seat, a whole line.

    A move looks as good as its payoff where it ends the game, else as the evaluation. With one seat
    the line to the end proves a lower bound (the greedy algorithm; Edmonds 1971).
    """

    name = "greedy"
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    proves = False
    limits = frozenset({"seconds", "nodes"})
    deterministic = True

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """A result for each move of the line; its value is that of the next state."""
        budget, here = Budget(limit), state
        line: tuple[Any, ...] = ()
        alone = len(state.teams) == 1
        until = "the limit" if limit.seconds is not None or limit.nodes is not None else "one look"
        while here.turn != TERMINAL and not (line and (budget.spent() or not alone)):
            move, value, after = _best(here, budget)
            refuse_later(self, after, here, chance=False)  # chance would begin the line
            here = after
            line += (move,)
            bound = Bound.LOWER if alone and here.turn == TERMINAL else Bound.ESTIMATE
            yield budget.result(value * state.largest, bound, line, extra={"budget": until})


def _best(state: State[Any], budget: Budget) -> tuple[Any, float, State[Any]]:
    """The move that looks best, how it looks from -1 to 1, and the state after it."""
    seat, best = state.turn, None
    for move in state.moves():
        if best is not None and budget.spent():
            break
        after = state.after(move)
        budget.nodes += 1
        over = after.turn == TERMINAL
        value = after.payoff()[seat] / state.largest if over else after.evaluate(seat)
        if best is None or value > best[1]:
            best = move, value, after
    assert best is not None, f"{state} is not terminal and has no moves"
    return best


def negamax(
    search: Search, state: State[Any], depth: int, budget: Budget
) -> tuple[float, tuple[Any, ...], bool]:
    """The value of `state` for its mover, the line that leads there, and whether it is proven.

    The value of a state is the greatest of the negated values of its successors (Knuth and Moore
    1975).
    """
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
    """Negamax of the whole tree, or to a depth; written to be read, not to be fast."""

    name = "negamax"
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    limits = frozenset({"seconds", "nodes", "depth"})
    deterministic = True

    depth: int | None = count_setting()
    """Plies looked ahead; none: to the end of every line."""

    def objection(self, game: Game[Any]) -> str | None:
        """Return the objection to more than two sides: their values are not each other's
        negative."""
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


Values = tuple[float, ...]
"""The payoff of each seat."""


@frozen
class Exhaustive(Search):
    """The exact value of any game small enough to visit state by state.

    It is the oracle that other searches are held against. It supports any number of seats and teams
    (max^n, Luckhardt and Irani 1986), and chance (expectimax, Michie 1966).
    """

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
    """The table of one run: (state, plies left) -> the payoff of each seat, and the best move."""

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
        after = [self.values(child, left) for child in state.successors()]
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
