"""Greedy: the mean payoff alone, without exploration; a draw is half a win."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.rules.template import kernel

LINEAR = True


@kernel
def score(m, node, child, own, known, shared, settings):
    """Return the score, which is `own`."""
    return own
