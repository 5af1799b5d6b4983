"""Moves that Nex forces: a win at once, and against a threat of one the moves that meet it.

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
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

from dragon import rule
from dragon.bits import bit, ctz, drop, popcount, u64
from dragon_nex.board import Board


def forced(board: Board, joined: Any, late: bool) -> tuple[Any, Any]:
    """The rules `reduce` and `solved`; `joined` is a rule of `dragon_nex.compact`.

    Solved is what is won at once, or lost in two plies: against three cells, of which a generate
    covers two, and against a generate and a transform at a time.

    `late` is whether transforms have to wait until nothing can be generated.
    """
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
        own = s.white if mover else s.black
        cells = joining(own, full & ~(s.black | s.white | s.neutral), mover)
        by_transform = joined(own | s.neutral, mover)
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
        other = s.black if mover else s.white
        empty = full & ~(s.black | s.white | s.neutral)
        threats = joining(other, empty, 1 - mover) if drop(empty) else u64(0)
        turned = not late and turning(other, s.neutral, 1 - mover)
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
                    left = s.neutral & ~(bit(one) | bit(two))
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
        own, other = (s.white, s.black) if mover else (s.black, s.white)
        empty = full & ~(s.black | s.white | s.neutral)
        generate = drop(empty) != u64(0)
        if generate and joining(own, empty, mover):
            return sign, 1
        if not (late and generate) and turning(own, s.neutral, mover):
            return sign, 1
        threats = popcount(joining(other, empty, 1 - mover)) if generate else 0
        if threats > 2 and popcount(empty) > 3:
            return -sign, 2
        if threats and not late and turning(other, s.neutral, 1 - mover):
            return -sign, 2
        return 0, -1

    return reduce, solved
