"""What the table says of a frame, and the line that is kept of it.

Short names are those of `kernel`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.bits import mix, u64
from dragon.rules.layout import hash_words
from dragon.rules.template import HAS_KEY, kernel, key
from dragon.search.table import EXACT, EXHAUSTED, LOWER, UPPER, probe


@kernel
def mixed_key(m, d):
    """The key in the table of the state at ply d, or 0 if it has none."""
    return mix(u64(key(m.states[d]))) if HAS_KEY else mix(hash_words(m.words[d]))


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


@kernel
def keep_line(m, d, code):
    """The best line from ply d: a move and the child's line."""
    n = m.lengths[d + 1]
    m.lines[d, 0] = code
    for i in range(n):
        m.lines[d, i + 1] = m.lines[d + 1, i]
    m.lengths[d] = n + 1
