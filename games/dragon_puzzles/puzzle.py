"""The base of all puzzles: a board of squares as text and as SVG, and bounds of settings.

`Cover`, the puzzle of a file in the text format of Knuth's programs, is the plainest of them.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

from dragon import rule
from dragon.boards import material as m
from dragon.boards.material import paint
from dragon.cover import CoverGame, Option, Problem, read
from dragon.errors import ConfigError
from dragon.rules.notation import escape, read_fields

if TYPE_CHECKING:
    import attrs

    from dragon.cover import CoverState


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
    """The part to which each cell belongs; there is a wall between cells of different parts."""
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


SIDE = 40
"""The side of a square, in user units."""
MARGIN = 26
"""The margin around the board, which has the names of rows and columns."""
DARK = 13
"""The tint of a dark square; 1 to 12 are those of pieces."""


def picture(board: Board, title: str = "", extra: str = "", above: int = 0) -> str:
    """Return the SVG; `extra` is drawn over the board, with `above` units free for it; the title is
    for programs that read it out."""
    left = MARGIN + 7 * max([0, *(len(text) - 1 for text in board.sides[0])])
    width = left + board.cols * SIDE + MARGIN
    height = board.rows * SIDE + 2 * MARGIN + above
    x, y = -left, -MARGIN - above
    parts = [
        m.head((x, y, width, height), escape(title or "puzzle")),
        m.slab(x + 0.5, y + 0.5, width - 2, height - 3, paint("walnut"), 8),
        *(_square(board, cell) for cell in board.cells()),
        *_edges(board),
        *(_mark(board, cell) for cell in board.cells() if cell in board.marks),
        *_sides(board),
        extra,
    ]
    return "".join(parts) + "</svg>"


def _square(board: Board, cell: Cell) -> str:
    tint = board.tints.get(cell, 0)
    plain = "maple" if DARK in board.tints.values() else "sheet"
    look = paint("oak" if tint == DARK else f"p{tint}" if tint else plain)
    return m.rect(cell[1] * SIDE, cell[0] * SIDE, SIDE, SIDE, look)


def _edges(board: Board) -> Iterator[str]:
    """Yield thin lines between cells of one part or of none, and walls between parts and around."""
    there = set(board.cells())
    lines: dict[str, list[str]] = {"line": [], "wall": []}
    for row in range(board.rows + 1):
        for col in range(board.cols + 1):
            here = (row, col)
            for other, step in (((row - 1, col), f"h{SIDE}"), ((row, col - 1), f"v{SIDE}")):
                if not {here, other} & there:
                    continue
                inside = here in there and other in there
                parts = board.blocks.get(here), board.blocks.get(other)
                if inside and parts[0] == parts[1] is not None and board.tints:
                    continue  # a piece is of one colour, without lines
                kind = "line" if inside and parts[0] == parts[1] else "wall"
                lines[kind].append(f"M{col * SIDE},{row * SIDE}{step}")
    for look, found in zip((("faint", 0.8), ("ink", 2.2)), lines.values(), strict=True):
        if found:
            yield m.path("".join(found), paint("none", *look), m.ROUND)


def _mark(board: Board, cell: Cell) -> str:
    mark = board.marks[cell]
    x, y = (cell[1] + 0.5) * SIDE, (cell[0] + 0.5) * SIDE
    if mark == "Q":
        return f'<g transform="translate({x:g},{y:g})">{m.chessman("queen", "ebony")}</g>'
    return m.text(x, y, escape(mark), 17, paint("ink"), 700 if cell in board.strong else 0)


def _sides(board: Board) -> Iterator[str]:
    look = paint("inlay")
    for row, text in enumerate(board.sides[0]):
        yield m.text(-8 - 3.5 * len(text), (row + 0.5) * SIDE, escape(text), 12, look)
    for col, text in enumerate(board.sides[1]):
        yield m.text((col + 0.5) * SIDE, -12, escape(text), 12, look)


def bows(pairs: Iterable[tuple[int, int]]) -> str:
    """Return arcs above the first row, each of which joins two of its columns."""
    found = []
    for first, second in pairs:
        x, far = (first + 0.5) * SIDE, (second - first) * SIDE
        found.append(f"M{x:g},-5c0,{-height(far):g} {far:g},{-height(far):g} {far:g},0")
    return m.path("".join(found), paint("none", "inlay", 1.8), m.ROUND) if found else ""


def height(far: float) -> float:
    """Return the height of the handles of an arc that spans `far` units."""
    return 8 + far / 4


def within(least: int, most: int) -> Callable[[Any, Any, Any], None]:
    """Return a validator of whole numbers from `least` to `most`."""

    def check(puzzle: Any, attribute: Any, value: Any) -> None:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(
                f"{attribute.name} must be a whole number from {least} to {most}, not {value!r}"
            )

    return check


def options_of(state: CoverState) -> list[Option]:
    """Return the options chosen in a state, in the order of choice."""
    options = state.table.problem.options
    return [options[number] for number in state.chosen]


@frozen
class Puzzle(CoverGame):
    """A cover problem whose options lie on a board of squares."""

    @abstractmethod
    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the board to draw when these options are chosen."""

    def draw(self, state: CoverState) -> str:
        """Return the options chosen so far, as text."""
        return str(self.board(options_of(state)))

    def svg(self, state: CoverState) -> str:
        """Return the options chosen so far, as a picture."""
        return picture(self.board(options_of(state)), str(self))


