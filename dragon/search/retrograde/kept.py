"""What is kept in files: tables by rank, checkpoints of unfinished tables, and codes on the disk.

A file is a line of JSON, filled up with blanks to a page, and arrays as they are in memory. A
checkpoint lies beside the table that it will be, with UNFINISHED behind its name, and takes the
place of the one before as a whole.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from dragon.compiler.fingerprint import fingerprint
from dragon.errors import ConfigError, SearchError
from dragon.files import replacing
from dragon.rules.record import RecordState

FORMAT = "dragon arrays 1"
UNFINISHED, WORKING = ".unfinished", ".working"
CODE = np.dtype("<u2")
CHUNK = 1 << 24
"""Items that are read or written at a time."""
Arrays: TypeAlias = dict[str, Any]
"""One-dimensional arrays of numbers or records, by name."""


def write(path: Path, about: dict[str, Any], arrays: Arrays, sync: bool = False) -> None:
    """Makes a file, which is there as a whole or not at all; raises OSError.

    sync: whether it must be on the disk before it takes the place of another.
    """
    held = {name: [array.dtype.str if array.dtype.names is None else array.dtype.itemsize,
                   len(array)] for name, array in arrays.items()}  # fmt: skip
    line = json.dumps({"format": FORMAT, **about, "arrays": held}).encode()
    size = -(-(len(line) + 1) // mmap.PAGESIZE) * mmap.PAGESIZE
    with replacing(path, sync=sync) as file:
        file.write(line.ljust(size - 1) + b"\n")
        for part in _chunks(arrays):
            file.write(part)


def opened(path: Path, dtypes: dict[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """What a file says of itself, and its arrays, which are read as they are looked at.

    dtypes: what the arrays must be. What is written into them stays in memory: they are no arrays
    to be read only, which kernels would refuse. Raises ConfigError.
    """
    try:
        with open(path, "rb") as file:
            line = file.readline(1 << 22)
        about: dict[str, Any] = json.loads(line)
        if about["format"] != FORMAT or about["arrays"].keys() != dtypes.keys():
            raise ValueError
        at = len(line)
        arrays: Arrays = {}
        for name, (_, length) in about["arrays"].items():
            dtype = np.dtype(dtypes[name])
            if length:  # there is no map of nothing
                arrays[name] = np.memmap(path, dtype, "c", at, (length,))
            else:
                arrays[name] = np.zeros(0, dtype)
            at += length * dtype.itemsize
        if path.stat().st_size != at:
            raise ValueError
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ConfigError(f"{path} is no table, or damaged; make it again with --out") from None
    except OSError as wrong:
        raise ConfigError(f"cannot read {path}: {wrong.strerror or wrong}") from wrong
    return about, arrays


def _chunks(arrays: Arrays) -> Iterator[Any]:
    """The bytes of all arrays, in parts."""
    for array in arrays.values():
        for at in range(0, len(array), CHUNK):
            yield np.ascontiguousarray(array[at : at + CHUNK]).view(np.uint8).data


def identity(state: RecordState) -> str:
    """What a checkpoint must share with whoever goes on from it: the rules and the first record."""
    rules = state.rules
    return fingerprint((state.data, rules.layout), sorted(rules.bindings().items()))


def save(kept: Path, state: RecordState, about: dict[str, Any], arrays: Arrays) -> None:
    """Makes the checkpoint of the table that `kept` will be; raises ConfigError."""
    checksum = 0
    for part in _chunks(arrays):
        checksum = zlib.crc32(part, checksum)
    about = {"game": str(state.game), "rules": identity(state), "checksum": checksum, **about}
    path = beside(kept, UNFINISHED)
    try:
        write(path, about, arrays, sync=True)
    except OSError as wrong:
        raise ConfigError(
            f"cannot write {path}: {wrong.strerror or wrong}; make room, the last checkpoint is "
            "still there"
        ) from wrong


def saved(
    kept: Path, state: RecordState, dtypes: dict[str, Any]
) -> tuple[dict[str, Any], Arrays] | None:
    """What the checkpoint beside `kept` says and holds, or None where there is none.

    Raises ConfigError for one of another game, of other rules, or that is damaged.
    """
    path = beside(kept, UNFINISHED)
    if not path.exists():
        return None
    remedy = "remove it, and the table is made from the start"
    try:
        about, arrays = opened(path, dtypes)
    except ConfigError:
        raise ConfigError(f"{path} is no checkpoint of this kind, or damaged; {remedy}") from None
    if (about.get("game"), about.get("rules")) != (str(state.game), identity(state)):
        raise ConfigError(
            f"{path} is a checkpoint of {about.get('game')}, made with other rules than those of "
            f"{state.game} now; {remedy}"
        )
    checksum = 0
    for part in _chunks(arrays):
        checksum = zlib.crc32(part, checksum)
    if checksum != about.get("checksum"):
        raise ConfigError(f"{path} is damaged; {remedy}")
    return about, arrays


def beside(kept: Path, ending: str) -> Path:
    """The file beside a table whose name ends so."""
    return kept.with_name(kept.name + ending)


def clear(kept: Path) -> None:
    """Removes what is beside a finished table."""
    for ending in (UNFINISHED, WORKING):
        beside(kept, ending).unlink(missing_ok=True)


def codes_for(state: RecordState, megabytes: float, kept: Path | None) -> Any:
    """uint16[ranks] of zeros: in memory, or in a file beside `kept` where they are too many.

    Raises SearchError where there is no such file to be, or no room.
    """
    n, label = int(state.rules.ranks), state.rules.label
    taken = n * CODE.itemsize / 1e6
    try:
        if taken <= megabytes:
            return np.zeros(n, CODE)
        if kept is None:
            raise SearchError(
                f"{label} has {n:,} numbers, whose codes take {taken:,.0f} and not "
                f"{megabytes:,.0f} megabytes; give it more by --megabytes, or a file by --out, "
                "beside which codes can lie"
            )
        return _on_disk(beside(kept, WORKING), n)
    except MemoryError:
        raise SearchError(
            f"this machine does not give {megabytes:,.0f} megabytes; ask for less"
        ) from None
    except OSError as wrong:
        raise ConfigError(
            f"cannot write {beside(kept, WORKING) if kept else label}: {wrong.strerror or wrong}; "
            "give another path"
        ) from wrong


def _on_disk(path: Path, n: int) -> Any:
    """uint16[n] of zeros in a file, which the system removes when nobody has it any more.

    Its room is taken at once: a disk that is full when it is written to would end the process.
    """
    try:
        with path.open("wb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, n * CODE.itemsize)
            else:
                file.truncate(n * CODE.itemsize)
        return np.memmap(path, CODE, "r+", shape=(n,))
    finally:
        with suppress(OSError):  # Windows keeps a file that is in use; `clear` removes it
            path.unlink()
