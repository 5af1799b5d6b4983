"""The history of a run: what every move was worth, over all simulations that played it.

`m.played` has what was played at each ply of a simulation: the place of the seat and the move, by
`move_ordering.slot`, or -1 of chance. `m.history` has a VALUE for each place, `m.grams` one for
each two moves in a row and one for each three, by hashes. They stay from move to move of a game.

The functions run as they stand in both forms of the tree; m the Memory, run the RUN.
"""

from typing import Any

from dragon.bits import draw, mix
from dragon.rules.template import kernel
from dragon.search.move_ordering import HISTORY, slot

GRAMS = 1 << 16
"""Values of pairs, and again of triples; sequences far apart may share one."""
FACTOR = 1_000_003
"""Tells the order of a sequence."""
PARTS = 1 << 20
"""Of the probability `epsilon`, which is drawn in so many parts."""


@kernel
def slot_of(seat: int, code: Any) -> int:
    """Where the history has a seat's move."""
    return seat * HISTORY + slot(code)


@kernel
def pair(first: int, second: int) -> int:
    """Where `m.grams` has these two places in a row."""
    return int(mix(first * FACTOR + second) & (GRAMS - 1))


@kernel
def triple(first: int, second: int, third: int) -> int:
    """Where `m.grams` has these three places in a row."""
    return GRAMS + int(mix((first * FACTOR + second) * FACTOR + third) & (GRAMS - 1))


@kernel
def mean(value: Any, unknown: Any, run: Any) -> Any:
    """The mean of a VALUE or a NODE as a share of all there is to win; `unknown` if none."""
    if value.visits == 0:
        return unknown
    return (value.total / (value.visits * run.largest) + 1.0) * 0.5


@kernel
def explores(m: Any, run: Any) -> Any:
    """Return True if a playout draws its next move at random; true with probability `epsilon`."""
    return draw(m.random, PARTS) < run.epsilon * PARTS


@kernel
def add(value: Any, units: Any) -> None:
    """Counts a simulation that paid so much."""
    value.visits += 1
    value.total += units


@kernel
def learn(m: Any, end: int) -> None:
    """Adds a simulation of `end` plies to the history."""
    for ply in range(end):
        at = m.played[ply]
        if at >= 0:
            add(m.history[at], m.pay[at // HISTORY])


@kernel
def learn_grams(m: Any, end: int) -> None:
    """Adds a simulation of `end` plies to the values of sequences; chance ends a sequence."""
    for ply in range(1, end):
        at = m.played[ply]
        before = m.played[ply - 1]
        if at >= 0 and before >= 0:
            add(m.grams[pair(before, at)], m.pay[at // HISTORY])
            if ply >= 2 and m.played[ply - 2] >= 0:
                add(m.grams[triple(m.played[ply - 2], before, at)], m.pay[at // HISTORY])
