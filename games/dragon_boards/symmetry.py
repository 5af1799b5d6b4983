"""Bit sets of cells on a board that is turned over; bit row * columns + column is a cell."""

from __future__ import annotations

from dragon import rule
from dragon.bits import shl, shr, u64


@rule
def mirrored(cells, columns, first):
    """The cells with left and right exchanged; first: those of the first column."""
    image = u64(0)
    for c in range(columns):
        image |= shl(shr(cells, c) & u64(first), columns - 1 - c)
    return image


@rule
def turned_over(cells, rows, columns):
    """The cells with up and down exchanged."""
    image, row = u64(0), u64((1 << columns) - 1)
    for r in range(rows):
        image |= shl(shr(cells, columns * r) & row, columns * (rows - 1 - r))
    return image
