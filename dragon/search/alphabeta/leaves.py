"""Leaves: what needs no frame of its own, since its value is known or guessed at once.

Short names are those of `kernel`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.core import TERMINAL
from dragon.rules.template import (
    HAS_SOLVED,
    kernel,
    payoff,
    solved,
)
from dragon.search.alphabeta.chance import scale
from dragon.search.alphabeta.quiescence import guess, noise, plies_left
from dragon.search.alphabeta.win_distance import at_distance


@kernel
def known(m, s, run):
    """Return True if the game knows what `s` is worth: then run.value is set."""
    units, plies = solved(s, m.tablebase)
    if plies < 0 or (run.sooner and plies == 0 and units != 0):
        return False
    run.value = at_distance(units * scale(), plies) if run.sooner else units * scale()
    return True


@kernel
def leaf(m, s, f, run, seat):
    """Return True if a child of frame f needs no frame of its own: then its value is in `run`."""
    if seat == TERMINAL:
        run.value = payoff(s, 0) * scale()
        run.horizon = 0
    elif HAS_SOLVED and run.solved and known(m, s, run):
        run.horizon = 0
    elif plies_left(f) <= 0 and not noise(f, run, seat):
        run.value = guess(s)
        run.horizon = 1
    else:
        return False
    return True
