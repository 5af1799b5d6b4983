"""Looking positions up: the exact worth of any position of a board that has a table.

`Table` is asked in Python. Searches of any kind ask the rule `solved` (`solving`), which reads the
shelves one after another as bytes (`tablebase`). Their number tells values from distances.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

import logging
from functools import cache, cached_property
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import define, field, frozen

from dragon import rule
from dragon.bits import bit, ctz, drop, popcount, u64
from dragon.errors import ConfigError, SearchError
from dragon_nex.board import Board
from dragon_nex.layers import Layer
from dragon_nex.table.files import Folder, Kind
from dragon_nex.table.index import MOST_CELLS, Shelf
from dragon_nex.table.index import shelves as every_shelf

if TYPE_CHECKING:
    from numpy.typing import NDArray

log = logging.getLogger("dragon")

SMALL = 3_000_000
"""Tables of no more positions, up to 3x4, are made in a moment when they are first asked for."""
DRAWN_AT = 15


@frozen
class Worth:
    """The worth of a position with perfect play."""

    value: int
    """1, 0 or -1, for the colour to move."""
    plies: int | None = None
    """Until the end, when the winner hurries and the loser delays; None for a draw or unknown."""

    def turned(self) -> Worth:
        """Return the worth of a move that leads here, to the side that makes it."""
        return Worth(-self.value, None if self.plies is None else self.plies + 1)

    @property
    def promise(self) -> tuple[int, int]:
        """A sort key: the better worth is larger."""
        return self.value, -self.value * (self.plies or 0)


@define(eq=False)
class Table:
    """A table that is complete, in files or in memory."""

    kind: Kind
    folder: Folder | None = None
    shelves: dict[str, NDArray[np.uint8]] = field(factory=dict)

    def shelf(self, shelf: Shelf) -> NDArray[np.uint8]:
        """A shelf, loaded when it is first asked for; raises ConfigError where it is damaged."""
        if shelf.name not in self.shelves:
            assert self.folder is not None, f"{self.kind} in memory has no shelf {shelf.name}"
            self.shelves[shelf.name] = self.folder.load(shelf)
        return self.shelves[shelf.name]

    @cached_property
    def whole(self) -> NDArray[np.uint8]:
        """All shelves in one array in memory, in the order of their making."""
        return np.concatenate([self.shelf(each) for each in every_shelf(self.kind.cells)])

    def worth(self, black: int, white: int, neutral: int) -> Worth:
        """The worth of a position that is not over, given as sets of cells.

        Cell (r, c) is bit r * cols + c. Raises ConfigError where a file is damaged.
        """
        cells = self.kind.cells
        placed = (black | white).bit_count()
        empty = cells - placed - neutral.bit_count()
        shelf = Shelf(cells, Layer(empty, neutral.bit_count(), placed))
        at, bits = shelf.place(black, white, neutral), self.kind.bits
        found = int(self.shelf(shelf)[at * bits // 8]) >> at * bits % 8 & (1 << bits) - 1
        if not self.kind.distances:
            return Worth(found - 2)
        if found == DRAWN_AT:
            return Worth(0)
        return Worth(1 if found % 2 else -1, found)


@cache
def table(rows: int, cols: int, root: Path | None = None) -> Table:
    """The table of a board, with distances if there is one with them; a small one is made.

    Raises SearchError where there is none, and ConfigError where its files are damaged.
    """
    if rows * cols > MOST_CELLS:
        raise SearchError(
            f"there are no tables of Nex beyond {MOST_CELLS} cells, and {rows}x{cols} has "
            f"{rows * cols}; take alphabeta, dfpn or mcts"
        )
    if folder := _complete(rows, cols, root):
        return Table(folder.kind, folder)
    kind = Kind(rows, cols, distances=True)
    if kind.positions <= SMALL:
        return _made(Folder.open(kind, root))
    raise SearchError(_absent(rows, cols))


def lacking(rows: int, cols: int, root: Path | None = None) -> str | None:
    """Why `table` would raise for a board that can have a table, as a sentence; None if it has it.

    No position is read, and nothing is made.
    """
    try:
        if _complete(rows, cols, root):
            return None
    except ConfigError as damaged:
        return str(damaged)
    small = Kind(rows, cols, distances=True).positions <= SMALL
    return None if small else _absent(rows, cols)


def _complete(rows: int, cols: int, root: Path | None) -> Folder | None:
    folders = (Folder.open(Kind(rows, cols, distances), root) for distances in (True, False))
    return next((folder for folder in folders if folder.complete), None)


def _absent(rows: int, cols: int) -> str:
    return f"there is no table of {rows}x{cols} yet; make it with `dragon nex table {rows}x{cols}`"


def _made(folder: Folder) -> Table:
    """A small table, kept where it can be."""
    from dragon_nex.table.making import in_memory, making

    try:
        for _ in making(folder, workers=1):
            pass
    except OSError as wrong:
        log.info("the table of %s is made each time that it is asked for: %s", folder.kind, wrong)
        return Table(folder.kind, None, in_memory(folder.kind, workers=1))
    return Table(folder.kind, folder)


# ---- in searches: the rule `solved`


def tablebase(board: Board) -> NDArray[np.uint8]:
    """Return all shelves of a board's table; none where there is no table, but make a small one.

    Raises ConfigError where files are damaged.
    """
    try:
        return table(board.rows, board.cols).whole
    except SearchError:
        return np.zeros(0, np.uint8)


def placing(board: Board) -> Any:
    """The rule `place(black, white, neutral)`: where a position stands in all shelves together."""
    cells = board.rows * board.cols
    full = u64((1 << cells) - 1)
    choose = np.array([[comb(n, k) for k in range(cells + 1)] for n in range(cells)], np.int64)
    first, stride, colourings = np.zeros((3, cells + 1, cells + 1), np.int64)
    at = 0
    for shelf in every_shelf(cells):
        here = shelf.layer.empty, shelf.layer.neutral
        first[here], stride[here], colourings[here] = at, shelf.stride, shelf.colourings
        at += comb(cells, shelf.layer.empty) * shelf.stride

    @rule
    def rank(held):
        """Return how many sets of as many cells come before."""
        total = 0
        k = 1
        while held:
            total += choose[ctz(held), k]
            held = drop(held)
            k += 1
        return total

    @rule
    def packed(held, among):
        """The cells of `held`, numbered as they stand among others."""
        found = u64(0)
        i = 0
        while among:
            if held & bit(ctz(among)):
                found |= bit(i)
            among = drop(among)
            i += 1
        return found

    @rule
    def place(black, white, neutral):
        stones = black | white
        empty = full & ~(stones | neutral)
        e, n = popcount(empty), popcount(neutral)
        at = first[e, n] + rank(empty) * stride[e, n]
        at += rank(packed(neutral, stones | neutral)) * colourings[e, n]
        return at + rank(packed(black, stones))

    return place


def solving(board: Board, otherwise: Any) -> Any:
    """The rule `solved`; `otherwise` is one that is asked where there is no table."""
    kinds = Kind(board.rows, board.cols), Kind(board.rows, board.cols, distances=True)
    values, distances = (kind.size for kind in kinds)
    place = placing(board)

    @rule
    def solved(s, tablebase):
        if len(tablebase) != values and len(tablebase) != distances:
            return otherwise(s, tablebase)
        sign = 1 - 2 * s.status
        at = place(s.black, s.white, s.neutral)
        if len(tablebase) == values:
            value = (np.int64(tablebase[at >> 2]) >> ((at & 3) << 1) & 3) - 2
            return sign * value, 0
        plies = np.int64(tablebase[at >> 1]) >> ((at & 1) << 2) & 15
        if plies == DRAWN_AT:
            return 0, 0
        return sign if plies & 1 else -sign, plies

    return solved


def solving_swap(plain: Any, fresh: Any) -> Any:
    """The rule `solved` with the swap; while that may come nothing is known."""

    @rule
    def solved(s, tablebase):
        if s.swapped == 0 and fresh(s):
            return 0, -1
        units, plies = plain(s, tablebase)
        return units * (1 - 2 * s.swapped), plies

    return solved
