"""Single calls of rules, compiled: what the methods of a RecordState need."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.bits import draw
from dragon.rules.layout import hash_words
from dragon.rules.template import (
    HAS_KEY,
    HAS_ODDS,
    HAS_SAMPLE,
    SEATS,
    kernel,
    key,
    moves,
    odds,
    payoff,
    play,
    reduce,
    sample,
    turn,
)

QUICKLY_COMPILED = True
"""A call from Python takes microseconds anyway, so optimised code would not be noticeably
faster."""


@kernel
def turn_of(states):
    """The seat to move in states[0]."""
    return turn(states[0])


@kernel
def moves_of(states, out):
    """Write the move codes of states[0] into out, and return how many there are."""
    return moves(states[0], out)


@kernel
def distinct_of(states, out):
    """Write the moves of states[0] that `reduce` leaves into out, and return how many."""
    return reduce(states[0], out, moves(states[0], out))


@kernel
def play_in(states, code):
    """Play a move code in states[0]."""
    play(states[0], code)


@kernel
def payoffs_of(states, out):
    """Write the units of each seat into out, int64[SEATS]."""
    for seat in range(SEATS):
        out[seat] = payoff(states[0], seat)


@kernel
def sample_from(s, out, random):
    """Return a random move code at the record `s`: by the rule `sample`, or one of its list.

    out: int64[WIDTH], scratch; random: uint64[1], the generator of `dragon.bits.draw`.
    """
    if HAS_SAMPLE:
        return sample(s, random)
    n = moves(s, out)
    return out[draw(random, n)]


@kernel
def weigh_chance(s, weights, n):
    """Write the probabilities of the n moves of chance at the record `s` into weights[:n]."""
    weights[:n] = 1.0 / n
    if HAS_ODDS:
        odds(s, weights[:n])


@kernel
def sample_of(states, out, random):
    """A random move code at states[0]; out, int64[WIDTH], is scratch."""
    return sample_from(states[0], out, random)


@kernel
def key_of(states, words):
    """The key of states[0], whose uint64 words are also given."""
    if HAS_KEY:
        return key(states[0])
    return hash_words(words)
