"""NRPA: playouts by a policy, its adaptation, the nesting of levels; their memory and driver.

A *policy* is a weight for each move, at a *place*, the `move_ordering.slot` of its code: playouts
play a move in proportion to e ** weight.

Short names in the kernel: m the Memory, run its RUN, `on` the settings, s a state. Level 0 is a
playout, `on.levels` the outermost; one row more has the best of all.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dragon.compiler.location import Breach
from dragon.core import TERMINAL, State
from dragon.rules.interpreted import Row
from dragon.rules.playout import pick
from dragon.rules.rules import rule
from dragon.rules.template import CHECKED, PLIES, kernel, moves, payoff, play, turn
from dragon.search.budget import Counted
from dragon.search.driver import DONE, PAUSED, Kernel, backend_of, run_of, settings_of
from dragon.search.interpreted import InterpretedBackend
from dragon.search.move_ordering import HISTORY, slot

NOTHING = -(1 << 62)
"""The payoff of a level that does not have a sequence yet."""
RUN = np.dtype(
    [
        ("nodes", "i8"),  # plies played
        ("simulated", "i8"),  # playouts
        ("stop", "i8"),  # pause at this count,
        ("stop_nodes", "i8"),  # or at this number of plies
    ]
)
"""The budget of a run; its results are in `units`, `codes` and `lengths`."""


class Memory(NamedTuple):
    """The arrays of a run: a row for each level, one for playouts, one for the best of all."""

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
    settings: Any  # of `settings_of`, and the largest payoff of the game[1]
    runs: Any  # RUN[1]


class Replays:
    """A cache of moves and codes for an interpreted kernel.

    Each level replays its line to adapt to it, and would list the moves of each State again. The
    root is not kept here, since it would keep all other states alive.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self._moves, self._play = names["moves"], names["play"]
        self.bound = {"play": self.play, "listed": self.listed, "copy_policy": self.copy_policy}

    def play(self, s: Any, code: Any) -> None:
        if (after := code.__dict__.get("after")) is None:
            self._play(s, code)
            code.after = s.state
        else:
            s.state = after
        s.via = code

    def listed(self, m: Memory, s: Any) -> int:
        """Write the moves of a state and their places, and make room for their probabilities;
        return how many."""
        via = s.via
        if via is None or (known := via.__dict__.get("listed")) is None:
            self._moves(s, found := Row())
            known = found.items, [slot(code) for code in found.items]
            if via is not None:
                via.listed = known
        m.out[:], m.places[:], m.chances[:] = known[0], known[1], known[1]
        return len(known[0])

    def copy_policy(self, m: Memory, source: int, target: int) -> None:
        """Copy the policy of one level to another, up to the last place with a weight."""
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
            settings=arrays.runs(
                run_of(
                    settings_of(settings.__class__, largest="i8"),
                    settings,
                    largest=arrays.largest,
                )
            ),
            runs=arrays.runs(run_of(RUN)),
        )
        bound = None
        if isinstance(arrays, InterpretedBackend):
            bound, m = Replays(arrays.names).bound, m._replace(out=[], places=[], chances=[])
        super().__init__("dragon.search.nrpa.kernel", state, m, bound, arrays)
        self.levels = settings.levels

    nodes = Counted("nodes")
    """Plies played."""

    simulations = Counted("simulated")
    """Playouts made."""

    @property
    def units(self) -> int | None:
        """The payoff of the best sequence; None before the first."""
        best = int(self.m.units[self.levels + 1])
        return None if best == NOTHING else best

    @property
    def ended(self) -> bool:
        """True if the run has ended."""
        on, through = self.m.settings[0], int(self.m.counts[self.levels])
        return self.units == on["largest"] or through >= int(on["iterations"])

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulate until this many simulations or plies in all, or until ended or `late`."""
        run = self.m.runs[0]
        run["stop"], run["stop_nodes"] = simulations, nodes
        self.resume_until(late)  # nothing of an interrupted playout is kept

    def line(self) -> tuple[Any, ...]:
        """Return the moves of the best sequence."""
        row = self.levels + 1
        return self.moves_of(self.backend.listed(self.m.codes[row], int(self.m.lengths[row])))


@rule
def weigh(policy: Any, places: Any, n: int, chances: Any) -> None:
    """Write the probabilities of n moves by the policy, whose weights are at these places."""
    most = policy[places[0]]
    for i in range(1, n):
        most = max(most, policy[places[i]])
    total = 0.0
    for i in range(n):
        chances[i] = math.exp(policy[places[i]] - most)
        total += chances[i]
    for i in range(n):
        chances[i] /= total


@rule
def shift(old: Any, new: Any, places: Any, n: int, at: Any, chances: Any, alpha: float) -> None:
    """Adapt the policy `new` to the move at place `at`: a gradient step at the policy `old`."""
    weigh(old, places, n, chances)
    for i in range(n):
        new[places[i]] -= alpha * chances[i]
    new[at] += alpha


@rule
def keep(m: Any, source: int, target: int) -> None:
    """Copy the sequence of one level to another."""
    m.units[target] = m.units[source]
    m.lengths[target] = m.lengths[source]
    for ply in range(m.lengths[source]):
        m.codes[target, ply] = m.codes[source, ply]


@rule
def keep_better(m: Any, level: int) -> None:
    """Keep the sequence of the level below if it is at least as good as that of `level`."""
    if m.units[level - 1] >= m.units[level]:
        keep(m, level - 1, level)


@rule
def through(m: Any, level: int) -> Any:
    """Count an iteration of `level`; return True if that was its last, so that its best sequence is
    returned."""
    on = m.settings[0]
    m.counts[level] += 1
    return m.counts[level] == on.iterations and level < on.levels


@rule
def empty(m: Any, level: int) -> None:
    """Clear the sequence and the count of a level."""
    m.units[level] = NOTHING
    m.counts[level] = 0


@rule
def ended(m: Any) -> Any:
    """Return True if no better payoff is possible, or the outermost level has finished."""
    on = m.settings[0]
    return m.units[on.levels + 1] == on.largest or m.counts[on.levels] >= on.iterations


@kernel
def copy_policy(m, source, target):
    """Copy the policy of one level to another."""
    for i in range(HISTORY):
        m.policies[target, i] = m.policies[source, i]


@kernel
def listed(m, s):
    """Write the moves of the record `s`, and their places in policies; return how many."""
    n = moves(s, m.out)
    for i in range(n):
        m.places[i] = slot(m.out[i])
    return n


@kernel
def play_out(m, run):
    """Play out by the innermost policy; the playout is the sequence of level 0."""
    s = m.states[1]
    m.states[1] = m.states[0]
    ply = 0
    while turn(s) != TERMINAL:
        if CHECKED and ply >= PLIES:
            raise Breach("turn: the game goes on for more than plies = {plies}")
        n = listed(m, s)
        weigh(m.policies[1], m.places, n, m.chances)
        code = m.out[pick(m.random, m.chances[:n])]
        m.codes[0, ply] = code
        play(s, code)
        ply += 1
    m.lengths[0] = ply
    m.units[0] = payoff(s, 0)
    run.nodes += ply


@kernel
def adapt(m, level):
    """Adapt the policy of a level to its sequence."""
    s = m.states[1]
    m.states[1] = m.states[0]
    copy_policy(m, level, 0)
    for ply in range(m.lengths[level]):
        n = listed(m, s)
        code = m.codes[level, ply]
        old, new = m.policies[level], m.policies[0]
        shift(old, new, m.places, n, slot(code), m.chances, m.settings[0].alpha)
        play(s, code)
    copy_policy(m, 0, level)


@kernel
def simulate(m, run):
    """Make one playout, and adapt the levels that it completes."""
    # 1. Play out by the innermost policy.
    play_out(m, run)
    run.simulated += 1
    # 2. Keep it if it is the best of all.
    best = m.settings[0].levels + 1
    if m.units[0] > m.units[best]:
        keep(m, 0, best)
    # 3. Each level whose inner level has finished keeps the better sequence, and adapts to it.
    level = 1
    keep_better(m, level)
    adapt(m, level)
    while through(m, level):
        level += 1
        keep_better(m, level)
        adapt(m, level)
    # 4. The levels within it start again with its policy.
    for inner in range(level - 1, 0, -1):
        empty(m, inner)
        copy_policy(m, inner + 1, inner)


@kernel
def resume(m):
    """Simulate until PAUSED, or DONE where the run has ended."""
    run = m.runs[0]
    while run.simulated < run.stop and run.nodes < run.stop_nodes:
        if ended(m):
            return DONE
        simulate(m, run)
    return DONE if ended(m) else PAUSED
