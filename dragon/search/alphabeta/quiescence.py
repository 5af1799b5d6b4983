"""Beyond the horizon: only noisy moves are looked at, until a guess can be trusted.

A side need not make any of them, so that it has the guess at least; where the game trusts no guess
all moves are looked at. Frames there have a depth of 0 or less, and no table.

Sources: Harris 1975 and Beal 1990 (quiescence search). Short names are those of `kernel`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

import numpy as np

from dragon.core import CHANCE
from dragon.rules.rules import rule
from dragon.rules.template import HAS_EVALUATE, HAS_NOISY, LARGEST, evaluate, kernel, noisy
from dragon.search.alphabeta.chance import scale
from dragon.search.alphabeta.listing import enlist, scored
from dragon.search.alphabeta.settings import FAR


@kernel
def highest():
    """More than any guess, in steps, and less than any proven largest payoff."""
    return LARGEST * scale() - scale() // 2


@kernel
def guesses():
    """Values of at most so many steps are those of guesses and draws; see `settings.guesses_of`."""
    return highest() if HAS_EVALUATE and LARGEST == 1 else 0


@rule
def within(value: Any, most: int) -> Any:
    """A guess in steps, at most `most` either way.

    An evaluation of 1 or more, or one that is not a number, would be taken for a proven end.
    """
    if not value < most:
        return most
    return value if value > -most else -most


@kernel
def guess(s):
    """The game's evaluation in steps."""
    return np.int64(within(evaluate(s, 0) * highest(), highest())) if HAS_EVALUATE else 0


@kernel
def plies_left(f):
    """How many plies the child of frame f that is tried is looked ahead."""
    return f.depth - 1 - f.late if HAS_EVALUATE else f.depth - 1


@kernel
def noise(f, run, seat):
    """Return True if a child of frame f at the horizon or beyond has a frame of its own."""
    return HAS_EVALUATE and HAS_NOISY and plies_left(f) > -run.quiescence and seat != CHANCE


@kernel
def stand(m, d, run):
    """Opens a frame at the horizon or beyond; True if its guess decides: then run.value is set."""
    f, s = m.frames[d], m.states[d]
    f.key = 0
    f.upper = FAR
    f.first_alpha = f.alpha
    f.best = -FAR
    f.best_index = -1
    f.partial = 0
    f.horizon = 0
    n = noisy(s, m.codes[f.base :])
    if n < 0:
        enlist(m, s, f, d, run, -1)
        return False
    f.horizon = 1
    f.best = f.sign * guess(s)
    if n == 0 or f.best >= f.beta:
        run.value = f.sign * f.best
        run.horizon = 1
        return True
    f.alpha = max(f.alpha, f.best)
    scored(m, s, f, d, run, -1, n)
    return False
