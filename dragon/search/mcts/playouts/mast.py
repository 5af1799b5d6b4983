"""MAST, the move-average sampling technique (Finnsson and Bjornsson 2008; 2009).

Each move has the mean of all simulations in which it was played. As in Tak, Winands and Bjornsson
2012 the playout is epsilon-greedy: the best move, or with probability `epsilon` a random one. A
move that was never played counts as a win.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.bits import draw
from dragon.rules.template import kernel
from dragon.search.mcts.statistics.history import explores, mean, slot_of

KEEPS = ("history",)


@kernel
def choose(m, n, seat, ply, settings):
    """Return the index of the move with the best history; ties go to the first after a random
    place."""
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
