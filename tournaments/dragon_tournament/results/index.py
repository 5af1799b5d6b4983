"""Index: the tournaments of a folder of results, by name, and how far each of them is.

Who asks for one names an entry; what is read is the path that was listed under that very name,
never one that was made of it.
"""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from attrs import define, frozen

from dragon.errors import UnknownName
from dragon_tournament.records import event_log
from dragon_tournament.records.event_log import IncidentKind
from dragon_tournament.records.files import LOCK, RECORDS, REPORT, SETTINGS, settings_in

log = logging.getLogger("dragon")
MOST = 1000  # entries that are listed, the latest first
BLOCK = 1 << 20


@frozen
class Entry:
    """A tournament on the index."""

    name: str
    """The name of its folder."""
    folder: Path
    changed: float
    """When its last game ended, or it began; seconds since 1970."""

    @property
    def records(self) -> Path:
        """Its records; the file may not be there yet."""
        return self.folder / RECORDS


def tournaments(root: Path) -> dict[str, Entry]:
    """The tournaments of a folder by name, the latest first; none where there is no folder."""
    found = sorted(_entries(root), key=lambda entry: (-entry.changed, entry.name))
    return {entry.name: entry for entry in found[:MOST]}


def _entries(root: Path) -> Iterator[Entry]:
    with suppress(OSError), os.scandir(root) as places:
        for place in places:
            if not place.name.isprintable() or place.name.startswith("."):
                continue
            folder = Path(place.path)
            if odd := _odd(folder):
                _skip(odd)
                continue
            times = [t for t in (_changed(folder / RECORDS), _changed(folder / SETTINGS)) if t]
            if times:
                yield Entry(place.name, folder, times[0])


def _odd(folder: Path) -> Path | None:
    """Return True for what is not read: a link may lead anywhere, a pipe may have no end."""
    if folder.is_symlink():
        return folder
    for name in (RECORDS, SETTINGS, event_log.NAME, REPORT, LOCK):
        with suppress(OSError):  # most often there is none
            if not stat.S_ISREG((folder / name).lstat().st_mode):
                return folder / name
    return None


@cache
def _skip(path: Path) -> None:
    """Says once that it is left out."""
    log.warning("%s is not a regular file or folder, so its tournament is not shown", path)


def _changed(file: Path) -> float | None:
    try:
        return file.stat().st_mtime
    except (OSError, ValueError):
        return None


def entry(root: Path, name: str) -> Entry:
    """The entry of that very name; raises UnknownName."""
    known = tournaments(root)
    if name not in known:
        raise UnknownName("tournament", name, list(known)[:20])
    return known[name]


def row(of: Entry, count: LineCounter) -> dict[str, Any]:
    """An entry as plain data: what is played, how far it is, and whether it goes on."""
    about = settings_in(of.folder)
    played, planned = count.lines(of.records), about.get("total")
    keys = ("game", "referee", "format", "goal", "version")
    return {
        "name": of.name,
        "title": str(about.get("name") or of.name),
        **{key: about.get(key) for key in keys},
        "players": len(about.get("players", ())),
        "played": played,
        "planned": planned,
        "state": state(of, played, planned),
        "changed": datetime.fromtimestamp(of.changed, UTC).isoformat(timespec="seconds"),
    }


def state(of: Entry, played: int, planned: int | None) -> str:
    """`running`, `finished` or `stopped`, by its event log, its lock and its count."""
    kinds = [incident.what for incident in event_log.read(of.folder)]
    begun = max((i for i, what in enumerate(kinds) if what is IncidentKind.BEGAN), default=None)
    if begun is None:  # played before there was a log, or not begun
        return "finished" if planned is None or played >= planned else "stopped"
    since = kinds[begun:]
    if IncidentKind.ENDED not in since:
        return "running" if in_use(of.folder) else "stopped"
    fell = IncidentKind.INTERRUPTED in since or IncidentKind.FAILED in since
    return "stopped" if fell else "finished"


def in_use(folder: Path) -> bool:
    """Return True if a run holds the folder's lock; without locks it is believed to.

    Only to be asked where a run has begun and not ended: then it holds the lock, unless it was
    killed, and to try it disturbs no other process.
    """
    try:
        import fcntl

        with open(folder / LOCK, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except (ImportError, BlockingIOError):
        return True
    except OSError:
        return False
    return False


@define
class LineCounter:
    """Counts the lines of files that only grow, each byte once."""

    known: dict[Path, tuple[int, int, int]]
    """Of each file: which it is to the system, bytes read, lines among them."""

    def lines(self, file: Path) -> int:
        """Count the whole lines of a file; 0 without a file."""
        try:
            with open(file, "rb") as stream:
                about = os.fstat(stream.fileno())
                node, read, lines = self.known.get(file, (about.st_ino, 0, 0))
                if node != about.st_ino or about.st_size < read:  # another run's
                    node, read, lines = about.st_ino, 0, 0
                stream.seek(read)
                while block := stream.read(BLOCK):
                    read, lines = read + len(block), lines + block.count(b"\n")
        except OSError:
            self.known.pop(file, None)
            return 0
        self.known[file] = node, read, lines
        return lines
