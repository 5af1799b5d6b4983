"""NST, the N-gram selection technique (Tak, Winands and Bjornsson 2012): MAST in context.

A move's value is the mean of up to three: of the move alone, of it after the last move, and of it
after the last two. A sequence of two or three moves counts once it has been seen `SEEN` times.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.bits import draw
from dragon.rules.template import kernel
from dragon.search.mcts.statistics.history import explores, mean, pair, slot_of, triple

KEEPS = ("history", "grams")
SEEN = 7
"""The simulations from which a sequence counts, as in the paper."""


@kernel
def value_of(m, at, ply, settings):
    """Return the mean over the sequences that end with the move at this place of the history."""
    total = mean(m.history[at], 1.0, settings)
    count = 1
    if ply >= 1 and m.played[ply - 1] >= 0:
        two = m.grams[pair(m.played[ply - 1], at)]
        if two.visits >= SEEN:
            total += mean(two, 1.0, settings)
            count += 1
        if ply >= 2 and m.played[ply - 2] >= 0:
            three = m.grams[triple(m.played[ply - 2], m.played[ply - 1], at)]
            if three.visits >= SEEN:
                total += mean(three, 1.0, settings)
                count += 1
    return total / count


@kernel
def choose(m, n, seat, ply, settings):
    """Return the index of the move with the best value; ties go to the first after a random
    place."""
    start = draw(m.random, n)
    if explores(m, settings):
        return start
    best = at = start
    most = -1.0
    for _ in range(n):
        value = value_of(m, slot_of(seat, m.out[at]), ply, settings)
        if value > most:
            best, most = at, value
        at = at + 1 if at + 1 < n else 0
    return best
