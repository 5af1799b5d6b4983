"""The Soma cube: seven pieces of three and four cubes make a cube of 27 (Piet Hein)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from attrs import frozen

from dragon.cover import Option, Problem
from dragon_puzzles.pentominoes import placed, settled, turned
from dragon_puzzles.puzzle import Board, Cell, Puzzle, tiled

PIECES = {
    "V": "000 001 010",
    "L": "000 001 002 010",
    "T": "000 001 002 011",
    "Z": "000 001 011 012",
    "A": "000 010 011 111",
    "B": "000 010 011 100",
    "P": "000 001 010 100",
}
"""The cells of each, as layer, row, column: bent, ell, tee, skew, left and right screw, claw."""


@frozen
class Soma(Puzzle):
    """Make a cube of 3 x 3 x 3 from the seven pieces.

    >>> len(Soma().problem().options)
    688
    """

    name = "soma"

    def problem(self) -> Problem:
        """Return the problem: pieces and cells once; pieces may be turned, not mirrored."""
        cells = set(product(range(3), repeat=3))
        names = [_name(cell) for cell in sorted(cells)]
        return Problem((*PIECES, *names), tuple(_options(cells)))

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the three layers side by side, the top one on the left."""
        order = list(PIECES)
        pieces = []
        for option in chosen:
            piece = option.items[0]
            cells = [_shown(name) for name in option.items[1:]]
            pieces.append((piece, 1 + order.index(piece), cells))
        holes = frozenset((row, col) for row in range(3) for col in (3, 7))
        return tiled(3, 11, pieces, holes)


def _options(cells: set[tuple[int, ...]]) -> Iterator[Option]:
    for piece, text in PIECES.items():
        shape = settled(tuple(map(int, cell)) for cell in text.split())
        for turn in turned(shape, mirrored=False):
            for place in placed(turn, (3, 3, 3), cells):
                names = [_name(cell) for cell in place]
                yield Option((piece, *names), piece + "-".join(names))


def _name(cell: tuple[int, ...]) -> str:
    """Return layer, row and column from 1, as `123`."""
    return "".join(str(x + 1) for x in cell)


def _shown(name: str) -> Cell:
    """Return the place of a cell in the drawing."""
    layer, row, col = (int(digit) - 1 for digit in name)
    return row, 4 * layer + col
