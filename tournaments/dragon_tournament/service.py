"""The endpoints of the page: the tournaments of a folder, the standings and the report of one.

A request names a tournament. Only a path that was listed under that very name is read, never one
that was made of it.
"""

from __future__ import annotations

import json
import logging
import os
import stat
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import attrs
from attrs import define, frozen

from dragon.errors import ConfigError, UnknownName
from dragon.page import Nothing, text
from dragon.web import results
from dragon.web.problem import AT
from dragon_tournament.records import event_log
from dragon_tournament.records.event_log import IncidentKind
from dragon_tournament.records.files import LOCK, RECORDS, REPORT, SETTINGS, settings_in
from dragon_tournament.report.html import to_html
from dragon_tournament.report.reader import ResultsReader
from dragon_tournament.report.schema import to_json
from dragon_tournament.report.summary import Report
from dragon_tournament.report.table import drawn
from dragon_tournament.report.tables import page_tables
from dragon_tournament.report.text import notes

log = logging.getLogger("dragon")
MOST = 1000  # tournaments that are listed, the latest first
BLOCK = 1 << 20  # bytes that are read at once to count lines
KEPT = 4  # folders whose records a process keeps, so that a growing one is not read again


@frozen
class Entry:
    """A tournament of the folder of results."""

    name: str
    """The name of its folder."""
    folder: Path
    changed: float
    """The time when its last game ended, or it began; seconds since 1970."""

    @property
    def records(self) -> Path:
        """The path of its records; the file may not exist yet."""
        return self.folder / RECORDS


def entries(root: Path) -> dict[str, Entry]:
    """The tournaments of a folder by name, the latest first; empty if there is no folder."""
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
    """Return a path that must not be read, if any: a link may lead anywhere, a pipe may not end."""
    if folder.is_symlink():
        return folder
    for name in (RECORDS, SETTINGS, event_log.NAME, REPORT, LOCK):
        with suppress(OSError):  # most often there is none
            if not stat.S_ISREG((folder / name).lstat().st_mode):
                return folder / name
    return None


@cache
def _skip(path: Path) -> None:
    """Log once that a tournament is left out."""
    log.warning("%s is not a regular file or folder, so its tournament is not shown", path)


def _changed(file: Path) -> float | None:
    try:
        return file.stat().st_mtime
    except (OSError, ValueError):
        return None


def row(of: Entry, count: LineCounter) -> dict[str, Any]:
    """An entry as plain data: its settings, its progress, and its state."""
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
    since = event_log.last_run(of.folder)
    if not since:  # played before there was a log, or not begun
        return "finished" if planned is None or played >= planned else "stopped"
    if IncidentKind.ENDED not in since:
        return "running" if in_use(of.folder) else "stopped"
    fell = IncidentKind.INTERRUPTED in since or IncidentKind.FAILED in since
    return "stopped" if fell else "finished"


def in_use(folder: Path) -> bool:
    """Return True if a run holds the folder's lock, or if this system does not have locks.

    Call it only if a run has begun and not ended. Then the run holds the lock unless it was killed,
    and trying the lock does not disturb another process.
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
    """Count the lines of files that only grow, reading each byte once."""

    known: dict[Path, tuple[int, int, int]]
    """For each file its inode, the bytes read, and the lines among them."""

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


_counter = LineCounter({})
_pages: dict[Entry, str] = {}
"""The last report, by its tournament and the time of its last change."""
_folders: OrderedDict[Entry, tuple[os.stat_result, ResultsReader]] = OrderedDict()


@frozen
class Named:
    """A request for one tournament."""

    name: str = text(longest=255)
    """Its name in the list, letter by letter."""


def tournaments(asked: Nothing) -> dict[str, Any]:
    """The tournaments of the folder of results, the latest first."""
    found = entries(results.folder())
    return {"tournaments": [row(entry, _counter) for entry in found.values()]}


@cache
def ladder(asked: Nothing) -> dict[str, Any]:
    """The strength of the styles of mcts, alphabeta and random play at each game of the ladder.

    docs/strength.md explains it: Elo, and half of its 95% interval if that is bounded.
    """
    text = (files("dragon_tournament") / "ladder.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def progress(asked: Named) -> dict[str, Any]:
    """The progress of a tournament."""
    return row(_entry(asked), _counter)


def standings(asked: Named) -> dict[str, Any]:
    """The data of `dragon standings --json`, and the tables and notes that the page shows."""
    entry = _entry(asked)
    found = _named(_streamed(entry) or _read(entry).report(), entry)
    tables = {name: drawn(table) for name, table in page_tables(found)}
    return {**to_json(found), "tables": tables, "notes": list(notes(found))}


def report(asked: Named) -> dict[str, Any]:
    """The report of a tournament as a page, as `dragon report` writes it."""
    entry = _entry(asked)
    if entry not in _pages:
        folder = _read(entry)
        made = to_html(_named(folder.report(), entry), folder.records, folder.tally)
        _pages.clear()
        _pages[entry] = made
    return {"html": _pages[entry]}


def _entry(asked: Named) -> Entry:
    known = entries(results.folder())
    if asked.name not in known:
        wrong = UnknownName("tournament", asked.name, list(known)[:20])
        raise ConfigError(f"{wrong} @ {AT}.name") from wrong
    return known[asked.name]


def _named(found: Report, entry: Entry) -> Report:
    """The report, with the path of its records relative to the folder of results."""
    return attrs.evolve(found, records=f"{entry.name}/{entry.records.name}")


def _streamed(entry: Entry) -> Report | None:
    """The report of many records without keeping them in memory, if that is possible."""
    with suppress(OSError):
        return ResultsReader(entry.records).streamed()
    return None


def _read(entry: Entry) -> ResultsReader:
    """The reader of a folder with all records so far; those read before are kept."""
    plain = attrs.evolve(entry, changed=0.0)
    try:
        now = os.stat(entry.records)
        before, folder = _folders.pop(plain, (now, ResultsReader(entry.records)))
        if before.st_ino != now.st_ino or now.st_size < before.st_size:  # begun again
            folder = ResultsReader(entry.records)
        folder.read()
    except FileNotFoundError:  # no game has ended yet
        folder = ResultsReader(entry.records)
        folder.about = settings_in(entry.folder)
        return folder
    except (ConfigError, OSError) as wrong:
        reason = str(wrong).replace(f"{entry.folder.parent}{os.sep}", "")
        raise ConfigError(f"{entry.name} cannot be read: {reason} @ {AT}.name") from wrong
    _folders[plain] = now, folder
    while len(_folders) > KEPT:
        _folders.popitem(last=False)
    return folder
