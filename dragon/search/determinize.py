"""Perfect-information Monte Carlo: imagine what is hidden, search each world open, average.

The seat to move draws worlds that agree with what it has seen; an inner search, which sees
all of a world, says what each move leads to there; the move that is best on average is
played. M. Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game",
Journal of Artificial Intelligence Research 14 (2001), section 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from attrs import define, field, frozen, validators

from dragon.bits import Random
from dragon.core import CHANCE, TERMINAL, Game, Limit, Result, Search, State, Trait
from dragon.errors import Objection
from dragon.hidden import Determinizable
from dragon.playout import step
from dragon.search.alphabeta import AlphaBeta
from dragon.search.budget import Budget, simulations_budget
from dragon.search.sides import sides_objection

if TYPE_CHECKING:
    import numpy as np

DEFAULT_SAMPLES = 100
AIM = 20
"""Worlds among which a limit is shared out, where their number is not given."""
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


class _Opened:
    """A game as the inner search sees it: the same, but nothing is hidden."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.traits = game.traits - {Trait.HIDDEN}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def __str__(self) -> str:
        return str(self.game)


@frozen
class Determinize(Search):
    """Draws worlds that agree with what was seen and averages what an inner search says of each.

    In each world the inner search may choose differently after the same moves, as if it will
    see what is hidden: it never finds a finesse or a scouting move worth anything, and thinks
    that a guess can be put off until it is none. That is *strategy fusion* (Frank and Basin,
    Artificial Intelligence 100, 1998); averages come out too high for whoever has yet to
    guess. J. Long, N. Sturtevant, M. Buro and T. Furtak (AAAI 2010) say which games forgive
    it: those, like most card games, in which little is left to guess near the end.
    """

    name = "determinize"
    needs = frozenset({Trait.HIDDEN})
    proves = False
    limits = frozenset({"seconds", "nodes", "simulations"})

    search: Search = field(default=AlphaBeta())
    """The search of each world, which sees all of it."""
    samples: int | None = field(default=None, validator=validators.optional(validators.ge(1)))
    """Worlds; none: until the limit, or 100."""
    vote: bool = False
    """Search each world once and play what most would; not each move and play the best mean.

    The value is then the mean of all worlds, whatever is played in them."""

    def objection(self, game: Game[Any]) -> str | None:
        """What the inner search objects to, but that things are hidden."""
        if Trait.HIDDEN in self.search.needs:
            return f"{self} searches worlds with nothing hidden, and {self.search.name} needs that"
        if sentence := super().objection(game):
            return sentence
        if sentence := self.search.objection(cast("Game[Any]", _Opened(game))):
            return f"in {self}: {sentence}"
        if sentence := None if self.vote else sides_objection(self, game):
            return f"{sentence}; with vote=true it needs neither"
        return None

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """The stream of `carry_on`, with nothing to carry on from."""
        memory: dict[str, Any] = {}
        try:
            yield from self.carry_on(state, limit, rng, memory)
        finally:
            self.forget(memory)

    def forget(self, memory: dict[str, Any]) -> None:
        """Lets the inner search forget too."""
        self.search.forget(memory.pop("inner", {}))
        memory.clear()

    def carry_on(
        self, state: State[Any], limit: Limit, rng: np.random.Generator, memory: dict[str, Any]
    ) -> Iterator[Result]:
        """A result for each doubling of the worlds."""
        most, told = simulations_budget(self.samples, limit, DEFAULT_SAMPLES)
        run = Run(self, state, limit, min(most, AIM), rng, memory.setdefault("inner", {}))
        target = 0
        while True:
            target = min(max(1, 2 * target), most)
            while run.worlds < target and not (run.worlds and run.budget.spent()):
                run.world()
            yield run.result(told)
            if run.worlds >= most or run.budget.spent():
                return


class Run:
    """The worlds of one decision and what came of them."""

    def __init__(
        self,
        asked: Determinize,
        state: State[Any],
        limit: Limit,
        aim: int,
        rng: np.random.Generator,
        memory: dict[str, Any],
    ) -> None:
        if not isinstance(state, Determinizable):
            raise Objection(f"{asked} needs a state with something hidden ({state} has nothing)")
        self.inner, self.vote = asked.search, asked.vote
        self.state, self.rng, self.memory, self.aim = state, rng, memory, aim
        self.seat = max(state.turn, 0)
        moves = (None,) if state.turn == CHANCE else state.moves()
        order = rng.permutation(len(moves))  # of equally good moves any, by the seed
        self.tallies = [Tally(moves[i]) for i in order]
        self.voters = Tally(None)
        self.searches = 1 if self.vote else len(self.tallies)  # in each world
        self.worlds = 0
        self._tiny()
        self.budget = Budget(limit)

    def _tiny(self) -> None:
        """A search of one node, so that no clock runs while kernels are compiled."""
        import numpy as np

        still = np.random.default_rng(0)
        world = self._drawn(still)
        if world.turn != TERMINAL:
            next(iter(self.inner.improve(world, TINY, still)))

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
        world = self._drawn(self.rng)
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
            if values and self.budget.spent():
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
            return state.payoff()[self.seat], None
        more = searches + self.searches * max(0, self.aim - self.worlds - 1)
        *_, result = self.inner.carry_on(state, self._share(more), self.rng, self.memory)
        self.budget.nodes += 1 + result.nodes
        mover = state.teams[max(state.turn, 0)]
        same = mover == state.teams[self.seat]
        return result.value if same else -result.value, result.move

    def _share(self, searches: int) -> Limit:
        """What is left of the limit, divided among so many searches."""
        limit, budget = self.budget.limit, self.budget
        seconds, nodes = limit.seconds, limit.nodes
        return Limit(
            seconds=None if seconds is None else max((seconds - budget.seconds) / searches, 1e-9),
            nodes=None if nodes is None else max((nodes - budget.nodes) // searches, 1),
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
                "simulations": self.worlds,
                "budget": told,
                "moves": {
                    str(t.move): {"value": t.mean, "simulations": t.worlds}
                    for t in shown
                    if t.move is not None
                },
            },
        )
