"""Nested Monte Carlo search (Cazenave 2009): playouts choose the moves of playouts, level in level.

A playout of level 0 draws its moves at random. One of a higher level tries each move by a playout
of the level below, and plays the next move of the best line that it has found so far.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING, Any

from attrs import field, frozen, validators

from dragon.bits import Random
from dragon.core import TERMINAL, Bound, Limit, Result, Search, State, Trait
from dragon.rules.playout import drawn, follow, listed, playouts
from dragon.rules.record import RecordState
from dragon.search.budget import Budget, count_setting, simulations_budget
from dragon.search.two_sided import refuse_later

if TYPE_CHECKING:
    from numpy.random import Generator as Rng


@frozen
class Found:
    """A line to the end of the game: moves that were played, and a playout after them.

    A playout is kept as where it began and what was drawn from there: most are never looked at.
    """

    units: int
    played: tuple[Any, ...]
    state: State[Any]
    seed: int
    """The state of the generator when the playout began."""

    def line(self) -> tuple[Any, ...]:
        """All moves; of records their codes."""
        line, state, random = [*self.played], self.state, Random(self.seed)
        while state.turn != TERMINAL:
            line.append(drawn(state, random))
            state = follow(state, line[-1])
        return tuple(line)


class Playouts:
    """The playouts of a run, and the best of them."""

    def __init__(self, random: Random, budget: Budget) -> None:
        self.random, self.budget = random, budget
        self.simulations = 0
        self.best: Found | None = None

    def nested(
        self, state: State[Any], played: tuple[Any, ...], level: int
    ) -> Generator[None, None, Found]:
        """A playout of a level; it pauses after each random one."""
        if level == 0 or state.turn == TERMINAL:
            found = self.random_one(state, played)
            yield
            return found
        best, line = None, played
        while state.turn != TERMINAL:
            before, moves = best, state.moves()
            for i in range(len(moves)):
                move = listed(moves, i)
                self.budget.nodes += 1
                found = yield from self.nested(follow(state, move), (*played, move), level - 1)
                if best is None or found.units > best.units:
                    best = found
            assert best is not None, f"{state} is not terminal and has no moves"
            if best is not before:
                line = best.line()
            played = line[: len(played) + 1]
            state = follow(state, played[-1])
        assert best is not None
        return best

    def random_one(self, state: State[Any], played: tuple[Any, ...]) -> Found:
        """A random playout; given up where it is late, which ends the run."""
        seed = int(self.random.state[0])
        totals = playouts(state, 1, self.random, self.budget.late)
        found = Found(totals.sums[0], played, state, seed)
        self.budget.nodes += totals.plies
        self.simulations += totals.count
        if totals.count and (self.best is None or found.units > self.best.units):
            self.best = found
        return found


@frozen
class NMCS(Search):
    """The best line of playouts whose moves are chosen by playouts, level within level."""

    name = "nmcs"
    needs = frozenset({Trait.SOLO})
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    proves = False
    limits = frozenset({"seconds", "nodes", "simulations"})

    levels: int = field(default=2, validator=[validators.ge(1), validators.le(8)])
    """Levels within one another above that of random playouts; with as many as a game has plies
    left every line is tried. The outermost is played again and again."""
    simulations: int | None = count_setting()
    """Random playouts for each move; none: until the limit, or 10,000 where there is none."""

    def improve(self, state: State[Any], limit: Limit, rng: Rng) -> Iterator[Result]:
        """A result for each doubling of the random playouts."""
        most, until = simulations_budget(self.simulations, limit)
        random = Random(int(rng.integers(1 << 63)))
        playouts(state, 0, random)  # compiles or loads the kernel before the clock starts
        done = Playouts(random, Budget(limit))
        largest, target = round(state.largest / state.unit), 2
        for _ in self._paused(done, state):
            best = done.best is not None and done.best.units == largest
            over = best or done.simulations >= most or done.budget.spent()
            if over or done.simulations >= target:
                target *= 2
                yield self._result(state, done, until)
            if over:
                return

    def _paused(self, done: Playouts, state: State[Any]) -> Iterator[None]:
        while True:
            yield from done.nested(state, (), self.levels)

    def _result(self, state: State[Any], done: Playouts, until: str) -> Result:
        extra = {"simulations": done.simulations, "budget": until}
        if done.best is None:
            return done.budget.result(0.0, Bound.ESTIMATE, (state.moves()[0],), extra=extra)
        line, here = [], state
        for move in done.best.line():
            line.append(here.text(move) if isinstance(here, RecordState) else move)
            after = follow(here, move)
            refuse_later(self, after, here, chance=False)  # a line with luck in it proves nothing
            here = after
        value = done.best.units * state.unit
        return done.budget.result(value, Bound.LOWER, tuple(line), extra=extra)
