"""Connect four written by hand in numba, nothing shared with dragon: the yardstick.

`me` is the side to move, `opp` the other; bit 7 * column + height.
"""

from __future__ import annotations

import numpy as np
from numba import njit, uint64


@njit(error_model="numpy")
def _won(stones):
    for along in (1, 6, 7, 8):
        pairs = stones & (stones >> uint64(along))
        if pairs & (pairs >> uint64(2 * along)):
            return True
    return False


@njit(error_model="numpy")
def _drop(me, opp, column):
    held = me | opp
    if held & (uint64(1) << uint64(7 * column + 5)):
        return uint64(0)
    return (held + (uint64(1) << uint64(7 * column))) & ~held


@njit("int64(uint64, uint64, int64, int64)", error_model="numpy")
def perft(me, opp, ply, depth):
    """Move paths of length `depth`; the last ply is counted, not played."""
    if ply == 42 or _won(opp):
        return 0
    total = 0
    for column in range(7):
        stone = _drop(me, opp, column)
        if stone:
            total += 1 if depth == 1 else perft(opp, me | stone, ply + 1, depth - 1)
    return total


@njit(error_model="numpy")
def _random(state):
    state[0] += uint64(0x9E3779B97F4A7C15)
    z = state[0]
    z = (z ^ (z >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint64(27))) * uint64(0x94D049BB133111EB)
    return (z ^ (z >> uint64(31))) >> uint64(32)


@njit(error_model="numpy")
def playouts(count, state):
    """The first side's wins less its losses over `count` random games."""
    total = 0
    free = np.zeros(7, np.int64)
    for _ in range(count):
        me, opp = uint64(0), uint64(0)
        ply = 0
        while ply < 42 and not _won(opp):
            n = 0
            for column in range(7):
                if _drop(me, opp, column):
                    free[n] = column
                    n += 1
            column = free[np.int64((_random(state) * uint64(n)) >> uint64(32))]
            me, opp = opp, me | _drop(me, opp, column)
            ply += 1
        if _won(opp):
            total += 1 if ply % 2 else -1
    return total


@njit("int64(uint64, uint64, int64, int64, int64, int64, int64[:])", error_model="numpy")
def alphabeta(me, opp, ply, depth, alpha, beta, nodes):
    """Plain alpha-beta, 0 at the horizon; counts into nodes, int64[1]."""
    nodes[0] += 1
    if _won(opp):
        return -1
    if ply == 42 or depth == 0:
        return 0
    best = -2
    for column in range(7):
        stone = _drop(me, opp, column)
        if stone:
            value = -alphabeta(opp, me | stone, ply + 1, depth - 1, -beta, -alpha, nodes)
            best = max(best, value)
            alpha = max(alpha, value)
            if alpha >= beta:
                break
    return best
