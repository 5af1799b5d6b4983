"""Tables of Nex, made and looked up: the exact value of any position of a board that has one.

A position's value follows from those that its moves lead to, which are on two earlier shelves:
a generate takes two empty cells, a transform one neutral stone. So each shelf is made once,
in one sweep, by as many threads as there are processors, and is kept when it is whole.

`Table` is asked in Python. Searches of any kind ask the rule `solved` (`dragon_nex.rules.solving`),
which reads the shelves one after another as bytes (`tablebase`).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache, cached_property
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import define, field, frozen

from dragon.errors import ConfigError, SearchError
from dragon.process.spawn import cores
from dragon_nex.board import DRAWN_AT, Board, Layer
from dragon_nex.table.files import (
    MOST_CELLS,
    TEMPLATE,
    Folder,
    Kind,
    Shelf,
    constants,
    ranks,
    sets,
    shelves,
)
from dragon_nex.table.sweep import joined_sets

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

log = logging.getLogger("dragon")

SMALL = 3_000_000
"""Tables of no more positions, up to 3x4, are made in a moment when they are first asked for."""
PARTS = 64
"""Into how many parts a shelf is cut, so that threads end together and Ctrl-C is soon heard."""
SPEED = 6_000_000
"""Positions a second and thread, measured on 4x4: the estimate before anything is compiled."""
SAMPLE = Kind(3, 4)
"""The table that is made to measure this machine's speed."""


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
        return np.concatenate([self.shelf(each) for each in shelves(self.kind.cells)])

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
    try:
        for _ in making(folder, workers=1):
            pass
    except OSError as wrong:
        log.info("the table of %s is made each time that it is asked for: %s", folder.kind, wrong)
        return Table(folder.kind, None, in_memory(folder.kind, workers=1))
    return Table(folder.kind, folder)


def tablebase(board: Board) -> NDArray[np.uint8]:
    """Return all shelves of a board's table; none where there is no table, but make a small one.

    Raises ConfigError where files are damaged.
    """
    try:
        return table(board.rows, board.cols).whole
    except SearchError:
        return np.zeros(0, np.uint8)


# ---- making


@frozen
class Estimate:
    """The cost of making a table."""

    positions: int
    size: int
    """Bytes on disk."""
    memory: int
    """Bytes in memory at most: three shelves at a time."""
    seconds: float
    """The time at the speed of a small table; the true time is half to twice of it."""


@frozen
class Progress:
    """The progress of making a table."""

    done: int
    """Positions that are known."""
    total: int


