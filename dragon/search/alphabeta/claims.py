"""Claims: threads that search one state put off the moves that another of them is searching.

They share the table, and nothing else but `m.claims`, uint64[CLAIMS], where each writes the move
that it is at. A move that another has claimed is tried after all that nobody has; by then the
table mostly knows it. A claim decides nothing but the order, so that none needs a lock, and one
that was lost or forgotten does no harm. A state's first move is nobody's: whether the others are
needed is not known before; and what is soon done alone, others need not know.

Whoever comes back from a move looks into the table once more: the state may be decided by what
another thread was at, and then no other move is needed. Where late moves are looked ahead less,
history is made one at times (`threads`), and a move that is put off is as late as it was before:
else they look differently far ahead, and one finds in the table less than it asks for.

Sources: Weill 1996 (ABDADA), and Kerrigan 2013, who writes the claims beside the table and looks
into it again. Short names are those of `kernel`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import numpy as np

from dragon.bits import mix, u64
from dragon.core import CHANCE
from dragon.rules.template import HAS_CHANCE, HAS_EVALUATE, kernel
from dragon.search.alphabeta.recall import recall
from dragon.search.move_ordering import late

CLAIMS = 1 << 12
"""So many moves can be claimed at a time, which is more than a few threads have plies."""
SHARED = False
"""Whether threads share the table; kernels of one thread are compiled without all this."""
LEAST_DEPTH = 3
LEAST_NODES = 64
"""Moves are claimed, and the table is looked into again, where so many plies are looked ahead and
the moves before took so many nodes."""
LAST = -(1 << 60)
"""The score of a move that was put off, less the plies that it is looked ahead less."""


@kernel
def shares(f, run):
    """Return True if the next move of frame f may concern other threads."""
    if f.at == 0 or f.depth < LEAST_DEPTH or run.nodes - f.began < LEAST_NODES:
        return False
    return not HAS_CHANCE or f.seat != CHANCE


@kernel
def overtaken(m, d, run):
    """Return True if another thread has found what is asked of frame d: then run.value is set."""
    f = m.frames[d]
    if d == 0 or f.key == 0 or f.beta - f.first_alpha != 1 or not shares(f, run):
        return False
    _, decides = recall(m, f, run)
    if decides:
        run.hits += 1
        run.partial = 0
    return decides


@kernel
def lateness(m, f):
    """Plies less that the next move of frame f is looked ahead, as if none had been put off."""
    score = m.scores[f.base + f.at]
    if SHARED and f.at > 0 and score <= LAST:
        return LAST - score
    return late(f.depth, f.at + f.put_off, score)


@kernel
def puts_off(m, f, run):
    """Whether the next move of frame f is another thread's, and now among the last; else claims it.

    No move is put off twice.
    """
    f.claim = 0
    if not shares(f, run):
        return False
    first, last = f.base + f.at, f.base + f.n - 1 - f.put_off
    claim = mix(f.key ^ u64(m.codes[first]))
    place = np.int64(claim & u64(CLAIMS - 1))
    if m.claims[place] == claim and first <= last:
        less = lateness(m, f) if HAS_EVALUATE and run.late else 0
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
    """Gives up the claim of the move that frame f has tried, or another in its place."""
    m.claims[np.int64(f.claim & u64(CLAIMS - 1))] = 0
