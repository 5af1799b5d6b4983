"""Nex on boards of up to 64 cells: one 64-bit word for each kind of stone.

Boards of up to 16 cells look up whether stones join two edges, and play random games 1.16 times as
fast as `wide` would. On larger ones `wide` is quicker at that (6x6 1.06, 8x8 1.1 times), but
`forced` and `solved` work on single words.

A record: `black`, `white` and `neutral`, in which cell (r, c) is bit r * cols + c, and
`status` (see `dragon_nex.rules`), which follows from them.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

import numpy as np

from dragon import rule
from dragon.bits import bit, ctz, draw, drop, has, popcount, select, shl, shr, u64
from dragon_nex.board import Board
from dragon_nex.forced import forced
from dragon_nex.order import winning_order

TABLED = 16
"""Up to this many cells, whether stones join two edges is looked up."""
FIELDS = [("black", "u8"), ("white", "u8"), ("neutral", "u8"), ("status", "i8")]
BLACK_WON, DRAWN, WHITE_WON = 2, 3, 4


def flooding(board: Board) -> Any:
    """The rule `joined(own, colour)`: whether a colour's stones join its two edges, by flood."""
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


def _full(board: Board) -> Any:
    return u64(board.words_of(board.cells())[0])


def _edges(board: Board) -> list[Any]:
    return [u64(board.words_of(board.edge(c, far))[0]) for c in (0, 1) for far in (False, True)]


def listing(board: Board, late: bool, fill: bool) -> Any:
    """The rule `moves`."""
    full, shift = _full(board), board.shift

    @rule
    def generates(empty, out):
        n = 0
        rest = empty
        while rest:
            own = ctz(rest) << shift
            rest = drop(rest)
            others = empty & ~bit(own >> shift)
            while others:
                out[n] = own | ctz(others)
                n += 1
                others = drop(others)
        return n

    @rule
    def moves(s, out):
        empty = full & ~(s.black | s.white | s.neutral)
        n = generates(empty, out)
        if late and n:
            return n
        held = s.white if s.status else s.black
        first = s.neutral
        while drop(first):
            one = ctz(first) << shift
            first = drop(first)
            second = first
            while second:
                pair = one | ctz(second)
                second = drop(second)
                given = held
                while given:
                    out[n] = ctz(given) + 1 << 2 * shift | pair
                    n += 1
                    given = drop(given)
        if fill and n == 0:
            last = ctz(empty if empty else s.neutral)
            out[0] = last << shift | last
            n = 1
        return n

    return moves


def playing(board: Board, fill: bool, joined: Any) -> tuple[Any, Any]:
    """The rules `play` and `settle`, which sets the status after `mover`, a colour, has moved."""
    full, shift = _full(board), board.shift
    mask = (1 << shift) - 1

    @rule
    def play(s, code):
        mover = s.status
        own = s.white if mover else s.black
        neutral = s.neutral
        one, two, given = code >> shift & mask, code & mask, code >> 2 * shift
        if given:
            changed = bit(one) | bit(two) | bit(given - 1)
            own ^= changed
            neutral ^= changed
        elif one != two:
            own |= bit(one)
            neutral |= bit(two)
        else:
            own |= bit(one)
            neutral &= ~bit(one)
        if mover:
            s.white = own
        else:
            s.black = own
        s.neutral = neutral
        settle(s, mover)

    @rule
    def settle(s, mover):
        if joined(s.white if mover else s.black, mover):
            s.status = BLACK_WON + 2 * mover
            return
        s.status = 1 - mover
        empty = full & ~(s.black | s.white | s.neutral)
        if not fill and not drop(empty) and not drop(s.neutral):
            s.status = DRAWN

    return play, settle


def sampling(board: Board, late: bool, fill: bool) -> Any:
    """The rule `sample`."""
    full, shift = _full(board), board.shift

    @rule
    def sample(s, random):
        empty = full & ~(s.black | s.white | s.neutral)
        held = s.white if s.status else s.black
        e, n = popcount(empty), popcount(s.neutral)
        generates, transforms = e * (e - 1), n * (n - 1) // 2 * popcount(held)
        if late and generates:
            transforms = 0
        if fill and generates + transforms == 0:
            last = ctz(empty if empty else s.neutral)
            return last << shift | last
        at = draw(random, generates + transforms)
        if at < generates:
            one = select(empty, draw(random, e))
            return one << shift | select(empty & ~bit(one), draw(random, e - 1))
        one = select(s.neutral, draw(random, n))
        two = select(s.neutral & ~bit(one), draw(random, n - 1))
        given = select(held, draw(random, popcount(held)))
        return given + 1 << 2 * shift | min(one, two) << shift | max(one, two)

    return sample


def compact_rules(board: Board, late: bool, fill: bool) -> dict[str, Any]:
    """The rules that read and write the stones; see `dragon_nex.rules` for move codes."""
    cells = board.rows * board.cols
    joined = tabled(board) if cells <= TABLED else flooding(board)
    play, settle = playing(board, fill, joined)
    reduce, solved = forced(board, joined, late)

    @rule
    def fresh(s):
        """Return True if White has not moved yet."""
        return not s.white

    return {
        "moves": listing(board, late, fill),
        "play": play,
        "settle": settle,
        "fresh": fresh,
        "sample": sampling(board, late, fill),
        "order": winning_order(board, joined),
        "reduce": reduce,
        "solved": solved,
        "key": planes_key(cells) if cells <= 32 else None,
    }


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
        x = (s.black | s.neutral) | shl(s.white | s.neutral, 32)
        y = shl(x & by1, 1) | shr(x, 1) & by1
        y = shl(y & by2, 2) | shr(y, 2) & by2
        y = shl(y & by4, 4) | shr(y, 4) & by4
        y = shl(y & by8, 8) | shr(y, 8) & by8
        y = shl(y & by16, 16) | shr(y, 16) & by16  # each half reversed in its place
        y = shr(y & low, unused) | shl(shr(y, 32 + unused), 32)
        return min(x, y)

    return key
