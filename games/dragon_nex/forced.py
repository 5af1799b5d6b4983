"""Rules for boards of up to 64 cells, where a word holds all stones of a kind: joined, forced, key.

Whether stones join two edges is found by flood, and looked up on boards of up to TABLED cells.
Tables of positions (`dragon_nex.table`) are made with the same sets. What is forced (`reduce`,
`solved`) is found on single words, and so on these boards only: that is why these rules are apart
from `dragon_nex.rules`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

import numpy as np

from dragon import rule
from dragon.bits import bit, ctz, drop, has, popcount, shl, shr, u64
from dragon_nex.board import Board
from dragon_nex.table.sweep import _edges, joined_sets

TABLED = 16
"""Up to this many cells, whether stones join two edges is looked up."""


def joining_rule(board: Board, around: Any) -> Any:
    """Return the rule `joined(own, colour)`: true if a colour's stones join its edges.

    around: the rule of `dragon_nex.stones.beside`.
    """
    return tabled(board) if board.rows * board.cols <= TABLED else flooding(board, around)


def flooding(board: Board, around: Any) -> Any:
    """Return the rule `joined` by flood."""
    top, bottom, left, right = _edges(board)

    @rule
    def joined(own, colour):
        goal = right if colour else bottom
        reach = own & (left if colour else top)
        if not own & goal:
            return False
        while not reach & goal:
            grown = own & around(reach)
            if grown == reach:
                return False
            reach = grown
        return True

    return joined


def tabled(board: Board) -> Any:
    """Return the rule `joined` by a table, one bit for each set of stones."""
    joins = joined_sets(board)
    table = np.zeros((2, max(1, joins.shape[1] // 64)), np.uint64)
    for colour in (0, 1):
        packed = np.packbits(joins[colour], bitorder="little")
        table[colour].view(np.uint8)[: len(packed)] = packed

    @rule
    def joined(own, colour):
        return has(table[colour, shr(own, 6)], own & u64(63))

    return joined


def forced(board: Board, joined: Any, empty_of: Any, late: bool) -> tuple[Any, Any]:
    """Return the rules `reduce` and `solved`: moves that are forced, by a rule `joined`.

    Where the mover can join its edges now, no other move is better. Otherwise, let the other side
    threaten to do so with its next move. Against a *generate* on some cell only a generate that
    covers the cell helps, for a transform leaves it empty; so only generates that cover all such
    cells are tried. Against a *transform* only a transform that takes one of its two neutral stones
    helps, for a generate leaves them where they are; so only transforms that take one of each such
    pair are tried. Against both nothing helps, and any one move is as good as another. (The
    *must-play region* of Hayward and van Rijswijck, "Hex and Combinatorics", 2006, one move deep.)
    The value and the plies to the end stay what they are.

    There are no dead cells to leave out: a stone that blocks a cell's every use may itself be given
    up and turn neutral, so no cell is out of the game for good.

    Solved is what is won at once, or lost in two plies: against three cells, of which a generate
    covers two, and against a generate and a transform at a time.

    empty_of: the rule `empty` of `dragon_nex.stones.counting`; late: whether transforms have to
    wait until nothing can be generated.
    """
    swap, shift = board.swap_code, board.shift
    mask = (1 << shift) - 1

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
    def spare(own, pair, colour):
        """Return True if own stones and a pair join a colour's edges with one stone given up."""
        if joined(own | pair, colour):
            held = own
            while held:
                given = bit(ctz(held))
                held = drop(held)
                if joined(own & ~given | pair, colour):
                    return True
        return False

    @rule
    def turning(own, neutral, colour):
        """Return True if a transform would join a colour's edges."""
        if joined(own | neutral, colour):
            first = neutral
            while drop(first):
                one = bit(ctz(first))
                first = drop(first)
                second = first
                while second:
                    pair = one | bit(ctz(second))
                    second = drop(second)
                    if spare(own, pair, colour):
                        return True
        return False

    @rule
    def winning(s, out, n):
        """The place of a move that wins at once, or -1."""
        mover = s.status
        own = s.stones[mover, 0]
        cells = joining(own, empty_of(s, 0), mover)
        by_transform = joined(own | s.neutral[0], mover)
        if cells or by_transform:
            for i in range(n):
                code = out[i]
                one, two, given = code >> shift & mask, code & mask, code >> 2 * shift
                if code == swap:
                    continue
                if given:
                    turned = bit(one) | bit(two) | bit(given - 1)
                    if by_transform and joined(own ^ turned, mover):
                        return i
                elif cells & bit(one):
                    return i
        return -1

    @rule
    def reduce(s, out, n):
        at = winning(s, out, n)
        if at >= 0:
            out[0] = out[at]
            return 1
        mover = s.status
        other = s.stones[1 - mover, 0]
        empty = empty_of(s, 0)
        threats = joining(other, empty, 1 - mover) if drop(empty) else u64(0)
        turned = not late and turning(other, s.neutral[0], 1 - mover)
        if not threats and not turned:
            return n
        last = popcount(empty) < 4  # after a generate there is no other
        kept, pair, parried = 0, -1, False
        for i in range(n):
            code = out[i]
            one, two, given = code >> shift & mask, code & mask, code >> 2 * shift
            if code == swap or one == two:
                keep = True
            elif given:
                if turned and not threats and pair != code & (1 << 2 * shift) - 1:
                    pair = code & (1 << 2 * shift) - 1
                    left = s.neutral[0] & ~(bit(one) | bit(two))
                    parried = not turning(other, left, 1 - mover)
                keep = not threats and parried
            else:
                keep = not turned and (last or not threats & ~(bit(one) | bit(two)))
            if keep:
                out[kept] = code
                kept += 1
        return max(kept, 1)

    @rule
    def solved(s, tablebase):
        mover = s.status
        sign = 1 - 2 * mover
        own, other = s.stones[mover, 0], s.stones[1 - mover, 0]
        empty = empty_of(s, 0)
        generate = drop(empty) != u64(0)
        if generate and joining(own, empty, mover):
            return sign, 1
        if not (late and generate) and turning(own, s.neutral[0], mover):
            return sign, 1
        threats = popcount(joining(other, empty, 1 - mover)) if generate else 0
        if threats > 2 and popcount(empty) > 3:
            return -sign, 2
        if threats and not late and turning(other, s.neutral[0], 1 - mover):
            return -sign, 2
        return 0, -1

    return reduce, solved


