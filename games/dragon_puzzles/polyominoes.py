"""Polyominoes: a board and pieces of your own, turned and mirrored at will.

In a text the board comes first, `6x10` or a row on each line, then after a blank line the pieces: a
piece with its copies on each line, `2 hook XX/X.`. A # and a blank begin a comment in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product
from math import inf
from time import monotonic
from typing import Any

from attrs import field, frozen
from attrs.validators import instance_of

from dragon.config import read_text
from dragon.core import Bound, Limit
from dragon.cover import Option, Problem, covers
from dragon.errors import BadNotation, ConfigError, did_you_mean, quoted
from dragon_puzzles.pentominoes import PIECES, Shape, of_text, placed, settled, turned
from dragon_puzzles.puzzle import (
    Board,
    Cell,
    Puzzle,
    cells_in,
    letters,
    name,
    named,
    picture,
    tiled,
)

KNOWN = {
    "I1": "X", "I2": "XX", "I3": "XXX", "V3": "XX/X.", "I4": "XXXX", "L4": "XXX/X..",
    "O4": "XX/XX", "S4": ".XX/XX.", "T4": "XXX/.X.", **PIECES,
}  # fmt: skip
"""The pieces that need no shape: a letter and the number of squares; of five the letter alone."""
SETS = {"tetrominoes": 4, "pentominoes": 5}
"""Names for one piece of each kind, by their number of squares."""
MOST = 400
"""The most cells of a board, and copies."""
SIZE = re.compile(r"(\d{1,3})\s*[x\u00d7]\s*(\d{1,3})(\?)?")
PIECE = re.compile(
    r"(?:(\d{1,3})(?::(\d{1,3}))?\s*[x\u00d7*]?\s+|(\*)\s*)?([A-Za-z]\w*):?(?:\s+(\S+))?"
)
COMMENT = re.compile(r"(^|\s)#\s(?=.*[^\W\d_o]).*")
"""A comment, which has a letter that is not a mark of a board."""
MARKS = ".o?#-"
Laid = tuple[tuple[str, tuple[Cell, ...]], ...]
"""Pieces and the cells where they lie, in order."""
LONGEST = 1_000_000
"""Bytes of a file."""


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


# ---- the game ----------------------------------------------------------------------------------


def _pieces(text: str) -> Iterator[Piece]:
    for part in filter(None, map(str.strip, text.split(","))):
        yield from pieces_of(part)


def _checked(puzzle: Polyominoes, attribute: Any, value: str) -> None:
    if not isinstance(value, str):
        raise ValueError(f"{attribute.name} must be a text, not {value!r}")
    try:
        board_of(value) if attribute.name == "area" else [*_pieces(value)]
    except BadNotation as wrong:
        raise ValueError(f"{attribute.name}: {wrong}") from None


@frozen
class Polyominoes(Puzzle):
    """Fill a board of your own with pieces of your own.

    >>> covers(Polyominoes(area="4x4", pieces="4 T4").problem()).count()
    2
    """

    name = "polyominoes"
    area: str = field(default="4x4", validator=_checked)
    """The board: `6x10`, or rows with / between them: . for a cell, ? if it may stay free, # for
    none."""
    pieces: str = field(default="4 T4", validator=_checked)
    """Pieces with commas between them: copies, name and shape, `2 hook XX/X., 0:3 T4, * I1`."""
    mirrored: bool = field(default=True, validator=instance_of(bool))
    """True if pieces may be turned over."""
    file: str | None = field(default=None, metadata={"outside": True})
    """A file with a board and pieces, which replaces both."""

    def __attrs_post_init__(self) -> None:
        if self.file is None:
            try:
                tray_of(*board_of(self.area), _pieces(self.pieces))
            except BadNotation as wrong:
                raise ValueError(str(wrong)) from None

    @cached_property
    def tray(self) -> Tray:
        """The board and the pieces in use; raise ConfigError for a file that is not understood."""
        if self.file is None:
            return tray_of(*board_of(self.area), _pieces(self.pieces))
        try:
            return read(read_text(self.file, "a board and pieces", LONGEST))
        except BadNotation as wrong:
            where = "stdin" if self.file == "-" else self.file
            raise ConfigError(f"{where}, {wrong}") from None

    def problem(self) -> Problem:
        """Return the problem: pieces as often as there are copies, and every cell once."""
        tray = self.tray
        own = [each for each in tray.pieces if (each.least, each.most) != (1, 1)]
        return Problem(
            (*(each.name for each in tray.pieces), *map(name, sorted(tray.cells))),
            tuple(self._options()),
            map(name, sorted(tray.free)),
            {each.name: (each.least, each.most) for each in own},
        )

    def _options(self) -> Iterator[Option]:
        tray = self.tray
        for piece in tray.pieces:
            for shape in turned(piece.shape, self.mirrored):
                for cells in placed(shape, tray.size, tray.cells | tray.free):
                    names = [name((row, col)) for row, col in cells]
                    yield Option((piece.name, *names), f"{piece.name}-{''.join(names)}")

    def laid(self, chosen: Iterable[Option]) -> Laid:
        """Return the pieces of options, in order."""
        pieces = ((o.items[0], tuple(sorted(cells_in(" ".join(o.items[1:]))))) for o in chosen)
        return tuple(sorted(pieces))

    def board(self, chosen: Iterable[Option]) -> Board:
        return self.pictured(self.laid(chosen))

    def pictured(self, laid: Laid) -> Board:
        """Return the board with pieces; copies of one are told apart by a small letter."""
        tray = self.tray
        order = [each.name for each in tray.pieces]
        marks = dict(zip(order, _short(order), strict=True))
        seen: dict[str, int] = {}
        pieces = []
        for called, cells in laid:
            copy = seen[called] = seen.get(called, -1) + 1
            many = tray.pieces[order.index(called)].most > 1
            tint = 1 + (order.index(called) + copy) % 12
            pieces.append((marks[called] + letters(copy) * many, tint, cells))
        gone = frozenset(product(range(tray.size[0]), range(tray.size[1]))) - tray.cells - tray.free
        return named(tiled(*tray.size, pieces, gone))

    def picture(self, laid: Laid) -> str:
        """Return the board with pieces as SVG."""
        return picture(self.pictured(laid), str(self))

    def distinct(self, laid: Laid) -> bool:
        """Return True for one of the solutions that are the same up to symmetry: the first."""
        return all(laid <= tuple(sorted((n, tuple(sorted(map(turn, cells)))) for n, cells in laid))
                   for turn in (each.__getitem__ for each in self._turns))  # fmt: skip

    @cached_property
    def _turns(self) -> list[dict[Cell, Cell]]:
        """The symmetries of the board, by which every cell goes to another of its kind."""
        tray, found = self.tray, []
        both = sorted(tray.cells | tray.free)
        for flip, turns in product((False, True)[: 1 + self.mirrored], range(4)):
            moved = [(r, -c) if flip else (r, c) for r, c in both]
            for _ in range(turns):
                moved = [(c, -r) for r, c in moved]
            top, left = (min(axis) for axis in zip(*moved, strict=True))
            turn = {cell: (r - top, c - left) for cell, (r, c) in zip(both, moved, strict=True)}
            if {turn[cell] for cell in tray.cells} == tray.cells and {*turn.values()} == {*both}:
                found.append(turn)
        return found


def _short(names: list[str]) -> list[str]:
    """Return the shortest beginning of each name that no other has."""
    found = []
    for each in names:
        others = [other for other in names if other != each]
        cuts = (each[:n] for n in range(1, len(each) + 1))
        found.append(next((c for c in cuts if not any(o.startswith(c) for o in others)), each))
    return found


# ---- answers -----------------------------------------------------------------------------------


@frozen
class Packed:
    """The answer to a puzzle of pieces."""

    shown: tuple[Laid, ...]
    """The first solutions, each once up to symmetry."""
    solutions: int
    distinct: int
    """Solutions up to symmetry."""
    bound: Bound
    """`=` if there are no others."""
    nodes: int
    seconds: float


def pack(
    puzzle: Polyominoes, first: int = 1, every: bool = False, limit: Limit | None = None
) -> Packed:
    """Return the first solutions of a puzzle, and with `every` the number of all."""
    problem, shown, distinct, total = puzzle.problem(), list[Laid](), 0, 0
    search = covers(problem, limit=limit)
    # The limit of `search` is one of the search alone, and to compare solutions takes longer.
    ends = monotonic() + ((limit and limit.seconds) or inf)
    for cover in search:
        total += 1
        laid = puzzle.laid(problem.options[o] for o in cover)
        if puzzle.distinct(laid):
            distinct += 1
            shown += [laid] * (len(shown) < first)
        if (len(shown) == first and not every) or monotonic() > ends:
            break
    done = search.bound if total == search.found else Bound.LOWER
    return Packed(tuple(shown), total, distinct, done, search.nodes, search.seconds)
