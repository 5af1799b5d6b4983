"""Exact covers of the textbook: dominoes, Langford's problem, Latin squares, queens.

Each is a problem and a board to draw (TAOCP 4B, 7.2.2.1).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen
from attrs.validators import instance_of

from dragon.cover import Option, Problem
from dragon_puzzles.puzzle import (
    SIDE,
    Board,
    Cell,
    Puzzle,
    bows,
    cells_in,
    height,
    letters,
    name,
    named,
    options_of,
    picture,
    touching,
    within,
)

if TYPE_CHECKING:
    from dragon.cover import CoverState


side: Any = within(1, 100)


@frozen
class Dominoes(Puzzle):
    """Fill a board with dominoes.

    >>> [str(option) for option in Dominoes(rows=2, cols=2).problem().options]
    ['a1a2', 'a1b1', 'a2b2', 'b1b2']
    """

    name = "dominoes"
    rows: int = field(default=8, validator=side)
    """The number of rows."""
    cols: int = field(default=8, validator=side)
    """The number of columns."""
    mutilated: bool = field(default=False, validator=instance_of(bool))
    """The first and the last cell are missing, so that a board of even sides cannot be filled."""

    def __attrs_post_init__(self) -> None:
        if self.mutilated and self.rows * self.cols in (1, 2):
            raise ValueError("a board without its two corners is empty; set rows or cols")

    @property
    def holes(self) -> frozenset[Cell]:
        """The cells that are missing from the board."""
        return frozenset({(0, 0), (self.rows - 1, self.cols - 1)} if self.mutilated else ())

    def problem(self) -> Problem:
        """Return the problem: every cell once; one option for each pair of neighbours."""
        cells = dict.fromkeys(Board(self.rows, self.cols, holes=self.holes).cells())
        pairs = [(one, other) for one in cells for other in touching(one) if other in cells]
        options = tuple(Option((name(a), name(b)), name(a) + name(b)) for a, b in pairs)
        return Problem(map(name, cells), options)

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the board with the dominoes that have been laid: `<>` across, `^` over `v`."""
        marks: dict[Cell, str] = {}
        tints: dict[Cell, int] = {}
        blocks: dict[Cell, str] = {}
        for option in chosen:
            first, second = cells_in(str(option))
            across = first[0] == second[0]
            for cell, mark in zip((first, second), "<>" if across else "^v", strict=True):
                marks[cell], blocks[cell] = mark, str(option)
                tints[cell] = (1 if across else 3) + (first[0] + first[1]) % 2
        return named(Board(self.rows, self.cols, marks, tints, blocks, self.holes))

    def svg(self, state: CoverState) -> str:
        """Return a picture of the dominoes, without marks."""
        return picture(evolve(self.board(options_of(state)), marks={}), str(self))


