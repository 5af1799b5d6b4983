"""How searches order moves: table move, killers, the game's own scores, history.

The kernel keeps each ply's moves in three arrays: codes, places in the game's list, and
scores. `f` is a ply's frame, `run` the run, both records of `dragon.search.kernels.alphabeta`.
"""

from __future__ import annotations

from typing import Any

from dragon.bits import mix
from dragon.rules import rule

FIRST, KILLER, SECOND_KILLER = 1 << 60, 1 << 59, 1 << 58
"""Of the move of the table or of the last iteration, and of the two killers of a ply."""
ORDER_SHIFT = 20
"""The game's own scores, shifted up by this, count before history and stay below the killers."""
FURTHEST = 1 << 8
"""No search with a horizon that matters looks further ahead."""
HISTORY = 1 << 12
"""Counters of the history heuristic, for each side."""
MANY = 256
"""Moves from which sorting all at once beats picking the best again and again."""
MOST_HISTORY = 1 << 19
"""When a counter passes this, all of its side are halved."""


@rule
def weight(depth: int) -> int:
    """What a cutoff adds to its counter: much where much was cut off; 1 without a horizon."""
    return depth * depth if depth <= FURTHEST else 1


@rule
def slot(code: Any) -> int:
    """The history counter of a move code; far-apart codes may share one."""
    return int(mix(code) & (HISTORY - 1))


@rule
def sort(codes: Any, places: Any, scores: Any, n: int) -> None:
    """Brings the first n of each array into the order of falling scores; ties stay as they are.

    Merge sort from the bottom up; places n to 2n - 1 are scratch.
    """
    source, target, run = 0, n, 1
    while run < n:
        out = target
        for left in range(0, n, 2 * run):
            middle, right = min(left + run, n), min(left + 2 * run, n)
            i, j = left, middle
            for _ in range(left, right):
                first = j == right or (i < middle and scores[source + i] >= scores[source + j])
                k = source + i if first else source + j
                codes[out], places[out], scores[out] = codes[k], places[k], scores[k]
                out += 1
                if first:
                    i += 1
                else:
                    j += 1
        source, target, run = target, source, 2 * run
    for i in range(n if source else 0):
        codes[i], places[i] = codes[source + i], places[source + i]


@rule
def pick(f: Any, codes: Any, scores: Any, places: Any) -> None:
    """Brings the best move that is left to the front, keeping the order of the others."""
    start, end = f.base + f.at, f.base + f.n
    best, most, least = start, scores[start], scores[start]
    for i in range(start + 1, end):
        if scores[i] > most:
            best, most = i, scores[i]
        elif scores[i] < least:
            least = scores[i]
    if most == least:
        f.sorted = 1
        return
    code, place = codes[best], places[best]
    for i in range(best, start, -1):
        codes[i] = codes[i - 1]
        places[i] = places[i - 1]
        scores[i] = scores[i - 1]
    codes[start], places[start], scores[start] = code, place, most


@rule
def reward(f: Any, d: int, run: Any, code: int, killers: Any, history: Any) -> None:
    """Remembers a move that cut off."""
    if run.killers and code != killers[d, 0]:
        killers[d, 1] = killers[d, 0]
        killers[d, 0] = code
    if run.history:
        side = 0 if f.sign > 0 else 1
        history[side, slot(code)] += weight(f.depth)
        if history[side, slot(code)] > MOST_HISTORY:
            for i in range(HISTORY):
                history[side, i] //= 2


@rule
def remember(history: Any, row: int, code: int) -> None:
    """Counts a move that proved what its side, a row, wants."""
    history[row, slot(code)] += 1
    if history[row, slot(code)] > MOST_HISTORY:
        for i in range(HISTORY):
            history[row, i] //= 2
