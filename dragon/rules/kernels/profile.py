"""Each rule by itself, called on the states of random games: for `dragon profile`.

Compiled rules are woven into their kernels and cannot be timed there. So there is an `ask_...` for
each rule, which calls it on one record of a sample, and a `time_...`, which does so many times.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from typing import Any, NamedTuple

from dragon.core import CHANCE, TERMINAL
from dragon.rules.kernels.playout import finish, step
from dragon.rules.kernels.state import weigh_chance
from dragon.rules.template import (
    HAS_ODDS,
    SEATS,
    banked,
    bounds,
    evaluate,
    kernel,
    key,
    moves,
    noisy,
    order,
    payoff,
    place,
    play,
    prior,
    reduce,
    sample,
    skip,
    solved,
    turn,
)


class Scratch(NamedTuple):
    """What rules read and write besides a record; width: the most moves of a state."""

    codes: Any
    """int64[n]: the move that followed each record."""
    records: Any
    """records[any], to be played on."""
    out: Any
    """int64[width]."""
    scores: Any
    """int64[width]."""
    weights: Any
    """float64[width], or empty without chance."""
    random: Any
    """As for `step`."""
    tablebase: Any
    """As for the rule `solved`."""


@kernel
def gather(states, codes, rolls, counts, out, weights, random):
    """Fills `states` with those of random games, and `rolls` with those where chance has odds.

    states: records[n + 2]; the last but one is the first state of every game, the last is
    scratch. codes: int64[n], the move that followed. rolls: records[any]; counts: int64[3], set to
    how many states and rolls are kept, and how many games have ended. out, weights, random:
    as for `step`.
    """
    n = len(codes)
    s = states[n + 1]
    counts[:] = 0
    while counts[0] < n:
        states[n + 1] = states[n]
        seat = turn(s)
        while seat != TERMINAL and counts[0] < n:
            if HAS_ODDS and seat == CHANCE:
                if counts[1] < len(rolls):
                    rolls[counts[1]] = s
                    counts[1] += 1
                play(s, step(s, seat, out, weights, random, False))
            else:
                code = step(s, seat, out, weights, random, False)
                states[counts[0]] = s
                codes[counts[0]] = code
                counts[0] += 1
                play(s, code)
            seat = turn(s)
        counts[2] += 1
    return counts[2]


@kernel
def gather_ends(ends, first, out, weights, random):
    """Fills `ends` with the last states of random games from first[0]; how many plies they took."""
    plies = 0
    for i in range(len(ends)):
        ends[i] = first[0]
        plies += finish(ends[i], out, weights, random, False)
    return plies


def timing(ask):
    """The kernel that calls `ask(states, i, scratch)` so many times, through all states and again.

    It returns what depends on all that was answered, so that the compiler leaves nothing out.
    """

    @kernel
    def time(states, scratch, count):
        total = ask(states, 0, scratch)
        i = 0
        for _ in range(count):
            total += ask(states, i, scratch)
            i = i + 1 if i + 1 < len(states) else 0
        return total

    return time


@kernel
def ask_copy(states, i, scratch):
    """Copies the record, as `play` needs it."""
    scratch.records[i % len(scratch.records)] = states[i]
    return i


@kernel
def ask_turn(states, i, scratch):
    """Asks whose turn it is."""
    return turn(states[i])


@kernel
def ask_moves(states, i, scratch):
    """Lists the moves; how many they are."""
    return moves(states[i], scratch.out)


@kernel
def ask_play(states, i, scratch):
    """Plays the move that followed, on a copy."""
    scratch.records[i % len(scratch.records)] = states[i]
    play(scratch.records[i % len(scratch.records)], scratch.codes[i])
    return i


@kernel
def ask_payoff(states, i, scratch):
    """Asks for the payoffs of all seats, whose plain sum may always be 0."""
    total = 0
    for seat in range(SEATS):
        total += (seat + 1) * payoff(states[i], seat)
    return total


@kernel
def ask_sample(states, i, scratch):
    """Draws a move."""
    return sample(states[i], scratch.random)


@kernel
def ask_odds(states, i, scratch):
    """Asks for the odds, with `moves`, which says how many they are."""
    n = moves(states[i], scratch.out)
    weigh_chance(states[i], scratch.weights, n)
    return scratch.weights[0]


@kernel
def ask_order(states, i, scratch):
    """Asks for the scores, with `moves`, which lists them."""
    order(states[i], scratch.out, moves(states[i], scratch.out), scratch.scores)
    return scratch.scores[0]


@kernel
def ask_prior(states, i, scratch):
    """Asks for the priors, with `moves`, which lists them."""
    prior(states[i], scratch.out, moves(states[i], scratch.out), scratch.weights)
    return scratch.weights[0]


@kernel
def ask_reduce(states, i, scratch):
    """Asks which moves are enough, with `moves`, which lists them."""
    return reduce(states[i], scratch.out, moves(states[i], scratch.out))


@kernel
def ask_evaluate(states, i, scratch):
    """Asks for the evaluation."""
    return evaluate(states[i], 0)


@kernel
def ask_banked(states, i, scratch):
    """Asks for what is banked."""
    return banked(states[i])


@kernel
def ask_bounds(states, i, scratch):
    """Asks for both bounds."""
    low, high = bounds(states[i])
    return low + high


@kernel
def ask_solved(states, i, scratch):
    """Asks for the value and the plies to the end."""
    units, plies = solved(states[i], scratch.tablebase)
    return units + plies


@kernel
def ask_key(states, i, scratch):
    """Asks for the key."""
    return key(states[i])


@kernel
def ask_place(states, i, scratch):
    """Asks for the place."""
    return place(states[i])


@kernel
def ask_noisy(states, i, scratch):
    """Asks for the noisy moves."""
    return noisy(states[i], scratch.out)


@kernel
def ask_skip(states, i, scratch):
    """Copies the record and passes."""
    at = i % len(scratch.records)
    scratch.records[at] = states[i]
    return skip(scratch.records[at])


time_copy, time_turn, time_moves = timing(ask_copy), timing(ask_turn), timing(ask_moves)
time_play, time_payoff, time_sample = timing(ask_play), timing(ask_payoff), timing(ask_sample)
time_odds, time_order, time_reduce = timing(ask_odds), timing(ask_order), timing(ask_reduce)
time_evaluate, time_banked = timing(ask_evaluate), timing(ask_banked)
time_bounds, time_solved, time_key = timing(ask_bounds), timing(ask_solved), timing(ask_key)
time_place, time_prior = timing(ask_place), timing(ask_prior)
time_noisy, time_skip = timing(ask_noisy), timing(ask_skip)
