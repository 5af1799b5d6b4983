"""The shelves of a table, which are files in a folder, and the place of each position in them.

A *shelf* holds the positions of one layer (see `dragon_nex.board`), which are told apart by
three sets: the empty cells, the neutral stones among the rest, the black stones among the stones
of both colours. Each set has a rank among those of its size, as integers in increasing order
(the combinatorial number system, TAOCP 7.2.1.3), and the three ranks are the place. The side
to move follows from the layer. So 528,738,373 positions take the numbers from 0 on, where a cell
of four kinds would take 4,294,967,296.

On the disk a table is a folder with a file for each shelf and `table.json`, which says what they
are. Each file is complete when this manifest names it, since both are written under another name
first. A making that is interrupted loses the shelf it was at and no other.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from functools import cache
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from dragon.files import data_folder, replacing
from dragon.sealed import Kind as Sealed
from dragon_nex.board import Layer, Layers
from dragon_nex.table.sweep import packed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dragon.compiler.specialise import Constants

VERSION = 2
"""The version of the format; it grows with every change of how a value is written."""
MANIFEST = "table.json"
TEMPLATE, FORMER = "dragon_nex.table.sweep", "dragon_nex.table.kernels.sweep"
"""The kernels that make a table; and the name that they have in its identity."""
MOST_CELLS = 16
"""Larger boards do not have a table: the next, 3x6, has 8 thousand million positions."""
ROUND = 4
"""The positions of one set of empty cells begin a new byte, so that threads share none."""


@frozen
class Shelf:
    """One layer of a table."""

    cells: int
    layer: Layer

    @property
    def name(self) -> str:
        """`8-3`: the numbers of empty and neutral cells."""
        return f"{self.layer.empty}-{self.layer.neutral}"

    @property
    def blacks(self) -> int:
        """The number of black stones of its positions."""
        return (self.layer.placed + 1) // 2

    @property
    def placings(self) -> int:
        """The number of ways to place the neutral stones where the empty cells leave room."""
        return comb(self.cells - self.layer.empty, self.layer.neutral)

    @property
    def colourings(self) -> int:
        """The number of ways in which the other stones can be black and white."""
        return comb(self.layer.placed, self.blacks)

    @property
    def stride(self) -> int:
        """The distance from one set of empty cells to the next."""
        return -(-self.placings * self.colourings // ROUND) * ROUND

    @property
    def positions(self) -> int:
        return comb(self.cells, self.layer.empty) * self.placings * self.colourings

    def size(self, bits: int) -> int:
        """Return the number of bytes that it takes, given the bits of a position."""
        return comb(self.cells, self.layer.empty) * self.stride * bits // 8

    def place(self, black: int, white: int, neutral: int) -> int:
        """The number of a position, whose sets of cells are given as integers."""
        stones = black | white
        empty = (1 << self.cells) - 1 & ~(stones | neutral)
        placing = rank(packed(neutral, stones | neutral))
        colouring = rank(packed(black, stones))
        return rank(empty) * self.stride + placing * self.colourings + colouring


def shelves(cells: int) -> Iterator[Shelf]:
    """All layers of a board, each after those that its moves lead to."""
    for layer in reversed(list(Layers(cells))):
        yield Shelf(cells, layer)


def rank(bits: int) -> int:
    """Return how many smaller integers have as many bits set."""
    total = 0
    for k in range(bits.bit_count()):
        low = bits & -bits
        total += comb(low.bit_length() - 1, k + 1)
        bits ^= low
    return total


def ranks(cells: int) -> NDArray[np.uint16]:
    """uint16[2**cells], the rank of each set of cells."""
    import numpy as np

    found = np.zeros(1 << cells, np.uint16)
    for each in sets(cells):
        found[each] = np.arange(len(each))
    return found


def sets(cells: int) -> list[NDArray[np.int64]]:
    """The sets of each size from 0 on, in increasing order: int64[comb(cells, size)]."""
    import numpy as np

    numbers = np.arange(1 << cells)
    size = np.zeros(1 << cells, np.int64)
    for cell in range(cells):
        size += numbers >> cell & 1
    order: Any = np.argsort(size, kind="stable")
    ends = np.cumsum([comb(cells, k) for k in range(cells)])
    return np.split(order, ends)


# ---- files


@frozen
class Kind:
    """The kind of a table: its board, and the values that it holds."""

    rows: int
    cols: int
    distances: bool = False

    @property
    def cells(self) -> int:
        """The number of cells of the board."""
        return self.rows * self.cols

    @property
    def bits(self) -> int:
        """The number of bits of a position: two for its value, four for its distance."""
        return 4 if self.distances else 2

    @property
    def positions(self) -> int:
        """The number of positions that it knows."""
        return sum(shelf.positions for shelf in shelves(self.cells))

    @property
    def size(self) -> int:
        """The number of bytes that it takes."""
        return sum(shelf.size(self.bits) for shelf in shelves(self.cells))

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}{'-distances' if self.distances else ''}"


def constants(distances: bool) -> Constants:
    """Return the constants to which the template is specialised."""
    from dragon.compiler.specialise import Constants

    label = "distances in Nex" if distances else "values in Nex"
    return Constants(label, (("DISTANCES", distances),))


@cache
def _identity(distances: bool) -> str:
    """Return a hash of what decides about a table: the kernels, and the places of positions."""
    from dragon.compiler.specialise import identity_of
    from dragon_nex.table.sweep import joined_sets

    names = ("name", "blacks", "placings", "colourings", "stride", "place")
    order = {name: getattr(Shelf, name) for name in names}
    order |= {"sets": sets, "ranks": ranks, "shelves": shelves, "joined": joined_sets}
    return identity_of(TEMPLATE, constants(distances), order, FORMER)


def home() -> Path:
    """Return the folder of tables: `nex` in the user's data folder."""
    return data_folder() / "nex"


