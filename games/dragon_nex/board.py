"""The board: cells, their names, their bits in a record, and who touches whom."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from dragon.bits import u64

LARGEST = 19
"""No board has more rows or columns."""
BLACK, WHITE, NEUTRAL = "B", "W", "?"
STONES = (BLACK, WHITE, NEUTRAL)
COLOURS = ("Black", "White")
BLACK_WON, DRAWN, WHITE_WON = 2, 3, 4
"""The status of a record whose game is over, see `dragon_nex.rules`."""
DRAWN_AT = 15
"""The distance that stands for a draw in a table."""
STEPS = ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, 1), (1, -1))
"""From a cell to those it touches, rows and columns."""


@frozen
class Board:
    """A parallelogram of `rows` x `cols` hexagonal cells; a cell is (row, column), from 0.

    A *point* is a cell's bit: rows are laid into 64-bit words from the top, as many whole
    rows to a word as fit, so that a flood fill seldom has to cross from word to word.

    >>> board = Board(3, 12)
    >>> board.name((2, 11)), board.cell("c12"), board.point((2, 11))
    ('c12', (2, 11), 35)
    """

    rows: int
    cols: int

    @property
    def per_word(self) -> int:
        """The number of rows that share a word."""
        return min(self.rows, 64 // self.cols)

    @property
    def words(self) -> int:
        """The number of words that hold the board; 1 up to 64 cells."""
        return -(-self.rows // self.per_word)

    @property
    def shift(self) -> int:
        """The number of bits that a point takes in a move code."""
        return max(1, self.point((self.rows - 1, self.cols - 1)).bit_length())

    @property
    def swap_code(self) -> int:
        """The code of the move `swap`, above those of all others."""
        return 1 << 3 * self.shift + 1

    def point(self, cell: tuple[int, int]) -> int:
        """The bit of a cell: 64 times its word plus its place there."""
        word, row = divmod(cell[0], self.per_word)
        return 64 * word + row * self.cols + cell[1]

    def cell_at(self, point: int) -> tuple[int, int]:
        """The cell of a bit."""
        word, place = divmod(point, 64)
        row, col = divmod(place, self.cols)
        return word * self.per_word + row, col

    def cells(self) -> Iterator[tuple[int, int]]:
        """Every cell, in row-major order."""
        return ((r, c) for r in range(self.rows) for c in range(self.cols))

    def name(self, cell: tuple[int, int]) -> str:
        """Row letter and column number."""
        return f"{chr(97 + cell[0])}{cell[1] + 1}"

    def cell(self, name: str) -> tuple[int, int] | None:
        """The cell of a name in either case; None if it is off the board or no name at all."""
        if not re.fullmatch(r"[A-Za-z][1-9]\d?", name, re.ASCII):
            return None
        cell = ord(name[0].lower()) - 97, int(name[1:]) - 1
        return cell if cell[0] < self.rows and cell[1] < self.cols else None

    @property
    def span(self) -> str:
        """`a1 to c3`: for messages."""
        return f"a1 to {self.name((self.rows - 1, self.cols - 1))}"

    def touching(self, cell: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """The two to six cells beside a cell."""
        for down, right in STEPS:
            row, col = cell[0] + down, cell[1] + right
            if 0 <= row < self.rows and 0 <= col < self.cols:
                yield row, col

    def edge(self, colour: int, far: bool) -> Iterator[tuple[int, int]]:
        """The cells of a colour's near or far edge: rows for Black (0), columns for White (1)."""
        last = (self.cols if colour else self.rows) - 1
        return (cell for cell in self.cells() if cell[colour] == (last if far else 0))

    def central(self, cell: tuple[int, int]) -> int:
        """Return how near the middle a cell is: 8 there, 2 less for each step away."""
        down, right = cell[0] - (self.rows - 1) / 2, cell[1] - (self.cols - 1) / 2
        return round(8 - 2 * max(abs(down), abs(right), abs(down + right)))

    def chain(self, colour: int, stones: Iterable[tuple[int, int]]) -> frozenset[tuple[int, int]]:
        """The stones that join a colour's two edges, whole groups of them; empty if none do."""
        rest, joined = set(stones), set()
        last = (self.cols if colour else self.rows) - 1
        while rest:
            group, new = set(), [rest.pop()]
            while new:
                cell = new.pop()
                group.add(cell)
                near = [other for other in self.touching(cell) if other in rest]
                rest.difference_update(near)
                new += near
            places = {cell[colour] for cell in group}
            if 0 in places and last in places:
                joined |= group
        return frozenset(joined)

    # ---- the three bit sets of a record --------------------------------------------------------

    def words_of(self, cells: Iterable[tuple[int, int]]) -> list[int]:
        """The words in which the bits of `cells` are set."""
        words = [0] * self.words
        for word, place in (divmod(self.point(cell), 64) for cell in cells):
            words[word] |= 1 << place
        return words

    def read(self, s: Any) -> dict[tuple[int, int], str]:
        """Every stone on the board: cell -> B, W or ?."""
        if self.words == 1:
            sets = [[int(s.black)], [int(s.white)], [int(s.neutral)]]
        else:
            sets = [*s.stones.tolist(), s.neutral.tolist()]
        found = {}
        for cell in self.cells():
            word, place = divmod(self.point(cell), 64)
            for letter, words in zip(STONES, sets, strict=True):
                if words[word] >> place & 1:
                    found[cell] = letter
        return found

    def write(self, s: Any, stones: Mapping[tuple[int, int], str]) -> None:
        """Set a record's stones; the rule `settle` sets what follows from them."""
        sets = [self.words_of(c for c, x in stones.items() if x == letter) for letter in STONES]
        if self.words == 1:
            s.black, s.white, s.neutral = (u64(words[0]) for words in sets)
        else:
            s.stones[:] = sets[:2]
            s.neutral[:] = sets[2]
