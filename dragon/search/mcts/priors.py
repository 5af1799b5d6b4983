"""Priors: what a game expects of its moves before any is tried, as PUCT asks.

By the rule `order` alone its best move is expected `SHARP` times e-fold as often as its worst.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import math

from dragon.rules.rules import rule
from dragon.rules.template import HAS_ORDER, kernel, order

SHARP = 3.0


@rule
def weigh(scores, weights, n):
    """Writes the priors of n moves that `order` gave these scores; they sum to one."""
    least = most = scores[0]
    for i in range(n):
        least = min(least, scores[i])
        most = max(most, scores[i])
    total = 0.0
    for i in range(n):
        part = (scores[i] - least) / (most - least) if most > least else 0.0
        weights[i] = math.exp(SHARP * part)
        total += weights[i]
    for i in range(n):
        weights[i] /= total


@kernel
def expect(m, s, n):
    """Writes into `m.weights` the priors of the n moves in `m.out`."""
    for i in range(n):
        m.scores[i] = 0
    if HAS_ORDER:
        order(s, m.out, n, m.scores)
    weigh(m.scores, m.weights, n)
