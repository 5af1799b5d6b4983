"""Sudoku: the digits 1 to 9 in every row, column and box, some of them given."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from dragon.cover import Option, Problem
from dragon_puzzles.boards import Board, Cell
from dragon_puzzles.latin import entries
from dragon_puzzles.puzzle import Puzzle, options_of

if TYPE_CHECKING:
    import attrs

    from dragon.cover import CoverState

DIGITS = "123456789"
CELLS = tuple((row, col) for row in range(9) for col in range(9))
BAR = "------+-------+------"
RULES = {*"-=+|:* ", *map(chr, range(0x2500, 0x2580))}
"""The marks of a line between boxes, which has a dash; the last ones draw frames."""
BETWEEN = str.maketrans(dict.fromkeys([*" \t,;|", *map(chr, range(0x2500, 0x2580))], "")
                        | dict.fromkeys("_*?", "."))  # fmt: skip
"""The marks between cells are left out; an empty cell becomes a dot."""


def units(cell: Cell) -> tuple[tuple[str, int], ...]:
    """Return the row, the column and the box of a cell; boxes count from 1 in reading order."""
    row, col = cell
    return ("row", row + 1), ("column", col + 1), ("box", row // 3 * 3 + col // 3 + 1)


def clues(grid: str) -> dict[Cell, str]:
    """Return the cells that a grid fills, and their digits."""
    return {cell: mark for cell, mark in zip(CELLS, grid, strict=True) if mark in DIGITS}


def read_grid(text: Any) -> Any:
    """Return the 81 cells of a grid as people post it; any other text as it is.

    Rows may be lines, with blanks, commas and bars between cells and rules between rows. An empty
    cell is `.`, `0`, `_`, `*` or `?`.
    """
    if not isinstance(text, str) or len(text) == len(CELLS):
        return text
    rows = _rows(text)
    return "".join(rows) if {*map(len, rows)} in ({9}, {81}) and len("".join(rows)) == 81 else text


def _rows(text: str) -> list[str]:
    """Return the cells of each line that has any."""
    lines = (line for line in text.splitlines()
             if not ({*line} <= RULES and {*line} & {*"-=\u2500\u2501\u2550"}))  # fmt: skip
    return [row for line in lines if (row := line.translate(BETWEEN))]


def _grid(puzzle: Sudoku, attribute: attrs.Attribute[str], value: str) -> None:
    value = read_grid(value)  # mistakes are looked for in a setting as it was written
    if not isinstance(value, str) or len(value) != 81:
        size = f"{len(value)} characters" if isinstance(value, str) else repr(value)
        lines = _rows(value) if isinstance(value, str) else []
        for i, line in enumerate(lines if len(lines) == 9 else [], 1):
            if len(line) != 9:
                raise ValueError(
                    f"grid has {len(line)} cells in row {i} ({line!r:.40}); write 9, with . or 0 "
                    "for an empty cell"
                )
        raise ValueError(
            f"grid must be 81 characters, the rows one after another, each a digit of 1 to 9 or "
            f". or 0 for an empty cell, not {size}"
        )
    for (row, col), mark in zip(CELLS, value, strict=True):
        if mark not in DIGITS + ".0":
            raise ValueError(
                f"grid has {mark!r} in row {row + 1}, column {col + 1} (character "
                f"{9 * row + col + 1}); write 1 to 9, or . or 0 for an empty cell"
            )
    seen: dict[tuple[str, int, str], Cell] = {}
    for cell, mark in clues(value).items():
        for unit, number in units(cell):
            row, col = seen.setdefault((unit, number, mark), cell)
            if (row, col) != cell:
                raise ValueError(
                    f"grid has a second {mark} of {unit} {number} in row {cell[0] + 1}, column "
                    f"{cell[1] + 1}; the first is in row {row + 1}, column {col + 1}"
                )


@frozen
class Sudoku(Puzzle):
    """Fill a grid of 9 x 9 so that each row, column and box holds the digits 1 to 9.

    >>> problem = Sudoku(grid="1" + 80 * ".").problem()
    >>> len(problem.primary), len(problem.options)
    (320, 700)
    """

    name = "sudoku"
    grid: str = field(
        default="...3...98....894..1......7.4.2.365..6.......2..821.7.9.6......4..165....82...3...",
        converter=read_grid,
        validator=_grid,
    )
    """The 81 cells, row by row: a digit of 1 to 9 that is given, or . or 0 for an empty cell."""

    def problem(self) -> Problem:
        """Return the cells, and the digits of rows, columns and boxes, that are left to cover."""
        given = clues(self.grid)
        done = {item for cell, digit in given.items() for item in _items(cell, digit)}
        items = [f"r{row + 1}c{col + 1}" for row, col in CELLS]
        items += [f"{line}{i}={k}" for line in "rcb" for i in range(1, 10) for k in DIGITS]
        options = tuple(
            Option(covered, f"{covered[0]}={digit}")
            for cell in CELLS
            for digit in DIGITS
            if done.isdisjoint(covered := _items(cell, digit))
        )
        return Problem((item for item in items if item not in done), options)

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the board with the digits that are given and those that have been written."""
        given = clues(self.grid)
        blocks = {cell: units(cell)[2][1] for cell in CELLS}
        return Board(9, 9, {**entries(chosen), **given}, blocks=blocks, strong=frozenset(given))

    def draw(self, state: CoverState) -> str:
        """Return the grid as text, with lines between the boxes."""
        lines = []
        for row, line in enumerate(self.board(options_of(state)).lines()):
            marks = line.split()
            lines += [BAR] if row in (3, 6) else []
            lines.append(" | ".join(" ".join(marks[i : i + 3]) for i in (0, 3, 6)))
        return "\n".join(lines)


def _items(cell: Cell, digit: str) -> tuple[str, ...]:
    """Return the items that a digit in a cell covers."""
    row, col = cell
    filled = (f"{unit[0]}{number}={digit}" for unit, number in units(cell))
    return f"r{row + 1}c{col + 1}", *filled
