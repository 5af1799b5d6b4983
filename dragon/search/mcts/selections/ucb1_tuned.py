"""UCB1-tuned (Auer, Cesa-Bianchi and Fischer 2002, section 4): UCB1 with measured variance.

UCT assumes the variance of a fair coin for the payoffs of every move. Here it is measured, with a
margin for few visits, so that a move whose payoffs hardly vary is explored less.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import math

from dragon.rules.template import kernel

KEEPS = ("squares",)


@kernel
def share(node, settings):
    """Return the logarithm of the parent's visits."""
    return math.log(float(max(node.visits, 1)))


@kernel
def score(m, node, child, own, known, shared, settings):
    """Return the score: own + c * sqrt(log(visits of the parent) / visits * min(1/4, variance +
    margin))."""
    spread = child.squares / child.visits - own * own
    if known:  # by a proof, which does not vary
        spread = 0.0
    narrow = max(spread, 0.0) + math.sqrt(2.0 * shared / child.visits)
    return own + settings.c * math.sqrt(shared / child.visits * min(0.25, narrow))
