"""Latin squares: every number once in each row and each column."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product

from attrs import field, frozen

from dragon.cover import Option, Problem
from dragon_puzzles.puzzle import Board, Cell, Puzzle, within

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

    name = "latin"
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
