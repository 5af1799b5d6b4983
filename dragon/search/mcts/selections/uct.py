"""UCT (Kocsis and Szepesvari 2006): its mean plus an exploration term."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import math

from dragon.rules.template import kernel

LINEAR = True


@kernel
def share(node, settings):
    """Return the exploration constant times the root of the logarithm of the parent's visits."""
    return settings.c * math.sqrt(math.log(float(max(node.visits, 1))))


@kernel
def score(m, node, child, own, known, shared, settings):
    """Return the score: own + c * sqrt(log(visits of the parent) / visits)."""
    return own + shared * float(child.spread)
