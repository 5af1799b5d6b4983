"""Each rule by itself, called on the states of random games: for `dragon profile`.

Compiled rules are woven into their kernels and cannot be timed there. Each `time_...` goes through
a sample of records, and over again, until it has made `count` calls; what it returns depends on all
that the rule has returned, so that the compiler leaves nothing out.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.rules.kernels.playout import finish, step
from dragon.rules.template import (
    HAS_ODDS,
    SEATS,
    banked,
    bounds,
    evaluate,
    kernel,
    key,
    moves,
    odds,
    order,
    payoff,
    play,
    prior,
    reduce,
    sample,
    solved,
    turn,
)

CHANCE, TERMINAL = -1, -2


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


@kernel
def time_copy(states, scratch, count):
    total = 0
    i = 0
    for _ in range(count):
        scratch[i % len(scratch)] = states[i]
        total += i
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_turn(states, count):
    total = 0
    i = 0
    for _ in range(count):
        total += turn(states[i])
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_moves(states, out, count):
    total = 0
    i = 0
    for _ in range(count):
        total += moves(states[i], out)
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_play(states, codes, scratch, count):
    total = 0
    i = 0
    for _ in range(count):
        scratch[i % len(scratch)] = states[i]
        play(scratch[i % len(scratch)], codes[i])
        total += i
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_payoff(ends, count):
    total = 0
    i = 0
    for _ in range(count):
        for seat in range(SEATS):
            total += (seat + 1) * payoff(ends[i], seat)  # the plain sum may always be 0
        i = i + 1 if i + 1 < len(ends) else 0
    return total


@kernel
def time_sample(states, random, count):
    total = 0
    i = 0
    for _ in range(count):
        total += sample(states[i], random)
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_odds(states, out, weights, count):
    """With `moves`, which says how many they are."""
    total = 0.0
    i = 0
    for _ in range(count):
        n = moves(states[i], out)
        weights[:n] = 1.0 / n
        odds(states[i], weights[:n])
        total += weights[0]
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_order(states, out, scores, count):
    """With `moves`, which lists them."""
    total = 0
    i = 0
    for _ in range(count):
        n = moves(states[i], out)
        order(states[i], out, n, scores)
        total += scores[0]
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_prior(states, out, weights, count):
    """With `moves`, which lists them."""
    total = 0.0
    i = 0
    for _ in range(count):
        n = moves(states[i], out)
        prior(states[i], out, n, weights)
        total += weights[0]
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_reduce(states, out, count):
    """With `moves`, which lists them."""
    total = 0
    i = 0
    for _ in range(count):
        total += reduce(states[i], out, moves(states[i], out))
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_evaluate(states, count):
    total = 0.0
    i = 0
    for _ in range(count):
        total += evaluate(states[i], 0)
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_banked(states, count):
    total = 0
    i = 0
    for _ in range(count):
        total += banked(states[i])
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_bounds(states, count):
    total = 0
    i = 0
    for _ in range(count):
        low, high = bounds(states[i])
        total += low + high
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_solved(states, tablebase, count):
    total = 0
    i = 0
    for _ in range(count):
        units, plies = solved(states[i], tablebase)
        total += units + plies
        i = i + 1 if i + 1 < len(states) else 0
    return total


@kernel
def time_key(states, words, count):
    """words: uint64[1], scratch."""
    i = 0
    for _ in range(count):
        words[0] ^= key(states[i])
        i = i + 1 if i + 1 < len(states) else 0
    return 0
