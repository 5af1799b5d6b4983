"""The memory of NRPA's kernel, and its driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dragon.core import State
from dragon.rules.interpreted import Row
from dragon.search.driver import Kernel, backend_of, run_of
from dragon.search.interpreted import InterpretedBackend
from dragon.search.move_ordering import HISTORY, slot
from dragon.search.nrpa.kernel import NOTHING

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


class Replays:
    """What an interpreted kernel asks about the same moves again and again, kept with their codes.

    Each level plays its line again to adapt to it, and so would ask the State for every list of
    moves. Nothing is kept of the root, or all states would be.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self._moves, self._play = names["moves"], names["play"]
        self.bound = {"play": self.play, "listed": self.listed, "copy_policy": self.copy_policy}

    def play(self, s: Any, code: Any) -> None:
        """Play a move."""
        if (after := code.__dict__.get("after")) is None:
            self._play(s, code)
            code.after = s.state
        else:
            s.state = after
        s.via = code

    def listed(self, m: Memory, s: Any) -> int:
        """Write the moves of a state and their places, and room for chances; return how many."""
        via = s.via
        if via is None or (known := via.__dict__.get("listed")) is None:
            self._moves(s, found := Row())
            known = found.items, [slot(code) for code in found.items]
            if via is not None:
                via.listed = known
        m.out[:], m.places[:], m.chances[:] = known[0], known[1], known[1]
        return len(known[0])

    def copy_policy(self, m: Memory, source: int, target: int) -> None:
        """Copy the policy of one level to another, as far as any weight was written."""
        m.policies.copy(source, target)


class Levels(Kernel):
    """The working memory of one run."""

    stack = ()

    def __init__(self, settings: Any, state: State[Any], seed: int) -> None:
        arrays, rows = backend_of(settings, state, interruptible=True), settings.levels + 2
        plies, width = arrays.plies, arrays.width
        m = Memory(
            states=arrays.states(2),
            policies=arrays.zeros(rows, HISTORY, kind=float),
            codes=arrays.zeros(rows, plies),
            lengths=arrays.zeros(rows),
            units=arrays.full(rows, value=NOTHING),
            counts=arrays.zeros(rows),
            out=arrays.zeros(width),
            places=arrays.zeros(width),
            chances=arrays.zeros(width, kind=float),
            random=arrays.random(seed),
            runs=arrays.runs(run_of(RUN, settings, largest=arrays.largest)),
        )
        bound = None
        if isinstance(arrays, InterpretedBackend):
            bound, m = Replays(arrays.names).bound, m._replace(out=[], places=[], chances=[])
        super().__init__("dragon.search.nrpa.kernel", state, m, bound, arrays)
        self.levels = settings.levels

    @property
    def nodes(self) -> int:
        """Plies played."""
        return int(self.m.runs[0]["nodes"])

    @property
    def simulations(self) -> int:
        """Playouts made."""
        return int(self.m.runs[0]["simulated"])

    @property
    def units(self) -> int | None:
        """What the best sequence pays; None before there is any."""
        best = int(self.m.units[self.levels + 1])
        return None if best == NOTHING else best

    @property
    def ended(self) -> bool:
        """True where no more simulations are to come."""
        run, through = self.m.runs[0], int(self.m.counts[self.levels])
        return self.units == run["largest"] or through >= int(run["iterations"])

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulate until this many simulations or plies in all, or until ended or `late`."""
        run = self.m.runs[0]
        run["stop"], run["stop_nodes"] = simulations, nodes
        self.resume_until(late)  # of a playout that is given up nothing is kept

    def line(self) -> tuple[Any, ...]:
        """Return the moves of the best sequence."""
        row = self.levels + 1
        return self.moves_of(self.backend.listed(self.m.codes[row], int(self.m.lengths[row])))
