"""Langford's problem: between the two copies of every number k stand k others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import field, frozen

from dragon.cover import Option, Problem
from dragon_puzzles.puzzle import SIDE, Board, Puzzle, bows, height, options_of, picture, within

if TYPE_CHECKING:
    from dragon.cover import CoverState


@frozen
class Langford(Puzzle):
    """Write 1, 1, 2, 2 to n, n in a row, with k others between the two copies of each k.

    There is a way when n or n + 1 is a multiple of four; its mirror image counts too.

    >>> [str(option) for option in Langford(n=3).problem().options]
    ['1@1-3', '1@2-4', '1@3-5', '1@4-6', '2@1-4', '2@2-5', '2@3-6', '3@1-5', '3@2-6']
    """

    name = "langford"
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
        above = round(max([0.0, *(0.75 * height((j - i) * SIDE) for i, j in columns)]))
        drawn = bows((i, j) for i, j in columns)
        return picture(self.board(chosen), str(self), drawn, above)
