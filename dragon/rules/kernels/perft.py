"""Counting move paths: a depth-first walk with one record and one stretch of moves per ply."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from dragon.core import TERMINAL
from dragon.rules.template import WIDTH, kernel, moves, play, turn


@kernel
def count(states, codes, first, last, at, depth):
    """Paths of length `depth` from states[0]; -1 where `codes` is too short.

    states: records[depth + 1]; codes: int64[any], one stack for the moves of all plies;
    first, last, at: int64[depth + 1], where a ply's moves begin and end on it, and which
    comes next.
    """
    if depth == 0:
        return 1
    total = 0
    d = 0
    top = 0
    while True:
        s = states[d]
        n = 0
        if turn(s) != TERMINAL:
            if top + WIDTH > len(codes):
                return -1
            out = codes[top:]
            n = moves(s, out)
        if d == depth - 1:
            total += n
            d -= 1
        else:
            first[d] = at[d] = top
            last[d] = top = top + n
        while d >= 0 and at[d] == last[d]:
            top = first[d]
            d -= 1
        if d < 0:
            return total
        states[d + 1] = states[d]
        play(states[d + 1], codes[at[d]])
        at[d] += 1
        d += 1
