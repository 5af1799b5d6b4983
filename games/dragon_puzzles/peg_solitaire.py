"""Peg solitaire: pegs jump over one another, and the last one should end in a given hole.

The English board of 33 holes, or the European one of 37; a record has a bit for each peg, and
bit 8r + c is that of row r and column c, so that nothing wraps around::

        2 3 4
        2 3 4           row 0
    0 1 2 3 4 5 6       row 2
    0 1 2 3 4 5 6
    0 1 2 3 4 5 6
        2 3 4
        2 3 4           row 6
"""

from __future__ import annotations

from typing import Any, Literal

from attrs import field
from attrs.validators import in_

from dragon import TERMINAL, BadNotation, RecordGame, Rules, frozen, rule
from dragon.bits import bit, elements, popcount, shl, shr, u64
from dragon.boards import material as m
from dragon.boards.squares import Square, drawing_parts
from dragon.protocols import Part, Place, Sum, drawn
from dragon.rules.notation import BaseNotation

SHAPES = {
    "english": "--ooo--/--ooo--/ooooooo/ooooooo/ooooooo/--ooo--/--ooo--",
    "european": "--ooo--/-ooooo-/ooooooo/ooooooo/ooooooo/-ooooo-/--ooo--",
}
ROWS, COLUMNS = "abcdefg", "1234567"
STEPS = (1, -1, 8, -8)


