"""Random: uniform playouts, or moves drawn by the game's own rule `sample`."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.bits import draw
from dragon.rules.template import kernel

LISTS = False


@kernel
def choose(m, n, seat, ply, settings):
    """Return the index of one of n moves, each as likely."""
    return draw(m.random, n)
