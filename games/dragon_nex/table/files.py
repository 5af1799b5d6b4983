"""A table on disk: a folder with a file for each shelf and `table.json`, which says what they are.

Each file is complete when the manifest names it, since both are written under another name first.
An interrupted making loses the shelf it was at and no other.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from dragon.errors import ConfigError
from dragon.files import replacing
from dragon.folders import data_folder
from dragon_nex.table.index import Shelf, shelves

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMAT = 1
MANIFEST = "table.json"


@frozen
class Kind:
    """Which table: of what board, and with what in it."""

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


def home() -> Path:
    """Return the folder of tables: `nex` in the user's data folder."""
    return data_folder() / "nex"


def tables(root: Path | None = None) -> Iterator[Folder]:
    """Every table that there is, finished or not, by name."""
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
        try:
            manifest = json.loads((folder.path / MANIFEST).read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError):
            return folder
        except (ValueError, OSError) as wrong:
            raise folder.broken(f"{MANIFEST} cannot be read ({wrong})") from wrong
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise folder.broken(f"{MANIFEST} is not of format {FORMAT}")
        if manifest.get("table") != str(kind) or not isinstance(manifest.get("crc32"), dict):
            raise folder.broken(f"{MANIFEST} does not tell of {kind}")
        folder.sums = {str(name): int(manifest["crc32"][name]) for name in manifest["crc32"]}
        return folder

    @property
    def complete(self) -> bool:
        """True if all of it is there."""
        return all(shelf.name in self.sums for shelf in shelves(self.kind.cells))

    def save(self, shelf: Shelf, values: NDArray[np.uint8]) -> None:
        """Adds a shelf."""
        self.path.mkdir(parents=True, exist_ok=True)
        with replacing(self.file(shelf), sync=True) as out:
            out.write(values.data)
        self.sums[shelf.name] = zlib.crc32(values.data)
        manifest = {"format": FORMAT, "table": str(self.kind), "crc32": self.sums}
        with replacing(self.path / MANIFEST, sync=True) as out:
            out.write(json.dumps(manifest, indent=1).encode())

    def load(self, shelf: Shelf) -> NDArray[np.uint8]:
        """A shelf, memory-mapped, and compared with its checksum when it is first asked for.

        Raises ConfigError if it is missing or not what was written.
        """
        import numpy as np

        try:
            found: Any = np.memmap(self.file(shelf), np.uint8, mode="r")
        except (OSError, ValueError) as wrong:
            raise self.broken(f"{self.file(shelf).name} cannot be read ({wrong})") from wrong
        if len(found) != shelf.size(self.kind.bits):
            raise self.broken(f"{self.file(shelf).name} has {len(found)} bytes")
        if shelf.name not in self.checked:
            if zlib.crc32(found.data) != self.sums[shelf.name]:
                raise self.broken(f"{self.file(shelf).name} does not agree with its checksum")
            self.checked.add(shelf.name)
        return np.asarray(found)

    def file(self, shelf: Shelf) -> Path:
        """The file of a shelf."""
        return self.path / f"{shelf.name}.bin"

    def broken(self, why: str) -> ConfigError:
        """The error that tells what is wrong, and to delete the folder."""
        return ConfigError(
            f"{self.path}: {why}; delete the folder and make the table again with "
            f"`dragon nex table {self.kind.rows}x{self.kind.cols}"
            f"{' --distances' if self.kind.distances else ''}`"
        )