class Sweeper:
    """The data that all sweeps over the tables of one board share."""

    def __init__(self, kind: Kind, workers: int | None = None) -> None:
        self.workers = workers or cores()
        self.kernels = kernels(kind.distances)
        self.sets, self.rank = sets(kind.cells), ranks(kind.cells)
        self.joined = joined_sets(Board(kind.rows, kind.cols))

    def shape(self, shelf: Shelf) -> tuple[int, ...]:
        """The numbers that the kernel `sweep` knows a shelf by."""
        below, beside = self.children(shelf)
        return (
            shelf.cells, shelf.layer.empty, shelf.layer.neutral, shelf.blacks, shelf.layer.mover,
            shelf.placings, shelf.colourings, shelf.stride,
            below.stride if below else 0, below.colourings if below else 0,
            beside.stride if beside else 0, beside.colourings if beside else 0,
        )  # fmt: skip

    def children(self, shelf: Shelf) -> tuple[Shelf | None, Shelf | None]:
        """The shelves to which a generate and a transform lead."""
        cells, layer = shelf.cells, shelf.layer
        below = beside = None
        if layer.empty >= 2:
            below = Shelf(cells, Layer(layer.empty - 2, layer.neutral + 1, layer.placed + 1))
        if layer.neutral >= 2:
            beside = Shelf(cells, Layer(layer.empty, layer.neutral - 1, layer.placed + 1))
        return below, beside

    def sweep(self, shelf: Shelf, load: Callable[[Shelf], Bytes], out: Bytes) -> Iterator[int]:
        """Fill a shelf in; yield the number of positions of each part when it is done.

        load: gives the shelves to which it leads.
        """
        tables = tuple(load(s) if s else np.zeros(1, np.uint8) for s in self.children(shelf))
        rows = comb(shelf.cells, shelf.layer.empty)
        step = -(-rows // PARTS)
        shape = self.shape(shelf)

        def part(first: int) -> int:
            last = min(first + step, rows)
            empties = self.sets[shelf.layer.empty]
            self.kernels.sweep(
                shape, first, last, empties, self.rank, self.joined, tables, out, scratch(shelf)
            )
            return (last - first) * shelf.placings * shelf.colourings

        if self.workers == 1:
            yield from map(part, range(0, rows, step))
            return
        from dragon.process.worker import awaited  # with multiprocessing

        with ThreadPoolExecutor(self.workers) as pool:
            parts: list[Future[int]] = [pool.submit(part, i) for i in range(0, rows, step)]
            try:
                for each in parts:
                    yield awaited(each)
            finally:
                for each in parts:
                    each.cancel()


def scratch(shelf: Shelf) -> tuple[Any, ...]:
    """The memory in which the kernels note where moves lead."""
    pairs = comb(shelf.layer.neutral, 2)
    shapes: list[tuple[int, ...]] = [(16, 16), (16,), (pairs, 16), (pairs, 16, 2)]
    return tuple(np.zeros(each, np.int64) for each in shapes)


@cache
def kernels(distances: bool) -> Any:
    """The template `sweep` compiled for values or for distances."""
    from dragon.compiler.specialise import specialise

    return specialise(TEMPLATE, constants(distances))


def making(folder: Folder, workers: int | None = None) -> Generator[Progress, None, None]:
    """Make the missing shelves of a table; closing the stream keeps those that are done."""
    kind = folder.kind
    sweeper = Sweeper(kind, workers)
    done, total = 0, kind.positions
    yield Progress(done, total)
    for shelf in shelves(kind.cells):
        if shelf.name in folder.sums:
            done += shelf.positions
        else:
            out = np.zeros(shelf.size(kind.bits), np.uint8)
            for part in sweeper.sweep(shelf, folder.load, out):
                done += part
                yield Progress(done, total)
            folder.save(shelf, out)
        yield Progress(done, total)


def estimate(kind: Kind, workers: int | None = None) -> Estimate:
    """Estimate the cost of a table by making a small one, in under a second."""
    sizes = {shelf.name: shelf.size(kind.bits) for shelf in shelves(kind.cells)}
    sample = Kind(SAMPLE.rows, SAMPLE.cols, kind.distances)
    in_memory(Kind(2, 2, kind.distances), 1)  # compiles, if it must
    begun = time.perf_counter()
    in_memory(sample, workers)
    speed = sample.positions / (time.perf_counter() - begun)
    return Estimate(
        kind.positions, sum(sizes.values()), 3 * max(sizes.values()), kind.positions / speed
    )


def expected(rows: int, cols: int) -> str:
    """Return the cost of a table without distances, in words, from SPEED and without measuring."""
    kind = Kind(rows, cols)
    seconds = kind.positions / SPEED / cores()
    return f"{kind.positions:,} positions, {kind.size / 1e6:.0f} MB, about {seconds:.0f} s"


def in_memory(kind: Kind, workers: int | None = None) -> dict[str, Bytes]:
    """All shelves of a table by name, made at once and kept nowhere."""
    sweeper = Sweeper(kind, workers)
    made: dict[str, Bytes] = {}
    for shelf in shelves(kind.cells):
        out = made[shelf.name] = np.zeros(shelf.size(kind.bits), np.uint8)
        for _ in sweeper.sweep(shelf, lambda below: made[below.name], out):
            pass
    return made
