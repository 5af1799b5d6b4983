"""Grid: the notation of boards on which sides place one stone a turn, such as hex."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from attrs import evolve, frozen

from dragon.boards.cells import EMPTY, Cells
from dragon.boards.drawing import NEUTRAL, SIDES, Drawing
from dragon.errors import BadNotation, PluginError

RACK = ("Red", "Yellow")
"""The usual colours of two sides that drop stones into a rack."""


@frozen
class Grid(Cells):
    """A board of `rows` x `columns` on which sides place one stone a turn, and none is removed.

    The side to move follows from the number of stones, which is the record's `ply`. Where stones
    move, are captured or a turn may be passed, take a `Board`.

    Cells are named a1 (top left), a2, ... A position is its rows from the top, `.` for
    an empty cell, and the stone of the side to move: `X.O/.X./... O`. `where` gives the bit of a
    cell, `by_column` makes a column's number the move, `slant` draws hexagons, each row half a cell
    further right.

    >>> Grid(3, 3, {"stones": "XO"}).layout
    [('stones', 'u8', (2,)), ('ply', 'i8')]
    """

    by_column: bool = False
    edges: str = ""
    """For slanted boards, the letters that join top to bottom and left to right, drawn as a rim."""
    settle: Callable[[Any], None] | None = None
    """Completes a record that has been read, where it holds more than the stones."""
    colours: tuple[str, ...] = ()
    """The colour of each letter, from `drawing.SIDES`, or "" for neutral stones; if empty, in that
    order, and Red and Yellow where columns are played."""

    def __attrs_post_init__(self) -> None:
        Cells.__attrs_post_init__(self)
        letters = self._letters()
        if len(self.edges) not in (0, 2) or set(self.edges) - set(letters):
            raise PluginError(
                f"the edges of a grid are {self.edges!r}; write two of its letters ({letters})"
            )
        if self.colours and (len(self.colours) != len(letters) or set(self.colours) - {*SIDES, ""}):
            raise PluginError(
                f"the colours of a grid are {', '.join(self.colours)}; write one of "
                f"{', '.join(SIDES)} for each of its {len(letters)} letters"
            )
        if "ply" in self.stones:
            raise PluginError("a grid keeps the number of stones in the field 'ply', which cannot "
                              "hold stones too; call it something else")  # fmt: skip

    @property
    def layout(self) -> list[tuple[Any, ...]]:
        """The fields of a record: the stones, and `ply`, their number."""
        return [*super().layout, ("ply", "i8")]

    @property
    def seat_names(self) -> tuple[str, ...]:
        return tuple(filter(None, self._colours()))

    @property
    def seat_letters(self) -> tuple[str, ...]:
        """The letters that the seats' stones are written as."""
        return tuple(self._letters())

    def move_text(self, s: Any, code: int) -> str:
        """A cell's name, or a column's number."""
        if self.by_column:
            return str(code + 1)
        return self.name(*divmod(code, self.columns))

    def move_code(self, s: Any, text: str) -> int:
        """Return row * columns + column, or the column."""
        if self.by_column:
            if not re.fullmatch(r"[1-9]\d?", text) or int(text) > self.columns:
                raise BadNotation(f"{text!r} is not a column; write 1 to {self.columns}")
            return int(text) - 1
        if (place := self._places.get(text.lower())) is None:
            raise self._not_a_cell(text)
        row, column = place
        return row * self.columns + column

    def objection(self, s: Any, code: int, text: str, position: str) -> str:
        """Say why a move is not legal: the cell is taken, or the column full."""
        row, column = (0, code) if self.by_column else divmod(code, self.columns)
        reason = "column is full" if self.by_column else "cell is taken"
        taken = self.board(s)[row][column] != EMPTY
        return f"{text} is not legal in {position}" + (f": the {reason}" if taken else "")

    def _mover(self, rows: list[str]) -> str:
        """The letter of the side to move."""
        letters = self._letters()
        return letters[_stones(rows) % len(letters)]

    def position_text(self, s: Any) -> str:
        """Rows from the top, then the side to move."""
        rows = ["".join(row) for row in self.board(s)]
        return f"{'/'.join(rows)} {self._mover(rows)}"

    def parse(self, s: Any, text: str) -> None:
        """Read what `position_text` writes, with a message for every mistake; the side may be left
        out.

        The stones are written, and `ply` if there is such a field; the other fields are left to
        `settle`, which is called last.
        """
        board, _, side = text.strip().partition(" ")
        rows = self._read_rows(board, text, self._letters()[0])
        self._check_reachable(rows, text)
        mover = self._mover(rows)
        if side.strip() not in ("", mover):
            raise BadNotation(f"{text!r}: it is {mover}'s turn, not {side.strip()!r}")
        self._put(s, rows)
        if "ply" in s.dtype.names:
            s["ply"] = _stones(rows)
        if self.settle is not None:
            self.settle(s)
        letters = self._letters()
        self._refuse_won(s, text, letters.index(mover), letters)

    def _check_reachable(self, rows: list[str], text: str) -> None:
        letters, n = self._letters(), _stones(rows)
        counts = ["".join(rows).count(letter) for letter in letters]
        if counts != [(n + len(letters) - 1 - i) // len(letters) for i in range(len(letters))]:
            counted = ", ".join(f"{n} {x}" for n, x in zip(counts, letters, strict=True))
            raise BadNotation(f"{text!r} cannot arise: it has {counted}, and sides move in turn")
        if self.by_column:
            for above, below in pairwise(enumerate(rows)):
                for c, letter in enumerate(above[1]):
                    if letter != EMPTY and below[1][c] == EMPTY:
                        raise BadNotation(
                            f"{text!r} cannot arise: nothing is under {self.name(above[0], c)}"
                        )

    def _labels(self) -> tuple[list[str], list[str]]:
        down, across = super()._labels()
        return ([" "] * self.rows if self.by_column else down), across

    @property
    def _surface(self) -> str:
        return self.surface or ("rack" if self.by_column else super()._surface)

    def _colours(self) -> Sequence[str]:
        usual = super()._colours()
        return self.colours or (RACK if self.by_column and len(usual) == len(RACK) else usual)

    def drawing_of(self, s: Any) -> Drawing:
        colours = [SIDES.index(name) if name else NEUTRAL for name in self._colours()]
        edges = tuple(colours[self._letters().index(letter)] for letter in self.edges)
        return evolve(super().drawing_of(s), edges=edges, by_column=self.by_column)


def _stones(rows: list[str]) -> int:
    return sum(len(row) - row.count(EMPTY) for row in rows)
