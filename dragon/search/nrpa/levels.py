"""What both forms of NRPA share: playing by a policy, adapting it, and the nesting of levels.

A *policy* is a weight for each move, at a *place*, the `move_ordering.slot` of its code: playouts
play a move in proportion to e ** weight. The functions run as they stand, compiled and in plain
Python.

Short names: m the Memory (`compiled.Memory`, or what looks like it), run the settings as a record.
Level 0 is a playout, `run.levels` the outermost; one row more has the best of all.
"""

import math
from typing import Any

from dragon.rules.rules import rule

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
