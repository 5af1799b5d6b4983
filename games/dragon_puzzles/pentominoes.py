"""Pentominoes, twelve pieces of five squares that fill a board of sixty, and the Soma cube, seven
pieces of three and four cubes that make a cube of 27 (Piet Hein).

The functions that turn, mirror and move shapes of cells serve `polyominoes` too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import permutations, product
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from dragon.cover import Option, Problem
from dragon_puzzles.puzzle import Board, Cell, Puzzle, cells_in, name, named, tiled, within

if TYPE_CHECKING:
    from collections.abc import Iterator


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


PIECES = {
    "F": ".XX/XX./.X.",
    "I": "XXXXX",
    "L": "XXXX/X...",
    "N": "XXX./..XX",
    "P": "XX/XX/X.",
    "T": "XXX/.X./.X.",
    "U": "X.X/XXX",
    "V": "X../X../XXX",
    "W": "X../XX./.XX",
    "X": ".X./XXX/.X.",
    "Y": "XXXX/.X..",
    "Z": "XX./.X./.XX",
}
"""The pieces by the letters that they resemble, as Golomb named them."""


@frozen
class Pentominoes(Puzzle):
    """Fill a board with the twelve pentominoes, turned and mirrored at will.

    >>> len(Pentominoes(rows=3, cols=20).problem().options)
    1236
    """

    name = "pentominoes"
    rows: int = field(default=6, validator=within(1, 60))
    """Rows; rows times cols is 60, or both are 8, with a hole of 2 x 2 in the middle."""
    cols: int = field(default=10, validator=within(1, 60))
    """The number of columns."""

    def __attrs_post_init__(self) -> None:
        rows, cols = self.rows, self.cols
        if min(rows, cols) > 0 and rows * cols != 60 and (rows, cols) != (8, 8):
            raise ValueError(
                f"twelve pieces cover 60 squares, but {rows} x {cols} are {rows * cols}; set rows "
                "and cols to 3 and 20, 4 and 15, 5 and 12, 6 and 10, or 8 and 8 (with a hole)"
            )

    @property
    def holes(self) -> frozenset[Cell]:
        """The cells that are missing from the board."""
        return frozenset({(3, 3), (3, 4), (4, 3), (4, 4)} if self.rows == self.cols else ())

    def problem(self) -> Problem:
        """Return the problem: pieces and cells once; one option for each place of each piece."""
        cells = list(Board(self.rows, self.cols, holes=self.holes).cells())
        return Problem((*PIECES, *map(name, cells)), tuple(self._options(set(cells))))

    def _options(self, free: set[Any]) -> Iterator[Option]:
        for piece, text in PIECES.items():
            for shape in turned(of_text(text), mirrored=True):
                for cells in placed(shape, (self.rows, self.cols), free):
                    names = [name((row, col)) for row, col in cells]
                    yield Option((piece, *names), piece + "".join(names))

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the board with the pieces that have been laid."""
        order = list(PIECES)
        pieces = ((str(o)[0], 1 + order.index(str(o)[0]), cells_in(str(o))) for o in chosen)
        return named(tiled(self.rows, self.cols, pieces, self.holes))


CUBES = {
    "V": "000 001 010",
    "L": "000 001 002 010",
    "T": "000 001 002 011",
    "Z": "000 001 011 012",
    "A": "000 010 011 111",
    "B": "000 010 011 100",
    "P": "000 001 010 100",
}
"""The cells of each, as layer, row, column: bent, ell, tee, skew, left and right screw, claw."""


@frozen
class Soma(Puzzle):
    """Make a cube of 3 x 3 x 3 from the seven pieces.

    >>> len(Soma().problem().options)
    688
    """

    name, title = "soma", "Soma cube"

    def problem(self) -> Problem:
        """Return the problem: pieces and cells once; pieces may be turned, not mirrored."""
        cells = set(product(range(3), repeat=3))
        names = [_name(cell) for cell in sorted(cells)]
        return Problem((*CUBES, *names), tuple(_options(cells)))

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the three layers side by side, the top one on the left."""
        order = list(CUBES)
        pieces = []
        for option in chosen:
            piece = option.items[0]
            cells = [_shown(name) for name in option.items[1:]]
            pieces.append((piece, 1 + order.index(piece), cells))
        holes = frozenset((row, col) for row in range(3) for col in (3, 7))
        return tiled(3, 11, pieces, holes)


def _options(cells: set[tuple[int, ...]]) -> Iterator[Option]:
    for piece, text in CUBES.items():
        shape = settled(tuple(map(int, cell)) for cell in text.split())
        for turn in turned(shape, mirrored=False):
            for place in placed(turn, (3, 3, 3), cells):
                names = [_name(cell) for cell in place]
                yield Option((piece, *names), piece + "-".join(names))


def _name(cell: tuple[int, ...]) -> str:
    """Return layer, row and column from 1, as `123`."""
    return "".join(str(x + 1) for x in cell)


def _shown(name: str) -> Cell:
    """Return the place of a cell in the drawing."""
    layer, row, col = (int(digit) - 1 for digit in name)
    return row, 4 * layer + col
