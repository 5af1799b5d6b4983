"""Perfect-information Monte Carlo: search determinizations, and average.

The search draws worlds (determinizations) that agree with what the seat to move has seen. An inner
search with perfect information values each move in each world; the move with the best mean is
played. M. Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game", Journal of
Artificial Intelligence Research 14 (2001), section 3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, cast

from attrs import define, evolve, fields, frozen

from dragon.bits import Random
from dragon.core import (
    CHANCE,
    TERMINAL,
    Bound,
    Game,
    Limit,
    Position,
    Result,
    Run,
    Search,
    State,
    Trait,
)
from dragon.errors import Objection
from dragon.rules.playout import step
from dragon.rules.record import RecordState
from dragon.rules.replay import replayed
from dragon.search.alphabeta.search import AlphaBeta
from dragon.search.budget import Budget, count_setting, simulations_budget
from dragon.search.mcts.search import MCTS
from dragon.search.montecarlo import Tally, by_move
from dragon.search.two_sided import tables, two_sided_objection

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.worlds import SolvedWorlds

DEFAULT_SAMPLES = 100
AIM = 20
"""The number of worlds among which a limit is divided, if `samples` is none."""
DEFAULT_SIMULATIONS = 100_000
"""Shared out among all worlds where there is no limit and the inner search does not have a
number."""
TINY = Limit(nodes=1, depth=1, simulations=1)


@define
class Candidate(Tally):
    """The values of a move in the worlds so far, and the number of worlds in which it was best."""

    votes: int = 0


def simulates(search: Search | None) -> bool:
    """Return True if a limit in simulations is one of those that an inner search makes."""
    return search is not None and "simulations" in search.limits


class Worlds:
    """The worlds of one decision, and their results."""

    def __init__(
        self,
        run: DeterminizeRun,
        position: Position,
        limit: Limit,
        aim: int,
        rng: Generator,
    ) -> None:
        state = position.state
        self.run, self.state, self.rng, self.aim = run, state, rng, aim
        self.information = position.information
        self.vote = run.search.vote
        self.seat = max(state.turn, 0)
        moves = (None,) if state.turn == CHANCE else state.moves()
        order = rng.permutation(len(moves))  # any of equally good moves, by the seed
        self.candidates = [Candidate(moves[i]) for i in order]
        self.voters = Tally()
        self.simulations = 0
        self.searches = 1 if self.vote else len(self.candidates)  # in each world
        self.worlds = 0
        self.kernel = self._kernel()
        if self.kernel is None:
            self._trying(self._tiny)
        self.budget = Budget(limit)
        if self.kernel is not None:
            self.kernel.allow(limit)
            self.budget = self.kernel.budget

    def _tiny(self) -> None:
        """Search one node, so that kernels are compiled before a clock runs."""
        import numpy as np

        still = np.random.default_rng(0)
        world = self._drawn(still)
        if world.turn != TERMINAL:
            with self.run.inner.open() as tiny:
                next(iter(tiny.improve(Position(world), TINY, still)))

    def _trying(self, work: Callable[[], None]) -> None:
        """Search; start again with MCTS if the default search meets chance or a third side."""
        try:
            work()
        except Objection:
            if not self.run.free:
                raise
            self.run.close()
            self.run.take(MCTS(), free=False)
            self.candidates = [Candidate(each.move) for each in self.candidates]
            self.voters, self.worlds, self.simulations = Tally(), 0, 0
            self._tiny()
            work()

    def _kernel(self) -> SolvedWorlds | None:
        """Return the kernel that deals worlds and solves them, where there is one."""
        inner, state = self.run.inner, self.state
        if self.vote or not isinstance(inner, AlphaBeta):
            return None
        from dragon.search.worlds import SolvedWorlds, solves

        if not solves(inner, state):
            return None
        if self.run.free:  # a move that cut off at a ply says little about another world
            inner = evolve(inner, killers=False)
        self._drawn(self.rng)  # which raises the reason that a view is wrong
        view = cast("RecordState", state.seen(self.seat))
        codes = [view.code(each.move) for each in self.candidates]
        seed = int(self.rng.integers(1 << 63))
        return SolvedWorlds(inner, view, codes, seed, self.run.lease)

    def until(self, worlds: int) -> None:
        """Search more worlds, up to this number or until the limit is reached; at least one."""
        if self.kernel is not None:
            self._solve(self.kernel, worlds)
        while self.worlds < worlds and not (self.worlds and self.spent()):
            self.world()

    def _solve(self, kernel: SolvedWorlds, worlds: int) -> None:
        """Let the kernel solve worlds; an unfinished one counts only if it is the only one."""
        kernel.solve(worlds)
        same = self.state.teams[self.seat] == self.state.teams[0]
        unit = self.state.unit if same else -self.state.unit
        for each, (n, units, squares) in zip(self.candidates, kernel.sums(), strict=False):
            each.count, each.total, each.squares = n, unit * units, unit * unit * squares
        self.worlds = max(kernel.worlds, int(self.candidates[0].count > 0))

    def most(self) -> int | None:
        """Simulations to share out among the searches of all worlds; None: there is no number."""
        if not simulates(self.run.inner):
            return None
        limit = self.budget.limit
        own = getattr(self.run.inner, "simulations", None) is not None
        bounded = own or limit != Limit(depth=limit.depth)
        return limit.simulations if bounded else DEFAULT_SIMULATIONS

    def spent(self) -> bool:
        """Return True if the nodes, the seconds or the simulations are over."""
        most = self.budget.limit.simulations
        over = most is not None and simulates(self.run.inner) and self.simulations >= most
        return over or self.budget.spent()

    def _drawn(self, rng: Generator) -> State[Any]:
        """Return a world, opened; at a chance node after a random move of chance."""
        world = self._imagined(rng).opened()
        if self.state.turn == CHANCE:
            random = Random(int(rng.integers(1 << 63)))
            while world.turn == CHANCE:
                world = step(world, random)
        return world

    def _imagined(self, rng: Generator) -> State[Any]:
        """Return a world, of a game by Rules without `deal` by replay."""
        state = self.state
        if self.information and isinstance(state, RecordState) and state.rules.deal is None:
            return replayed(state.game, state, self.information, rng)
        return state.determinize(rng)

    def world(self) -> None:
        """Search one more world; an unfinished one counts only if it is the first."""
        self._trying(self._world)

    def _world(self) -> None:
        world = self._drawn(self.rng)
        if self.vote and self.state.turn != CHANCE:
            value, move = self._value(world, 1)
            chosen = next(each for each in self.candidates if each.move == move)
            chosen.add(1, value, value * value)
            chosen.votes += 1
            self.voters.add(1, value, value * value)
        else:
            values = self._values(world)
            if self.worlds and len(values) < len(self.candidates):
                return
            for each, value in zip(self.candidates, values, strict=False):
                each.add(1, value, value * value)
        self.worlds += 1

    def _values(self, world: State[Any]) -> list[float]:
        """Yield the value of each move in a world, as far as the limit goes; one at least."""
        values: list[float] = []
        for each in self.candidates:
            if values and self.spent():
                break
            child = world if each.move is None else world.after(each.move)
            values.append(self._value(child, len(self.candidates) - len(values))[0])
        return values

    def _value(self, state: State[Any], searches: int) -> tuple[float, Any]:
        """Return the value of an opened state for the seat that decides, and the best move of the
        seat to move.

        `searches`: how many more this world needs, this one included.
        """
        if state.turn == TERMINAL:
            self.budget.nodes += 1
            self.simulations += 1
            return state.payoff()[self.seat], None
        more = searches + self.searches * max(0, self.aim - self.worlds - 1)
        *_, result = self.run.inner_run.improve(Position(state), self._share(more), self.rng)
        self.budget.nodes += 1 + result.nodes
        self.simulations += max(1, result.extra.get("simulations", 1))
        mover = state.teams[max(state.turn, 0)]
        same = mover == state.teams[self.seat]
        return result.value if same else -result.value, result.move

    def _share(self, searches: int) -> Limit:
        """Divide the rest of the limit among this number of searches."""
        limit, budget, most = self.budget.limit, self.budget, self.most()
        seconds, nodes = limit.seconds, limit.nodes
        return Limit(
            seconds=None if seconds is None else max((seconds - budget.seconds) / searches, 1e-9),
            nodes=None if nodes is None else max((nodes - budget.nodes) // searches, 1),
            simulations=None if most is None else max((most - self.simulations) // searches, 1),
        )

    def result(self, until: str) -> Result:
        """The move with the best mean, or the most votes; `until` names the budget."""
        tried = [each for each in self.candidates if each.count]
        best = max(tried, key=lambda each: each.votes if self.vote else each.mean)
        worth = self.voters if self.voters.count else best
        shown = sorted(tried, key=lambda each: -(each.votes if self.vote else each.mean))[:10]
        return self.budget.result(
            worth.mean,
            Bound.ESTIMATE,
            () if best.move is None else (best.move,),
            worth.error(self.state.largest),
            {
                "simulations": self.simulations if simulates(self.run.inner) else self.worlds,
                "worlds": self.worlds,
                "budget": until,
                "moves": by_move(shown),
            },
        )


class _Opened:
    """A game as the inner search sees it: the same with perfect information."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.traits = game.traits - {Trait.HIDDEN}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def __str__(self) -> str:
        return str(self.game)


