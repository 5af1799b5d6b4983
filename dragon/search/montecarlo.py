"""Flat Monte Carlo: as many random playouts after each move, the best mean wins.

A simulation is one playout. At a CHANCE root the playouts start from the root itself,
and the value is an estimate of the game's for seat 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import define, frozen

from dragon.bits import Random
from dragon.core import Bound, Limit, Result, Search, State, Trait
from dragon.rules.playout import playouts
from dragon.search.budget import Budget, Pace, count_setting, simulations_budget
from dragon.search.tally import Tally, by_move

if TYPE_CHECKING:
    from numpy.random import Generator
SLICE = 256
"""Playouts between two looks at the clock, where they are quick; under a limit in nodes one."""


@define
class Sample(Tally):
    """The playouts after one move, in units for the seat to move at the root."""

    state: Any = None


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

    def sample(self, i: int) -> Sample:
        """The i-th; those before it have been asked for."""
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

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
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
    """Bring the playouts of all moves together to `target`; True if out of budget first."""
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
