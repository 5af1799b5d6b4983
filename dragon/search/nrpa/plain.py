"""NRPA in plain Python, on any State: the kernel's steps, under the same numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from dragon.bits import Random
from dragon.core import TERMINAL, State
from dragon.rules.playout import follow, listed, pick
from dragon.search.move_ordering import codes_of, slot
from dragon.search.nrpa.levels import (
    NOTHING,
    empty,
    ended,
    keep,
    keep_better,
    shift,
    through,
    weigh,
)
from dragon.search.two_sided import refuse_later


class PlainLevels:
    """The working memory of one run on any State; what `codes` has of a ply is its move, the places
    of all moves there, and which it is."""

    def __init__(self, settings: Any, state: State[Any], seed: int) -> None:
        self.settings, self.state, self.random = settings, state, Random(seed)
        rows = settings.levels + 2
        self.run = SimpleNamespace(
            levels=settings.levels, iterations=settings.iterations, alpha=settings.alpha,
            largest=round(state.largest / state.unit),
        )  # fmt: skip
        self.m = SimpleNamespace(
            codes={}, lengths=[0] * rows,
            units=[NOTHING] * rows, counts=[0] * rows, chances=[],
        )  # fmt: skip
        self.policies: list[defaultdict[int, float]] = [defaultdict(float) for _ in range(rows)]
        self.nodes = self.simulations = 0

    @property
    def units(self) -> int | None:
        """What the best sequence pays; None before there is any."""
        best = self.m.units[self.run.levels + 1]
        return None if best == NOTHING else best

    @property
    def ended(self) -> bool:
        """Return True if no more simulations are to come."""
        return bool(ended(self.m, self.run))

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulates until this many simulations or plies in all, until ended or `late`."""
        while self.simulations < simulations and self.nodes < nodes and not self.ended:
            if not self.simulate(late):
                return

    def simulate(self, late: Callable[[], bool]) -> bool:
        """One playout, and what the levels learn of it; False where it is given up, being late."""
        # 1. Play out by the innermost policy.
        if not self.play_out(late):
            return False
        self.simulations += 1
        # 2. Keep it if it is the best of all.
        if self.m.units[0] > self.m.units[self.run.levels + 1]:
            keep(self.m, 0, self.run.levels + 1)
        # 3. Each level that has a new sequence keeps the better one, and adapts to it.
        level = 1
        keep_better(self.m, level)
        self.adapt(level)
        while through(self.m, level, self.run):
            level += 1
            keep_better(self.m, level)
            self.adapt(level)
        # 4. Those within it begin again, with what it has learnt.
        for inner in range(level - 1, 0, -1):
            empty(self.m, inner)
            self.policies[inner] = self.policies[inner + 1].copy()
        return True

    def play_out(self, late: Callable[[], bool]) -> bool:
        """A playout by the innermost policy, as the sequence of level 0; False if it is late."""
        state, ply = self.state, 0
        while state.turn != TERMINAL:
            if late():
                return False
            moves = state.moves()
            places = [slot(code) for code in codes_of(state, moves)]
            weigh(self.policies[1], places, len(places), self.chances(len(places)))
            chosen = pick(self.random.state, self.m.chances)
            self.m.codes[0, ply] = moves[chosen], places, chosen
            after = follow(state, listed(moves, chosen))
            refuse_later(self.settings, after, state, chance=False)
            state = after
            self.nodes, ply = self.nodes + 1, ply + 1
        self.m.lengths[0] = ply
        self.m.units[0] = round(state.payoff()[0] / state.unit)
        return True

    def chances(self, n: int) -> list[float]:
        """Room for how likely each of n moves is."""
        room = self.m.chances = [0.0] * n
        return room

    def adapt(self, level: int) -> None:
        """Makes the moves of a level's sequence likelier in its policy."""
        old = self.policies[level]
        new = old.copy()
        for ply in range(self.m.lengths[level]):
            _, places, chosen = self.m.codes[level, ply]
            room = self.chances(len(places))
            shift(old, new, places, len(places), places[chosen], room, self.run.alpha)
        self.policies[level] = new

    def line(self) -> tuple[Any, ...]:
        """The moves of the best sequence."""
        row = self.run.levels + 1
        return tuple(self.m.codes[row, ply][0] for ply in range(self.m.lengths[row]))
