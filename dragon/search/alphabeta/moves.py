"""The moves of a frame: hash move, list, scores, and the moves that other threads search.

Moves are listed and scored when a frame is opened, and the best of the rest is picked each time; a
cutoff updates killers and history (`dragon.search.move_ordering`).

*Claims.* Threads that search one state share the table, and `m.claims`, where each writes the move
that it searches. A move that another thread has claimed is put off until after all others; by then
the table mostly knows it. A claim changes only the order of moves, so it needs no lock, and a lost
claim does no harm. The first move of a state is never claimed, since it may cut off; nor are moves
that take few nodes.

After a move, a thread looks into the table again: another thread may have decided the state. With
late move reductions a move that is put off keeps its reduction, and histories are averaged now and
then (`driver`). Otherwise threads would reduce the same move differently, and find entries of too
little depth in the table.

Sources: Weill 1996 (ABDADA), and Kerrigan 2013, who keeps claims outside the table and probes it
again. Short names are those of `kernel`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import numpy as np

from dragon.bits import draw, mix, u64
from dragon.core import CHANCE
from dragon.rules.template import (
    HAS_CHANCE,
    HAS_EVALUATE,
    HAS_NOISY,
    HAS_ORDER,
    kernel,
    moves,
    order,
    reduce,
)
from dragon.search.alphabeta.depth import late_move_reduction
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
from dragon.search.table import EXACT, EXHAUSTED, LOWER, UPPER, probe

CLAIMS = 1 << 12
"""Moves that can be claimed at a time, which is more than a few threads have plies."""
SHARED = False
"""True if threads share the table; kernels of one thread are compiled without claims."""
LEAST_DEPTH = 3
LEAST_NODES = 64
"""The least depth, and the least nodes that the earlier moves of a frame took, at which moves are
claimed and the table is probed again."""
LAST = -(1 << 60)
"""The score of a move that was put off, less its reduction."""


@kernel
def look_up(m, f):
    """Return the hash move of frame f, or -1, and whether the table decides the frame.

    If it does, value and horizon are in the results.
    """
    _, value, hash_move, depth, bound = probe(m.table, m.runs[0].age, f.key)
    value += f.banked
    decides = bound == EXACT
    if bound == LOWER:
        decides = value >= f.beta
    elif bound == UPPER:
        decides = value <= f.alpha
    decides = decides and (depth >= f.depth or depth >= EXHAUSTED)
    if decides:
        found = m.results[0]
        found.value_seat0 = f.sign * value
        found.horizon = depth < EXHAUSTED
    return hash_move, decides


@kernel
def list_moves(m, d, hash_move):
    """List the moves of ply d, and score them."""
    f, s = m.frames[d], m.states[d]
    n = moves(s, m.codes[f.base :])
    if m.settings[0].reduce:
        n = reduce(s, m.codes[f.base :], n)
    score_moves(m, d, hash_move, n)


@kernel
def score_moves(m, d, hash_move, n):
    """Score the n listed moves of ply d; sort them if they are many."""
    f, on, base = m.frames[d], m.settings[0], m.frames[d].base
    f.n = n
    m.runs[0].listed += n
    f.at = 0
    f.put_off = 0
    f.sorted = 1
    for i in range(n):
        m.places[base + i] = i
    if d == 0 and on.shuffle:
        m.random[0] = on.seed
        for i in range(n - 1, 0, -1):
            j = draw(m.random, i + 1)
            m.codes[base + i], m.codes[base + j] = m.codes[base + j], m.codes[base + i]
            m.places[base + i], m.places[base + j] = m.places[base + j], m.places[base + i]
    ordered = HAS_ORDER and on.order
    # Late move reductions read scores, where those of an earlier state may be left.
    if n < 2 or not (hash_move >= 0 or on.killers or on.history or ordered or on.late):
        return
    score = m.scores[base : base + n]
    score[:] = 0
    if ordered:
        order(m.states[d], m.codes[base : base + n], n, score)
        for i in range(n):
            score[i] <<= ORDER_SHIFT
    side = 0 if f.sign > 0 else 1
    killer, second = m.killers[d, 0], m.killers[d, 1]
    for i in range(n):
        code = m.codes[base + i]
        if m.places[base + i] == hash_move:
            score[i] = FIRST
            continue
        if on.killers and code == killer:
            score[i] += KILLER
        elif on.killers and code == second:
            score[i] += SECOND_KILLER
        if on.history:
            score[i] += m.history[side, slot(code)]
    if n > MANY:
        sort(m.codes[base:], m.places[base:], m.scores[base:], n)
    else:
        f.sorted = 0


@kernel
def remember_cutoff(m, d, code):
    """Note a move that cut off: as a killer of its ply and in the history of its side."""
    f, on, found = m.frames[d], m.settings[0], m.results[0]
    if HAS_NOISY and f.depth < 1:  # quiescence: the best of a few
        return
    if on.killers and code != m.killers[d, 0]:
        m.killers[d, 1] = m.killers[d, 0]
        m.killers[d, 0] = code
    if on.history:
        credit(m.history, 0 if f.sign > 0 else 1, code, weight(f.depth))
        found.learnt = max(found.learnt, slot(code) + 1)


@kernel
def reduction(m, f):
    """Return the late move reduction of the next move, by its place before any move was put off."""
    score = m.scores[f.base + f.at]
    if SHARED and f.at > 0 and score <= LAST:
        return LAST - score
    return late_move_reduction(m.settings[0], f.depth, f.at + f.put_off, score)


@kernel
def shares(m, f):
    """Return whether the next move of frame f is large enough to be shared with other threads."""
    if f.at == 0 or f.depth < LEAST_DEPTH or m.runs[0].nodes - f.began < LEAST_NODES:
        return False
    return not HAS_CHANCE or f.seat != CHANCE


@kernel
def overtaken(m, d):
    """Return whether another thread has decided frame d; its value is then in the results."""
    f = m.frames[d]
    if d == 0 or f.key == 0 or f.beta - f.first_alpha != 1 or not shares(m, f):
        return False
    _, decides = look_up(m, f)
    if decides:
        m.results[0].hits += 1
        m.results[0].partial = 0
    return decides


@kernel
def puts_off(m, f):
    """Claim the next move of frame f; if another thread has, put it off, once, and return True."""
    f.claim = 0
    if not shares(m, f):
        return False
    first, last = f.base + f.at, f.base + f.n - 1 - f.put_off
    claim = mix(f.key ^ u64(m.codes[first]))
    place = np.int64(claim & u64(CLAIMS - 1))
    if m.claims[place] == claim and first <= last:
        less = reduction(m, f) if HAS_EVALUATE else 0
        f.put_off += 1
        m.codes[first], m.codes[last] = m.codes[last], m.codes[first]
        m.places[first], m.places[last] = m.places[last], m.places[first]
        m.scores[first], m.scores[last] = m.scores[last], LAST - less
        f.sorted = 0
        return True
    f.claim = claim
    m.claims[place] = claim
    return False


@kernel
def release(m, f):
    """Give up the claim of the move that frame f has tried, or another in its place."""
    m.claims[np.int64(f.claim & u64(CLAIMS - 1))] = 0
