"""The board: its cells, their names, neighbours and bits in a record; and the layers of positions.

A generate adds an own stone and a neutral one, a transform turns two neutrals into own
stones and one own stone into a neutral: each adds one stone of the mover's colour. After
g generates and t transforms of C cells there are C - 2g empty cells, g - t neutrals and
g + t stones of the two colours, which alternate. A transform needs two neutrals, so
t < g once g > 0: one neutral always remains, and a game ends within 2 * (C // 2) - 1 plies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from math import comb
from typing import Any

from attrs import frozen

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
"""The steps from a cell to its neighbours: rows and columns."""


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
        s.stones[:] = sets[:2]
        s.neutral[:] = sets[2]


@frozen
class Layer:
    """The counts that all positions at one place of the game share."""

    empty: int
    neutral: int
    placed: int
    """Black and white stones together: the plies played, a swap apart."""

    @property
    def mover(self) -> int:
        """0 when Black is to move, 1 for White."""
        return self.placed % 2


@frozen
class Layers:
    """The layers of a board of `cells` cells under the three options."""

    cells: int
    swap: bool = False
    late: bool = False
    """Transforms only when nothing can be generated."""
    fill: bool = False
    """The last cells are filled, so that there is no draw."""

    def __iter__(self) -> Iterator[Layer]:
        for generates in range(self.cells // 2 + 1):
            empty = self.cells - 2 * generates
            for transforms in range(1 if self.late and empty >= 2 else max(1, generates)):
                yield Layer(empty, generates - transforms, generates + transforms)
        if self.fill:
            if self.cells % 2:
                yield Layer(0, 1, self.cells - 1)
            yield Layer(0, 0, self.cells)

    def moves(self, layer: Layer) -> int:
        """Return the number of moves of the layer's unfinished positions, the swap included."""
        generates = layer.empty * (layer.empty - 1)
        transforms = comb(layer.neutral, 2) * (layer.placed // 2)
        if self.late and generates:
            transforms = 0
        fills = self.fill and not generates and not transforms and layer.empty + layer.neutral > 0
        moves = generates + transforms + int(fills)
        return moves + int(self.swap and layer.placed == 1 and moves > 0)

    @property
    def width(self) -> int:
        """The most moves that a position can have."""
        return max(self.moves(layer) for layer in self)

    @property
    def plies(self) -> int:
        """The most plies that a game can last."""
        longest = max(layer.placed for layer in self)
        return longest + int(self.swap and longest > 1)

    def objection(self, empty: int, neutral: int, black: int, white: int) -> str | None:
        """Why such counts cannot occur, as the end of a sentence; None if they can."""
        if black - white not in (0, 1):
            return (
                f"it has {_some(black, 'black stone')} and {_some(white, 'white one')}, but every "
                "move adds one stone of its colour and Black begins: as many, or one black one more"
            )
        placed = black + white
        if Layer(empty, neutral, placed) in set(self):
            return None
        if placed and not neutral and empty:
            return "it has stones but no neutral one, and one always remains"
        if placed and not neutral:
            return "it is full without a neutral stone, which this game's ending does not allow"
        if neutral > placed:
            return (
                f"it has {_some(neutral, 'neutral stone')} to {_some(placed, 'stone')} of the two "
                "colours, but each neutral comes with a stone"
            )
        if (self.cells - empty) % 2:
            return (
                f"{_some(self.cells - empty, 'cell')} of it are not empty, but every generate "
                "takes two and a transform none"
            )
        return (
            f"with {_some(empty, 'empty cell')} left nothing can have been transformed yet "
            f"(transforms='without-generates'), but it has {_some(neutral, 'neutral stone')} to "
            f"{_some(placed, 'stone')} of the two colours"
        )


def _some(n: int, noun: str) -> str:
    return f"{n or 'no'} {noun}{'' if n == 1 else 's'}"
