"""The rules of Nex that read and write stones, which lie in one or more 64-bit words.

A record: `stones` by colour and word, `neutral` by word, whole rows to a word (see `Board`), and
`status` (see `dragon_nex.rules`), which follows from them. On boards of several words also `reach`,
of each colour's stones those joined to its near edge, kept up to date move by move.

They are apart from `dragon_nex.rules`, which joins them to what boards of some sizes add: each is
read alone.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

import numpy as np

from dragon import rule
from dragon.bits import bit, ctz, draw, drop, has, popcount, select, shl, shr, u64
from dragon_nex.board import BLACK_WON, DRAWN, Board


def fields_of(board: Board) -> list[tuple[Any, ...]]:
    """The record's fields."""
    sides = ("u8", (2, board.words))
    reach = [("reach", *sides)] if board.words > 1 else []
    return [("stones", *sides), ("neutral", "u8", (board.words,)), *reach, ("status", "i8")]


# ---- stones joined to an edge: `reach`, kept move by move


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
        """Add the stones of word w that touch `reach`; return True if there were any."""
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
        """Grow word w first, where something is new; then all of them."""
        grow(s, colour, w)
        again = True
        while again:
            again = False
            for v in range(words):
                if grow(s, colour, v):
                    again = True

    return spread


def looking(joined: Any) -> tuple[Any, Any, Any]:
    """The rules of `reaching` on one word, where edges are looked at after each move."""

    @rule
    def follow(s, colour, one, two, given):
        pass

    @rule
    def trace(s, colour):
        pass

    @rule
    def arrived(s, colour):
        return joined(s.stones[colour, 0], colour)

    return follow, trace, arrived


def reaching(board: Board) -> tuple[Any, Any, Any]:
    """Three rules on `reach`: `follow` a move, `trace` it again, has it `arrived`?"""
    words = board.words
    starts, goals = (
        np.array([board.words_of(board.edge(c, far)) for c in (0, 1)], np.uint64)
        for far in (False, True)
    )
    around, below, above = beside(board)
    spread = growing(board, around, below, above)

    @rule
    def attach(s, colour, point):
        """Bring `reach` up to date after one stone more."""
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
    def follow(s, colour, one, two, given):
        """Bring `reach` up to date after a move; `given` is -1 where no stone was given up."""
        if given >= 0 and has(s.reach[colour, given >> 6], given & 63):
            trace(s, colour)
            return
        attach(s, colour, one)
        if given >= 0:
            attach(s, colour, two)

    @rule
    def trace(s, colour):
        """Work `reach` out from the stones."""
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

    return follow, trace, arrived


# ---- moves


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
        for w in range(words - 1):
            here = popcount(held[w])
            if k < here:
                return 64 * w + select(held[w], k)
            k -= here
        return 64 * (words - 1) + select(held[words - 1], k)

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
            here = empty(s, v)
            rest = here
            while rest:
                own = 64 * v + ctz(rest) << shift
                for w in range(words):
                    others = here & ~bit(ctz(rest)) if w == v else empty(s, w)
                    while others:
                        out[n] = own | 64 * w + ctz(others)
                        n += 1
                        others = drop(others)
                rest = drop(rest)
        return n

    @rule
    def gifts(s, colour, pair, out, n):
        """Write the transforms of a pair of neutrals; return how many moves there are now."""
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


def playing(board: Board, fill: bool, joined: Any, empties: Any, total: Any) -> tuple[Any, Any]:
    """The rules `play` and `settle`, which sets all that follows from the stones.

    joined: a rule of `dragon_nex.forced` for a board of one word; None for several.
    """
    words, shift = board.words, board.shift
    mask = (1 << shift) - 1
    follow, trace, arrived = looking(joined) if joined else reaching(board)

    @rule
    def within(point, w):
        """The bit of a point, if it is one of word w."""
        return bit(point & 63) if point >> 6 == w else u64(0)

    @rule
    def play(s, code):
        mover = s.status
        one, two, given = code >> shift & mask, code & mask, code >> 2 * shift
        if given:
            for w in range(words):
                turned = within(one, w) | within(two, w) | within(given - 1 & mask, w)
                s.stones[mover, w] ^= turned
                s.neutral[w] ^= turned
        else:
            s.stones[mover, one >> 6] |= bit(one & 63)
            if one != two:
                s.neutral[two >> 6] |= bit(two & 63)
            else:
                s.neutral[one >> 6] &= ~bit(one & 63)
        follow(s, mover, one, two, given - 1)
        conclude(s, mover)

    @rule
    def conclude(s, mover):
        """Set the status after `mover`, a colour, has moved and its reach is known."""
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
        for w in range(words - 1):
            here = empty(s, w)
            if k < popcount(here):
                return 64 * w + select(here, k)
            k -= popcount(here)
        return 64 * (words - 1) + select(empty(s, words - 1), k)

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


def stone_rules(board: Board, late: bool, fill: bool, joined: Any) -> dict[str, Any]:
    """The rules that read and write the stones; see `dragon_nex.rules` for move codes.

    joined: see `playing`.
    """
    sets = empty, empties, total, _ = counting(board)
    lone = filling(board, empty)
    play, settle = playing(board, fill, joined, empties, total)

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
    }
