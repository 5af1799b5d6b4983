"""The optional rules one at a time, compiled: what the laws compare with plain Python."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.template import banked, bounds, evaluate, kernel, odds, order, solved


@kernel
def order_of(states, codes, n, scores):
    """Writes the score of each of n moves of states[0]; codes and scores: int64[n]."""
    order(states[0], codes, n, scores)


@kernel
def odds_of(states, out):
    """Writes the probability of each move of states[0] into out, float64[n]."""
    odds(states[0], out)


@kernel
def evaluate_of(states, seat):
    """The guess for `seat` at states[0]."""
    return evaluate(states[0], seat)


@kernel
def bounds_of(states):
    """The least and the most units that seat 0 can end with from states[0]."""
    return bounds(states[0])


@kernel
def solved_of(states, tablebase):
    """What seat 0 ends with at best from states[0], and in how many plies."""
    return solved(states[0], tablebase)


@kernel
def banked_of(states):
    """Units secured at states[0]."""
    return banked(states[0])
