"""Pentominoes: the twelve pieces of five squares fill a board of sixty."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from dragon.cover import Option, Problem
from dragon_puzzles.boards import Board, Cell, cells_in, name, named, tiled
from dragon_puzzles.puzzle import Puzzle, within
from dragon_puzzles.shapes import of_text, placed, turned

if TYPE_CHECKING:
    from collections.abc import Iterator

PIECES = {
    "F": ".XX/XX./.X.",
    "I": "XXXXX",
    "L": "XXXX/X...",
    "N": "XXX./..XX",
    "P": "XX/XX/X.",
    "T": "XXX/.X./.X.",
    "U": "X.X/XXX",
    "V": "X../X../XXX",
    "W": "X../XX./.XX",
    "X": ".X./XXX/.X.",
    "Y": "XXXX/.X..",
    "Z": "XX./.X./.XX",
}
"""The pieces by the letters that they resemble, as Golomb named them."""


@frozen
class Pentominoes(Puzzle):
    """Fill a board with the twelve pentominoes, turned and mirrored at will.

    >>> len(Pentominoes(rows=3, cols=20).problem().options)
    1236
    """

    name = "pentominoes"
    rows: int = field(default=6, validator=within(1, 60))
    """Rows; rows times cols is 60, or both are 8, with a hole of 2 x 2 in the middle."""
    cols: int = field(default=10, validator=within(1, 60))
    """The number of columns."""

    def __attrs_post_init__(self) -> None:
        rows, cols = self.rows, self.cols
        if min(rows, cols) > 0 and rows * cols != 60 and (rows, cols) != (8, 8):
            raise ValueError(
                f"twelve pieces cover 60 squares, but {rows} x {cols} are {rows * cols}; set rows "
                "and cols to 3 and 20, 4 and 15, 5 and 12, 6 and 10, or 8 and 8 (with a hole)"
            )

    @property
    def holes(self) -> frozenset[Cell]:
        """The cells that are missing from the board."""
        return frozenset({(3, 3), (3, 4), (4, 3), (4, 4)} if self.rows == self.cols else ())

    def problem(self) -> Problem:
        """Return the problem: pieces and cells once; one option for each place of each piece."""
        cells = list(Board(self.rows, self.cols, holes=self.holes).cells())
        return Problem((*PIECES, *map(name, cells)), tuple(self._options(set(cells))))

    def _options(self, free: set[Any]) -> Iterator[Option]:
        for piece, text in PIECES.items():
            for shape in turned(of_text(text), mirrored=True):
                for cells in placed(shape, (self.rows, self.cols), free):
                    names = [name((row, col)) for row, col in cells]
                    yield Option((piece, *names), piece + "".join(names))

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the board with the pieces that have been laid."""
        order = list(PIECES)
        pieces = ((str(o)[0], 1 + order.index(str(o)[0]), cells_in(str(o))) for o in chosen)
        return named(tiled(self.rows, self.cols, pieces, self.holes))
