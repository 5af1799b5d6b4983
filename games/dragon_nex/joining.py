"""Stones that join two edges, on boards of one word: by flood, or looked up where a table is small.

Tables of positions (`dragon_nex.table`) are made with the same sets, which are a part of their
identity, names included.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dragon import rule
from dragon.bits import has, shl, shr, u64

if TYPE_CHECKING:
    from dragon_nex.board import Board


def flooding(board: Board) -> Any:
    """Return the rule `joined(own, colour)`: true if a colour's stones join its edges, by flood."""
    cols = board.cols
    top, bottom, left, right = _edges(board)
    not_first, not_last = ~left, ~right

    @rule
    def joined(own, colour):
        goal = right if colour else bottom
        reach = own & (left if colour else top)
        if not own & goal:
            return False
        while not reach & goal:
            to_left, to_right = reach & not_first, reach & not_last
            grown = own & (
                reach | shl(reach, cols) | shr(reach, cols) | shr(to_left, 1) | shl(to_right, 1)
                | shl(to_left, cols - 1) | shr(to_right, cols - 1)
            )  # fmt: skip
            if grown == reach:
                return False
            reach = grown
        return True

    return joined


def tabled(board: Board) -> Any:
    """Return the rule by a table, one bit for each set of stones."""
    joins = joined_sets(board)
    table = np.zeros((2, max(1, joins.shape[1] // 64)), np.uint64)
    for colour in (0, 1):
        packed = np.packbits(joins[colour], bitorder="little")
        table[colour].view(np.uint8)[: len(packed)] = packed

    @rule
    def joined(own, colour):
        return has(table[colour, shr(own, 6)], own & u64(63))

    return joined


def joined_sets(board: Board) -> Any:
    """bool[2, 2**cells]: which sets of stones join a colour's two edges, from a flood of all."""
    cols, own = board.cols, np.arange(1 << board.rows * board.cols, dtype=np.uint64)
    top, bottom, left, right = _edges(board)
    found = np.zeros((2, len(own)), bool)
    for colour, (start, goal) in enumerate([(top, bottom), (left, right)]):
        reach, before = own & start, ~own
        while (reach != before).any():
            before, to_left, to_right = reach, reach & ~left, reach & ~right
            reach = own & (
                reach | reach << cols | reach >> cols | to_left >> 1 | to_right << 1
                | to_left << (cols - 1) | to_right >> (cols - 1)
            )  # fmt: skip
        found[colour] = reach & goal != 0
    return found


def _edges(board: Board) -> list[Any]:
    """Return the words of the cells of Black's near and far edge, then of White's."""
    return [u64(board.words_of(board.edge(c, far))[0]) for c in (0, 1) for far in (False, True)]