def priced(most: int) -> dict[str, Any]:
    """Return the rules `payoff`, `banked` and `bounds` if each of `most` moves costs 1.

    The record's fields are `made`, and `left`: a lower bound on the moves needed, 0 at the goal
    alone. A game that does not reach the goal costs one more than `most`.
    """

    @rule
    def payoff(s: Any, seat: int) -> Any:
        return -s.made if s.left == 0 else -most - 1

    @rule
    def banked(s: Any) -> Any:
        return -s.made

    @rule
    def bounds(s: Any) -> Any:
        return -most - 1, -min(s.made + s.left, most + 1)

    return {"payoff": payoff, "banked": banked, "bounds": bounds}


def made_text(s: Any) -> str:
    """Return the text after the board, with a space before it: ` made=7`, empty for 0 moves."""
    return f" made={s.made}" if s.made else ""


def read_made(s: Any, words: Sequence[str], most: int, text: str) -> None:
    """Read the text of `made_text`; raise BadNotation for more than `most` moves, or below 0.

    words: those after the board; text: the whole position, for the error.
    """
    s.made = 0
    read_fields(s, ("made",), words, text, {"made": most})


def _path(puzzle: Cover, attribute: attrs.Attribute[str], value: str) -> None:
    if not isinstance(value, str) or not value:
        raise ValueError(f"{attribute.name} must be the path of a file, not {value!r}")


@frozen
class Cover(Puzzle):
    """Cover the items of a file by options of that file; secondary items at most once."""

    name = "cover"
    file: str = field(validator=_path, metadata={"outside": True})
    """The path of a file in Knuth's format: items in the first line, then one option a line."""

    def problem(self) -> Problem:
        """Read the problem; raise BadNotation with the line of every mistake."""
        try:
            return read(self.file)
        except OSError as refused:
            raise ConfigError(
                f"{self.file}: cannot be read: {refused.strerror or refused}; set file to the "
                "path of a cover problem"
            ) from refused

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return a row for each option, a column for each of its items, and a colour or `x`."""
        chosen = tuple(chosen)
        items = tuple(dict.fromkeys(item for option in chosen for item in option.items))
        column = {item: col for col, item in enumerate(items)}
        marks: dict[Cell, str] = {}
        for row, option in enumerate(chosen):
            marks |= {(row, column[i]): option.colours.get(i, "x") for i in option.items}
        tints = {(row, col): 1 + row % 12 for row, col in marks}
        names = tuple(str(row + 1) for row in range(len(chosen)))
        return Board(len(chosen), len(items), marks, tints, sides=(names, items))

    def draw(self, state: CoverState) -> str:
        """Return the options chosen, one a line, and the items still to be covered."""
        problem = state.table.problem
        rest = [item for i, item in enumerate(problem.primary) if state.left >> i & 1]
        lines = [*map(str, options_of(state)), *([f"left: {' '.join(rest)}"] if rest else [])]
        return "\n".join(lines)
