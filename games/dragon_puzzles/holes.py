"""The notation and the drawing of peg solitaire, and the shapes of its boards."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from dragon import BadNotation
from dragon.boards.squares import Square, disc, drawing_parts
from dragon.protocols import Part, Sum, drawn
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
        if text.replace(".", "o") != self.shape:
            raise BadNotation(f"{text!r} is not this board; write it like {self.shape!r}, with . "
                              "for an empty hole")  # fmt: skip
        s.pegs = sum(1 << 8 * r + c for r, row in enumerate(text.split("/"))
                     for c, mark in enumerate(row) if mark == "o")  # fmt: skip

    def picture(self, s: Any) -> str:
        rows = zip(ROWS, self._rows(s), strict=True)
        lines = [f"{name}  {' '.join(row.replace('-', ' '))}" for name, row in rows]
        return "\n".join([f"   {' '.join(COLUMNS)}", *map(str.rstrip, lines)])

    def svg(self, s: Any) -> str:
        return drawn(self.drawing(), s)

    def drawing(self) -> list[Part]:
        """Return the parts of the SVG."""
        shown = {1: disc("#444", 14), 0: disc("#b3966a", 6)}
        squares = (Square(r, c, Sum({("pegs", (), 8 * r + c): 1}, shown), name_of(8 * r + c))
                   for r, row in enumerate(self.shape.split("/")) for c, mark in enumerate(row)
                   if mark != "-")  # fmt: skip
        return drawing_parts(7, 7, squares)
