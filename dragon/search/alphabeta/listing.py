"""The moves of a frame: listed, reduced, shuffled at the root, and scored; and what cutoffs teach.

Short names are those of `kernel`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.bits import draw
from dragon.rules.template import HAS_NOISY, HAS_ORDER, kernel, moves, order, reduce
from dragon.search.move_ordering import (
    FIRST,
    KILLER,
    MANY,
    ORDER_SHIFT,
    SECOND_KILLER,
    credit,
    slot,
    sort,
    weight,
)


@kernel
def enlist(m, s, f, d, run, hint):
    """Writes the moves of frame f, their places in the list and their scores; sorts if many."""
    base = f.base
    n = moves(s, m.codes[base:])
    if run.reduce:
        n = reduce(s, m.codes[base:], n)
    scored(m, s, f, d, run, hint, n)


@kernel
def scored(m, s, f, d, run, hint, n):
    """The same of the n moves that are listed already."""
    base = f.base
    f.n = n
    run.listed += n
    f.at = 0
    f.put_off = 0
    f.sorted = 1
    for i in range(n):
        m.places[base + i] = i
    if d == 0 and run.shuffle:
        m.random[0] = run.seed
        for i in range(n - 1, 0, -1):
            j = draw(m.random, i + 1)
            m.codes[base + i], m.codes[base + j] = m.codes[base + j], m.codes[base + i]
            m.places[base + i], m.places[base + j] = m.places[base + j], m.places[base + i]
    ordered = HAS_ORDER and run.order
    # Late move reductions read scores, and those of other states may stand there.
    if n < 2 or not (hint >= 0 or run.killers or run.history or ordered or run.late):
        return
    score = m.scores[base : base + n]
    score[:] = 0
    if ordered:
        order(s, m.codes[base : base + n], n, score)
        for i in range(n):
            score[i] <<= ORDER_SHIFT
    side = 0 if f.sign > 0 else 1
    for i in range(n):
        code = m.codes[base + i]
        if m.places[base + i] == hint:
            score[i] = FIRST
            continue
        if run.killers and code == m.killers[d, 0]:
            score[i] += KILLER
        elif run.killers and code == m.killers[d, 1]:
            score[i] += SECOND_KILLER
        if run.history:
            score[i] += m.history[side, slot(code)]
    if n > MANY:
        sort(m.codes[base:], m.places[base:], m.scores[base:], n)
    else:
        f.sorted = 0


@kernel
def reward(m, f, d, run, code):
    """Remembers a move that cut off: as a killer of its ply and in the history of its side."""
    if HAS_NOISY and f.depth < 1:  # of few moves the best
        return
    if run.killers and code != m.killers[d, 0]:
        m.killers[d, 1] = m.killers[d, 0]
        m.killers[d, 0] = code
    if run.history:
        credit(m.history, 0 if f.sign > 0 else 1, code, weight(f.depth))
        run.learnt = max(run.learnt, slot(code) + 1)
