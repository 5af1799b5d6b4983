"""Placements: all ways to put stones of two colours on cells, numbered without a gap.

Sets of k cells are numbered in the order of their bits (the combinatorial number system; D. E.
Knuth, The Art of Computer Programming 4A, 7.2.1.3); the stones of the second colour are numbered
among the cells that the first leaves.

>>> corners = Placements(4, [(1, 0), (1, 1)])
>>> corners.count, int(corners.rank(0b0100, 0b1000)), [*map(int, corners.unrank(12))]
(16, 12, [4, 8])
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

from dragon.bits import bit, members, msb, popcount, shl, shr, u64
from dragon.rules.rules import rule

MOST_CELLS = 32


class Placements:
    """The numbering of some placements, as functions of bit sets for rules to call.

    `count`: their number. `rank(first, second)`: the number of one, whose counts of stones must be
    among the pairs. `unrank(number)`: both bit sets. `among(cells, others)`: the cells renumbered
    without others, which are disjoint from them. `colex(cells)`: the number of sets of equal size
    that come before. `row(first, n)`: the number of the first placement with these stones and n of
    the second colour, to which `colex` of those `among` the rest is added.
    `lifted(first, second, out)`: writes the numbers of the placements with one stone less of the
    second colour, and returns how many there are.
    """

    def __init__(self, cells: int, pairs: Sequence[tuple[int, int]]) -> None:
        """pairs: the numbers of stones of the first and the second colour, one pair for each
        kind."""
        import numpy as np

        if not 0 < cells <= MOST_CELLS:
            raise ValueError(f"there are {cells} cells; placements are numbered on 1 to 32")
        most = max(max(pair) for pair in pairs)
        half = (cells + 1) // 2
        low = _colex(half, 0)[0]
        high = _colex(cells - half, half)
        sets = _sets(cells, most)
        begin = np.zeros(len(pairs) + 1, np.int64)
        offset, stride = np.zeros((2, cells + 1, cells + 1), np.int64)
        for i, (a, b) in enumerate(pairs):
            offset[a, b], stride[a, b] = begin[i], comb(cells - a, b)
            begin[i + 1] = begin[i] + comb(cells, a) * stride[a, b]
        kinds, n = np.array(pairs, np.int64), len(pairs)
        self.count = int(begin[n])

        @rule
        def colex(held):
            lower = np.int64(held & u64((1 << half) - 1))
            return low[lower] + high[popcount(lower), np.int64(shr(held, half))]

        @rule
        def among(held, others):
            while others:
                highest = msb(others)
                under = bit(highest) - bit(0)
                held = held & under | shr(held, 1) & ~under
                others &= under
            return held

        @rule
        def spread(held, others):
            """The inverse of `among`."""
            for cell in members(others):
                under = bit(cell) - bit(0)
                held = held & under | shl(held & ~under, 1)
            return held

        @rule
        def row(first, b):
            a = popcount(first)
            return offset[a, b] + colex(first) * stride[a, b]

        @rule
        def rank(first, second):
            return row(first, popcount(second)) + colex(among(second, first))

        @rule
        def unrank(number):
            kind = n - 1
            while number < begin[kind]:
                kind -= 1
            a, b = kinds[kind, 0], kinds[kind, 1]
            number -= begin[kind]
            first = sets[a, number // stride[a, b]]
            return first, spread(sets[b, number % stride[a, b]], first)

        @rule
        def lifted(first, second, out):
            n, held = 0, among(second, first)
            start = row(first, popcount(second) - 1) if second else 0
            for cell in members(second):
                shift = popcount(first & (bit(cell) - bit(0)))
                out[n] = start + colex(held & ~bit(cell - shift))
                n += 1
            return n

        self.colex: Any = colex
        self.among: Any = among
        self.row: Any = row
        self.rank: Any = rank
        self.unrank: Any = unrank
        self.lifted: Any = lifted


def _colex(cells: int, base: int) -> Any:
    """Return int64[base + 1, 2**cells]: the number of sets that come before one, of which k cells
    lie below `base` and are not counted here."""
    import numpy as np

    found = np.zeros((base + 1, 1 << cells), np.int64)
    for k in range(base + 1):
        size = np.full(1 << cells, k, np.int64)
        for i in range(cells):
            some = slice(1 << i, 2 << i)
            size[some] = size[: 1 << i] + 1
            ways = np.array([comb(base + i, n) for n in range(base + cells + 1)], np.int64)
            found[k, some] = found[k, : 1 << i] + ways[size[some]]
    return found


def _sets(cells: int, most: int) -> Any:
    """Return uint64[most + 1, any]: the sets of k cells in row k, in their order."""
    import numpy as np

    found = [np.zeros(0 if n else 1, np.uint64) for n in range(most + 1)]
    for cell in range(cells):
        for n in range(most, 0, -1):
            found[n] = np.concatenate([found[n], found[n - 1] | bit(cell)])
    sets = np.zeros((most + 1, max(map(len, found))), np.uint64)
    for n, each in enumerate(found):
        sets[n, : len(each)] = each
    return sets
