"""Sudoku grids as people post them: one or many, of any usual size.

A grid is a line of all its cells, or a line for each row, with marks between cells, rules between
boxes, frames and other text around it. `.sdk` files have lines that begin with # and sections, of
which `[Puzzle]` is read; `.sdm` files have a grid on each line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import field, frozen

from dragon.errors import BadNotation, quoted

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
        """The symbols of the grid, in order."""
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
