"""KL-UCB (Garivier and Cappe 2011): the upper confidence bound by the Kullback-Leibler divergence.

The bound of UCT has the same width for every mean. This one is narrower where the mean is near 0 or
1, where payoffs vary less. `c` is the weight of the logarithm, 1 in the paper.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import math

from dragon.rules.rules import rule
from dragon.rules.template import kernel

LEAST = 1e-9
"""The least distance of a mean from 0 and 1, where the divergence is infinite."""
STEPS = 12
"""Steps of bisection, which find the bound to within 1 / 4096."""


@rule
def divergence(p: float, q: float) -> float:
    """Return the Kullback-Leibler divergence of two Bernoulli distributions, with probabilities p
    and q."""
    p = min(max(p, LEAST), 1.0 - LEAST)
    q = min(max(q, LEAST), 1.0 - LEAST)
    return p * math.log(p / q) + (1.0 - p) * math.log((1.0 - p) / (1.0 - q))


@kernel
def share(node, settings):
    """Return `c` times the logarithm of the parent's visits."""
    return settings.c * math.log(float(max(node.visits, 1)))


@kernel
def score(m, node, child, own, known, shared, settings):
    """Return the score: the greatest q with visits * divergence(own, q) <= shared."""
    low = own
    high = own if known else 1.0
    for _ in range(STEPS):
        middle = (low + high) * 0.5
        if child.visits * divergence(own, middle) <= shared:
            low = middle
        else:
            high = middle
    return low