@frozen
class Langford(Puzzle):
    """Write 1, 1, 2, 2 to n, n in a row, with k others between the two copies of each k.

    There is a way when n or n + 1 is a multiple of four; its mirror image counts too.

    >>> [str(option) for option in Langford(n=3).problem().options]
    ['1@1-3', '1@2-4', '1@3-5', '1@4-6', '2@1-4', '2@2-5', '2@3-6', '3@1-5', '3@2-6']
    """

    name, title = "langford", "Langford pairs"
    n: int = field(default=7, validator=within(1, 100))
    """The largest number."""

    def problem(self) -> Problem:
        """Return the problem: numbers and places once; one option for each place of each pair."""
        numbers = (str(k) for k in range(1, self.n + 1))
        places = (f"p{i}" for i in range(1, 2 * self.n + 1))
        options = tuple(
            Option((str(k), f"p{i}", f"p{i + k + 1}"), f"{k}@{i}-{i + k + 1}")
            for k in range(1, self.n + 1)
            for i in range(1, 2 * self.n - k)
        )
        return Problem((*numbers, *places), options)

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the row with the numbers written so far."""
        marks, tints = {}, {}
        for option in chosen:
            number, *places = option.items
            for place in places:
                cell = 0, int(place[1:]) - 1
                marks[cell], tints[cell] = number, 1 + (int(number) - 1) % 12
        return Board(1, 2 * self.n, marks, tints)

    def svg(self, state: CoverState) -> str:
        """Return a picture of the row with a bow from each number to its other copy."""
        chosen = options_of(state)
        columns = [[int(place[1:]) - 1 for place in option.items[1:]] for option in chosen]
        above = round(0.75 * height((self.n + 1) * SIDE))
        drawn = bows((i, j) for i, j in columns)
        return picture(self.board(chosen), str(self), drawn, above)


ENTRY = re.compile(r"r(\d+)c(\d+)=(\w+)")


def entries(chosen: Iterable[Option]) -> dict[Cell, str]:
    """Return the cells and the marks that options named like `r1c2=3` write in them."""
    found = (ENTRY.fullmatch(str(option)) for option in chosen)
    return {(int(m[1]) - 1, int(m[2]) - 1): m[3] for m in found if m is not None}


@frozen
class Latin(Puzzle):
    """Fill a square of n x n with the numbers 1 to n, each once in every row and column.

    >>> str(Latin(n=2).problem().options[0])
    'r1c1=1'
    """

    name, title = "latin", "Latin square"
    n: int = field(default=5, validator=within(1, 40))
    """The number of rows, of columns and of different entries."""

    def problem(self) -> Problem:
        """Return the problem: every cell once, and each number once in every row and column."""
        span = range(1, self.n + 1)
        items = [f"r{r}c{c}" for r in span for c in span]
        items += [f"{line}{i}={k}" for line in "rc" for i in span for k in span]
        options = tuple(
            Option((f"r{r}c{c}", f"r{r}={k}", f"c{c}={k}"), f"r{r}c{c}={k}")
            for r, c, k in product(span, repeat=3)
        )
        return Problem(items, options)

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the board with the numbers that have been written."""
        marks = entries(chosen)
        tints = {cell: 1 + (int(mark) - 1) % 12 for cell, mark in marks.items()}
        return Board(self.n, self.n, marks, tints)


@frozen
class Queens(Puzzle):
    """Place n queens on a board of n x n squares, so that none attacks another.

    >>> problem = Queens(n=4).problem()
    >>> len(problem.primary), len(problem.secondary), str(problem.options[4])
    (8, 10, 'b1')
    """

    name = "queens"
    n: int = field(default=8, validator=within(1, 200))
    """The number of queens, of ranks and of files."""

    def problem(self) -> Problem:
        """Return the problem: ranks and files once; diagonals of 2 or more squares at most once.

        Ranks and files come from the middle outward, in "organ-pipe order", which keeps
        the search tree small (TAOCP 4B, 7.2.2.1).
        """
        middle = sorted(range(self.n), key=lambda i: (abs(2 * i - self.n + 1), i))
        primary = [text for i in middle for text in (f"rank{i + 1}", f"file-{letters(i)}")]
        slants = range(1, 2 * self.n - 2)
        secondary = [f"{way}{i}" for way in ("up", "down") for i in slants]
        return Problem(primary, tuple(self._options(set(secondary))), secondary)

    def _options(self, diagonals: set[str]) -> Iterator[Option]:
        for file in range(self.n):
            for rank in range(self.n):
                slants = f"up{file - rank + self.n - 1}", f"down{file + rank}"
                items = [f"rank{rank + 1}", f"file-{letters(file)}"]
                items += [slant for slant in slants if slant in diagonals]
                yield Option(tuple(items), f"{letters(file)}{rank + 1}")

    def board(self, chosen: Iterable[Option]) -> Board:
        """Return the board with the queens placed, rank 1 at the bottom as in chess."""
        squares = cells_in(" ".join(map(str, chosen)))
        marks: dict[Cell, str] = {(self.n - 1 - rank, file): "Q" for file, rank in squares}
        tints = {(r, c): 13 for r in range(self.n) for c in range(self.n) if (r + c + self.n) % 2}
        ranks = tuple(str(self.n - r) for r in range(self.n))
        files: Sequence[str] = [letters(c) for c in range(self.n)]
        return Board(self.n, self.n, marks, tints, sides=(ranks, tuple(files)))
