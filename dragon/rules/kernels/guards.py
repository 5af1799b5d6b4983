"""Guards: a game's rules as kernels call them, with what the contract promises and demands.

A guard has the name and the arguments of its rule. It gives the rule arrays of the lengths that
`dragon.rules.contract` states, whatever is behind them in the memory of a kernel; so a rule that is
given an array has a guard in all code. The other guards stand in checked code alone, as does all
that they demand of a rule. The text of a breach begins with the rule's name; see
`dragon.rules.rule_errors`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.compiler.location import Breach
from dragon.core import CHANCE, TERMINAL
from dragon.rules.template import (
    CHECKED,
    DUEL,
    HAS_CHANCE,
    LARGEST,
    PLIES,
    RANKS,
    SEATS,
    TEAM,
    WIDTH,
    kernel,
    own_banked,
    own_before,
    own_bounds,
    own_evaluate,
    own_moves,
    own_noisy,
    own_odds,
    own_order,
    own_payoff,
    own_prior,
    own_rank,
    own_reduce,
    own_sample,
    own_solved,
    own_turn,
    own_unrank,
)


@kernel
def turn(s):
    """A seat that there is, TERMINAL, or CHANCE where the game has that trait."""
    seat = own_turn(s)
    if not TERMINAL <= seat < SEATS:
        raise Breach("turn: it is no seat; they are 0 to {last}, chance is -1, the end -2")
    if seat == CHANCE and not HAS_CHANCE:
        raise Breach("turn: it says that chance is to move, but the game has no trait CHANCE")
    return seat


@kernel
def moves(s, out):
    """At most WIDTH codes, and one at least."""
    if CHECKED and len(out) < WIDTH:
        raise ValueError("a kernel gives `moves` less room than the width of the game")
    n = own_moves(s, out[:WIDTH])
    if CHECKED and n > WIDTH:
        raise Breach("moves: it says that there are more moves than width = {width}")
    if CHECKED and n < 1:
        raise Breach("moves: it gives no move, and turn does not say that the game is over")
    return n


@kernel
def payoff(s, seat):
    """Not beyond LARGEST; in a DUEL what one team gets the other pays."""
    units = own_payoff(s, seat)
    if not -LARGEST <= units <= LARGEST:
        raise Breach("payoff: it is more than largest = {largest}")
    if DUEL:
        for each in range(SEATS):
            if own_payoff(s, each) != (units if TEAM[each] == TEAM[seat] else -units):
                raise Breach("payoff: the seats of a team must get the same, and those of the "
                             "other team the negative of it")  # fmt: skip
    return units


@kernel
def order(s, out, n, scores):
    """A score for each of n moves, and no more."""
    own_order(s, out[:n], n, scores[:n])


@kernel
def prior(s, out, n, scores):
    """A number above 0 for each of n moves, and no more."""
    if CHECKED:
        for i in range(n):
            scores[i] = 0.0
    own_prior(s, out[:n], n, scores[:n])
    if CHECKED:
        for i in range(n):
            if not 0.0 < scores[i] < 1e300:
                raise Breach("prior: not every move has a number above 0")


@kernel
def noisy(s, out):
    """Some moves, or -1."""
    n = own_noisy(s, out[:WIDTH])
    if CHECKED and not -1 <= n <= WIDTH:
        raise Breach("noisy: it must return how many moves it wrote, or -1")
    return n


@kernel
def evaluate(s, seat):
    """A number between -1 and 1."""
    value = own_evaluate(s, seat)
    if not -1.0 < value < 1.0:
        raise Breach("evaluate: it is not between -1 and 1")
    return value


@kernel
def reduce(s, out, n):
    """Some of the n moves, one at least."""
    left = own_reduce(s, out[:n], n)
    if CHECKED and not 1 <= left <= n:
        raise Breach("reduce: it must leave one move at least, and no more than it was given")
    return left


@kernel
def bounds(s):
    """The least first."""
    least, most = own_bounds(s)
    if least > most:
        raise Breach("bounds: the least is more than the most")
    return least, most


@kernel
def odds(s, out):
    """Probabilities above 0 that sum to one; `weigh_chance` gives `out` its length."""
    own_odds(s, out)
    if CHECKED:
        total = 0.0
        for i in range(len(out)):
            if not out[i] > 0.0:
                raise Breach("odds: not every move has a probability above 0")
            total += out[i]
        if not -1e-6 < total - 1.0 < 1e-6:
            raise Breach("odds: the probabilities do not sum to 1")


@kernel
def sample(s, random):
    """A move code; what is among the moves is too slow to be asked each time."""
    return own_sample(s, random[:1])


@kernel
def banked(s):
    """Not beyond LARGEST."""
    units = own_banked(s)
    if not -LARGEST <= units <= LARGEST:
        raise Breach("banked: it is more than largest = {largest}")
    return units


@kernel
def solved(s, tablebase):
    """Not beyond LARGEST, and not later than PLIES."""
    units, plies = own_solved(s, tablebase)
    if CHECKED and plies >= 0 and not -LARGEST <= units <= LARGEST:
        raise Breach("solved: it is more than largest = {largest}")
    if CHECKED and plies > PLIES:
        raise Breach("solved: it says that the game goes on for more than plies = {plies}")
    return units, plies


@kernel
def rank(s):
    """A number from 0 to RANKS - 1."""
    number = own_rank(s)
    if not 0 <= number < RANKS:
        raise Breach("rank: it is no number from 0 to below ranks = {ranks}")
    return number


@kernel
def unrank(s, number):
    """A seat, or -1."""
    seat = own_unrank(s, number)
    if not -1 <= seat < SEATS:
        raise Breach("unrank: it must return a seat, or -1")
    return seat


@kernel
def before(s, out):
    """At most 2 * WIDTH numbers that there are."""
    n = own_before(s, out[: 2 * WIDTH])
    if CHECKED and n > 2 * WIDTH:
        raise Breach("before: it says that there are more numbers than twice width = {width}")
    if CHECKED:
        for i in range(n):
            if not 0 <= out[i] < RANKS:
                raise Breach("before: one is no number from 0 to below ranks = {ranks}")
    return n
