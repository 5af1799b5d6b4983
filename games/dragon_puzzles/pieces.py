"""Boards and pieces as text: copies of pieces, shapes of one's own, and cells that may stay free.

In a text the board comes first, `6x10` or a row on each line, then after a blank line the pieces: a
piece with its copies on each line, `2 hook XX/X.`. What follows a # and a blank is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product

from attrs import frozen

from dragon.errors import BadNotation, did_you_mean, quoted
from dragon_puzzles.boards import Cell
from dragon_puzzles.pentominoes import PIECES
from dragon_puzzles.shapes import Shape, of_text, settled, text_of

KNOWN = {
    "I1": "X", "I2": "XX", "I3": "XXX", "V3": "XX/X.", "I4": "XXXX", "L4": "XXX/X..",
    "O4": "XX/XX", "S4": ".XX/XX.", "T4": "XXX/.X.", **PIECES,
}  # fmt: skip
"""The pieces that need no shape: a letter and the number of squares; of five the letter alone."""
SETS = {"tetrominoes": 4, "pentominoes": 5}
"""Names for one piece of each kind of so many squares."""
MOST = 400
"""The most cells of a board, and copies."""
SIZE = re.compile(r"(\d{1,3})\s*[x\u00d7]\s*(\d{1,3})(\?)?")
PIECE = re.compile(
    r"(?:(\d{1,3})(?::(\d{1,3}))?\s*[x\u00d7*]?\s+|(\*)\s*)?([A-Za-z]\w*):?(?:\s+(\S+))?"
)
COMMENT = re.compile(r"(^|\s)#(\s.*|$)")
MARKS = ".o?# -"


@frozen
class Piece:
    """A piece, and how many copies of it are laid."""

    name: str
    shape: Shape
    least: int = 1
    most: int = 1


@frozen
class Tray:
    """The board and the pieces."""

    cells: frozenset[Cell]
    """Those that are to be covered."""
    free: frozenset[Cell]
    """Those that may stay free."""
    pieces: tuple[Piece, ...]

    @cached_property
    def size(self) -> Cell:
        """The number of rows and of columns."""
        both = self.cells | self.free
        return 1 + max(row for row, _ in both), 1 + max(col for _, col in both)

    def marks(self) -> list[str]:
        """Return the rows of the board: `.`, `?` where a cell may stay free, `#` for none."""
        rows, cols = self.size
        marks = {**dict.fromkeys(self.cells, "."), **dict.fromkeys(self.free, "?")}
        return ["".join(marks.get((r, c), "#") for c in range(cols)) for r in range(rows)]


def read(text: str) -> Tray:
    """Return the board and the pieces of a text; raise BadNotation with the line of a mistake."""
    lines = [COMMENT.sub("", line).rstrip() for line in text.removeprefix("\ufeff").splitlines()]
    begin = next((i for i, line in enumerate(lines) if line), len(lines))
    end = next((i for i, line in enumerate(lines) if i > begin and not line), len(lines))
    pieces: list[Piece] = []
    try:
        board = board_of("\n".join(lines[begin:end]), begin + 1, "line")
    except BadNotation as wrong:
        raise BadNotation(f"{wrong}; a blank line ends the board") from None
    for i, line in enumerate(lines[end:], end + 1):
        try:
            pieces += pieces_of(line) if line else ()
        except BadNotation as wrong:
            raise BadNotation(f"line {i}: {wrong}") from None
    return tray_of(*board, pieces)


def tray_of(cells: frozenset[Cell], free: frozenset[Cell], pieces: Iterable[Piece]) -> Tray:
    """Return a board with pieces; raise BadNotation if they cannot go together."""
    area, names = len(cells) + len(free), set[str]()
    whole = []
    for each in pieces:
        if each.name in names:
            raise BadNotation(
                f"piece {each.name} is given twice; write its copies as 2 {each.name}"
            )
        names.add(each.name)
        most = min(each.most, area // len(each.shape))
        if most < each.least or not most:
            raise BadNotation(f"{each.least or 1} of {each.name} do not fit into {area} cells")
        whole.append(Piece(each.name, each.shape, each.least, most))
    if not whole:
        raise BadNotation("there are no pieces; write one on each line below the board")
    least = sum(each.least * len(each.shape) for each in whole)
    most = sum(each.most * len(each.shape) for each in whole)
    if least > area or most < len(cells):
        what = f"{least}" if least == most else f"{least} to {most}"
        need = f"{len(cells)}" if not free else f"{len(cells)} to {area}"
        raise BadNotation(
            f"the pieces cover {what} cells, and the board has {need}; mark cells that may stay "
            "free with ?, or write other copies"
        )
    return Tray(cells, free, tuple(whole))


def board_of(
    text: str, first: int = 1, what: str = "row"
) -> tuple[frozenset[Cell], frozenset[Cell]]:
    """Return the cells to be covered and those that may stay free.

    first, what: the number of the first row in messages, and what a row is called there.
    """
    if size := SIZE.fullmatch(text.strip()):
        found = frozenset(product(range(int(size[1])), range(int(size[2]))))
        cells, free = (frozenset[Cell](), found) if size[3] else (found, frozenset[Cell]())
    else:
        marks = {(r, c): mark for r, row in enumerate(re.split(r"[/\n]", text))
                 for c, mark in enumerate(row)}  # fmt: skip
        for (r, c), mark in marks.items():
            if mark not in MARKS:
                raise BadNotation(
                    f"{what} {r + first}, column {c + 1}: {mark!r} is not a mark of a board; write "
                    ". for a cell, ? for one that may stay free, # for none, or 6x10"
                )
        cells = frozenset(cell for cell, mark in marks.items() if mark in ".o")
        free = frozenset(cell for cell, mark in marks.items() if mark == "?")
    if not 0 < len(cells | free) <= MOST:
        raise BadNotation(f"the board has {len(cells | free)} cells; write 1 to {MOST}")
    top, left = (min(axis) for axis in zip(*(cells | free), strict=True))
    return (frozenset((r - top, c - left) for r, c in cells),
            frozenset((r - top, c - left) for r, c in free))  # fmt: skip


def pieces_of(text: str) -> Iterator[Piece]:
    """Yield the piece of a text such as `2 hook XX/X.`, or the pieces of a set."""
    match = PIECE.fullmatch(text)
    if match is None:
        raise BadNotation(
            f"{quoted(text)} is not a piece; write copies, name and shape, as 2 hook XX/X."
        )
    least = 0 if match[3] else int(match[1] or 1)
    most = MOST if match[3] else int(match[2] or least)
    if not least <= most or not most:
        raise BadNotation(f"{quoted(text)}: write copies as 2, 0:3 or *")
    called, shape = match[4], match[5]
    if shape is None and called in SETS:
        sizes = {known: len(of_text(text)) for known, text in KNOWN.items()}
        for known, size in sizes.items():
            if size == SETS[called]:
                yield Piece(known, of_text(KNOWN[known]), least, most)
        return
    if shape is None and called not in KNOWN:
        hint = did_you_mean(called, [*KNOWN, *SETS]) or "; write its shape behind it, as XX/X."
        raise BadNotation(f"no piece is called {quoted(called)}{hint}")
    yield Piece(called, _shape(KNOWN[called] if shape is None else shape), least, most)


def _shape(text: str) -> Shape:
    """Return the cells of `XX/X.`; raise BadNotation."""
    for mark in text:
        if mark not in "Xx#o.-/":
            raise BadNotation(f"{mark!r} in the shape {quoted(text)}; write X for a square, . for "
                              "none, / after a row")  # fmt: skip
    cells = of_text(text.replace("-", "."))
    if not cells:
        raise BadNotation(f"the shape {quoted(text)} has no squares; write X for each")
    return settled(cells)


def write(tray: Tray) -> str:
    """Return a text that `read` reads back."""
    lines = []
    for each in tray.pieces:
        copies = f"{each.least}:{each.most} " if each.least != each.most else f"{each.least} "
        lines.append(f"{copies}{each.name} {text_of(each.shape)}")
    return "\n".join([*tray.marks(), "", *lines]) + "\n"
