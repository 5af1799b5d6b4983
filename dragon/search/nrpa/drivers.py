"""The memory of the kernel of NRPA, and its drivers: compiled, and interpreted over any State."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np

from dragon.bits import MASK, Random
from dragon.core import State
from dragon.rules.interpreted import Code, Endless, Row, Slot, Slots, StateRules, bind
from dragon.rules.record import RecordState
from dragon.search.driver import Kernel, run_of
from dragon.search.interpreted import record_of
from dragon.search.move_ordering import HISTORY, slot
from dragon.search.nrpa.kernel import NOTHING, ended
from dragon.search.two_sided import refuse_later

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


class Late(Exception):
    """The time is over in the middle of a playout, which is given up."""


class Place:
    """A state on the way of a playout, and its moves, which `adapt` asks for again."""

    __slots__ = ("codes", "slots", "state")

    def __init__(self, state: State[Any]) -> None:
        self.state = state
        self.codes: list[Code] = []
        self.slots: list[int] = []


class Step(Code):
    """A move's code that knows the place after it, once it was played."""

    after: Place | None = None


class Policies:
    """A policy for each level, `policies[level]` or `policies[level, slot]`; 0.0 at first."""

    def __init__(self, count: int) -> None:
        self.rows = [Endless(float) for _ in range(count)]

    def __getitem__(self, level: int) -> Endless:
        return self.rows[level]

    def copy(self, source: int, target: int) -> None:
        """Copy a policy; it holds only the weights that were ever written."""
        self.rows[target] = row = Endless(float)
        row.update(self.rows[source])


class StateLevels:
    """The working memory of one run on any State."""

    def __init__(self, settings: Any, state: State[Any], seed: int) -> None:
        rows = settings.levels + 2
        self.settings, self.levels, self.root = settings, settings.levels, state
        self.late: Callable[[], bool] = bool
        names = StateRules(state, lambda s, payoff: round(payoff / s.unit)).names()
        names |= {
            "turn": self._turn, "payoff": self._payoff, "play": self._play,
            "listed": self._listed, "copy_policy": lambda m, *rows: m.policies.copy(*rows),
        }  # fmt: skip
        self.kernel = bind("dragon.search.nrpa.kernel", names)
        self.run = record_of(run_of(RUN, settings, largest=names["LARGEST"]))
        slots = Slots(state)
        slots[0].state = Place(state)
        self.m = Memory(
            states=slots, policies=Policies(rows), codes=Endless(), lengths=[0] * rows,
            units=[NOTHING] * rows, counts=[0] * rows, out=[], places=[], chances=Row(),
            random=[seed & MASK], runs=[self.run],
        )  # fmt: skip

    # The rules of a game whose records are Places.

    def _turn(self, s: Slot) -> int:
        turn: int = s.state.state.turn
        return turn

    def _payoff(self, s: Slot, seat: int) -> int:
        state: State[Any] = s.state.state
        return round(state.payoff()[seat] / state.unit)

    def _play(self, s: Slot, code: Step) -> None:
        if code.after is None:
            if self.late():
                raise Late
            after = s.state.state.after(code.move)
            refuse_later(self.settings, after, self.root, chance=False)
            code.after = Place(after)
        s.state = code.after

    def _listed(self, m: Memory, s: Slot) -> int:
        place: Place = s.state
        if not place.codes:
            for move in place.state.moves():
                code = Step(place.state.code(move))
                code.move = move
                place.codes.append(code)
                place.slots.append(slot(code))
        m.out[:], m.places[:] = place.codes, place.slots
        return len(place.codes)

    @property
    def nodes(self) -> int:
        """Plies played."""
        played: int = self.run.nodes
        return played

    @property
    def simulations(self) -> int:
        """Playouts made."""
        made: int = self.run.simulated
        return made

    @property
    def units(self) -> int | None:
        """What the best sequence pays; None before there is any."""
        best = self.m.units[self.levels + 1]
        return None if best == NOTHING else best

    @property
    def ended(self) -> bool:
        """Return True if no more simulations are to come."""
        return bool(ended(self.m, self.run))

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulate until this many simulations or plies in all, until ended or `late`."""
        run, self.late = self.run, late
        run.stop_nodes = nodes
        with suppress(Late):
            while run.simulated < simulations and run.nodes < nodes and not self.ended:
                run.stop = run.simulated + 1
                self.m.states[0].state = Place(self.root)  # or all states ever met would be kept
                self.kernel["resume"](self.m)

    def line(self) -> tuple[Any, ...]:
        """The moves of the best sequence."""
        row = self.levels + 1
        return tuple(self.m.codes[row, ply].move for ply in range(self.m.lengths[row]))
