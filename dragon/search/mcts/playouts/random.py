"""Random: every move alike, or as the game's own rule `sample` draws them."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.bits import draw
from dragon.rules.template import kernel

LISTS = False


@kernel
def choose(m, n, seat, ply, settings):
    """Any of n moves."""
    return draw(m.random, n)
