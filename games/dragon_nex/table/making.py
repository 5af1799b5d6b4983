"""Making a table: shelf after shelf, from the ends of games to the empty board.

A position's value follows from those that its moves lead to, which stand on two earlier shelves:
a generate takes two empty cells, a transform one neutral stone. So each shelf is made once,
in one sweep, by as many threads as there are processors, and is kept when it is whole.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.process.spawn import cores
from dragon_nex.board import Board
from dragon_nex.compact import joined_sets
from dragon_nex.layers import Layer
from dragon_nex.table.files import TEMPLATE, Folder, Kind, constants
from dragon_nex.table.index import Shelf, ranks, sets, shelves

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Bytes = NDArray[np.uint8]

PARTS = 64
"""Into how many parts a shelf is cut, so that threads end together and Ctrl-C is soon heard."""
SPEED = 6_000_000
"""Positions a second and thread, as measured on 4x4: what is told before anything is compiled."""
SAMPLE = Kind(3, 4)
"""The table that is made to measure this machine's speed."""


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
        """Fills a shelf in; gives the number of positions of each part when it is done.

        load: gives the shelves to which it leads.
        """
        import numpy as np

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
        with ThreadPoolExecutor(self.workers) as pool:
            parts: list[Future[int]] = [pool.submit(part, i) for i in range(0, rows, step)]
            try:
                for each in parts:
                    yield each.result()
            finally:
                for each in parts:
                    each.cancel()


def scratch(shelf: Shelf) -> tuple[Any, ...]:
    """The memory in which the kernels note where moves lead."""
    import numpy as np

    pairs = comb(shelf.layer.neutral, 2)
    shapes: list[tuple[int, ...]] = [(16, 16), (16,), (pairs, 16), (pairs, 16, 2)]
    return tuple(np.zeros(each, np.int64) for each in shapes)


@cache
def kernels(distances: bool) -> Any:
    """The template `sweep` compiled for values or for distances."""
    from dragon.compiler.specialise import specialise

    return specialise(TEMPLATE, constants(distances))


def making(folder: Folder, workers: int | None = None) -> Generator[Progress, None, None]:
    """Makes what is missing of a table; closing the stream keeps all shelves that are done."""
    import numpy as np

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
    import numpy as np

    sweeper = Sweeper(kind, workers)
    made: dict[str, Bytes] = {}
    for shelf in shelves(kind.cells):
        out = made[shelf.name] = np.zeros(shelf.size(kind.bits), np.uint8)
        for _ in sweeper.sweep(shelf, lambda below: made[below.name], out):
            pass
    return made
