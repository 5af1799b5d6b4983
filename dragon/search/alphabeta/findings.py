"""Findings: what a thread takes over that another has found of the same state, by the table alone.

Whoever comes back from a move looks into the table once more: the state may be decided by what
another thread was at, and then no other move is needed.

In an open window, which holds values, a thread that has found a better move says so in the table
before it has tried the others; then nobody else opens a window for a move that is no better. Who
takes that over has not looked at the move himself, and continues its line as the table does, which
may end early. So this is for guesses alone: what is proven has a line to its end.

Source: Kerrigan 2013, who looks into the table again. Short names are those of `kernel`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import numpy as np

from dragon.core import CHANCE
from dragon.rules.template import (
    HAS_BANKED,
    HAS_CHANCE,
    HAS_EVALUATE,
    TEAM,
    banked,
    kernel,
    moves,
    play,
    reduce,
    turn,
)
from dragon.search.alphabeta.chance import scale
from dragon.search.alphabeta.quiescence import guesses
from dragon.search.alphabeta.recall import keep_line, mixed_key, recall
from dragon.search.table import EXACT, EXHAUSTED, LOWER, UPPER, probe, reach, store

LEAST_DEPTH = 3
"""The table is looked into again where so many plies are looked ahead."""


@kernel
def overtaken(m, d, run):
    """Whether another thread has found what is asked of frame d: then run.value is set."""
    f = m.frames[d]
    if d == 0 or f.at == 0 or f.depth < LEAST_DEPTH or f.key == 0 or f.beta - f.first_alpha != 1:
        return False
    if HAS_CHANCE and f.seat == CHANCE:
        return False
    _, decides = recall(m, f, run)
    if decides:
        run.hits += 1
        run.partial = 0
    return decides


@kernel
def opens(f):
    """Whether what others find of frame f may be taken over though its window is open."""
    if not HAS_EVALUATE or HAS_CHANCE or f.depth < LEAST_DEPTH or f.key == 0:
        return False
    return f.beta - f.alpha > 1


@kernel
def tells(m, f, run):
    """Says in the table what frame f has found so far, if nobody has found as much."""
    if not opens(f):
        return
    _, value, _, depth, bound = probe(m.table, run.age, f.key)
    if depth < f.depth or bound == UPPER or value + f.banked < f.best:
        depth = reach(f.depth, run.horizon, run.nodes - f.began + 1)
        store(m.table, run.age, f.key, f.best - f.banked, f.best_index, depth, LOWER)


@kernel
def catches_up(m, d, run):
    """Takes the better move that another thread has found of frame d; whether it is good enough."""
    f = m.frames[d]
    if not opens(f):
        return False
    _, value, move, depth, bound = probe(m.table, run.age, f.key)
    value += f.banked
    if bound == UPPER or value <= f.alpha or depth < f.depth or depth >= EXHAUSTED:
        return False
    if abs(value) > guesses() or not follows(m, d, run, move, value):
        return False
    f.alpha = f.best = value
    f.best_index = move
    f.horizon = 1
    if d == 0:
        run.root_best = move
    return bound == EXACT or value >= f.beta


@kernel
def follows(m, d, run, move, value):
    """Keeps the line of frame d that begins so, with this value, as far as the table bears it out.

    False if it has no such move.
    """
    f = m.frames[d]
    codes = m.codes[f.base + f.n :]
    m.states[d + 1] = m.states[d]
    s, m.lengths[d + 1] = m.states[d + 1], 0
    first = np.int64(-1)
    for left in range(f.depth - 1, -1, -1):
        n = moves(s, codes)
        if run.reduce:
            n = reduce(s, codes, n)
        if move < 0 or move >= n:
            break
        if first < 0:
            first = codes[move]
        else:
            m.lines[d + 1, m.lengths[d + 1]] = codes[move]
            m.lengths[d + 1] += 1
        play(s, codes[move])
        seat = turn(s)
        if seat < 0:
            break
        own = f.sign if TEAM[seat] == TEAM[0] else -f.sign
        _, below, move, depth, bound = probe(m.table, run.age, mixed_key(m, d + 1))
        if HAS_BANKED:
            below += own * f.sign * banked(s) * scale()
        if depth < left or own * below < value or bound == (UPPER if own > 0 else LOWER):
            break
    if first < 0:
        return False
    keep_line(m, d, first)
    return True
