"""One layer of a table of Nex from the two that its moves lead to.

All positions of a layer with the same empty cells and the same neutral stones stand together
and have the same moves. Where the children stand is therefore worked out once for all of them,
except for the arrangement of black and white among the stones (`colours`, packed), into which a
move inserts bits.

A table holds four values a byte, or two distances:

    values      1 lost for the side to move, 2 drawn, 3 won
    distances   plies to the end when the winner hurries and the loser delays, even if
                lost, odd if won; 15 drawn

The first functions pack sets of cells, which are the bits of integers, and spread them out.

`joined_sets`, which `dragon_nex.forced` looks stones up in, and what it names are a part of the
identity of tables, names included.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dragon.bits import u64
from dragon.rules.template import kernel

if TYPE_CHECKING:
    from dragon_nex.board import Board


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


@kernel
def size(cells):
    """Return how many bits are set."""
    n = 0
    while cells:
        cells &= cells - 1
        n += 1
    return n


@kernel
def packed(cells: int, among: int) -> int:
    """The bits of `cells` that `among` holds, moved together at the low end."""
    found = 0
    place = 1
    while among:
        low = among & -among
        if cells & low:
            found |= place
        place <<= 1
        among ^= low
    return found


@kernel
def spread(bits, among):
    """The bits at the low end moved to those of `among`: what `packed` undoes."""
    found = 0
    while bits:
        low = among & -among
        if bits & 1:
            found |= low
        bits >>= 1
        among ^= low
    return found


@kernel
def following(bits):
    """The next larger integer with as many bits set, which is not 0; by Gosper, HAKMEM 175."""
    low = bits & -bits
    ripple = bits + low
    return ((ripple ^ bits) >> 2) // low | ripple


@kernel
def inserted(bits, place, value):
    """The bits with one more at `place`, those from there on moved up."""
    return bits >> place << place + 1 | value << place | bits & (1 << place) - 1


@kernel
def removed(bits, place):
    """The bits without the one at `place`, those above moved down."""
    return bits >> place + 1 << place | bits & (1 << place) - 1


DISTANCES = False
"""True if the table holds distances."""
LOST, DRAWN, WON = 1, 2, 3
DRAWN_AT = 15
"""No win takes as long, but perhaps one from an empty board of 16 cells, and none does."""


@kernel
def read(table, at):
    """Return the entry of a table; table: uint8[any]."""
    if DISTANCES:
        return table[at >> 1] >> ((at & 1) << 2) & 15
    return table[at >> 2] >> ((at & 3) << 1) & 3


@kernel
def better(best, child):
    """Return the best for the side to move with one child more; `best` is at first 0."""
    if not DISTANCES:
        return max(best, 4 - child)
    if child == DRAWN_AT:
        return best if best & 1 else DRAWN_AT
    if child & 1:  # the other side wins: the longest defeat, unless there is more
        return best if best & 1 else max(best, child + 1)
    return min(best, child + 1) if best & 1 else child + 1


@kernel
def settled(best):
    """Return True if no other child can change it."""
    return best == 1 if DISTANCES else best == WON


@kernel
def generates(empty, neutral, full, rank, steps, base, own_at):
    """Find where generates lead: base[i, j] + the rank of the colours, a bit inserted at own_at[i].

    steps: how far apart sets of empty cells and of neutral stones are on the shelf that it leads
    to. base: int64[16, 16], own_at: int64[16]. Returns the number of own cells, each with one
    neutral cell fewer than that; 0 if nothing can be generated.
    """
    if empty & empty - 1 == 0:
        return 0
    stride, step = steps
    stones = full & ~(empty | neutral)
    n, own_left = 0, empty
    while own_left:
        own = own_left & -own_left
        own_left ^= own
        own_at[n] = size(stones & own - 1)
        k, others = 0, empty ^ own
        while others:
            other = others & -others
            others ^= other
            left = empty ^ own ^ other
            base[n, k] = rank[left] * stride + rank[packed(neutral | other, full & ~left)] * step
            k += 1
        n += 1
    return n


@kernel
def transforms(empty, neutral, full, rank, steps, base, at):
    """Find the targets of transforms giving up the g-th stone: base[i, g] + the rank of colours.

    Of those the bit g is taken out, then bits are inserted at at[i, g, 0] and at[i, g, 1].
    steps: see `generates`. base: int64[n, 16], at: int64[n, 16, 2], n the number of pairs of
    neutrals. Returns it.
    """
    stride, step = steps
    rest = full & ~empty
    stones = rest & ~neutral
    start = rank[empty] * stride
    n, ones = 0, neutral
    while ones:
        one = ones & -ones
        ones ^= one
        twos = ones
        while twos:
            two = twos & -twos
            twos ^= two
            g, gifts = 0, stones
            first, second = size(stones & one - 1), size(stones & two - 1) + 1
            while gifts:
                given = gifts & -gifts
                gifts ^= given
                base[n, g] = start + rank[packed(neutral ^ one ^ two ^ given, rest)] * step
                at[n, g, 0] = first - 1 if given < one else first
                at[n, g, 1] = second - 1 if given < two else second
                g += 1
            n += 1
    return n


@kernel
def judged(colours, mover, stones, by_own, by_pair, rank, tables, scratch):
    """Return the worth of a position that is not over; see `sweep`."""
    below, beside = tables
    own_base, own_at, pair_base, pair_at = scratch
    bit = 1 - mover
    best = 0
    for i in range(by_own):
        found = rank[inserted(colours, own_at[i], bit)]
        for j in range(by_own - 1):
            best = better(best, read(below, own_base[i, j] + found))
            if settled(best):
                return best
    if by_pair:
        for g in range(stones):
            if colours >> g & 1 != bit:
                continue
            kept = removed(colours, g)
            for i in range(by_pair):
                joined = inserted(kept, pair_at[i, g, 0], bit)
                joined = inserted(joined, pair_at[i, g, 1], bit)
                best = better(best, read(beside, pair_base[i, g] + rank[joined]))
                if settled(best):
                    return best
    return best


@kernel
def sweep(shape, first, last, empties, rank, joined, tables, out, scratch):
    """Fill in a layer for the sets of empty cells that rank from `first` to `last`, exclusive.

    shape: 12 integers, the numbers of cells, of those empty and neutral and of black stones, the
    mover; how many arrangements of the neutrals and of the colours there are, and where the next
    set of empty cells begins; the last two again of the layers to which a generate and a
    transform lead.
    empties: int64[any], every set of empty cells by rank. rank: uint16[2**cells], the rank of
    each set of cells among those of its size. joined: bool[2, 2**cells]. tables: the layers
    below and beside, and out: uint8[any]. scratch: see `generates` and `transforms`.
    """
    cells, empty_cells, neutrals, blacks, mover, placings, colourings, stride = shape[:8]
    full = (1 << cells) - 1
    stones_size = cells - empty_cells - neutrals
    generated, transformed = shape[8:10], shape[10:]
    own_base, own_at, pair_base, pair_at = scratch
    per_byte = 2 if DISTANCES else 4
    for e in range(first, last):
        empty = empties[e]
        at, byte = e * stride, 0
        chosen = (1 << neutrals) - 1
        for _ in range(placings):
            neutral = spread(chosen, full & ~empty)
            stones = full & ~(empty | neutral)
            by_own = generates(empty, neutral, full, rank, generated, own_base, own_at)
            by_pair = transforms(empty, neutral, full, rank, transformed, pair_base, pair_at)
            colours = (1 << blacks) - 1
            for _ in range(colourings):
                black = spread(colours, stones)
                waiting = black if mover else stones & ~black
                if joined[1 - mover, waiting]:
                    worth = 0 if DISTANCES else LOST
                elif by_own == 0 and by_pair == 0:
                    worth = DRAWN_AT if DISTANCES else DRAWN
                else:
                    worth = judged(
                        colours, mover, stones_size, by_own, by_pair, rank, tables, scratch
                    )
                byte |= worth << at % per_byte * (8 // per_byte)
                at += 1
                if at % per_byte == 0:
                    out[at // per_byte - 1] = byte
                    byte = 0
                if blacks:
                    colours = following(colours)
            if neutrals:
                chosen = following(chosen)
        if at % per_byte:
            out[at // per_byte] = byte
