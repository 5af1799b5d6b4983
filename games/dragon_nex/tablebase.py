"""Tables for searches of any kind: the rule `solved` and the bytes that it reads.

The bytes are the shelves of a table one after another, with the place of each position worked
out as in `dragon_nex.table.index`. How many there are tells whether they are values or distances.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from dragon import rule
from dragon.bits import bit, ctz, drop, popcount, u64
from dragon_nex.board import Board
from dragon_nex.table.files import Kind
from dragon_nex.table.index import shelves
from dragon_nex.table.lookup import DRAWN_AT

if TYPE_CHECKING:
    from numpy.typing import NDArray


def tablebase(board: Board) -> NDArray[np.uint8]:
    """All shelves of a board's table; empty where there is none, but small ones are made.

    Raises ConfigError where files are damaged.
    """
    from dragon.errors import SearchError
    from dragon_nex.table.lookup import table

    try:
        return table(board.rows, board.cols).whole
    except SearchError:
        return np.zeros(0, np.uint8)


def placing(board: Board) -> Any:
    """The rule `place(black, white, neutral)`: where a position stands in all shelves together."""
    cells = board.rows * board.cols
    full = u64((1 << cells) - 1)
    choose = np.array([[comb(n, k) for k in range(cells + 1)] for n in range(cells)], np.int64)
    first, stride, colourings = np.zeros((3, cells + 1, cells + 1), np.int64)
    at = 0
    for shelf in shelves(cells):
        here = shelf.layer.empty, shelf.layer.neutral
        first[here], stride[here], colourings[here] = at, shelf.stride, shelf.colourings
        at += comb(cells, shelf.layer.empty) * shelf.stride

    @rule
    def rank(held):
        """Return how many sets of as many cells come before."""
        total = 0
        k = 1
        while held:
            total += choose[ctz(held), k]
            held = drop(held)
            k += 1
        return total

    @rule
    def packed(held, among):
        """The cells of `held`, numbered as they stand among others."""
        found = u64(0)
        i = 0
        while among:
            if held & bit(ctz(among)):
                found |= bit(i)
            among = drop(among)
            i += 1
        return found

    @rule
    def place(black, white, neutral):
        stones = black | white
        empty = full & ~(stones | neutral)
        e, n = popcount(empty), popcount(neutral)
        at = first[e, n] + rank(empty) * stride[e, n]
        at += rank(packed(neutral, stones | neutral)) * colourings[e, n]
        return at + rank(packed(black, stones))

    return place


def solving(board: Board, otherwise: Any) -> Any:
    """The rule `solved`; `otherwise` is one that is asked where there is no table."""
    kinds = Kind(board.rows, board.cols), Kind(board.rows, board.cols, distances=True)
    values, distances = (kind.size for kind in kinds)
    place = placing(board)

    @rule
    def solved(s, tablebase):
        if len(tablebase) != values and len(tablebase) != distances:
            return otherwise(s, tablebase)
        sign = 1 - 2 * s.status
        at = place(s.black, s.white, s.neutral)
        if len(tablebase) == values:
            value = (np.int64(tablebase[at >> 2]) >> ((at & 3) << 1) & 3) - 2
            return sign * value, 0
        plies = np.int64(tablebase[at >> 1]) >> ((at & 1) << 2) & 15
        if plies == DRAWN_AT:
            return 0, 0
        return sign if plies & 1 else -sign, plies

    return solved


def solving_swap(plain: Any, fresh: Any) -> Any:
    """The rule `solved` with the swap; while that may come nothing is known."""

    @rule
    def solved(s, tablebase):
        if s.swapped == 0 and fresh(s):
            return 0, -1
        units, plies = plain(s, tablebase)
        return units * (1 - 2 * s.swapped), plies

    return solved
