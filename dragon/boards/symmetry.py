"""Symmetries of a board: which positions are the same one, mirrored or turned, and their key.

An image of a position is the same stones on other cells. A game that looks alike from there
keeps all images of a position under one key: the least that any of them has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from dragon.bits import GOLDEN, members, mix, shl, shr, u64
from dragon.errors import PluginError
from dragon.rules.rules import rule

Place = tuple[int, int]
Image = Mapping[Place, Place]
"""A map of cells: the image of each cell, by row and column."""

MIRROR, FLIP, HALF_TURN = "mirror", "flip", "half_turn"
QUARTER_TURN, TRANSPOSE = "quarter_turn", "transpose"
SYMMETRIES = {
    MIRROR: "left and right change places",
    FLIP: "top and bottom change places",
    HALF_TURN: "turned by 180 degrees",
    QUARTER_TURN: "turned by 90 degrees; on square boards",
    TRANSPOSE: "rows and columns change places; on square boards",
}
"""The symmetries that a board may declare, by name."""


def images(rows: int, columns: int, names: Iterable[str], slant: bool) -> tuple[Image, ...]:
    """All that the named symmetries, one after another, make of a board; itself first.

    Raises PluginError for a name that is unknown or does not fit the board.

    >>> len(images(3, 3, ["mirror", "quarter_turn"], slant=False))
    8
    """
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    steps = [_step(rows, columns, name, slant) for name in names]
    found = [tuple(cells)]
    for image in found:  # which grows meanwhile
        for step in steps:
            if (further := tuple(step(*place) for place in image)) not in found:
                found.append(further)
    return tuple(dict(zip(cells, image, strict=True)) for image in found)


def _step(rows: int, columns: int, name: str, slant: bool) -> Callable[[int, int], Place]:
    if name not in SYMMETRIES:
        raise PluginError(f"a board has no symmetry {name!r}; write one of {', '.join(SYMMETRIES)}")
    if rows != columns and name in (QUARTER_TURN, TRANSPOSE):
        raise PluginError(
            f"the symmetry {name!r} needs a square board, and this one has {rows} rows and "
            f"{columns} columns; take {MIRROR}, {FLIP} or {HALF_TURN}"
        )
    if slant and name not in (HALF_TURN, TRANSPOSE):
        raise PluginError(
            f"the symmetry {name!r} does not keep neighbours together on a slanted board; take "
            f"{HALF_TURN} or {TRANSPOSE}"
        )
    last, end = rows - 1, columns - 1
    return {
        MIRROR: lambda row, column: (row, end - column),
        FLIP: lambda row, column: (last - row, column),
        HALF_TURN: lambda row, column: (last - row, end - column),
        QUARTER_TURN: lambda row, column: (column, last - row),
        TRANSPOSE: lambda row, column: (column, row),
    }[name]


@rule
def mirrored(cells: Any, columns: int, first: Any) -> Any:
    """A set of at most 64 cells with left and right exchanged; first: the first column."""
    image = u64(0)
    for c in range(columns):
        image |= shl(shr(cells, c) & u64(first), columns - 1 - c)
    return image


@rule
def turned_over(cells: Any, rows: int, columns: int) -> Any:
    """A set of at most 64 cells with up and down exchanged."""
    image, row = u64(0), u64((1 << columns) - 1)
    for r in range(rows):
        image |= shl(shr(cells, columns * r) & row, columns * (rows - 1 - r))
    return image


def least_image(bits: Mapping[Place, int], seen: tuple[Image, ...], sides: int, words: int) -> Any:
    """A rule: of the sets of all sides, uint64[sides] or [sides, words], the least image's hash.

    The hash of an image is a sum of random numbers without carry, one for each side and cell
    (Zobrist 1970), so that boards of any size have one; it is never 0 but by chance.
    """
    import numpy as np

    numbers = np.zeros((len(seen), sides, 64 * words), np.uint64)
    for g, image in enumerate(seen):
        for side in range(sides):
            for place, at in bits.items():
                goes_to = bits[image[place]]
                numbers[g, side, at] = mix(GOLDEN * (1 + side + sides * goes_to))
    count = len(seen)

    @rule
    def hashed(g: int, side: int, w: int, cells: Any) -> Any:
        """The hash of one word of a side's set."""
        found = u64(0)
        for cell in members(cells):
            found ^= numbers[g, side, 64 * w + cell]
        return found

    @rule
    def least(sets: Any) -> Any:
        """The least hash of an image of `sets`."""
        best = ~u64(0)
        for g in range(count):
            found = u64(GOLDEN)
            for side in range(sides):
                if sets.ndim == 1:
                    found ^= hashed(g, side, 0, sets[side])
                else:
                    for w in range(words):
                        found ^= hashed(g, side, w, sets[side, w])
            best = min(best, found)
        return best

    return least
