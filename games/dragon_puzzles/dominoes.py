"""Dominoes: pieces of two squares fill a board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen
from attrs.validators import instance_of

from dragon.cover import Option, Problem
from dragon_puzzles.puzzle import (
    Board,
    Cell,
    Puzzle,
    cells_in,
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
