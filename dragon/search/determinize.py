"""Perfect-information Monte Carlo: imagine what is hidden, search each world open, average.

The seat to move draws worlds that agree with what it has seen; an inner search, which sees
all of a world, says what each move leads to there; the move that is best on average is
played. M. Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game",
Journal of Artificial Intelligence Research 14 (2001), section 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

from attrs import evolve, field, fields, frozen, validators

from dragon.core import Game, Limit, Position, Result, Run, Search, Trait
from dragon.search.alphabeta import AlphaBeta
from dragon.search.budget import simulations_budget
from dragon.search.mcts import MCTS
from dragon.search.sides import sides_objection
from dragon.search.worlds import Inner, Worlds, simulates

if TYPE_CHECKING:
    import numpy as np

DEFAULT_SAMPLES = 100
AIM = 20
"""Worlds among which a limit is shared out, where their number is not given."""


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

    search: Search | None = None
    """The search of each world, which sees all of it. None: `alphabeta`, and `mcts` where it meets
    chance or a third side."""
    samples: int | None = field(default=None, validator=validators.optional(validators.ge(1)))
    """Worlds; none: until the limit, or 100."""
    vote: bool = False
    """Search each world once and play what most would; not each move and play the best mean.

    The value is then the mean of all worlds, whatever is played in them."""

    def objection(self, game: Game[Any]) -> str | None:
        """What the inner search objects to, but that things are hidden."""
        inner = self.search or MCTS()
        for excluded in sorted(map(str, inner.excludes & game.traits - {Trait.HIDDEN})):
            told = f"{inner} inside determinize does not support {excluded} ({game})"
            return f"{told}; leave search out, and one is chosen that does"
        if Trait.HIDDEN in inner.needs:
            return f"{self} searches worlds with nothing hidden, and {inner.name} needs that"
        if sentence := super().objection(game):
            return sentence
        if sentence := inner.objection(cast("Game[Any]", _Opened(game))):
            return f"in {self}: {sentence}"
        if sentence := None if self.vote else sides_objection(self, game):
            return f"{sentence}; with vote=true it needs neither"
        return None

    def caveat(self, limit: Limit) -> str | None:
        """Also that the inner search ignores its share of the limit."""
        inner, told = self.search or AlphaBeta(), super().caveat(limit)
        bounds = [a.name for a in fields(Limit) if a.name in self.limits]
        given = {name for name in bounds if getattr(limit, name) is not None}
        if not given or not inner.limits or given & inner.limits:
            return told
        known = " or ".join(name for name in bounds if name in inner.limits)
        overrun = (
            f"{self} may overrun a limit in {' or '.join(sorted(given))}: {inner}, which searches "
            "each world, ignores it" + (f", but not one in {known}" if known else "")
        )
        return f"{told}; {overrun}" if told else overrun

    def open(self, game: Game[Any] | None = None) -> DeterminizeRun:
        """A run that keeps what the inner search keeps."""
        return DeterminizeRun(self, game)


class DeterminizeRun(Run):
    """Doubles its worlds until the limit; the inner search's run stays from move to move."""

    search: Determinize

    def __init__(self, search: Determinize, game: Game[Any] | None = None) -> None:
        super().__init__(search, game)
        self._inner = Inner(search.search)

    def close(self) -> None:
        """Ends the inner search's run."""
        self._inner.close()

    def improve(
        self, position: Position, limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """A result for each doubling of the worlds."""
        search, bound = self.search, limit
        if limit.simulations is not None and simulates(
            search.search
        ):  # worlds are not counted then
            bound = evolve(limit, simulations=None, nodes=limit.nodes or limit.simulations)
        most, told = simulations_budget(search.samples, bound, DEFAULT_SAMPLES)
        aim = most if limit == Limit(depth=limit.depth) else min(most, AIM)
        worlds = Worlds(search, position.state, limit, aim, rng, self._inner)
        target = 0
        while True:
            target = min(max(1, 2 * target), most)
            while worlds.worlds < target and not (worlds.worlds and worlds.spent()):
                worlds.world()
            yield worlds.result(told)
            if worlds.worlds >= most or worlds.spent():
                return
