"""The memory of the kernel of NRPA, and its driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dragon.bits import Random
from dragon.rules.record import RecordState
from dragon.search.driver import Kernel, run_of
from dragon.search.move_ordering import HISTORY
from dragon.search.nrpa.levels import NOTHING, ended

RUN = np.dtype(
    [
        ("nodes", "i8"),  # plies played
        ("simulated", "i8"),  # playouts
        ("stop", "i8"),  # pause when so many are done,
        ("stop_nodes", "i8"),  # or so many plies played
        ("levels", "i8"),
        ("iterations", "i8"),
        ("largest", "i8"),  # the most units that can be had
        ("alpha", "f8"),
    ]
)


class Memory(NamedTuple):
    """What a playout works on; a row for each level, one for playouts, one for the best of all."""

    states: Any  # records[2], the second is scratch
    policies: Any  # float64[levels + 2, HISTORY], the first is scratch
    codes: Any  # int64[levels + 2, PLIES]: the best sequence of each
    lengths: Any  # int64[levels + 2]: its plies
    units: Any  # int64[levels + 2]: what it pays
    counts: Any  # int64[levels + 2]: sequences that a level has learnt from
    out: Any  # int64[WIDTH]
    places: Any  # int64[WIDTH]
    chances: Any  # float64[WIDTH]
    random: Any  # uint64[1]
    runs: Any  # RUN[1]


class CompiledLevels(Kernel):
    """The working memory of one run on a game by Rules."""

    stack = ()

    def __init__(self, settings: Any, state: RecordState, seed: int) -> None:
        rules, rows = state.rules, settings.levels + 2
        m = Memory(
            states=np.zeros(2, rules.layout),
            policies=np.zeros((rows, HISTORY)),
            codes=np.zeros((rows, rules.plies), np.int64),
            lengths=np.zeros(rows, np.int64),
            units=np.full(rows, NOTHING),
            counts=np.zeros(rows, np.int64),
            out=np.zeros(rules.width, np.int64),
            places=np.zeros(rules.width, np.int64),
            chances=np.zeros(rules.width),
            random=Random(seed).state,
            runs=run_of(RUN, settings, largest=rules.largest),
        )
        super().__init__("dragon.search.nrpa.kernel", state, m)
        self.nodes = self.simulations = 0
        self.levels = settings.levels

    @property
    def units(self) -> int | None:
        """What the best sequence pays; None before there is any."""
        best = int(self.m.units[self.levels + 1])
        return None if best == NOTHING else best

    @property
    def ended(self) -> bool:
        """Return True if no more simulations are to come."""
        return bool(ended(self.m, self.m.runs.view(np.recarray)[0]))

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulates until this many simulations or plies in all, or until ended."""
        run = self.m.runs[0]
        run["stop"], run["stop_nodes"] = simulations, nodes
        self._resume()
        self.nodes, self.simulations = int(run["nodes"]), int(run["simulated"])

    def line(self) -> tuple[str, ...]:
        """The moves of the best sequence."""
        row = self.levels + 1
        return self.moves_of(self.m.codes[row, : self.m.lengths[row]].tolist())
