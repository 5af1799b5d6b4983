"""Sudoku: each symbol once in every row, column and box, some of them given."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from attrs.validators import ge

from dragon import BadNotation, ConfigError
from dragon.config import read_text
from dragon.core import Bound, Limit
from dragon.cover import Option, Problem, covers
from dragon_puzzles.boards import Board, Cell
from dragon_puzzles.grids import BOXES, Grid, grids, plain
from dragon_puzzles.latin import entries
from dragon_puzzles.puzzle import Puzzle, options_of

if TYPE_CHECKING:
    import attrs

    from dragon.cover import CoverState

LONGEST = 100_000_000
"""Bytes of a file of grids."""
SIZES = ", ".join(str(side * side) for side in BOXES)


def units(cell: Cell, side: int = 9) -> tuple[tuple[str, int], ...]:
    """Return the row, the column and the box of a cell; boxes count from 1 in reading order."""
    (row, col), (high, wide) = cell, BOXES[side]
    box = row // high * (side // wide) + col // wide + 1
    return ("row", row + 1), ("column", col + 1), ("box", box)


def read_grid(text: Any) -> Any:
    """Return the cells of the one grid in a text as people post it; any other text as it is."""
    if not isinstance(text, str):
        return text
    if len(text) in {n * n for n in BOXES} and len(text.split()) == 1:
        return plain([*text])  # on one line, a small grid would be a row of a large one
    try:
        found = [*islice(grids(text), 2)]
    except BadNotation:
        return text
    return found[0].cells if len(found) == 1 else text


def _grid(puzzle: Sudoku, attribute: attrs.Attribute[str], value: str) -> None:
    value = read_grid(value)  # mistakes are looked for in a setting as it was written
    if not isinstance(value, str) or len(value) not in {n * n for n in BOXES}:
        try:
            found = [*grids(value)] if isinstance(value, str) else []
        except BadNotation as wrong:
            raise ValueError(f"grid, {wrong}") from None
        if len(found) > 1:
            raise ValueError(f"grid has {len(found)} grids; write them to a file, and set number")
        size = f"{len(value)} characters" if isinstance(value, str) else repr(value)
        raise ValueError(
            f"grid must be 81 characters, the rows one after another, each a digit of 1 to 9 or "
            f". or 0 for an empty cell, or {SIZES} for other sizes, not {size}"
        )
    if said := mistake_in(Grid(value)):
        raise ValueError(f"grid has {said}")


def mistake_in(grid: Grid) -> str:
    """Return the first mistake in a grid: a mark that is not a symbol of it, or a second of one."""
    side, symbols = grid.side, grid.symbols
    seen: dict[tuple[str, int, str], Cell] = {}
    for (row, col), mark in zip(product(range(side), range(side)), grid.cells, strict=True):
        if mark == ".":
            continue
        at = f"row {row + 1}, column {col + 1}"
        if mark not in symbols:
            known = f"1 to {symbols[-1]}" if symbols[0] == "1" else f"{symbols[0]} to {symbols[-1]}"
            return (
                f"{mark!r} in {at} (character {side * row + col + 1}); write {known}, or . or 0 "
                "for an empty cell"
            )
        for unit, number in units((row, col), side):
            r, c = seen.setdefault((unit, number, mark), (row, col))
            if (r, c) != (row, col):
                return (
                    f"a second {mark} of {unit} {number} in {at}; the first is in row {r + 1}, "
                    f"column {c + 1}"
                )
    return ""


@frozen
class Sudoku(Puzzle):
    """Fill a grid so that each row, column and box holds every symbol once: the digits 1 to 9.

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
    """The 81 cells, row by row: a digit of 1 to 9 that is given, or . or 0 for an empty cell.

    Or 16, 36, 144, 256 or 625 cells, in which letters follow the digits.
    """
    file: str | None = field(default=None, metadata={"outside": True})
    """A file of grids, one of which replaces `grid`."""
    number: int = field(default=1, validator=ge(1))
    """The number of the grid in the file."""

    @property
    def given(self) -> Grid:
        """The grid in use."""
        return Grid(self.grid) if self.file is None else grid_of(self.file, self.number)

    def problem(self) -> Problem:
        """Return the cells, and the symbols of rows, columns and boxes, that are left to cover."""
        given = self.given
        side, symbols = given.side, given.symbols
        cells = [*product(range(side), range(side))]
        done = {
            item
            for cell, mark in zip(cells, given.cells, strict=True)
            if mark != "."
            for item in _items(cell, mark, side)
        }
        items = [f"r{row + 1}c{col + 1}" for row, col in cells]
        items += [f"{line}{i}={k}" for line in "rcb" for i in range(1, side + 1) for k in symbols]
        options = tuple(
            Option(covered, f"{covered[0]}={symbol}")
            for cell in cells
            for symbol in symbols
            if done.isdisjoint(covered := _items(cell, symbol, side))
        )
        return Problem((item for item in items if item not in done), options)

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the board with the symbols that are given and those that have been written."""
        grid = self.given
        cells = [*product(range(grid.side), range(grid.side))]
        given = {c: mark for c, mark in zip(cells, grid.cells, strict=True) if mark != "."}
        blocks = {cell: units(cell, grid.side)[2][1] for cell in cells}
        return Board(grid.side, grid.side, {**entries(chosen), **given}, blocks=blocks,
                     strong=frozenset(given))  # fmt: skip

    def draw(self, state: CoverState) -> str:
        """Return the grid as text, with lines between the boxes."""
        return drawn(self.filled(options_of(state)))

    def filled(self, chosen: Iterable[Option]) -> Grid:
        """Return the grid with the symbols that these options write."""
        marks, side = self.board(chosen).marks, self.given.side
        return Grid("".join(marks.get(cell, ".") for cell in product(range(side), range(side))))


def drawn(grid: Grid) -> str:
    """Return a grid as text, with lines between the boxes."""
    side, (high, wide) = grid.side, BOXES[grid.side]
    dashes = ["-" * (2 * wide + 1)] * (side // wide)
    rule, lines = "+".join(dashes)[1:-1], []
    for row in range(side):
        marks = grid.cells[side * row : side * (row + 1)]
        lines += [rule] if row and row % high == 0 else []
        lines.append(" | ".join(" ".join(marks[i : i + wide]) for i in range(0, side, wide)))
    return "\n".join(lines)


@cache
def _items(cell: Cell, symbol: str, side: int) -> tuple[str, ...]:
    """Return the items that a symbol in a cell covers."""
    row, col = cell
    filled = (f"{unit[0]}{number}={symbol}" for unit, number in units(cell, side))
    return f"r{row + 1}c{col + 1}", *filled


def grid_of(file: str, number: int) -> Grid:
    """Return the grid of that number in a file, from 1 on; raise ConfigError."""
    found = _in_file(read_text(file, "grids", LONGEST), file)
    if number > len(found):
        raise ConfigError(f"{file} has no grid {number}; grids found there: {len(found)}")
    grid = found[number - 1]
    if said := mistake_in(grid):
        raise ConfigError(f"{file}, line {grid.line}: the grid has {said}")
    return grid


@lru_cache(maxsize=4)
def _in_file(text: str, file: str) -> tuple[Grid, ...]:
    try:
        return tuple(grids(text))
    except BadNotation as wrong:
        raise ConfigError(f"{file}, {wrong}") from None


# ---- answers -----------------------------------------------------------------------------------


@frozen
class Solved:
    """The answer to a grid."""

    grid: Grid
    mistake: str = ""
    """The reason why it cannot be a sudoku; then nothing was searched."""
    solutions: tuple[Grid, ...] = ()
    """Two at most."""
    bound: Bound = Bound.EXACT
    """`=` if it is proven that there are no others, or two are known."""
    nodes: int = 0
    seconds: float = 0.0

    @property
    def verdict(self) -> str:
        """`unique`, `several`, `none`, `mistake` or `unknown`, where the time was up first."""
        if self.mistake:
            return "mistake"
        if len(self.solutions) > 1:
            return "several"
        if self.bound is not Bound.EXACT:
            return "unknown"
        return "unique" if self.solutions else "none"


def solve(grid: Grid, limit: Limit | None = None) -> Solved:
    """Return the solution of a grid, and another one if there is one.

    >>> solve(Grid("1.....3.........")).verdict
    'several'
    """
    if said := mistake_in(grid):
        return Solved(grid, said)
    puzzle = Sudoku(grid=grid.cells)
    problem = puzzle.problem()
    search = covers(problem, limit=limit)
    found = [puzzle.filled(problem.options[o] for o in cover) for cover in islice(search, 2)]
    bound = Bound.EXACT if len(found) > 1 else search.bound
    return Solved(grid, "", tuple(found), bound, search.nodes, search.seconds)
