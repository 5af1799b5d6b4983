"""Monte Carlo search: flat (equally many random playouts of each move), and nested.

Flat Monte Carlo search plays the move with the best mean. A simulation is one playout. At a CHANCE
root the playouts start from the root itself, and the value is an estimate of the game's for seat 0.

Nested Monte Carlo search (Cazenave 2009): a playout of level 0 draws its moves at random. One of a
higher level tries each move by a playout of the level below, and plays the next move of the best
line that it has found so far.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen, validators

from dragon.bits import Random
from dragon.core import TERMINAL, Bound, Limit, Result, Search, State, Trait
from dragon.rules.playout import drawn, follow, listed, playouts
from dragon.rules.record import RecordState
from dragon.search.budget import Budget, Pace, count_setting, simulations_budget
from dragon.search.two_sided import refuse_later

if TYPE_CHECKING:
    from numpy.random import Generator as Rng


@define
class Tally:
    """The values of a move's samples, playouts or worlds, for the seat to move."""

    move: Any = None
    """None at a CHANCE root."""
    count: int = 0
    total: float = 0
    squares: float = 0

    def add(self, count: int, total: float, squares: float) -> None:
        """Count more samples, by the sums of their values and of these squared."""
        self.count += count
        self.total += total
        self.squares += squares

    @property
    def mean(self) -> float:
        """The average value; 0 before the first sample."""
        return self.total / max(1, self.count)

    def error(self, largest: float) -> float:
        """The standard error of the mean; `largest` before there are two samples."""
        if self.count < 2:
            return largest
        spread = max(0.0, self.squares - self.total * self.total / self.count)
        return math.sqrt(spread / (self.count - 1) / self.count)


def by_move(tallies: Iterable[Tally], unit: float = 1.0) -> dict[str, dict[str, Any]]:
    """Return the moves for `extra`; `unit` is the payoff of a value of 1."""
    return {
        str(tally.move): {"value": tally.mean * unit, "simulations": tally.count}
        for tally in tallies
        if tally.move is not None
    }


SLICE = 256
"""Playouts between two looks at the clock, where they are quick; under a limit in nodes one."""


@define
class Sample(Tally):
    """The playouts after one move, in units for the seat to move at the root."""

    state: Any = None


class Moves:
    """The moves of a state in random order; the order is drawn as far as it is needed (Fisher and
    Yates 1938).

    So a few playouts of very many moves try different ones each time, and take no longer.
    """

    def __init__(self, state: State[Any], random: Random) -> None:
        self.state = state
        self.seat = max(state.turn, 0)
        self.samples: list[Sample] = []
        self._random = random
        self._moves = state.moves() if state.turn >= 0 else (None,)
        self._swapped: dict[int, int] = {}
        """The places where the order differs from the list's."""

    def __len__(self) -> int:
        return len(self._moves)

    def sample(self, i: int) -> Sample:
        """Return the i-th sample; those before it must have been made."""
        if i == len(self.samples):
            j = i + self._random(len(self) - i)  # one of the moves that are left
            move = self._moves[self._swapped.get(j, j)]
            self._swapped[j] = self._swapped.pop(i, i)
            state = self.state if move is None else self.state.after(move)
            self.samples.append(Sample(move, state=state))
        return self.samples[i]


class SimulationBudget(Budget):
    """The budget of a run that counts its simulations too."""

    def __init__(self, limit: Limit, random: Random) -> None:
        super().__init__(limit)
        self.random = random
        self.simulations = 0
        timed = limit.seconds is not None
        most = 1 if limit.nodes is not None else SLICE
        self.pace = Pace(1 if timed else most, most, timed)

    def playouts(self, sample: Sample, goal: int, seat: int) -> None:
        """Bring a sample nearer to `goal` playouts."""
        began = self.seconds
        count = min(self.pace.steps, goal - sample.count)
        totals = playouts(sample.state, count, self.random, self.late)
        sample.add(totals.count, totals.sums[seat], totals.squares[seat])
        self.simulations += totals.count
        self.nodes += totals.plies + totals.count  # the move that is tried counts too
        self.pace.took(self.seconds - began, self.left)


@frozen
class MonteCarlo(Search):
    """The move with the best mean of random playouts, and its standard error."""

    name = "montecarlo"
    excludes = frozenset({Trait.HIDDEN})
    proves = False
    limits = frozenset({"seconds", "nodes", "simulations"})

    simulations: int | None = count_setting()
    """Playouts in all, shared evenly among the moves; none: until the limit, or 10,000."""

    def improve(self, state: State[Any], limit: Limit, rng: Rng) -> Iterator[Result]:
        """A result for each doubling of the playouts."""
        random = Random(int(rng.integers(1 << 63)))
        playouts(state, 0, random)  # compiles or loads the kernel
        spent = SimulationBudget(limit, random)
        moves = Moves(state, random)
        most, until = simulations_budget(self.simulations, limit)
        target = 1
        while True:
            target = min(2 * target, most)
            over = _sample(moves, target, spent)
            yield _result(state, moves.samples, spent, until)
            if over or target == most:
                return


def _sample(moves: Moves, target: int, spent: SimulationBudget) -> bool:
    """Play out until there are `target` playouts of all moves together; return True if the budget
    ends first."""
    share, rest = divmod(target, len(moves))
    for i in range(len(moves)):
        goal = share + (i < rest)
        if not goal:
            break
        sample = moves.sample(i)
        while sample.count < goal:
            if spent.simulations and spent.spent():
                return True
            spent.playouts(sample, goal, moves.seat)
            if spent.late():
                return True
    return spent.spent()


def _result(
    state: State[Any], samples: list[Sample], spent: SimulationBudget, until: str
) -> Result:
    tried = [sample for sample in samples if sample.count] or samples[:1]
    best = max(tried, key=lambda sample: (sample.mean, sample.count))
    ranked = sorted(tried, key=lambda sample: -sample.mean)[:10]
    return spent.result(
        best.mean * state.unit,
        Bound.ESTIMATE,
        () if best.move is None else (best.move,),
        best.error(state.largest / state.unit) * state.unit,
        {"simulations": spent.simulations, "budget": until, "moves": by_move(ranked, state.unit)},
    )


@frozen
class Found:
    """A line to the end of the game: moves that were played, and a playout after them.

    A playout is kept as its first state and the seed, and replayed when needed: most never are.
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
        """Make a random playout; if the time ends within it, the run ends without it."""
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
    """Nested Monte Carlo search: playouts whose moves are chosen by playouts of the level below."""

    name = "nmcs"
    needs = frozenset({Trait.SOLO})
    excludes = frozenset({Trait.CHANCE, Trait.HIDDEN})
    proves = False
    limits = frozenset({"seconds", "nodes", "simulations"})

    levels: int = field(default=2, validator=[validators.ge(1), validators.le(8)])
    """The number of nested levels above random playouts; with as many as a game has plies left,
    every line is tried. The outermost level is repeated."""
    simulations: int | None = count_setting()
    """Random playouts for each move; none: until the limit, or 10,000 without a limit."""

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
            refuse_later(self, after, here, chance=False)  # a line with chance in it proves nothing
            here = after
        value = done.best.units * state.unit
        return done.budget.result(value, Bound.LOWER, tuple(line), extra=extra)
