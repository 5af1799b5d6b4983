"""MAST, the move-average sampling technique (Finnsson and Bjornsson 2008; 2009).

A move that did well whenever it was played is played again. As in Tak, Winands and Bjornsson 2012
the best is taken, except for a share `epsilon` of random moves; one never played counts as a win.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.bits import draw
from dragon.rules.template import kernel
from dragon.search.mcts.statistics.history import explores, mean, slot_of

KEEPS = ("history",)


@kernel
def choose(m, n, seat, ply, settings):
    """The index of the move whose history is best; ties go to the first from a random one on."""
    start = draw(m.random, n)
    if explores(m, settings):
        return start
    best = at = start
    most = -1.0
    for _ in range(n):
        value = mean(m.history[slot_of(seat, m.out[at])], 1.0, settings)
        if value > most:
            best, most = at, value
        at = at + 1 if at + 1 < n else 0
    return best
