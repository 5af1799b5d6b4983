"""The place of each position of a small board in a table: a perfect index.

A *shelf* holds the positions of one layer (see `dragon_nex.layers`), which are told apart by
three sets: the empty cells, the neutral stones among the rest, the black stones among the stones
of both colours. Each set has a rank among those of its size, as integers in increasing order
(the combinatorial number system, TAOCP 7.2.1.3), and the three ranks are the place. The side
to move follows from the layer. So 528,738,373 positions take the numbers from 0 on, where a cell
of four kinds would take 4,294,967,296.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon_nex.layers import Layer, Layers
from dragon_nex.table.kernels.sets import packed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_CELLS = 16
"""Larger boards have no table: the next, 3x6, has 8 thousand million positions."""
ROUND = 4
"""The positions of one set of empty cells begin a new byte, so that threads share none."""


@frozen
class Shelf:
    """One layer of a table."""

    cells: int
    layer: Layer

    @property
    def name(self) -> str:
        """`8-3`: the numbers of empty and neutral cells."""
        return f"{self.layer.empty}-{self.layer.neutral}"

    @property
    def blacks(self) -> int:
        """The number of black stones of its positions."""
        return (self.layer.placed + 1) // 2

    @property
    def placings(self) -> int:
        """In how many ways the neutral stones can stand where the empty cells leave room."""
        return comb(self.cells - self.layer.empty, self.layer.neutral)

    @property
    def colourings(self) -> int:
        """In how many ways the other stones can be black and white."""
        return comb(self.layer.placed, self.blacks)

    @property
    def stride(self) -> int:
        """The distance from one set of empty cells to the next."""
        return -(-self.placings * self.colourings // ROUND) * ROUND

    @property
    def positions(self) -> int:
        """The number of positions."""
        return comb(self.cells, self.layer.empty) * self.placings * self.colourings

    def size(self, bits: int) -> int:
        """Return the number of bytes that it takes, given the bits of a position."""
        return comb(self.cells, self.layer.empty) * self.stride * bits // 8

    def place(self, black: int, white: int, neutral: int) -> int:
        """The number of a position, whose sets of cells are given as integers."""
        stones = black | white
        empty = (1 << self.cells) - 1 & ~(stones | neutral)
        placing = rank(packed(neutral, stones | neutral))
        colouring = rank(packed(black, stones))
        return rank(empty) * self.stride + placing * self.colourings + colouring


def shelves(cells: int) -> Iterator[Shelf]:
    """All layers of a board, each after those that its moves lead to."""
    for layer in reversed(list(Layers(cells))):
        yield Shelf(cells, layer)


def rank(bits: int) -> int:
    """Return how many smaller integers have as many bits set."""
    total = 0
    for k in range(bits.bit_count()):
        low = bits & -bits
        total += comb(low.bit_length() - 1, k + 1)
        bits ^= low
    return total


def ranks(cells: int) -> NDArray[np.uint16]:
    """uint16[2**cells], the rank of each set of cells."""
    import numpy as np

    found = np.zeros(1 << cells, np.uint16)
    for each in sets(cells):
        found[each] = np.arange(len(each))
    return found


def sets(cells: int) -> list[NDArray[np.int64]]:
    """The sets of each size from 0 on, in increasing order: int64[comb(cells, size)]."""
    import numpy as np

    numbers = np.arange(1 << cells)
    size = np.zeros(1 << cells, np.int64)
    for cell in range(cells):
        size += numbers >> cell & 1
    order: Any = np.argsort(size, kind="stable")
    ends = np.cumsum([comb(cells, k) for k in range(cells)])
    return np.split(order, ends)
