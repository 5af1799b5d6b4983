"""Counterfactual regret minimization (CFR) as a search: it solves the game once, and plays the
result."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import isnan
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from attrs.validators import in_

from dragon.core import (
    CHANCE,
    POLICY,
    Bound,
    Game,
    Limit,
    Position,
    Result,
    Run,
    Search,
    State,
    Trait,
    game_of,
)
from dragon.core.game import UnnamedGame
from dragon.search.budget import Budget
from dragon.search.equilibrium.kept import kept_of
from dragon.search.equilibrium.kernel import VARIANTS

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.equilibrium.sequences import SequenceForm
    from dragon.search.equilibrium.solution import Solution

DEFAULT = 1000
"""The default iterations, without a limit."""
MANY = 1 << 30
FEW = 1000
"""The most states of a tree whose making is not counted in the time."""


@frozen
class CFR(Search):
    """Counterfactual regret minimization: an equilibrium of a game with hidden information.

    The whole tree is kept, from the start of the game; each iteration goes through all of it, and
    updates the regrets of each seat. In zero-sum games of two seats, the average strategy converges
    to an equilibrium; with more seats, or another sum, it may not, and `extra` says so. Moves are
    drawn from the average strategy. `extra` has its distribution as `policy`, the exploitability of
    the whole strategy, and bounds of the game's value that best responses prove: `at_least` and
    `at_most`, for seat 0; and `unreached`, where the value is that of the whole game, since the
    other seats' strategies do not come to the position.

    A limit in simulations is one in iterations, those of all moves of a game; without one, 1,000.
    """

    name = "cfr"
    needs = frozenset({Trait.HIDDEN})
    excludes = frozenset({Trait.REPETITION})
    proves = False
    limits = frozenset({"seconds", "simulations"})
    recalls = True

    variant: str = field(default="predictive", validator=in_(tuple(VARIANTS)))
    """`cfr`, `cfr+`, `linear`, `discounted` or `predictive` (predictive CFR+, by far the best)."""

    keep: str = field(default="", metadata={"outside": True})
    """A .npz file in which the learnt strategy is kept; later runs continue from it."""

    def objection(self, game: Game[Any]) -> str | None:
        """Return also the objection to teams, whose seats do not share what they see, to deals that
        are not moves, to trees that are too large, and to a file of something else."""
        kept = kept_of(self)
        sentence = super().objection(game) or unshared(self, game) or _too_large(game)
        return sentence or (kept.objection(game) if kept else None)

    @property
    def files(self) -> tuple[str, ...]:
        """Return the file in which it keeps what it has learnt."""
        return (self.keep,) if self.keep else ()

    def open(self, game: Game[Any] | None = None) -> CFRRun:
        """Return a run, which solves the game once for all its moves."""
        return CFRRun(self, game)


class CFRRun(Run):
    """A run that keeps the solution of its game, and looks positions up in it."""

    search: CFR

    def __init__(self, search: CFR, game: Game[Any] | None = None) -> None:
        super().__init__(search, game)
        self._form: SequenceForm | None = None
        self._solution: Solution | None = None

    def improve(self, position: Position, limit: Limit, rng: Generator) -> Iterator[Result]:
        """Yield the strategy's move after more and more iterations."""
        state, budget, draw = position.state, Budget(limit), float(rng.random())
        form, kept = self._form_of(state), kept_of(self.search)
        if not form.grow(budget.late):
            yield _unknown(state, form, draw, budget)
            return
        if self._solution is None:
            from dragon.search.equilibrium.solution import Solution

            self._solution = Solution(form, VARIANTS[self.search.variant])
            if kept:
                kept.resume(form.root, self._solution.restore)
            budget = Budget(limit) if form.nodes < FEW else budget  # its kernel has been compiled
        solution, number, made, each = self._solution, -1, 0, 0.0
        if state.turn != CHANCE:
            number = form.set_of(state.turn, position.information, state)
        free = limit.seconds is None and limit.simulations is None
        most = DEFAULT if free else limit.simulations
        until = f"{DEFAULT:,} iterations (default)" if free else "the limit"
        while True:
            left = MANY if most is None else max(0, most - solution.iterations)
            more = min(left, max(solution.iterations, 1))
            if limit.seconds is not None:  # as many as are likely to end in time
                fit = int(budget.left / each) if each else MANY
                more = min(more, max(1, made), max(1, fit))
            begun = budget.seconds
            solution.improve(more)
            each, made = (budget.seconds - begun) / max(1, more), made + more
            if kept and more:
                kept.write(form.root, solution.arrays())
            yield self._result(solution, max(state.turn, 0), number, draw, budget, until)
            if budget.late() or (most is not None and solution.iterations >= most):
                return

    def _form_of(self, state: State[Any]) -> SequenceForm:
        """Return a tree as far as it is known: from the start of the game if something is hidden,
        else from this state on."""
        root = solved_from(self, state)
        if self._form is None or self._form.root != root:
            from dragon.search.equilibrium.sequences import SequenceForm

            self._form, self._solution = SequenceForm(root), None
        return self._form

    def _result(
        self, solution: Solution, seat: int, number: int, draw: float, budget: Budget, until: str
    ) -> Result:
        form, known = solution.form, solution.averages()
        extra: dict[str, Any] = {
            "budget": until,
            "iterations": solution.iterations,
            "exploitability": known.nash_conv / form.seats,
        }
        if reason := unpromised(form.root):
            extra["promised"] = reason
        else:
            extra |= {"at_least": -known.best[1], "at_most": known.best[0]}
        budget.nodes = solution.iterations * form.nodes
        if number < 0:
            return budget.result(known.values[0], Bound.ESTIMATE, extra=extra)
        first, moves = form.first[number], form.moves[number]
        policy = known.probabilities[first : first + len(moves)].tolist()
        value = float(known.set_values[seat][number])
        if isnan(value):  # the others' strategies never reach this
            value, extra["unreached"] = known.values[seat], True
        extra[POLICY] = dict(zip(map(str, moves), policy, strict=True))
        move = moves[drawn(policy, draw)]
        return budget.result(value, Bound.ESTIMATE, (move,), extra=extra)


