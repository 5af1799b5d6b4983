"""Nex on boards of more than 64 cells: several words for each kind of stone, whole rows to a word.

A record: `stones` by colour and word, `neutral` by word, `reach` (of each colour's stones
those joined to its near edge, kept up to date move by move) and `status` (see
`dragon_nex.rules`). The last two follow from the others.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

import numpy as np

from dragon import rule
from dragon.bits import bit, ctz, draw, drop, has, popcount, select
from dragon_nex.board import Board
from dragon_nex.compact import BLACK_WON, DRAWN
from dragon_nex.order import static_order
from dragon_nex.reach import reaching


def wide_fields(board: Board) -> list[tuple[Any, ...]]:
    """The record's fields."""
    sides = ("u8", (2, board.words))
    neutral = ("neutral", "u8", (board.words,))
    return [("stones", *sides), neutral, ("reach", *sides), ("status", "i8")]


def counting(board: Board) -> tuple[Any, Any, Any, Any]:
    """Rules on sets: `empty` cells of a word, `empties`, and the `total` and the `nth` of words."""
    words = board.words
    full = np.array(board.words_of(board.cells()), np.uint64)

    @rule
    def empty(s, w):
        """The empty cells of a word."""
        return full[w] & ~(s.stones[0, w] | s.stones[1, w] | s.neutral[w])

    @rule
    def empties(s):
        """Return how many cells are empty."""
        count = 0
        for w in range(words):
            count += popcount(empty(s, w))
        return count

    @rule
    def total(held):
        """Return how many cells a set has."""
        count = 0
        for w in range(words):
            count += popcount(held[w])
        return count

    @rule
    def nth(held, k):
        """The k-th point of a set."""
        for w in range(words):
            here = popcount(held[w])
            if k < here:
                return 64 * w + select(held[w], k)
            k -= here
        return -1

    return empty, empties, total, nth


def filling(board: Board, empty: Any) -> Any:
    """The rule `lone`: the only cell that is empty, or else the only neutral stone."""
    words = board.words

    @rule
    def lone(s):
        for w in range(words):
            if empty(s, w):
                return 64 * w + ctz(empty(s, w))
        for w in range(words):
            if s.neutral[w]:
                return 64 * w + ctz(s.neutral[w])
        return -1

    return lone


def listing(board: Board, late: bool, fill: bool, empty: Any, lone: Any) -> Any:
    """The rule `moves`."""
    words, shift = board.words, board.shift

    @rule
    def generates(s, out):
        n = 0
        for v in range(words):
            rest = empty(s, v)
            while rest:
                own = 64 * v + ctz(rest)
                rest = drop(rest)
                for w in range(words):
                    others = empty(s, w)
                    while others:
                        other = 64 * w + ctz(others)
                        others = drop(others)
                        if other != own:
                            out[n] = own << shift | other
                            n += 1
        return n

    @rule
    def gifts(s, colour, pair, out, n):
        """Writes the transforms of one pair of neutrals; how many moves there are now."""
        for w in range(words):
            given = s.stones[colour, w]
            while given:
                out[n] = 64 * w + ctz(given) + 1 << 2 * shift | pair
                n += 1
                given = drop(given)
        return n

    @rule
    def moves(s, out):
        n = generates(s, out)
        if late and n:
            return n
        for v in range(words):
            first = s.neutral[v]
            while first:
                one = 64 * v + ctz(first) << shift
                first = drop(first)
                for w in range(v, words):
                    second = first if w == v else s.neutral[w]
                    while second:
                        n = gifts(s, s.status, one | 64 * w + ctz(second), out, n)
                        second = drop(second)
        if fill and n == 0:
            last = lone(s)
            out[0] = last << shift | last
            n = 1
        return n

    return moves


def playing(board: Board, fill: bool, empties: Any, total: Any) -> tuple[Any, Any]:
    """The rules `play` and `settle`, which sets all that follows from the stones."""
    shift = board.shift
    mask = (1 << shift) - 1
    attach, trace, arrived = reaching(board)

    @rule
    def flip(s, colour, point):
        """A neutral stone becomes one of the colour, or the other way about."""
        w = point >> 6
        x = bit(point & 63)
        s.stones[colour, w] ^= x
        s.neutral[w] ^= x

    @rule
    def play(s, code):
        mover = s.status
        one, two, given = code >> shift & mask, code & mask, (code >> 2 * shift) - 1
        if given >= 0:
            flip(s, mover, one)
            flip(s, mover, two)
            flip(s, mover, given)
        else:
            s.stones[mover, one >> 6] |= bit(one & 63)
            if one != two:
                s.neutral[two >> 6] |= bit(two & 63)
            else:
                s.neutral[one >> 6] &= ~bit(one & 63)
        if given >= 0 and has(s.reach[mover, given >> 6], given & 63):
            trace(s, mover)
        else:
            attach(s, mover, one)
            if given >= 0:
                attach(s, mover, two)
        conclude(s, mover)

    @rule
    def conclude(s, mover):
        """Sets the status after `mover`, a colour, has moved and its reach is known."""
        if arrived(s, mover):
            s.status = BLACK_WON + 2 * mover
            return
        s.status = 1 - mover
        if not fill and empties(s) < 2 and total(s.neutral) < 2:
            s.status = DRAWN

    @rule
    def settle(s, mover):
        trace(s, 0)
        trace(s, 1)
        conclude(s, mover)

    return play, settle


def sampling(board: Board, late: bool, fill: bool, sets: tuple[Any, ...], lone: Any) -> Any:
    """The rule `sample`; `sets` are the rules of `counting`."""
    words, shift = board.words, board.shift
    empty, empties, total, nth = sets

    @rule
    def nth_empty(s, k):
        """The k-th empty point."""
        for w in range(words):
            here = empty(s, w)
            if k < popcount(here):
                return 64 * w + select(here, k)
            k -= popcount(here)
        return -1

    @rule
    def sample(s, random):
        e, n, held = empties(s), total(s.neutral), total(s.stones[s.status])
        generates, transforms = e * (e - 1), n * (n - 1) // 2 * held
        if late and generates:
            transforms = 0
        if fill and generates + transforms == 0:
            last = lone(s)
            return last << shift | last
        if draw(random, generates + transforms) < generates:
            i, j = draw(random, e), draw(random, e - 1)
            return nth_empty(s, i) << shift | nth_empty(s, j + (j >= i))
        i, j = draw(random, n), draw(random, n - 1)
        j += j >= i
        given = nth(s.stones[s.status], draw(random, held))
        pair = nth(s.neutral, min(i, j)) << shift | nth(s.neutral, max(i, j))
        return given + 1 << 2 * shift | pair

    return sample


def wide_rules(board: Board, late: bool, fill: bool) -> dict[str, Any]:
    """The rules that read and write the stones; see `dragon_nex.rules` for move codes."""
    sets = empty, empties, total, _ = counting(board)
    lone = filling(board, empty)
    play, settle = playing(board, fill, empties, total)

    @rule
    def fresh(s):
        """Return True if White has not moved yet."""
        return total(s.stones[1]) == 0

    return {
        "moves": listing(board, late, fill, empty, lone),
        "play": play,
        "settle": settle,
        "fresh": fresh,
        "sample": sampling(board, late, fill, sets, lone),
        "order": static_order(board),
    }