def name_of(cell: int) -> str:
    """Return the name of a bit: `d4` for the middle."""
    return ROWS[cell // 8] + COLUMNS[cell % 8]


def cell_of(text: str) -> int:
    """Return the bit of a name; raise BadNotation."""
    if len(text) != 2 or text[0] not in ROWS or text[1] not in COLUMNS:
        raise BadNotation(f"{text!r} is not a hole; write a row and a column, a1 to g7")
    return 8 * ROWS.index(text[0]) + COLUMNS.index(text[1])


def rows_in(text: str) -> list[str]:
    """Return the rows of a board, divided by `/` or lines, or drawn as `picture` draws it.

    Outside the board there may be blanks instead of `-`, and none at a row's end.
    """
    lines = [line.rstrip(" \r") for line in text.strip("\r\n").split("/" if "/" in text else "\n")]
    lines = [line for line in lines if line and line.split() != [*COLUMNS]]
    if all(line[:2] == f"{name} " for line, name in zip(lines, ROWS, strict=False)):
        lines = [line[3::2] for line in lines]
    return [line.replace(" ", "-").ljust(len(COLUMNS), "-") for line in lines]


@frozen
class Holes(BaseNotation):
    """The notation: a move is the holes that a peg leaves and enters, `b4d4`."""

    shape: str

    def move_text(self, s: Any, code: int) -> str:
        way, cell = divmod(code, 64)
        return name_of(cell) + name_of(cell + 2 * STEPS[way])

    def move_code(self, s: Any, text: str) -> int:
        cell, to = cell_of(text[:2]), cell_of(text[2:])
        if (to - cell) / 2 not in STEPS:
            raise BadNotation(f"{text!r} is not a jump; write the holes it goes from and to")
        return STEPS.index((to - cell) // 2) * 64 + cell

    def clicks(self, move: str) -> list[list[str]]:
        return [[move[:2], move[2:]]]

    def _rows(self, s: Any) -> list[str]:
        """Return the rows: `o` for a peg, `.` for an empty hole, `-` outside the board."""
        rows = enumerate(self.shape.split("/"))
        return ["".join("-" if mark == "-" else "o" if int(s.pegs) >> 8 * r + c & 1 else "."
                        for c, mark in enumerate(row)) for r, row in rows]  # fmt: skip

    def position_text(self, s: Any) -> str:
        return "/".join(self._rows(s))

    def parse(self, s: Any, text: str) -> None:
        rows = rows_in(text)
        for r, row in enumerate(rows, 1):
            for c, mark in enumerate(row, 1):
                if mark not in "o.-":
                    shown = "a tab" if mark == "\t" else repr(mark)
                    raise BadNotation(f"row {r}, column {c}: {shown} is not a mark of a board; "
                                      "write o for a peg, . for an empty hole")  # fmt: skip
        if "/".join(rows).replace(".", "o") != self.shape:
            raise BadNotation(f"{text!r} is not this board; write it like {self.shape!r}, with . "
                              "for an empty hole")  # fmt: skip
        s.pegs = sum(1 << 8 * r + c for r, row in enumerate(rows)
                     for c, mark in enumerate(row) if mark == "o")  # fmt: skip

    def picture(self, s: Any) -> str:
        rows = zip(ROWS, self._rows(s), strict=True)
        lines = [f"{name}  {' '.join(row.replace('-', ' '))}" for name, row in rows]
        return "\n".join([f"   {' '.join(COLUMNS)}", *map(str.rstrip, lines)])

    def svg(self, s: Any) -> str:
        return drawn(self.drawing(), s)

    def drawing(self) -> list[Part]:
        shown, hole = {1: m.stone("blue", 14)}, m.hole(0, 0, 8)
        reach = m.circle(0, 0, 18, m.paint("shade"), 'fill-opacity="0"') + hole
        rows = self.shape.split("/")
        board = m.slab(1, 1, 314, 314, m.paint("kaya"), 157)  # with a rim around the pegs
        board += m.circle(158, 158, 148, m.paint("none", "engraved", 2), 'stroke-opacity=".35"')
        squares = []
        for r, c, mark in ((r, c, x) for r, row in enumerate(rows) for c, x in enumerate(row)):
            at: dict[Place, int] = {("pegs", (), 8 * r + c): 1}
            name, said = name_of(8 * r + c), Sum(at, {1: "peg", 0: "empty"})
            if mark != "-":
                squares.append(Square(r + 0.35, c + 0.35, (reach, Sum(at, shown)), name, said))
        return drawing_parts(7.7, 7.7, squares, board)


@frozen
class PegSolitaire(RecordGame):
    """Jump until one peg is left, in the goal hole; that pays 1, any other end 0.

    A peg jumps over another beside it, along a row or a column, into the empty hole behind; the
    other is taken away. It ends when no peg can jump.
    """

    name = "peg_solitaire"
    teams = (0,)
    board: Literal["english", "european"] = field(default="english", validator=in_([*SHAPES]))
    """The board, of 33 or of 37 holes."""
    empty: str = field(default="d4")
    """The hole that is empty at first: row a to g from the top, column 1 to 7."""
    goal: str = field(default="d4")
    """The hole of the last peg; empty text: any."""

    @empty.validator
    @goal.validator
    def _is_a_hole(self, attribute: Any, hole: str) -> None:
        if (hole or attribute.name == "empty") and not self.holes() >> cell_of(hole) & 1:
            raise ValueError(f"there is no hole {hole} on the {self.board} board")

    def holes(self) -> int:
        rows = enumerate(SHAPES[self.board].split("/"))
        return sum(1 << 8 * r + c for r, row in rows for c, mark in enumerate(row) if mark == "o")

    def setup(self, record: Any) -> None:
        record.pegs = self.holes() & ~(1 << cell_of(self.empty))

    def rules(self) -> Rules:
        board, goal = u64(self.holes()), u64(self.holes())
        kin, symmetric = board, self.goal in ("", "d4")
        if self.goal:
            goal = bit(cell_of(self.goal))
            # A peg that jumps stays in its kind: holes an even number of rows and columns apart.
            kinds = (u64(0x0055005500550055 << shift) & board for shift in (0, 1, 8, 9))
            kin = next(cells for cells in kinds if cells & goal)

        @rule
        def jumpers(pegs, way):
            """Return the pegs that can jump this way."""
            free = board & ~pegs
            if way == 0:
                return pegs & shr(pegs, 1) & shr(free, 2)
            if way == 1:
                return pegs & shl(pegs, 1) & shl(free, 2)
            if way == 2:
                return pegs & shr(pegs, 8) & shr(free, 16)
            return pegs & shl(pegs, 8) & shl(free, 16)

        @rule
        def turn(s):
            for way in range(4):
                if jumpers(s.pegs, way):
                    return 0
            return TERMINAL

        @rule
        def moves(s, out):
            n = 0
            for way in range(4):
                n = elements(jumpers(s.pegs, way), out, n, 64 * way)
            return n

        @rule
        def play(s, move):
            cell, step = move % 64, STEPS[move // 64]
            s.pegs ^= bit(cell) | bit(cell + step) | bit(cell + 2 * step)

        @rule
        def payoff(s, seat):
            return 1 if popcount(s.pegs) == 1 and s.pegs & goal else 0

        @rule
        def bounds(s):
            return 0, 1 if s.pegs & kin else 0

        @rule
        def mirrored(pegs):
            """Return the pegs with left and right exchanged."""
            image = u64(0)
            for column in range(7):
                image |= shl(shr(pegs, column) & u64(0x0001010101010101), 6 - column)
            return image

        @rule
        def upended(pegs):
            """Return the pegs with top and bottom exchanged."""
            image = u64(0)
            for row in range(7):
                image |= shl(shr(pegs, 8 * row) & u64(0x7F), 8 * (6 - row))
            return image

        @rule
        def swapped(pegs, shift, cells):
            """Exchange some cells with those `shift` bits further on."""
            changed = (pegs ^ shr(pegs, shift)) & cells
            return pegs ^ changed ^ shl(changed, shift)

        @rule
        def transposed(pegs):
            """Exchange rows and columns: single cells, blocks of four, blocks of sixteen."""
            pegs = swapped(pegs, 7, u64(0x00AA00AA00AA00AA))
            pegs = swapped(pegs, 14, u64(0x0000CCCC0000CCCC))
            return swapped(pegs, 28, u64(0x00000000F0F0F0F0))

        @rule
        def least(pegs):
            """Return the least of four images."""
            over = upended(pegs)
            return min(min(pegs, over), min(mirrored(pegs), mirrored(over)))

        @rule
        def key(s):
            return min(least(s.pegs), least(transposed(s.pegs)))

        return Rules(
            [("pegs", "u8")], moves, play, turn, payoff, width=4 * popcount(board),
            plies=popcount(board), key=key if symmetric else None, bounds=bounds,
            notation=Holes(SHAPES[self.board]),
        )  # fmt: skip
