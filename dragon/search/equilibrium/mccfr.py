"""Monte Carlo counterfactual regret minimization (MCCFR) as a search, by sampling."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from attrs.validators import and_, gt, in_, le

from dragon.core import CHANCE, POLICY, Bound, Game, Limit, Position, Result, Run, Search, Trait
from dragon.search.budget import FOREVER, megabytes_setting, simulations_budget
from dragon.search.equilibrium.cfr import drawn, solved_from, unpromised, unshared
from dragon.search.equilibrium.kept import kept_of

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.equilibrium.sampling import Training

DEFAULT = 10_000
"""Iterations where there is no limit."""


@frozen
class MCCFR(Search):
    """Monte Carlo counterfactual regret minimization: an equilibrium of a game of any size.

    It samples games from the start, and keeps regrets and an average strategy for each information
    set that it meets. As with `cfr`, the average strategy of zero-sum games of two seats converges
    to an equilibrium; with more seats, or another sum, it may not, and `extra` says so. `extra` has
    its distribution as `policy`. At information sets that it has not met yet it plays uniformly,
    and says so; `unreached` means that no walk has come to the position, and that the value is 0.

    A limit in simulations is one in iterations, those of all moves of a game; without one, 10,000.
    """

    name = "mccfr"
    needs = frozenset({Trait.HIDDEN})
    excludes = frozenset({Trait.REPETITION})
    proves = False
    limits = frozenset({"seconds", "nodes", "simulations"})
    recalls = True

    sampling: str = field(default="external", validator=in_(("external", "outcome")))
    """`external`: external sampling: the seat that learns tries all its moves, the others draw
    theirs; `outcome`: outcome sampling: all draw theirs, for games with very many moves."""
    explore: float = field(default=0.6, validator=and_(gt(0), le(1)))
    """For `outcome`: the probability with which the seat that learns draws a move uniformly."""
    megabytes: float = megabytes_setting(256)
    """The memory of the learnt strategy; when it is full, no more information sets are added."""

    keep: str = field(default="", metadata={"outside": True})
    """A .npz file for what is learnt: it goes on from there in another run, if there is one."""

    def objection(self, game: Game[Any]) -> str | None:
        """Return also the objection to teams, to deals that are not moves of chance, and to a file
        of something else."""
        kept = kept_of(self)
        sentence = super().objection(game) or unshared(self, game)
        if sentence or not kept:
            return sentence
        from dragon.rules.record import has_kernels

        if not has_kernels(game.start()):
            return f"{self} keeps what it learns of compiled games alone, and {game} is none"
        return kept.objection(game)

    @property
    def files(self) -> tuple[str, ...]:
        """Return the file in which it keeps what it has learnt."""
        return (self.keep,) if self.keep else ()

    def open(self, game: Game[Any] | None = None) -> MCCFRRun:
        """Return a run, which goes on learning from move to move."""
        return MCCFRRun(self, game)


class MCCFRRun(Run):
    """A run that keeps what it has learnt, and looks positions up in it."""

    search: MCCFR
    _training: Training | None = None

    def improve(self, position: Position, limit: Limit, rng: Generator) -> Iterator[Result]:
        """Yield the strategy's move after more and more iterations."""
        from dragon.search.equilibrium.sampling import Training

        root, draw = solved_from(self, position.state), float(rng.random())
        kept = kept_of(self.search)
        if self._training is None or self._training.root != root:
            self._training = Training(self.search, root, limit, int(rng.integers(1 << 63)))
            if kept:
                kept.resume(root, self._training.restore)
        training = self._training
        training.allow(limit)
        most, until = simulations_budget(None, limit, DEFAULT)
        while True:
            goal = min(most, max(2 * training.iterations, 1))
            before, more = training.iterations, training.train(goal)
            if kept and training.iterations > before:
                training.end_walk()
                kept.write(root, training.arrays())
            yield self._result(training, position, draw, until)
            if not more or training.iterations >= min(most, FOREVER):
                return

    def _result(self, training: Training, position: Position, draw: float, until: str) -> Result:
        state, moves = position.state, position.state.moves()
        extra: dict[str, Any] = {
            "budget": until, "iterations": training.iterations, "sets": training.sets,
        }  # fmt: skip
        if reason := unpromised(training.root):
            extra["promised"] = reason
        if training.full:
            extra["stopped"] = "there is no room for more information sets"
        if state.turn == CHANCE:
            return training.budget.result(training.value(), Bound.ESTIMATE, extra=extra)
        number = training.set_of(position)
        if number is None:
            policy, value = [1 / len(moves)] * len(moves), None
        else:
            policy, value = training.strategy(number)
        if value is None:  # no walk of its seat has reached it
            value, extra["unreached"] = 0.0, True
        extra[POLICY] = dict(zip(map(str, moves), policy, strict=True))
        line = (moves[drawn(policy, draw)],)
        return training.budget.result(value, Bound.ESTIMATE, line, extra=extra)
