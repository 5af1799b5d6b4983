"""PUCT (Rosin 2011; as in Silver et al. 2017): exploration by the prior of a move.

The prior of a move is what the rule `prior` says, or else follows from `order`; without either all
are alike. The mean of an untried move is `fpu` (first-play urgency), by default half a win.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import math

from dragon.rules.template import kernel

KEEPS = ("priors",)
SCORES_UNTRIED = True


@kernel
def share(node, settings):
    """Return the square root of the parent's visits."""
    return math.sqrt(float(max(node.visits, 1)))


@kernel
def score(m, node, child, own, known, shared, settings):
    """Return the score: own + c * prior * sqrt(visits of the parent) / (1 + visits)."""
    return own + settings.c * child.prior * shared / (1 + child.visits)