def tables(root: Path | None = None) -> Iterator[Folder]:
    """Yield every table that there is, finished or not, by name."""
    for manifest in sorted((root or home()).glob(f"*/{MANIFEST}")):
        named = re.fullmatch(r"(\d+)x(\d+)(-distances)?", manifest.parent.name)
        if named is not None:
            yield Folder.open(Kind(int(named[1]), int(named[2]), named[3] is not None), root)


@define
class Folder:
    """The files of one table, some of which may be missing yet."""

    kind: Kind
    path: Path
    sums: dict[str, int] = field(factory=dict)
    """The CRC-32 of each shelf that is there, by name."""
    checked: set[str] = field(factory=set)
    """Those that this process has compared with it."""

    @classmethod
    def open(cls, kind: Kind, root: Path | None = None) -> Folder:
        """Open the part of a table that exists; raise ConfigError if it is something else."""
        folder = cls(kind, (root or home()) / str(kind))
        manifest = folder.path / MANIFEST
        try:
            data = manifest.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return folder
        except OSError as wrong:
            raise folder.sealed.unreadable(manifest, wrong) from wrong
        sums = folder.sealed.opened(data, manifest, str(kind), folder.rules).get("crc32")
        if not isinstance(sums, dict) or not all(type(each) is int for each in sums.values()):
            raise folder.sealed.error(manifest, "is damaged")
        folder.sums = sums
        return folder

    @property
    def sealed(self) -> Sealed:
        """The manifest as a kind of file."""
        flag = " --distances" if self.kind.distances else ""
        return Sealed(
            "a table of Nex", VERSION,
            "delete the folder and make the table again with "
            f"`dragon nex table {self.kind.rows}x{self.kind.cols}{flag}`",
            older=(b'{\n "format": 1',),
        )  # fmt: skip

    @property
    def rules(self) -> str:
        """A hash of everything that decides about the positions and their places."""
        return _identity(self.kind.distances)

    @property
    def complete(self) -> bool:
        """True if all of it is there."""
        return all(shelf.name in self.sums for shelf in shelves(self.kind.cells))

    def save(self, shelf: Shelf, values: NDArray[np.uint8]) -> None:
        """Write a shelf into its file, and name it in the manifest."""
        self.path.mkdir(parents=True, exist_ok=True)
        with replacing(self.file(shelf), sync=True) as out:
            out.write(values.data)
        self.sums[shelf.name] = zlib.crc32(values.data)
        with replacing(self.path / MANIFEST, sync=True) as out:
            out.write(self.sealed.sealed(str(self.kind), self.rules, {"crc32": self.sums}, 1))

    def load(self, shelf: Shelf) -> NDArray[np.uint8]:
        """A shelf, memory-mapped, and compared with its checksum when it is first asked for.

        Raises ConfigError if it is missing or not what was written.
        """
        import numpy as np

        path = self.file(shelf)
        try:
            size = path.stat().st_size
            found: Any = np.memmap(path, np.uint8, mode="r") if size else np.zeros(0, np.uint8)
        except (OSError, ValueError) as wrong:
            raise self.sealed.error(path, f"cannot be read ({wrong})") from wrong
        if len(found) != shelf.size(self.kind.bits):
            short = len(found) < shelf.size(self.kind.bits)
            raise self.sealed.error(path, "is cut off" if short else "is damaged: it is too long")
        if shelf.name not in self.checked:
            if zlib.crc32(found.data) != self.sums[shelf.name]:
                raise self.sealed.error(path, "is damaged")
            self.checked.add(shelf.name)
        return np.asarray(found)

    def file(self, shelf: Shelf) -> Path:
        return self.path / f"{shelf.name}.bin"
