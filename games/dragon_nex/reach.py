"""Which stones are joined to an edge, on boards of several words: `reach`, kept move by move.

`reach` holds, of each colour's stones, those joined to its near edge; see `dragon_nex.wide`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

import numpy as np

from dragon import rule
from dragon.bits import bit, shl, shr, u64
from dragon_nex.board import Board


def beside(board: Board) -> tuple[Any, Any, Any]:
    """Three rules on a word `x`: the cells `around` it, and those `below` and `above` that touch.

    `around` are cells of the same word, `below` and `above` of the next and of the one before.
    """
    cols = board.cols
    last_row = (board.per_word - 1) * cols
    one_row = u64((1 << cols) - 1)
    column = Board(board.per_word, cols)
    not_first, not_last = (u64(~column.words_of(column.edge(1, far))[0]) for far in (False, True))

    @rule
    def around(x):
        """The cells that touch those of `x`, and `x`."""
        to_left, to_right = x & not_first, x & not_last
        return (
            x | shl(x, cols) | shr(x, cols) | shr(to_left, 1) | shl(to_right, 1)
            | shl(to_left, cols - 1) | shr(to_right, cols - 1)
        )  # fmt: skip

    @rule
    def below(x):
        row = shr(x, last_row)
        return row | shr(row, 1)

    @rule
    def above(x):
        row = x & one_row
        return shl((row | shl(row, 1)) & one_row, last_row)

    return around, below, above


def growing(board: Board, around: Any, below: Any, above: Any) -> Any:
    """The rule `spread`, which completes `reach` from what it holds."""
    words = board.words

    @rule
    def grow(s, colour, w):
        """Adds the stones of word w that touch `reach`; whether there were any."""
        own, reach = s.stones[colour, w], s.reach[colour, w]
        if own == reach:
            return False
        grown = around(reach)
        if w > 0:
            grown |= below(s.reach[colour, w - 1])
        if w < words - 1:
            grown |= above(s.reach[colour, w + 1])
        grown &= own
        if grown == reach:
            return False
        while grown != reach:
            reach = grown
            grown = around(reach) & own
        s.reach[colour, w] = reach
        return True

    @rule
    def spread(s, colour, w):
        """Word w first, where something is new; then all of them."""
        grow(s, colour, w)
        again = True
        while again:
            again = False
            for v in range(words):
                if grow(s, colour, v):
                    again = True

    return spread


def reaching(board: Board) -> tuple[Any, Any, Any]:
    """Three rules on `reach`: `attach` a new stone, `trace` it again, has it `arrived`?"""
    words = board.words
    starts, goals = (
        np.array([board.words_of(board.edge(c, far)) for c in (0, 1)], np.uint64)
        for far in (False, True)
    )
    around, below, above = beside(board)
    spread = growing(board, around, below, above)

    @rule
    def attach(s, colour, point):
        """Brings `reach` up to date after one stone more."""
        w = point >> 6
        x = bit(point & 63)
        touched = (around(x) & s.reach[colour, w]) | (x & starts[colour, w])
        if w > 0:
            touched |= above(x) & s.reach[colour, w - 1]
        if w < words - 1:
            touched |= below(x) & s.reach[colour, w + 1]
        if touched:
            s.reach[colour, w] |= x
            spread(s, colour, w)

    @rule
    def trace(s, colour):
        """Works `reach` out from the stones."""
        for w in range(words):
            s.reach[colour, w] = s.stones[colour, w] & starts[colour, w]
        spread(s, colour, 0)

    @rule
    def arrived(s, colour):
        """Return True if the colour's edges are joined."""
        met = u64(0)
        for w in range(words):
            met |= s.reach[colour, w] & goals[colour, w]
        return bool(met)

    return attach, trace, arrived