def unshared(search: Search, game: Game[Any]) -> str | None:
    """Return the objection to teams, whose seats do not share what they see, and to deals that are
    not moves of chance."""
    if len(set(game.teams)) < len(game.teams):
        return (
            f"{search} needs seats that remember all they have seen ({game} has teams, whose "
            "seats see different cards)"
        )
    if game.start(0) != game.start(1):
        return f"{search} needs deals that are moves of chance (a deal of {game} is its start)"
    return None


def unpromised(root: State[Any]) -> str | None:
    """Return a sentence on why the average strategy need not converge to an equilibrium; None if it
    does."""
    if (seats := len(root.teams)) != 2:
        return f"nothing, with {seats} seats"
    return None if root.zero_sum else "nothing, where payoffs do not add up to zero"


def solved_from(run: Run, state: State[Any]) -> State[Any]:
    """Return the state from which a game is solved: its start if something is hidden, or this."""
    game = game_of(state) if run.game is None else run.game
    hidden = state.conceals and type(game) is not UnnamedGame
    return game.start() if hidden else state


def drawn(policy: list[float], draw: float) -> int:
    """Return the index at which the sum of probabilities exceeds a draw from [0, 1)."""
    total = 0.0
    for i, each in enumerate(policy):
        total += each
        if draw < total:
            return i
    return max(range(len(policy)), key=policy.__getitem__)


@lru_cache(maxsize=64)
def _too_large(game: Game[Any]) -> str | None:
    """Return the sentence on a tree that is far too large, by random games; None if it is not."""
    from dragon.search.equilibrium.sequences import objection

    return objection(game.start())


def _unknown(state: State[Any], form: SequenceForm, draw: float, budget: Budget) -> Result:
    """Return the uniform result for a position that is not in the tree yet."""
    moves = state.moves()
    even = [1 / len(moves)] * len(moves)
    budget.nodes = form.nodes
    extra: dict[str, Any] = {
        "budget": "the limit",
        "stopped": f"{form.nodes:,} states of the tree, which are not all",
    }
    if state.turn != CHANCE:
        extra[POLICY] = dict(zip(map(str, moves), even, strict=True))
    return budget.result(0.0, Bound.ESTIMATE, (moves[drawn(even, draw)],), extra=extra)
