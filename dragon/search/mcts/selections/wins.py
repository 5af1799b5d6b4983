"""Wins by visits alone, a draw being half a win: nothing is explored but by ties and proofs."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.rules.template import kernel

LINEAR = True


@kernel
def score(m, node, child, own, known, shared, settings):
    """score = own."""
    return own
