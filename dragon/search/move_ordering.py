"""Move ordering: scores for the hash move, killer moves, the game's own order and history.

Kernels keep each ply's moves in three arrays: codes, places in the game's list, and scores.
"""

from __future__ import annotations

from typing import Any

from dragon.bits import mix
from dragon.rules.rules import rule

FIRST = 1 << 60
"""The score of the hash move, or of the best move of the last iteration."""
KILLER, SECOND_KILLER = 1 << 21, 1 << 20
"""The scores of the two killers of a ply, which count before history."""
ORDER_SHIFT = 22
"""The shift of the game's own scores, which puts them before killers: they know more of the
position."""
FURTHEST = 1 << 8
"""The greatest depth at which killers are kept apart by ply."""
HISTORY = 1 << 12
"""Counters of the history heuristic, for each side."""
MANY = 256
"""The least number of moves at which sorting all is faster than picking the best each time."""
MOST_HISTORY = 1 << 19
"""The most of a history counter; beyond it, all counters of its side are halved."""


@rule
def weight(depth: int) -> int:
    """Return the points that a cutoff adds to its history counter: more at a greater depth."""
    return depth * depth if depth <= FURTHEST else 1


@rule
def slot(code: Any) -> int:
    """Return the history counter of a move code: small codes have their own, others may share one.

    So the counters of a board's moves are adjacent in memory, as they are read together.
    """
    return int(code) if 0 <= code < HISTORY else int(mix(code) & (HISTORY - 1))


@rule
def sort(codes: Any, places: Any, scores: Any, n: int) -> None:
    """Bring the first n of each array into the order of falling scores; ties stay as they are.

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
        scores[i] = scores[source + i]


@rule
def pick(f: Any, codes: Any, scores: Any, places: Any) -> None:
    """Move the best of the remaining moves to the front, keeping the order of the others."""
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
def credit(history: Any, side: int, code: int, points: int) -> None:
    """Add to the counter of a move that served its side, a row; halve a row that is large."""
    at = slot(code)
    history[side, at] += points
    if history[side, at] > MOST_HISTORY:
        for i in range(HISTORY):
            history[side, i] //= 2
