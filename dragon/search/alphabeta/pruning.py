"""Pruning by guesses: what a zero window asks is often answered without a look at the moves.

- Futility, near the horizon: a guess that is a margin above the window is taken for the answer; one
  a margin below it is no longer raised by quiet moves, so that noisy ones alone are looked at.
- Null moves: a side may pass, looked ahead less far. Where that is enough, so is a move, if some
  move is better than to pass, as the game says by `skip`. Nobody passes twice in a row. Where a
  pass needs no horizon the moves are searched after all, so that proofs are as without it.

Neither answers where the window lies beyond all guesses, among the values of ends.

Sources: Beal 1989, Donninger 1993 and Heinz 1999 (null moves); Heinz 1998 (futility). Short names
are those of `kernel`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from dragon.rules.rules import rule
from dragon.rules.template import HAS_NOISY, HAS_SKIP, kernel, noisy, skip
from dragon.search.alphabeta.listing import scored
from dragon.search.alphabeta.quiescence import guess, guesses, highest
from dragon.search.alphabeta.settings import FAR
from dragon.search.alphabeta.win_distance import ply_earlier

NEAR = 2
"""Plies before the horizon where futility may answer."""
LEAST_DEPTH = 2
"""Plies looked ahead where a side may pass."""
OPEN, DECIDED, NOISY = 0, 1, 2
"""What futility says: nothing; the value; that noisy moves alone are looked at."""


@rule
def asks_less(alpha: int, beta: int, most: int) -> bool:
    """Return True if a guess, of which `most` is the highest, may answer what a window asks."""
    return beta - alpha == 1 and -most <= alpha and beta <= most


@rule
def less_after_pass(depth: int) -> int:
    """Plies less that a pass is looked ahead than a move."""
    return min(2 if depth < 7 else 3, depth - 1)


@kernel
def futile(m, d, run):
    """OPEN, DECIDED or NOISY of frame d; where it is DECIDED, run.value is set."""
    f, s = m.frames[d], m.states[d]
    if not HAS_NOISY or f.depth > NEAR or not asks_less(f.alpha, f.beta, highest()):
        return OPEN
    value, margin = f.sign * guess(s), run.futility * f.depth
    above, below = value - margin >= f.beta, value + margin <= f.alpha
    if not above and not below:
        return OPEN
    n = noisy(s, m.codes[f.base :])
    if n < 0:
        return OPEN
    f.key = 0
    f.upper = FAR
    f.first_alpha = f.alpha
    f.best = value - margin if above else value + margin
    f.best_index = -1
    f.partial = 0
    f.horizon = 1
    if above or n == 0:
        run.value = f.sign * f.best
        run.horizon = 1
        return DECIDED
    scored(m, s, f, d, run, -1, n)
    return NOISY


@kernel
def passes(m, d, run):
    """Whether a pass is tried at frame d, as its move -1, and has been made in states[d + 1]."""
    f = m.frames[d]
    if not HAS_SKIP or f.passed or f.depth < LEAST_DEPTH:
        return False
    if not asks_less(f.alpha, f.beta, highest()) or f.sign * guess(m.states[d]) < f.beta:
        return False
    m.states[d + 1] = m.states[d]
    if not skip(m.states[d + 1]):
        return False
    f.at = -1
    f.narrow = 0
    f.late = less_after_pass(f.depth)
    return True


@kernel
def learn_pass(f, run):
    """Takes run.value for the pass of frame f: the frame is done if it is enough."""
    value = f.sign * run.value
    if run.sooner:
        value = ply_earlier(value, guesses())
    f.at = 0
    if value >= f.beta and run.horizon:
        f.best = min(value, highest())
        f.horizon = 1
        f.at = f.n