@frozen
class Determinize(Search):
    """Draw worlds that agree with what was seen, and average what an inner search says of each.

    In each world the inner search may choose differently after the same moves, as if the hidden
    information were known by then: it sees no value in a finesse or in a move that gains
    information, and puts off every guess. That is *strategy fusion* (Frank and Basin, Artificial
    Intelligence 100, 1998); means are too high for the side that has to guess later. J. Long, N.
    Sturtevant, M. Buro and T. Furtak (AAAI 2010) say which games forgive
    it: those, like most card games, in which little is hidden near the end.
    """

    name = "determinize"
    needs = frozenset({Trait.HIDDEN})
    proves = False
    limits = frozenset({"seconds", "nodes", "simulations"})
    recalls = True

    search: Search | None = None
    """The search of each world, which sees all of it. None: `alphabeta`, and `mcts` where it meets
    chance or a third side."""
    samples: int | None = count_setting()
    """Worlds; none: until the limit, or 100."""
    vote: bool = False
    """Search each world once and play the move chosen in most worlds, instead of searching every
    move and playing the best mean.

    The value is then the mean of all worlds, whichever move is best there."""

    def objection(self, game: Game[Any]) -> str | None:
        """Return the objection of the inner search, except to hidden information."""
        inner = self.search or MCTS()
        for excluded in sorted(map(str, inner.excludes & game.traits - {Trait.HIDDEN})):
            return (
                f"{inner} inside determinize does not support {excluded} ({game}); "
                "leave search out, and one is chosen that does"
            )
        if Trait.HIDDEN in inner.needs:
            return f"{self} searches worlds with nothing hidden, and {inner.name} needs that"
        if sentence := super().objection(game):
            return sentence
        if sentence := inner.objection(cast("Game[Any]", _Opened(game))):
            return f"in {self}: {sentence}"
        if sentence := None if self.vote else two_sided_objection(self, game):
            return f"{sentence}; with vote=true it needs neither"
        return None

    def caveat(self, limit: Limit) -> str | None:
        """Also that the inner search ignores its share of the limit."""
        inner, sentence = self.search or AlphaBeta(), super().caveat(limit)
        bounds = [a.name for a in fields(Limit) if a.name in self.limits]
        given = {name for name in bounds if getattr(limit, name) is not None}
        if not given or not inner.limits or given & inner.limits:
            return sentence
        known = " or ".join(name for name in bounds if name in inner.limits)
        overrun = (
            f"{self} may overrun a limit in {' or '.join(sorted(given))}: {inner}, which searches "
            "each world, ignores it" + (f", but not one in {known}" if known else "")
        )
        return f"{sentence}; {overrun}" if sentence else overrun

    def open(self, game: Game[Any] | None = None) -> DeterminizeRun:
        """A run that keeps what the inner search keeps."""
        return DeterminizeRun(self, game)


