"""Priors: the probability, by the game, that a move is best before any is tried; PUCT asks them.

They are what the rule `prior` says. Without it they follow from `order`, whose numbers mean no more
than a rank: its best move is expected e ** SHARP times as often as its worst, 20 times, and others
in between as their numbers are. Without either all are alike.
"""

import math
from typing import Any

from dragon.rules.rules import rule
from dragon.rules.template import HAS_ORDER, HAS_PRIOR, kernel, order, prior

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