def word_rules(board: Board, joined: Any, empty_of: Any, late: bool) -> dict[str, Any]:
    """The rules that boards of one word have beside those of `dragon_nex.stones`."""
    cells = board.rows * board.cols
    reduce, solved = forced(board, joined, empty_of, late)
    return {"reduce": reduce, "solved": solved, "key": planes_key(cells) if cells <= 32 else None}


def planes_key(cells: int) -> Any:
    """The rule `key` of up to 32 cells: two bits a cell, of the board or its half turn.

    The half turn is the only symmetry: a reflection would also swap colours and with them
    who moves first. The smaller of the two is the key, so it is injective up to that.
    """
    unused = 32 - cells
    low = u64(0xFFFFFFFF)
    by1, by2, by4, by8, by16 = (u64(0xFFFFFFFFFFFFFFFF // ((1 << n) + 1)) for n in (1, 2, 4, 8, 16))

    @rule
    def key(s):
        x = (s.stones[0, 0] | s.neutral[0]) | shl(s.stones[1, 0] | s.neutral[0], 32)
        y = shl(x & by1, 1) | shr(x, 1) & by1
        y = shl(y & by2, 2) | shr(y, 2) & by2
        y = shl(y & by4, 4) | shr(y, 4) & by4
        y = shl(y & by8, 8) | shr(y, 8) & by8
        y = shl(y & by16, 16) | shr(y, 16) & by16  # each half reversed in its place
        y = shr(y & low, unused) | shl(shr(y, 32 + unused), 32)
        return min(x, y)

    return key
