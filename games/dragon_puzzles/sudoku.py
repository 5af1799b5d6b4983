"""Sudoku: each symbol once in every row, column and box, some of them given.

Grids are read as people post them, one or many, of any usual size: a line of all cells, or a line
for each row, with marks between cells, rules between boxes, frames and other text around it. `.sdk`
files have lines that begin with # and sections, of which `[Puzzle]` is read; `.sdm` files have a
grid on each line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from attrs import field, frozen
from attrs.validators import ge

from dragon.config import read_text
from dragon.core import Bound, Limit
from dragon.cover import Option, Problem, covers
from dragon.errors import BadNotation, ConfigError, quoted
from dragon_puzzles.puzzle import Board, Cell, Puzzle, options_of
from dragon_puzzles.textbook import entries

if TYPE_CHECKING:
    import attrs

    from dragon.cover import CoverState


BOXES = {4: (2, 2), 6: (2, 3), 9: (3, 3), 12: (3, 4), 16: (4, 4), 25: (5, 5)}
"""The rows and columns of a box, by the number of rows."""
LINES = {81: 9, 256: 16, 625: 25}
"""The number of rows of a grid on one line among other text, by its cells."""
DIGITS, LETTERS = "123456789", "ABCDEFGHIJKLMNOPQRSTUVWXY"
EMPTY = ".0_*?"
FRAMES = "".join(map(chr, range(0x2500, 0x2580)))
RULES = {*"-=+|:*# ", *FRAMES}
"""The marks of a line between boxes, which has a dash."""
DASHES = {*"-=\u2500\u2501\u2550"}
BETWEEN = re.compile(rf"[ \t,;|'\"\[\](){{}}{FRAMES}]+")
"""The marks between cells."""
CELL = rf"[{DIGITS}{LETTERS}{LETTERS.lower()}{re.escape(EMPTY)}]"
LONG = re.compile(rf"(?<![^\s,;:|\"'=\[(]){CELL}+(?![^\s,;:|\"'\])])")
"""A word of cells alone."""
ASSIGNED = re.compile(r"^\s*\w+\s*=\s*(?=\[)")
"""The beginning of a list in a program."""
CELLS = re.compile(rf"[{DIGITS}{re.escape(EMPTY)}]{{60,}}")
"""A text of cells alone."""
SECTION = re.compile(r"\[\s*([A-Za-z]+)\s*\]")
HEADING = re.compile(r"\d{1,6}\.?|\*+|_+")
"""A number of a grid, and a ruler, of marks that cells have too."""
MOSTLY = 0.8
"""The part of a line that is of cells where it is a grid with a mistake, and not other text."""


@frozen
class Grid:
    """The cells of a grid, row by row: a symbol that is given, or a dot."""

    cells: str
    line: int = field(default=1, eq=False)
    """The line on which it begins."""

    @property
    def side(self) -> int:
        """The number of rows."""
        return next(n for n in BOXES if n * n == len(self.cells))

    @property
    def symbols(self) -> str:
        return symbols_of(self.side, self.cells)


def symbols_of(side: int, cells: str) -> str:
    """Return the symbols that are written in a grid of that side.

    They are 1 to 9 and then letters; letters alone where a letter is beyond those; in a grid with
    16 rows 0 to 9 and A to F where 0 is given.

    >>> symbols_of(16, "1.G"), symbols_of(16, "0.F"), symbols_of(16, "A.P")
    ('123456789ABCDEFG', '0123456789ABCDEF', 'ABCDEFGHIJKLMNOP')
    """
    usual = (DIGITS + LETTERS)[:side]
    others = [LETTERS[:side], *(["0123456789ABCDEF"] if side == 16 else [])]
    given = {*cells} - {"."}
    return next((known for known in (usual, *others) if given <= {*known}), usual)


def grids(text: str) -> Iterator[Grid]:
    """Yield the grids in a text; raise BadNotation with the line that is not understood."""
    rows: list[list[str]] = []
    begin, above, skipped = 0, "", False
    for number, line in enumerate([*text.removeprefix("\ufeff").splitlines(), None], 1):
        bare = (line or "").strip()
        if section := SECTION.fullmatch(bare):
            skipped = section[1].lower() != "puzzle"
        ruled = len(bare) > 2 and {*bare} <= RULES and {*bare} & DASHES
        if line is not None and (skipped or section or ruled or not bare or bare[0] == "#"):
            continue
        if not rows and (whole := _whole(bare)):
            yield Grid(plain(whole), number)
            continue
        row = _row(line or "", len(rows[0]) if rows else 0)
        if rows and not row:
            odd = "the text ends" if line is None else _odd(bare, len(rows[0]))
            raise BadNotation(
                f"line {number}: {odd}, and the grid that begins on line {begin} has {len(rows)} "
                f"of {len(rows[0])} rows{above}; write a symbol for each cell, and . or 0 if it is "
                "empty"
            )
        if row:
            begin = begin if rows else number
            rows.append(row)
            if len(rows) == len(row):
                yield Grid(plain([cell for each in rows for cell in each]), begin)
                rows, above = [], ""
        elif bare:
            text = BETWEEN.sub("", bare.partition("#")[0])
            marks = sum(mark in DIGITS + EMPTY for mark in text)
            if marks == len(text) > 0 and not HEADING.fullmatch(text):
                raise BadNotation(f"line {number}: {_odd(text, 9)}, which is not a row of a grid")
            if len(text) > 40 and marks > MOSTLY * len(text):
                said = _odd(text, 9 if len(text) < 200 else 25)
                raise BadNotation(f"line {number}: {said}; a grid on one line has 81, 256 or 625")
            above = f" (line {number}, {quoted(bare)}, is not a row)"


def _whole(line: str) -> list[str]:
    """Return the cells of a line that has a whole grid, perhaps among other text."""
    ways = [[*found[0]] for found in LONG.finditer(line)]
    parts = [part for part in BETWEEN.split(line) if part]
    for cells in (*ways, parts, [*"".join(parts)]):
        side = LINES.get(len(cells))
        if side and all(_fits(cell, side) for cell in cells):
            return cells
    return []


def _row(line: str, side: int) -> list[str]:
    """Return the cells of a row; empty for another line. side: that of the grid, 0 if not known."""
    for cells in _readings(line):
        n = len(cells)
        if n in BOXES and side in (0, n) and all(_fits(cell, n) for cell in cells):
            return cells
    return []


def _readings(line: str) -> Iterator[list[str]]:
    """Yield the ways to cut a line into cells."""
    line = ASSIGNED.sub("", line)
    bars = "|\u2502\u2503\u2551"
    fields = re.split(f"[,;\t{bars}]", line.strip(" ").strip(bars))
    if len(fields) > 4:  # an empty cell may have nothing between two marks
        cells = [part.strip(" '\"[](){}") or "." for part in fields]
        yield cells
        yield cells[:-1]
    parts = [part for part in BETWEEN.split(line) if part]
    yield parts
    yield [*"".join(parts)]
    blanks = re.sub(f"[|{FRAMES}]", "", line)
    if len(blanks) > 6 and not {*blanks} & {*EMPTY}:  # or is a blank
        yield [*blanks.replace(" ", ".")]


def _fits(cell: str, side: int) -> bool:
    """Return True for a symbol of a grid of that side, a mark of an empty cell, or a number."""
    if len(cell) > 1:
        return side > 9 and cell.isascii() and cell.isdecimal() and int(cell) <= side
    known = (DIGITS + LETTERS)[:side] + (LETTERS[:side] if side > 12 else "")
    return cell.upper() in known + EMPTY


def plain(cells: list[str]) -> str:
    """Return cells as one text, with letters for numbers beyond 9 and dots for empty cells."""
    known = "." + DIGITS + LETTERS
    if any(len(cell) > 1 for cell in cells):
        return "".join(known[int(cell)] if cell.isdecimal() else "." for cell in cells)
    empty = EMPTY
    if len(cells) == 256 and "0" in cells and not {*cells}.isdisjoint("._*?"):
        empty = empty.replace("0", "")  # 0 to F
    text = "".join("." if cell in empty else cell for cell in cells)
    return text.upper() if len(cells) > 81 else text


def _odd(line: str, side: int) -> str:
    """Return the reason why a line is not a row of a grid of that side."""
    for column, mark in enumerate(line, 1):
        if not BETWEEN.fullmatch(mark) and not _fits(mark, side):
            return f"column {column}: {mark!r} is not a cell"
    return f"it has {len(BETWEEN.sub('', line))} cells"


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
