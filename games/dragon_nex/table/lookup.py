"""Looking positions up: the exact worth of any position of a board that has a table."""

from __future__ import annotations

import logging
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from dragon.errors import ConfigError, SearchError
from dragon_nex.layers import Layer
from dragon_nex.table.files import Folder, Kind
from dragon_nex.table.index import MOST_CELLS, Shelf
from dragon_nex.table.index import shelves as every_shelf

if TYPE_CHECKING:
    import numpy as np
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
        import numpy as np

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
        log.info("the table of %s is made anew each time: %s", folder.kind, wrong)
        return Table(folder.kind, None, in_memory(folder.kind, workers=1))
    return Table(folder.kind, folder)
