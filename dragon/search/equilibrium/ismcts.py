"""Information set Monte Carlo tree search: one tree of information sets for all worlds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from attrs.validators import ge

from dragon.core import CHANCE, POLICY, Bound, Game, Limit, Position, Result, Run, Search, Trait
from dragon.search.budget import count_setting, megabytes_setting, simulations_budget
from dragon.search.equilibrium.cfr import drawn

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.equilibrium.uct import Tree

DEFAULT = 100_000
"""Simulations where there is no limit."""


@frozen
class ISMCTS(Search):
    """Information set MCTS (ISMCTS): each simulation has a new world; seats choose by their views.

    So there is no strategy fusion: a seat plays the same in worlds that look the same to it. Worlds
    (determinizations) are drawn by `deal`, which draws no conclusions from the others' moves. The
    move is drawn in proportion to its visits; these are the distribution `policy` of `extra`.
    """

    name = "ismcts"
    needs = frozenset({Trait.HIDDEN})
    proves = False
    limits = frozenset({"seconds", "nodes", "simulations"})

    c: float = field(default=0.5, validator=ge(0))
    """The exploration constant, for values from 0 to 1."""
    megabytes: float = megabytes_setting(256)
    """The memory of the tree; when it is full, simulations go on at random from its leaves."""
    simulations: int | None = count_setting()
    """Simulations for each move; none: until the limit, or 100,000."""

    def objection(self, game: Game[Any]) -> str | None:
        """Return the objection, also to games without a rule `deal`."""
        if sentence := super().objection(game):
            return sentence
        rules = getattr(game.start(), "rules", None)
        if rules is not None and rules.hide is not None and rules.deal is None:
            return f"{self} draws worlds by the rule `deal`, which {game} does not have"
        return None

    def open(self, game: Game[Any] | None = None) -> ISMCTSRun:
        return ISMCTSRun(self, game)


class ISMCTSRun(Run):
    """A run that keeps its arrays from move to move, but not the tree."""

    search: ISMCTS

    def improve(self, position: Position, limit: Limit, rng: Generator) -> Iterator[Result]:
        """Yield a result each time that the simulations have doubled."""
        from dragon.search.equilibrium.uct import Tree

        search, state = self.search, position.state
        seed, draw = int(rng.integers(1 << 63)), float(rng.random())
        tree = Tree(search, state, limit, seed, megabytes=search.megabytes, c=search.c)
        most, until = simulations_budget(search.simulations, limit, DEFAULT)
        while True:
            more = tree.simulate(min(most, max(2 * tree.simulations, 1)))
            yield _result(tree, draw, until)
            if not more or tree.simulations >= most:
                return


def _result(tree: Tree, draw: float, until: str) -> Result:
    state = tree.root
    extra: dict[str, Any] = {"simulations": tree.simulations, "sets": tree.sets, "budget": until}
    if state.turn == CHANCE:
        value, error = tree.mean
        return tree.budget.result(value, Bound.ESTIMATE, error=error, extra=extra)
    moves = state.moves()
    choices = tree.choices(0) if tree.simulations else [(1, 0.0)] * len(moves)
    visits = sum(tries for tries, _ in choices)
    policy = [tries / visits for tries, _ in choices]
    extra[POLICY] = dict(zip(map(str, moves), policy, strict=True))
    extra["moves"] = {
        str(move): {"visits": tries, "value": value}
        for (tries, value), move in sorted(zip(choices, moves, strict=True), key=lambda x: -x[0][0])
    }
    chosen = drawn(policy, draw)
    return tree.budget.result(choices[chosen][1], Bound.ESTIMATE, (moves[chosen],), extra=extra)
