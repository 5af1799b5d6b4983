"""The history of a run: the mean of every move over all simulations that played it; N-grams.

`m.played` has what was played at each ply of a simulation: the place of the seat and the move, by
`move_ordering.slot`, or -1 of chance. `m.history` has a VALUE for each place, `m.grams` one for
each two moves in a row and one for each three, by hashes. They stay from move to move of a game.

Short names as in `kernel`.
"""

from typing import Any

from dragon.bits import draw, mix
from dragon.rules.template import kernel
from dragon.search.move_ordering import HISTORY, slot

GRAMS = 1 << 16
"""The number of values for pairs, and for triples; by their hashes two sequences may share one."""
FACTOR = 1_000_003
"""A factor that makes the hash depend on the order of moves."""
PARTS = 1 << 20
"""The resolution of the probability `epsilon`."""


@kernel
def slot_of(seat: int, code: Any) -> int:
    """Return the place of a seat's move in the history."""
    return seat * HISTORY + slot(code)


@kernel
def pair(first: int, second: int) -> int:
    """Return the place in `m.grams` of these two places in a row."""
    return int(mix(first * FACTOR + second) & (GRAMS - 1))


@kernel
def triple(first: int, second: int, third: int) -> int:
    """Return the place in `m.grams` of these three places in a row."""
    return GRAMS + int(mix((first * FACTOR + second) * FACTOR + third) & (GRAMS - 1))


@kernel
def mean(value: Any, unknown: Any, settings: Any) -> Any:
    """Return the mean of a VALUE or a NODE, from 0 to 1; `unknown` if it does not have visits."""
    if value.visits == 0:
        return unknown
    return (value.total / (value.visits * settings.largest) + 1.0) * 0.5


@kernel
def explores(m: Any, settings: Any) -> Any:
    """Return true with probability `epsilon`: a playout then draws its next move at random."""
    return draw(m.random, PARTS) < settings.epsilon * PARTS


@kernel
def add(value: Any, units: Any) -> None:
    """Add a simulation with this payoff."""
    value.visits += 1
    value.total += units


@kernel
def learn(m: Any, end: int) -> None:
    """Add a simulation of `end` plies to the history."""
    for ply in range(end):
        at = m.played[ply]
        if at >= 0:
            add(m.history[at], m.pay[at // HISTORY])


@kernel
def learn_grams(m: Any, end: int) -> None:
    """Add a simulation of `end` plies to the values of sequences; chance ends a sequence."""
    for ply in range(1, end):
        at = m.played[ply]
        before = m.played[ply - 1]
        if at >= 0 and before >= 0:
            add(m.grams[pair(before, at)], m.pay[at // HISTORY])
            if ply >= 2 and m.played[ply - 2] >= 0:
                add(m.grams[triple(m.played[ply - 2], before, at)], m.pay[at // HISTORY])
