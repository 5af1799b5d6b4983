"""Priors and evaluations: the game's own estimates of moves and of states.

PUCT uses priors, the probabilities that moves are best: those of the rule `prior`, or else a
softmax of the numbers of `order`, scaled so that its best move is e ** SHARP = 20 times as likely
as its worst. Without either rule all moves are equally likely.

Evaluations, by the rule `evaluate`, are backed up by minimax (Lanctot et al. 2014), and pay
playouts that are cut (Lorentz 2008).
"""

import math
from typing import Any

from dragon.bits import draw
from dragon.core import TERMINAL
from dragon.rules.rules import rule
from dragon.rules.template import (
    HAS_ORDER,
    HAS_PRIOR,
    LARGEST,
    SEATS,
    TEAM,
    evaluate,
    kernel,
    order,
    payoff,
    play,
    prior,
    turn,
)

SHARP = 3.0
"""The logarithm of the ratio between the best and the worst move."""


@rule
def divide(weights: Any, n: int) -> None:
    """Divide n numbers by their sum."""
    total = 0.0
    for i in range(n):
        total += weights[i]
    for i in range(n):
        weights[i] /= total


@rule
def weigh(scores: Any, weights: Any, n: int) -> None:
    """Write weights, the priors before `divide`, of n moves that `order` gave these scores."""
    least = most = scores[0]
    for i in range(n):
        least = min(least, scores[i])
        most = max(most, scores[i])
    for i in range(n):
        part = (scores[i] - least) / (most - least) if most > least else 0.0
        weights[i] = math.exp(SHARP * part)


@kernel
def expect(m: Any, s: Any, n: int) -> None:
    """Write into `m.weights` the priors of the n moves in `m.out`, which sum to one."""
    if HAS_PRIOR:
        prior(s, m.out, n, m.weights)
    else:
        for i in range(n):
            m.scores[i] = 0
        if HAS_ORDER:
            order(s, m.out, n, m.scores)
        weigh(m.scores, m.weights, n)
    divide(m.weights, n)


PARTS = 1 << 20
"""The resolution of the random rounding of evaluations."""


@rule
def units_for(evaluation: Any, part: Any, largest: Any) -> int:
    """Return an evaluation in whole units, symmetric in its sign.

    part: from 0 to PARTS - 1; a random one makes the rounding unbiased.
    """
    units = int(abs(evaluation) * largest + part / PARTS)
    return units if evaluation > 0.0 else -units


@rule
def mixed(own: Any, evaluation: Any, share: Any) -> Any:
    """Return the weighted mean of `own`, from 0 to 1, and an evaluation, from -1 to 1.

    share: the weight of the evaluation.
    """
    return (1.0 - share) * own + share * (evaluation + 1.0) * 0.5


@kernel
def value_at(s: Any, seat: int) -> Any:
    """Return the value of `seat`, from -1 to 1: a payoff at an end, else an evaluation."""
    if turn(s) == TERMINAL:
        return payoff(s, seat) / LARGEST
    return max(-1.0, min(1.0, evaluate(s, seat)))


@kernel
def evaluate_children(m: Any, s: Any, node: Any) -> None:
    """Evaluate the children of a node at the record `s`, where a seat is to move."""
    for i in range(node.first, node.first + node.count):
        m.states[2] = s
        play(m.states[2], m.tree[i].code)
        m.tree[i].evaluation = value_at(m.states[2], node.seat)


@kernel
def back_up_evaluations(m: Any, depth: int) -> None:
    """Back up evaluations along a path by minimax; those of chance nodes stay."""
    for d in range(depth, 0, -1):
        node = m.tree[m.path[d]]
        above = m.tree[m.path[d - 1]].seat
        if node.count > 0 and node.seat >= 0 and above >= 0:
            best = -1.0
            for i in range(node.first, node.first + node.count):
                best = max(best, m.tree[i].evaluation)
            node.evaluation = best if TEAM[node.seat] == TEAM[above] else -best


@kernel
def pay_evaluation(m: Any, s: Any) -> None:
    """Write the payoffs of a playout that is cut short at the record `s`."""
    part = draw(m.random, PARTS)
    for seat in range(SEATS):
        m.pay[seat] = units_for(value_at(s, seat), part, LARGEST)
