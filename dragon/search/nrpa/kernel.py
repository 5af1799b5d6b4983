"""The kernel of NRPA: playouts by a policy, its adaptation, and the nesting of levels.

A *policy* is a weight for each move, at a *place*, the `move_ordering.slot` of its code: playouts
play a move in proportion to e ** weight.

Short names: m the `drivers.Memory`, run its RUN, s a state. Level 0 is a playout, `run.levels` the
outermost; one row more has the best of all.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import math
from typing import Any

from dragon.compiler.location import Breach
from dragon.core import TERMINAL
from dragon.rules.playout import pick
from dragon.rules.rules import rule
from dragon.rules.template import CHECKED, PLIES, kernel, moves, payoff, play, turn
from dragon.search.driver import DONE, PAUSED
from dragon.search.move_ordering import HISTORY, slot

NOTHING = -(1 << 62)
"""Units of a level that has no sequence yet."""


@rule
def weigh(policy: Any, places: Any, n: int, chances: Any) -> None:
    """Writes how likely each of n moves is by a policy, which has them at these places."""
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
    """Makes the move at place `at` likelier in `new`, by a gradient step at the policy `old`."""
    weigh(old, places, n, chances)
    for i in range(n):
        new[places[i]] -= alpha * chances[i]
    new[at] += alpha


@rule
def keep(m: Any, source: int, target: int) -> None:
    """Copies the sequence of one level to another."""
    m.units[target] = m.units[source]
    m.lengths[target] = m.lengths[source]
    for ply in range(m.lengths[source]):
        m.codes[target, ply] = m.codes[source, ply]


@rule
def keep_better(m: Any, level: int) -> None:
    """Keeps the sequence of the level below where it is no worse than that of `level`."""
    if m.units[level - 1] >= m.units[level]:
        keep(m, level - 1, level)


@rule
def through(m: Any, level: int, run: Any) -> Any:
    """Counts what `level` has learnt; whether that was the last, and its best goes further out."""
    m.counts[level] += 1
    return m.counts[level] == run.iterations and level < run.levels


@rule
def empty(m: Any, level: int) -> None:
    """Lets a level begin again without a sequence."""
    m.units[level] = NOTHING
    m.counts[level] = 0


@rule
def ended(m: Any, run: Any) -> Any:
    """Return True if nothing better can come, or the outermost level is through."""
    return m.units[run.levels + 1] == run.largest or m.counts[run.levels] >= run.iterations


@kernel
def copy_policy(m, source, target):
    """Copies the policy of one level to another."""
    for i in range(HISTORY):
        m.policies[target, i] = m.policies[source, i]


@kernel
def listed(m, s):
    """Writes the moves of the record `s`, and their places in policies; how many."""
    n = moves(s, m.out)
    for i in range(n):
        m.places[i] = slot(m.out[i])
    return n


@kernel
def play_out(m, run):
    """A playout by the innermost policy, as the sequence of level 0."""
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
def adapt(m, level, run):
    """Makes the moves of a level's sequence likelier in its policy."""
    s = m.states[1]
    m.states[1] = m.states[0]
    copy_policy(m, level, 0)
    for ply in range(m.lengths[level]):
        n = listed(m, s)
        code = m.codes[level, ply]
        old, new = m.policies[level], m.policies[0]
        shift(old, new, m.places, n, slot(code), m.chances, run.alpha)
        play(s, code)
    copy_policy(m, 0, level)


@kernel
def simulate(m, run):
    """One playout, and what the levels learn of it."""
    # 1. Play out by the innermost policy.
    play_out(m, run)
    run.simulated += 1
    # 2. Keep it if it is the best of all.
    if m.units[0] > m.units[run.levels + 1]:
        keep(m, 0, run.levels + 1)
    # 3. Each level that has a new sequence keeps the better one, and adapts to it.
    level = 1
    keep_better(m, level)
    adapt(m, level, run)
    while through(m, level, run):
        level += 1
        keep_better(m, level)
        adapt(m, level, run)
    # 4. Those within it begin again, with what it has learnt.
    for inner in range(level - 1, 0, -1):
        empty(m, inner)
        copy_policy(m, inner + 1, inner)


@kernel
def resume(m):
    """Simulations until PAUSED, or DONE where no more are to come."""
    run = m.runs[0]
    while run.simulated < run.stop and run.nodes < run.stop_nodes:
        if ended(m, run):
            return DONE
        simulate(m, run)
    return DONE if ended(m, run) else PAUSED
