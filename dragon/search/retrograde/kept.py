"""Files beside a table that is being made: checkpoints, and codes on the disk.

A checkpoint is a sealed file. Its name is that of the table that it will be, with UNFINISHED
behind it, and it takes the place of the one before as a whole.
"""

from __future__ import annotations

import os
import re
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from dragon import sealed
from dragon.compiler.fingerprint import identity as identity_of
from dragon.core import Game, Trait
from dragon.errors import ConfigError, SearchError
from dragon.files import draft_of, remove_lost
from dragon.folders import data_folder, remedy_for
from dragon.rules.record import RecordState
from dragon.sealed import Kind

UNFINISHED, WORKING = ".unfinished", ".working"
CODE = np.dtype("<u2")
CHUNK = 1 << 24
"""Items that are copied or counted at a time."""
Arrays: TypeAlias = dict[str, Any]
"""One-dimensional arrays of numbers or records, by name."""
REMEDY = "remove it, and the table is made from the start"
OLDER = b'{"format": "dragon arrays 1"'
"""The first bytes of tables by rank and checkpoints of former versions."""
CHANGED = "other rules, or from another first position,"
LISTED = Kind("a checkpoint", 3, REMEDY, "listed", CHANGED, (OLDER,))
NUMBERED = Kind("a checkpoint", 2, REMEDY, "by rank", CHANGED, (OLDER,))


def identity(state: RecordState, by_rank: bool) -> str:
    """Return a hash of all that a table depends on: rules, layout, numbers, the first record.

    Rules that only help a search, such as `evaluate`, are not a part of it.
    """
    rules = state.rules
    names = {"moves", "play", "turn", "payoff", "banked"}
    names |= {"rank", "unrank", "before"} if by_rank else {"place", "key"}
    counted = (rules.width, rules.plies, int(rules.ranks) if by_rank else 0, rules.largest)
    kind = sorted(str(each) for each in rules.traits if isinstance(each, Trait))
    about = (state.data, rules.layout, rules.teams, float(rules.unit), counted, kind, by_rank)
    given = {name: function for name, function in rules.named().items() if name in names}
    return identity_of(about, sorted(given.items()))


def save(kept: Path, state: RecordState, kind: Kind, about: dict[str, Any], arrays: Arrays) -> None:
    """Write the checkpoint of the table that `kept` will be; raises ConfigError."""
    path = beside(kept, UNFINISHED)
    try:
        rules = identity(state, kind is NUMBERED)
        sealed.write(path, kind, str(state.game), rules, about, arrays, sync=True)
    except OSError as wrong:
        raise ConfigError(
            f"cannot write {path}: {wrong.strerror or wrong}; make room, the last checkpoint is "
            f"still there, or {remedy_for(path)}"
        ) from wrong


def saved(
    kept: Path, state: RecordState, kind: Kind, dtypes: dict[str, Any]
) -> tuple[dict[str, Any], Arrays] | None:
    """Return what the checkpoint beside `kept` says and holds, or None where there is none.

    Drafts that killed processes have left there are removed. Raises ConfigError for a checkpoint
    of another game or kind, of other rules, of an older format, or that is damaged.
    """
    path = beside(kept, UNFINISHED)
    for each in (kept, path, beside(kept, WORKING)):
        remove_lost(each)
    if not os.path.lexists(path):
        return None
    rules = identity(state, kind is NUMBERED)
    about, columns = sealed.read(path, kind, str(state.game), rules, dtypes)
    return about, {name: column.whole() for name, column in columns.items()}


def kept_file(game: Game[Any]) -> Path:
    """Return the file of a game's own table, in `tables` in the user's data folder."""
    name = re.sub(r"[^a-z0-9]+", "-", str(game).lower()).strip("-")[:60]
    return data_folder() / "tables" / f"{name}-{zlib.crc32(str(game).encode()):08x}.table"


def beside(kept: Path, ending: str) -> Path:
    """Return the file beside a table whose name ends so."""
    return kept.with_name(kept.name + ending)


def clear(kept: Path) -> None:
    """Remove the checkpoint of a finished table."""
    beside(kept, UNFINISHED).unlink(missing_ok=True)


def codes_for(state: RecordState, megabytes: float, kept: Path | None) -> Any:
    """Return uint16[ranks] of zeros, in memory, or in a file beside `kept` if they do not fit.

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
        path = beside(kept, WORKING) if kept else Path(label)
        raise ConfigError(
            f"cannot write {path}: {wrong.strerror or wrong}; {remedy_for(path)}"
        ) from wrong


def _on_disk(path: Path, n: int) -> Any:
    """Return uint16[n] of zeros in a file without a name, which is gone when it is not used.

    Its room is taken at once: a disk that is full when it is written to would end the process.
    """
    draft = draft_of(path)
    try:
        with draft.open("xb") as file:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file.fileno(), 0, n * CODE.itemsize)
            else:
                file.truncate(n * CODE.itemsize)
        return np.memmap(draft, CODE, "r+", shape=(n,))
    finally:
        with suppress(OSError):  # Windows keeps a file that is in use
            draft.unlink()
