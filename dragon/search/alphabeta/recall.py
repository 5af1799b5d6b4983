"""What the table says of a frame.

Short names are those of `kernel`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.rules.template import kernel
from dragon.search.table import EXACT, EXHAUSTED, LOWER, UPPER, probe


@kernel
def recall(m, f, run):
    """The move that the table has for frame f, or -1, and whether it decides what is asked.

    Where it does, run.value and horizon are set.
    """
    _, value, hint, depth, bound = probe(m.table, run.age, f.key)
    value += f.banked
    decides = bound == EXACT
    if bound == LOWER:
        decides = value >= f.beta
    elif bound == UPPER:
        decides = value <= f.alpha
    decides = decides and (depth >= f.depth or depth >= EXHAUSTED)
    if decides:
        run.value = f.sign * value
        run.horizon = depth < EXHAUSTED
    return hint, decides
