"""KL-UCB (Garivier and Cappe 2011): as far above its mean as a child's visits do not refute.

UCT's bound is the same for every mean. This one is narrow where the mean is near 0 or 1, since a
coin that is nearly always heads shows it soon. `c` is the weight of the logarithm, 1 in the paper.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import math

from dragon.rules.rules import rule
from dragon.rules.template import kernel

LEAST = 1e-9
"""The least distance of a mean from 0 and 1, where the divergence is infinite."""
STEPS = 12
"""Halvings of the interval in which the bound lies: to within 1 / 4096."""


@rule
def divergence(p: float, q: float) -> float:
    """Return the Kullback-Leibler divergence of two coins that show heads with p and with q."""
    p = min(max(p, LEAST), 1.0 - LEAST)
    q = min(max(q, LEAST), 1.0 - LEAST)
    return p * math.log(p / q) + (1.0 - p) * math.log((1.0 - p) / (1.0 - q))


@kernel
def share(node, settings):
    """The weight and the logarithm of the parent's visits."""
    return settings.c * math.log(float(max(node.visits, 1)))


@kernel
def score(m, node, child, own, known, shared, settings):
    """score = the greatest q with visits * divergence(own, q) <= shared."""
    low = own
    high = own if known else 1.0
    for _ in range(STEPS):
        middle = (low + high) * 0.5
        if child.visits * divergence(own, middle) <= shared:
            low = middle
        else:
            high = middle
    return low
