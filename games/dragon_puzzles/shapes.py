"""Pieces made of cells, which can be turned, mirrored and moved."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import permutations, product

Place = tuple[int, ...]
"""A cell of the plane or of space: whole numbers, one for each axis."""
Shape = tuple[Place, ...]
"""The cells of a shape, in ascending order; the least number along every axis is 0."""


def of_text(text: str) -> Shape:
    """Return the cells that are not blank in rows of text, separated by `/`.

    >>> of_text("XX/.X")
    ((0, 0), (0, 1), (1, 1))
    """
    rows = enumerate(text.split("/"))
    return tuple((r, c) for r, row in rows for c, mark in enumerate(row) if mark != ".")


def text_of(shape: Shape) -> str:
    """Return the rows of text that `of_text` reads as this shape of the plane."""
    rows, cols = (1 + max(axis) for axis in zip(*shape, strict=True))
    return "/".join("".join(".X"[(r, c) in shape] for c in range(cols)) for r in range(rows))


def settled(cells: Iterable[Place]) -> Shape:
    """Return the cells moved so that their least numbers are 0, in order."""
    cells = list(cells)
    least = [min(axis) for axis in zip(*cells, strict=True)]
    return tuple(sorted(tuple(x - low for x, low in zip(c, least, strict=True)) for c in cells))


def turned(shape: Shape, mirrored: bool) -> tuple[Shape, ...]:
    """Return the shape in all its orientations, each once, and if `mirrored` their images.

    Every order of the axes with every choice of directions is an orientation; it is a
    rotation when the order is even and evenly many directions are reversed, or both odd.
    """
    found: dict[Shape, None] = {}
    axes = len(shape[0])
    for order in permutations(range(axes)):
        swaps = sum(order[i] > order[j] for i in range(axes) for j in range(i + 1, axes))
        for signs in product((1, -1), repeat=axes):
            if mirrored or (swaps + signs.count(-1)) % 2 == 0:
                turn = settled(
                    tuple(s * cell[a] for a, s in zip(order, signs, strict=True)) for cell in shape
                )
                found[turn] = None
    return tuple(sorted(found))


def placed(shape: Shape, size: Place, free: Collection[Place]) -> Iterator[Shape]:
    """Yield the shape, without turns, at every place on free cells of a box of that size."""
    extent = [max(axis) + 1 for axis in zip(*shape, strict=True)]
    for at in product(*(range(n - e + 1) for n, e in zip(size, extent, strict=True))):
        cells = tuple(tuple(x + d for x, d in zip(cell, at, strict=True)) for cell in shape)
        if all(cell in free for cell in cells):
            yield cells