class DeterminizeRun(Run):
    """A run that doubles its worlds until the limit; the inner run stays from move to move."""

    search: Determinize

    def __init__(self, search: Determinize, game: Game[Any] | None = None) -> None:
        super().__init__(search, game)
        self.take(search.search or AlphaBeta(chance=None), free=search.search is None)

    def take(self, inner: Search, free: bool) -> None:
        """Search worlds by `inner` from now on; `free`: it may still be changed for another."""
        self.inner, self.inner_run, self.free = inner, inner.open(), free
        self.lease = tables()(getattr(inner, "megabytes", 1.0))

    def close(self) -> None:
        """End the inner search's run."""
        self.inner_run.close()
        self.lease.close()

    def improve(self, position: Position, limit: Limit, rng: Generator) -> Iterator[Result]:
        """A result for each doubling of the worlds."""
        search, state, bound = self.search, position.state, limit
        if not state.conceals:
            raise Objection(f"{search} needs a state with something hidden ({state} has nothing)")
        if limit.simulations is not None and simulates(search.search):  # they are not worlds then
            bound = evolve(limit, simulations=None, nodes=limit.nodes or limit.simulations)
        most, until = simulations_budget(search.samples, bound, DEFAULT_SAMPLES)
        aim = most if limit == Limit(depth=limit.depth) else min(most, AIM)
        worlds = Worlds(self, position, limit, aim, rng)
        target = 0
        while True:
            target = min(max(1, 2 * target), most)
            worlds.until(target)
            yield worlds.result(until)
            if worlds.worlds >= most or worlds.spent():
                self.lease.visited += 0 if worlds.kernel is None else worlds.kernel.budget.nodes
                return
