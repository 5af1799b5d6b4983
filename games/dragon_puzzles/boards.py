"""Boards of squares: the names of cells, and a board as text."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping

from attrs import evolve, field, frozen

Cell = tuple[int, int]
"""A cell: row and column, from 0."""
NAMED = re.compile(r"([a-z]+)([0-9]+)")


def letters(number: int) -> str:
    """Return the letters of a number: a to z, then aa, ab and so on.

    >>> letters(0), letters(25), letters(26), letters(27)
    ('a', 'z', 'aa', 'ab')
    """
    text = ""
    while number >= 0:
        number, last = divmod(number, 26)
        text = chr(97 + last) + text
        number -= 1
    return text


def number_of(text: str) -> int:
    """Return the number that `letters` writes as `text`."""
    number = 0
    for letter in text:
        number = 26 * number + ord(letter) - 96
    return number - 1


def name(cell: Cell) -> str:
    """Return row letter and column number: `a1` is the first cell of the first row."""
    return f"{letters(cell[0])}{cell[1] + 1}"


def cells_in(text: str) -> list[Cell]:
    """Return the cells named in a text, in their order.

    >>> cells_in("Fa1b12")
    [(0, 0), (1, 11)]
    """
    return [(number_of(row), int(col) - 1) for row, col in NAMED.findall(text)]


def touching(cell: Cell) -> Iterator[Cell]:
    """Yield the cell on the right of a cell and the cell below it."""
    yield cell[0], cell[1] + 1
    yield cell[0] + 1, cell[1]


@frozen
class Board:
    """A board to draw: squares in rows and columns, with marks and colours."""

    rows: int
    cols: int
    marks: Mapping[Cell, str] = field(factory=dict)
    """The text written on each cell."""
    tints: Mapping[Cell, int] = field(factory=dict)
    """The number of each cell's colour; 0, the default, means none."""
    blocks: Mapping[Cell, Hashable] = field(factory=dict)
    """The part to which each cell belongs; a wall stands between cells of different parts."""
    holes: frozenset[Cell] = frozenset()
    """Cells that are missing."""
    strong: frozenset[Cell] = frozenset()
    """Cells whose mark was there from the start."""
    sides: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """The names of rows, at their left, and of columns, above them."""

    def cells(self) -> Iterator[Cell]:
        """Yield every cell that is not missing, in row-major order."""
        for row in range(self.rows):
            for col in range(self.cols):
                if (row, col) not in self.holes:
                    yield row, col

    def lines(self) -> list[str]:
        """Return the rows as text: marks, `.` for a cell without one, blanks for holes."""
        width = max([1, *map(len, self.marks.values()), *map(len, self.sides[1])])
        side = max([0, *map(len, self.sides[0])])
        found = []
        if self.sides[1]:
            found.append([" " * side, *(text.rjust(width) for text in self.sides[1])])
        for row in range(self.rows):
            marks = [self._mark((row, col)).rjust(width) for col in range(self.cols)]
            found.append(([self.sides[0][row].ljust(side)] if self.sides[0] else []) + marks)
        return [" ".join(words).rstrip() for words in found]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _mark(self, cell: Cell) -> str:
        return " " if cell in self.holes else self.marks.get(cell, ".")


def named(board: Board) -> Board:
    """Return the board with the names of its rows and columns."""
    rows = tuple(map(letters, range(board.rows)))
    cols = tuple(str(col + 1) for col in range(board.cols))
    return evolve(board, sides=(rows, cols))


def tiled(
    rows: int,
    cols: int,
    pieces: Iterable[tuple[str, int, Iterable[Cell]]],
    holes: frozenset[Cell] = frozenset(),
) -> Board:
    """Return a board of pieces, given the mark, the colour's number and the cells of each."""
    marks: dict[Cell, str] = {}
    tints: dict[Cell, int] = {}
    blocks: dict[Cell, Hashable] = {}
    for number, (mark, tint, cells) in enumerate(pieces):
        for cell in cells:
            marks[cell], tints[cell], blocks[cell] = mark, tint, number
    return Board(rows, cols, marks, tints, blocks, holes)
