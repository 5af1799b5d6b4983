"""Flat Monte Carlo: as many random playouts after each move, the best mean wins.

A simulation is one playout. At a CHANCE root the playouts start from the root itself,
and the value is an estimate of the game's for seat 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen, validators

from dragon.bits import Random
from dragon.core import Limit, Result, Search, State, Trait
from dragon.playout import Totals, playouts
from dragon.search.budget import Budget, Pace, simulations_budget

if TYPE_CHECKING:
    import numpy as np

DEFAULT_SIMULATIONS = 10_000
SLICE = 256
"""Playouts between two looks at the clock, where they are quick; under a limit in nodes one."""


@define
class Sample:
    """The playouts after one move, in units for the seat to move at the root."""

    state: State[Any]
    move: Any = None
    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, totals: Totals, seat: int) -> None:
        """Counts more playouts."""
        self.count += totals.count
        self.total += totals.sums[seat]
        self.squares += totals.squares[seat]

    def mean(self) -> float:
        """Of the payoff, in units; 0 before the first playout."""
        return self.total / max(1, self.count)

    def error(self) -> float:
        """The standard error of the mean, in units; infinite for fewer than two playouts."""
        if self.count < 2:
            return math.inf
        spread = max(0.0, self.squares - self.total * self.total / self.count)
        return math.sqrt(spread / (self.count - 1) / self.count)


class Moves:
    """The moves of a state in random order; a sample is begun when it is asked for.

    So a few playouts of very many moves try different ones each time, and cost no more:
    the order, too, is drawn as far as it is needed (Fisher and Yates 1938).
    """

    def __init__(self, state: State[Any], random: Random) -> None:
        self.state = state
        self.seat = max(state.turn, 0)
        self.samples: list[Sample] = []
        self._random = random
        self._moves = state.moves() if state.turn >= 0 else (None,)
        self._swapped: dict[int, int] = {}
        """Where the order differs from the list's."""

    def __len__(self) -> int:
        return len(self._moves)

    def _drawn(self, i: int) -> int:
        """The index of the i-th move, drawn from those that are left."""
        j = i + self._random(len(self) - i)
        chosen = self._swapped.get(j, j)
        self._swapped[j] = self._swapped.pop(i, i)
        return chosen

    def sample(self, i: int) -> Sample:
        """The i-th; those before it have been asked for."""
        if i == len(self.samples):
            move = self._moves[self._drawn(i)]
            state = self.state if move is None else self.state.after(move)
            self.samples.append(Sample(state, move))
        return self.samples[i]


class Tally(Budget):
    """What a run has spent, its simulations too."""

    def __init__(self, limit: Limit, random: Random) -> None:
        super().__init__(limit)
        self.random = random
        self.simulations = 0
        timed = limit.seconds is not None
        most = 1 if limit.nodes is not None else SLICE
        self.pace = Pace(1 if timed else most, most, timed)

    def playouts(self, sample: Sample, goal: int, seat: int) -> None:
        """Brings a sample nearer to `goal` playouts."""
        began = self.seconds
        count = min(self.pace.steps, goal - sample.count)
        totals = playouts(sample.state, count, self.random, self.late)
        sample.add(totals, seat)
        self.simulations += totals.count
        self.nodes += totals.plies + totals.count  # the move that is tried counts too
        self.pace.took(self.seconds - began)


@frozen
class MonteCarlo(Search):
    """The move with the best mean of random playouts, and its standard error."""

    name = "montecarlo"
    excludes = frozenset({Trait.HIDDEN})
    proves = False
    limits = frozenset({"seconds", "nodes", "simulations"})

    simulations: int | None = field(default=None, validator=validators.optional(validators.ge(1)))
    """Playouts in all, shared evenly among the moves; none: until the limit, or 10,000."""

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """A result for each doubling of the playouts."""
        random = Random(int(rng.integers(1 << 63)))
        playouts(state, 0, random)  # compiles or loads the kernel
        tally = Tally(limit, random)
        moves = Moves(state, random)
        budget, told = simulations_budget(self.simulations, limit, DEFAULT_SIMULATIONS)
        target = 1
        while True:
            target = min(2 * target, budget)
            spent = self._sample(moves, target, tally)
            yield self._result(state, moves.samples, tally, told)
            if spent or target == budget:
                return

    def _sample(self, moves: Moves, target: int, tally: Tally) -> bool:
        """Brings the playouts of all moves together to `target`; True if out of budget first."""
        share, rest = divmod(target, len(moves))
        for i in range(len(moves)):
            goal = share + (i < rest)
            if not goal:
                break
            sample = moves.sample(i)
            while sample.count < goal:
                if tally.simulations and tally.spent():
                    return True
                tally.playouts(sample, goal, moves.seat)
                if tally.late():
                    return True
        return tally.spent()

    def _result(
        self, state: State[Any], samples: list[Sample], tally: Tally, budget: str
    ) -> Result:
        tried = [sample for sample in samples if sample.count] or samples[:1]
        best = max(tried, key=lambda sample: (sample.mean(), sample.count))
        error = best.error()
        ranked = sorted(tried, key=lambda sample: -sample.mean())[:10]
        return Result(
            value=best.mean() * state.unit,
            line=() if best.move is None else (best.move,),
            error=(error if error < math.inf else state.largest / state.unit) * state.unit,
            nodes=tally.nodes,
            seconds=tally.seconds,
            extra={
                "simulations": tally.simulations,
                "budget": budget,
                "moves": {
                    str(s.move): {"value": s.mean() * state.unit, "simulations": s.count}
                    for s in ranked
                    if s.move is not None
                },
            },
        )
