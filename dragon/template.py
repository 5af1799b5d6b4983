"""What a kernel template may name: the `kernel` mark, a game's rules and its constants.

A template imports these names to be read and checked as ordinary Python; in the
specialised module they are the game's own. Optional rules that a game has not keep the
null forms below, which the compiler removes.
"""
# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from dragon.specialise import kernel as kernel

PLIES = 0
"""No game lasts longer."""
WIDTH = 0
"""No state has more moves."""
SEATS = 2
"""How many seats there are."""
TEAM = (0, 1)
"""The team of each seat."""
LARGEST = 1
"""No payoff exceeds this many units."""
HAS_KEY = HAS_ORDER = HAS_EVALUATE = HAS_ODDS = HAS_SAMPLE = HAS_BANKED = HAS_REDUCE = False
HAS_BOUNDS = HAS_SOLVED = False
"""Whether the game has the optional rule."""
HAS_CHANCE = DUEL = False
"""Whether the game has the trait."""
CHECKED = False
"""Whether this is checked code."""


def turn(s):
    """The seat to move, CHANCE or TERMINAL."""
    return -2


def moves(s, out):
    """Writes the move codes into out, int64[WIDTH]; how many."""
    return 0


def play(s, move):
    """Changes the record in place."""


def payoff(s, seat):
    """Units for `seat` at a terminal record."""
    return 0


def key(s):
    """64 bits that equal states share."""
    return 0


def order(s, out, n, scores):
    """Writes a score for each move, int64[n]; the highest is tried first."""


def evaluate(s, seat):
    """A guess in (-1, 1) at a horizon."""
    return 0.0


def odds(s, out):
    """Writes the probability of each move at a CHANCE record, float64[n]; uniform by default."""


def sample(s, random):
    """A random move code without a list of them all."""
    return 0


def banked(s):
    """Units that seat 0's team has secured already."""
    return 0


def bounds(s):
    """The least and the most units that seat 0 can still end with."""
    return -1, 1


def solved(s, tablebase):
    """Units that seat 0 ends with when all play best, and in how many plies; -1: not solved."""
    return 0, -1


def reduce(s, out, n):
    """Drops moves equivalent to another from out; how many are left."""
    return n


own_turn, own_moves, own_payoff, own_order = turn, moves, payoff, order
own_evaluate, own_odds, own_reduce, own_bounds = evaluate, odds, reduce, bounds
own_banked, own_solved = banked, solved
"""The rules themselves, where their guards stand for them; see `dragon.kernels.guards`."""
