"""Moves that Nex forces: a win at once, and against a threat of one the moves that meet it.

Where the mover can join its edges now, no other move is better. Otherwise, let the other side
threaten to do so by a generate on some cell: a transform leaves the cell empty, so it loses
in two plies, as does a generate elsewhere, as long as two cells stay empty. So only generates
that cover all such cells are tried, and any one move where none does. (The *must-play region*
of Hayward and van Rijswijck, "Hex and Combinatorics", 2006, at its smallest.) The value and the
plies to the end stay what they are.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

from dragon import rule
from dragon.bits import bit, ctz, drop, popcount, u64
from dragon_nex.board import Board


def forced(board: Board, joined: Any) -> Any:
    """The rule `reduce`; `joined` is a rule of `dragon_nex.compact`."""
    swap, shift = board.swap_code, board.shift
    mask = (1 << shift) - 1
    full = u64(board.words_of(board.cells())[0])

    @rule
    def joining(own, cells, colour):
        """The cells of which one alone would join a colour's edges."""
        found = u64(0)
        if joined(own | cells, colour):
            while cells:
                cell = bit(ctz(cells))
                cells = drop(cells)
                if joined(own | cell, colour):
                    found |= cell
        return found

    @rule
    def reduce(s, out, n):
        mover = s.status
        own, other = (s.white, s.black) if mover else (s.black, s.white)
        empty = full & ~(s.black | s.white | s.neutral)
        winning = joining(own, empty, mover)
        by_transform = joined(own | s.neutral, mover)
        if winning or by_transform:
            for i in range(n):
                code = out[i]
                one, two, given = code >> shift & mask, code & mask, code >> 2 * shift
                won = False
                if code == swap:
                    pass
                elif given:
                    if by_transform:
                        won = joined(own ^ (bit(one) | bit(two) | bit(given - 1)), mover)
                else:
                    won = (winning & bit(one)) != u64(0)
                if won:
                    out[0] = code
                    return 1
        if popcount(empty) < 4:
            return n
        threats = joining(other, empty, 1 - mover)
        if not threats:
            return n
        kept = 0
        for i in range(n):
            code = out[i]
            one, two, given = code >> shift & mask, code & mask, code >> 2 * shift
            if code == swap or (not given and not threats & ~(bit(one) | bit(two))):
                out[kept] = code
                kept += 1
        return max(kept, 1)

    return reduce
