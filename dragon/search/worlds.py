"""The worlds of one decision: drawn, searched within their share of a limit, and averaged."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from attrs import define

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL, Limit, Position, Result, Search, State
from dragon.errors import Objection
from dragon.hidden import Determinizable
from dragon.playout import step
from dragon.search.alphabeta import AlphaBeta
from dragon.search.budget import Budget
from dragon.search.mcts import MCTS

if TYPE_CHECKING:
    import numpy as np

    from dragon.search.determinize import Determinize

DEFAULT_SIMULATIONS = 100_000
"""Shared out among all worlds where there is no limit and the inner search has no number."""
TINY = Limit(nodes=1, depth=1, simulations=1)


@define
class Tally:
    """What the worlds so far say of one move, for the seat to move."""

    move: Any
    worlds: int = 0
    total: float = 0.0
    squares: float = 0.0
    votes: int = 0

    def add(self, value: float) -> None:
        """Counts one world."""
        self.worlds += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """The average value; 0 before the first world."""
        return self.total / max(1, self.worlds)

    def error(self, largest: float) -> float:
        """The standard error of the mean; `largest`, the most it can be, before two worlds."""
        if self.worlds < 2:
            return largest
        spread = max(0.0, self.squares - self.total * self.total / self.worlds)
        return math.sqrt(spread / (self.worlds - 1) / self.worlds)


def simulates(search: Search | None) -> bool:
    """Whether a limit in simulations is one of those that an inner search makes."""
    return search is not None and "simulations" in search.limits


class Inner:
    """The search of each world, and its run."""

    def __init__(self, given: Search | None) -> None:
        self.search: Search = given or AlphaBeta()
        self.run = self.search.open()
        self.free = given is None
        """Whether it may still be changed for another."""

    def turn_to(self, search: Search) -> None:
        """Takes another search from now on."""
        self.run.close()
        self.search, self.run, self.free = search, search.open(), False

    def close(self) -> None:
        """Ends the run."""
        self.run.close()


class Worlds:
    """The worlds of one decision and what came of them."""

    def __init__(
        self,
        asked: Determinize,
        state: State[Any],
        limit: Limit,
        aim: int,
        rng: np.random.Generator,
        inner: Inner,
    ) -> None:
        if not isinstance(state, Determinizable):
            raise Objection(f"{asked} needs a state with something hidden ({state} has nothing)")
        self.vote, self.state, self.rng, self.aim = asked.vote, state, rng, aim
        self.inner = inner
        self.seat = max(state.turn, 0)
        moves = (None,) if state.turn == CHANCE else state.moves()
        order = rng.permutation(len(moves))  # of equally good moves any, by the seed
        self.tallies = [Tally(moves[i]) for i in order]
        self.voters = Tally(None)
        self.simulations = 0
        self.searches = 1 if self.vote else len(self.tallies)  # in each world
        self.worlds = 0
        try:
            self._tiny()
        except Objection:
            if not inner.free:
                raise
            self._turn_to_mcts()
        self.budget = Budget(limit)

    def _tiny(self) -> None:
        """A search of one node, so that no clock runs while kernels are compiled."""
        import numpy as np

        still = np.random.default_rng(0)
        world = self._drawn(still)
        if world.turn != TERMINAL:
            with self.inner.search.open() as run:
                next(iter(run.improve(Position(world), TINY, still)))

    def _turn_to_mcts(self) -> None:
        """Begins anew, since the default search has met chance or a third side."""
        self.inner.turn_to(MCTS())
        self.tallies, self.voters = [Tally(tally.move) for tally in self.tallies], Tally(None)
        self.worlds = self.simulations = 0
        self._tiny()

    def most(self) -> int | None:
        """Simulations to share out among the searches of all worlds; None: there is no number."""
        if not simulates(self.inner.search):
            return None
        limit = self.budget.limit
        own = getattr(self.inner.search, "simulations", None) is not None
        bounded = own or limit != Limit(depth=limit.depth)
        return limit.simulations if bounded else DEFAULT_SIMULATIONS

    def spent(self) -> bool:
        """Whether the nodes, the seconds or the simulations are over."""
        most = self.budget.limit.simulations
        over = most is not None and simulates(self.inner.search) and self.simulations >= most
        return over or self.budget.spent()

    def _drawn(self, rng: np.random.Generator) -> State[Any]:
        """A world, nothing hidden; at a chance node a roll of it too."""
        world = self.state.determinize(rng).opened()
        if self.state.turn == CHANCE:
            random = Random(int(rng.integers(1 << 63)))
            while world.turn == CHANCE:
                world = step(world, random)
        return world

    def world(self) -> None:
        """One more world; one that the limit breaks off counts only if it is the first."""
        try:
            self._world(self._drawn(self.rng))
        except Objection:
            if not self.inner.free:
                raise
            self._turn_to_mcts()
            self._world(self._drawn(self.rng))

    def _world(self, world: State[Any]) -> None:
        if self.vote and self.state.turn != CHANCE:
            value, move = self._value(world, 1)
            chosen = next(tally for tally in self.tallies if tally.move == move)
            chosen.add(value)
            chosen.votes += 1
            self.voters.add(value)
        else:
            values = self._values(world)
            if self.worlds and len(values) < len(self.tallies):
                return
            for tally, value in zip(self.tallies, values, strict=False):
                tally.add(value)
        self.worlds += 1

    def _values(self, world: State[Any]) -> list[float]:
        """What each move leads to in a world, as far as the limit goes; one at least."""
        values: list[float] = []
        for tally in self.tallies:
            if values and self.spent():
                break
            child = world if tally.move is None else world.after(tally.move)
            values.append(self._value(child, len(self.tallies) - len(values))[0])
        return values

    def _value(self, state: State[Any], searches: int) -> tuple[float, Any]:
        """An open state's value for the seat that is asked, and the move for whoever is to move.

        `searches`: how many more this world needs, this one included.
        """
        if state.turn == TERMINAL:
            self.budget.nodes += 1
            self.simulations += 1
            return state.payoff()[self.seat], None
        more = searches + self.searches * max(0, self.aim - self.worlds - 1)
        *_, result = self.inner.run.improve(Position(state), self._share(more), self.rng)
        self.budget.nodes += 1 + result.nodes
        self.simulations += max(1, result.extra.get("simulations", 1))
        mover = state.teams[max(state.turn, 0)]
        same = mover == state.teams[self.seat]
        return result.value if same else -result.value, result.move

    def _share(self, searches: int) -> Limit:
        """What is left of the limit, divided among so many searches."""
        limit, budget, most = self.budget.limit, self.budget, self.most()
        seconds, nodes = limit.seconds, limit.nodes
        return Limit(
            seconds=None if seconds is None else max((seconds - budget.seconds) / searches, 1e-9),
            nodes=None if nodes is None else max((nodes - budget.nodes) // searches, 1),
            simulations=None if most is None else max((most - self.simulations) // searches, 1),
        )

    def result(self, told: str) -> Result:
        """The move with the best mean, or the most votes."""
        state, tallies = self.state, self.tallies
        tried = [tally for tally in tallies if tally.worlds]
        best = max(tried, key=lambda t: t.votes if self.vote else t.mean)
        worth = self.voters if self.voters.worlds else best
        shown = sorted(tried, key=lambda t: -(t.votes if self.vote else t.mean))[:10]
        return Result(
            value=worth.mean,
            line=() if best.move is None else (best.move,),
            error=worth.error(state.largest),
            nodes=self.budget.nodes,
            seconds=self.budget.seconds,
            extra={
                "simulations": self.simulations if simulates(self.inner.search) else self.worlds,
                "worlds": self.worlds,
                "budget": told,
                "moves": {
                    str(t.move): {"value": t.mean, "simulations": t.worlds}
                    for t in shown
                    if t.move is not None
                },
            },
        )
