"""Random play to the end, for benchmarks, Monte Carlo and the leaves of MCTS."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from typing import Any

from dragon.bits import draw
from dragon.compiler.location import Breach
from dragon.core import CHANCE, TERMINAL
from dragon.moved import missing
from dragon.rules.kernels.state import sample_from, weigh_chance
from dragon.rules.template import (
    CHECKED,
    HAS_FINISH,
    HAS_ODDS,
    HAS_REDUCE,
    PLIES,
    SEATS,
    finish,
    kernel,
    moves,
    payoff,
    play,
    reduce,
    turn,
)


def pick(random: Any, weights: Any) -> int:
    """Return an index drawn by `weights`, which sum to one; consumes one draw of `random`,
    uint64[1].

    A whole number r below 2**31 is drawn; the answer is the first index at which the sum of weights
    exceeds r / 2**31, or the last of positive weight where rounding leaves none.
    """
    point = draw(random, 1 << 31) / 2147483648.0
    total = 0.0
    last = 0
    for i in range(len(weights)):
        if weights[i] > 0.0:
            last = i
            total += weights[i]
            if point < total:
                return i
    return last


@kernel
def step(s, seat, out, weights, random, reduced):
    """Return a random move code at the record `s`, where `seat` is to move, or CHANCE.

    reduced: whether a seat's moves are those that the game's `reduce` leaves. out: int64[WIDTH]
    and weights: float64[WIDTH], empty for a game without `odds`, are scratch; random: uint64[1],
    the generator of `dragon.bits.draw`.
    """
    if HAS_ODDS and seat == CHANCE:
        n = moves(s, out)
        weigh_chance(s, weights, n)
        return out[pick(random, weights[:n])]
    if HAS_REDUCE and reduced and seat != CHANCE:
        n = reduce(s, out, moves(s, out))
        return out[draw(random, n)]
    return sample_from(s, out, random)


@kernel
def roll_of(states, out, weights, random):
    """Return a move code of chance at states[0], drawn by its odds."""
    return step(states[0], CHANCE, out, weights, random, False)


@kernel
def play_to_end(s, out, weights, random, reduced):
    """Play the record `s` to its end at random, in place, and return how many plies that took.

    A game with the rule `finish` ends in one step, unless moves are `reduced`.
    """
    if HAS_FINISH and not reduced:
        return finish(s, random) if turn(s) != TERMINAL else 0
    return step_to_end(s, out, weights, random, reduced)


@kernel
def step_to_end(s, out, weights, random, reduced):
    """Play to the end as `play_to_end` does, but ply by ply in every game."""
    plies = 0
    seat = turn(s)
    while seat != TERMINAL:
        play(s, step(s, seat, out, weights, random, reduced))
        plies += 1
        if CHECKED and plies > PLIES:
            raise Breach("turn: the game goes on for more than plies = {plies}")
        seat = turn(s)
    return plies


@kernel
def playouts(states, out, weights, random, count, sums, squares):
    """Play `count` games from states[0] to the end, and return the plies of all together.

    states: records[2], the second is scratch and holds the last final record; sums: int64[SEATS]
    and squares: float64[SEATS], to which each seat's units and their squares are added.
    """
    plies = 0
    for _ in range(count):
        states[1] = states[0]
        plies += play_to_end(states[1], out, weights, random, False)
        for seat in range(SEATS):
            units = payoff(states[1], seat)
            sums[seat] += units
            squares[seat] += float(units) * float(units)
    return plies


@kernel
def play_one(states, out, weights, random):
    """Make states[1] the end of a game from states[0], played ply by ply."""
    states[1] = states[0]
    return step_to_end(states[1], out, weights, random, False)


@kernel
def outcomes(states, out, weights, random, paid, stepped):
    """Write the units of each seat at the end of games from states[0] into paid, int64[any, SEATS].

    stepped: whether they are played ply by ply, rather than as by `play_to_end`.
    """
    for i in range(len(paid)):
        states[1] = states[0]
        if stepped:
            step_to_end(states[1], out, weights, random, False)
        else:
            play_to_end(states[1], out, weights, random, False)
        for seat in range(SEATS):
            paid[i, seat] = payoff(states[1], seat)


def __getattr__(name: str) -> Any:
    raise missing(__name__, name)
