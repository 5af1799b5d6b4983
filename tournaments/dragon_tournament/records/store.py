"""The store of a run: its folder, whose records.jsonl has one game a line, and is only appended.

Incidents beside the games are in the event log, diary.jsonl.
"""

from __future__ import annotations

import json
import os
import platform
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import attrs

from dragon.errors import UNUSABLE, ConfigError, TournamentError
from dragon.files import replacing
from dragon_tournament.records import event_log
from dragon_tournament.records.event_log import Incident, IncidentKind
from dragon_tournament.records.files import (
    LARGE,
    LOCK,
    RECORDS,
    REPORT,
    SETTINGS,
    RecordFile,
    StoredRecords,
    settings_in,
)
from dragon_tournament.records.record import Record, writable

REMEDY = "give another --out, or begin again with --restart, which keeps the file beside"
PAUSE = 0.1  # seconds between two times that what was written is brought to the disk


class Store:
    """An open folder; a context manager, for it is locked meanwhile.

    A line torn by a kill is dropped on opening: its game will be played again. A whole line that
    is not a record stays where it is, and does not count.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / RECORDS
        self.count = 0  # how many records there are
        self.before: dict[str, Any] = {}
        """The settings that the records found here were last played with, as far as known."""
        self.junk: tuple[Incident, ...] = ()  # the lines that are no records
        self._bytes = 0  # of the file, while it is open
        self._torn = False  # whether the last line was cut short
        self._read: RecordFile | None = None  # the file as it was before it was open
        self._lock: IO[bytes] | None = None
        self._file: IO[bytes] | None = None
        self._sync: Sync | None = None

    def __enter__(self) -> Store:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = open(self.folder / LOCK, "ab")
        except (FileExistsError, NotADirectoryError):
            at = next(p for p in (self.folder, *self.folder.parents) if p.exists())
            raise ConfigError(f"{at} is a file, not a folder; give another --out") from None
        except OSError as wrong:
            error = ConfigError if wrong.errno in UNUSABLE else TournamentError
            raise error(
                f"cannot use the folder {self.folder}: {wrong.strerror}; give another --out"
            ) from None
        if not _locked(self._lock):
            self._lock.close()
            raise TournamentError(
                f"{self.folder} is in use by another run; wait for it, or give another --out"
            )
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._sync is not None:
                with _saying(f"cannot write {self.path}"):
                    self._sync.close()
        finally:
            for file in (self._file, self._lock):
                if file is not None:
                    with suppress(OSError):  # a full disk was reported when the line was written
                        file.close()
            self._file = self._lock = self._sync = None

    def restart(self) -> Path | None:
        """Put the old records aside, with their event log, under the first free number.

        Return their new path, or None without any. Their report is deleted: it can be made again.
        """
        if not self.path.exists():
            return None
        number = 1
        while any(self._aside(path, number).exists() for path in (self.path, self._log)):
            number += 1
        with _saying(f"cannot move {self.path}"):
            (self.folder / REPORT).unlink(missing_ok=True)  # else it would tell of the new ones
            if self._log.exists():  # first: records without a log are as good
                self._log.rename(self._aside(self._log, number))
            return self.path.rename(self._aside(self.path, number))

    @property
    def _log(self) -> Path:
        return self.folder / event_log.NAME

    def _aside(self, path: Path, number: int) -> Path:
        return path.with_name(f"{path.stem}.{number}{path.suffix}")

    def read(self, each: Callable[[Record], object] = lambda _: None) -> Sequence[Record]:
        """The records that are there, each id once; `each` is called with each.

        Raises ConfigError for records that only another dragon can read, and where there are
        lines and none of them is a record: the file is something else then.
        """
        file = RecordFile(self.path, remedy=REMEDY)
        with _saying(f"cannot read {self.path}"):
            records: Sequence[Record] = file.scan(each) if self.path.exists() else []
            torn = self.path.exists() and file.bytes < self.path.stat().st_size
        if self._file is None:  # before it is open
            self._read, self._torn = file, torn
            self.before = settings_in(self.folder) if records else {}
        self.count, self.junk = len(records), tuple(file.junk)
        return records

    def records(self) -> Sequence[Record]:
        """All records, those that were appended, too; of a large file they are not in memory."""
        assert self._read is not None
        found = StoredRecords(self.path, self._read.places)
        return found if self._bytes >= LARGE else list(found)

    def open(self, summary: Mapping[str, Any], foreign: int = 0) -> None:
        """Begin to write after what was read; refuse the records of another configuration.

        `summary`: the configuration, kept beside. `foreign`: records that do not belong to it.
        """
        if self._read is None:
            self.read()
        assert self._read is not None
        if foreign:
            raise ConfigError(self._refusal(foreign, summary))
        with _saying(f"cannot write {self.path}"):
            self._file = open(self.path, "ab")  # noqa: SIM115 - held until __exit__
            self._file.truncate(self._read.bytes)
            self._sync = Sync(self._file.fileno())
            if not self._read.ended:
                self._write(b"\n")
            self._bytes = self._read.bytes + (not self._read.ended)
        if self._torn:
            self.note(Incident(IncidentKind.TORN))
        self.write(SETTINGS, json.dumps(summary, indent=1, ensure_ascii=False) + "\n")

    def _refusal(self, foreign: int, summary: Mapping[str, Any]) -> str:
        old, new = settings_in(self.folder), json.loads(json.dumps(summary))
        keys = [k for k in new if old and old.get(k) != new[k] and k != "name"]  # which is free
        differ = f" (they differ in {', '.join(keys)})" if keys else ""
        return (
            f"{self.folder} holds {foreign} records of another configuration{differ}; "
            f"give another --out, or --restart, which keeps them beside"
        )

    def append(self, record: Record) -> None:
        """Write a record down: it outlives the process now, and the machine very soon.

        Raises TournamentError where it, or one before it, cannot be written.
        """
        day, host = datetime.now(UTC).date().isoformat(), record.host or platform.node()
        dated = attrs.evolve(record, date=day, host=writable(host))
        with _saying(f"cannot write {self.path}"):
            line = dated.to_line().encode() + b"\n"
            self._write(line)
        self.count += 1
        assert self._read is not None
        self._read.places.append(self._bytes)
        self._bytes += len(line)

    def _write(self, data: bytes) -> None:
        assert self._file is not None
        assert self._sync is not None
        self._file.write(data)
        self._file.flush()
        self._sync.wanted()

    def note(self, incident: Incident) -> None:
        """Add an entry to the event log; raise TournamentError if that cannot be written."""
        with _saying(f"cannot write {self._log}"), self._log.open("a", encoding="utf-8") as file:
            file.write(incident.to_line() + "\n")

    def incidents(self) -> list[Incident]:
        """The incidents beside the games, broken lines of the records included."""
        return [*event_log.read(self.folder), *self.junk]

    def write(self, name: str, text: str) -> None:
        """Replace a file of the folder as a whole."""
        path = self.folder / name
        with _saying(f"cannot write {path}"), replacing(path) as file:
            file.write(text.encode())


@contextmanager
def _saying(attempt: str) -> Iterator[None]:
    """Turn the system's errors within into one sentence."""
    try:
        yield
    except OSError as wrong:
        raise TournamentError(
            f"{attempt}: {wrong.strerror or wrong}; what was recorded is kept, "
            f"and the same command goes on from there"
        ) from None


def _locked(file: IO[bytes]) -> bool:
    """Return True if the lock could be had; a system without locks gives it to each process."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Sync:
    """A thread that calls fsync after something was written, at most every `PAUSE` seconds.

    A disk takes milliseconds for it, in which a fast game could be played.
    """

    def __init__(self, file: int) -> None:
        self.file = file
        self._wrong: OSError | None = None
        self._dirty = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wanted(self) -> None:
        """Ask for a sync of what was written; raise OSError if an earlier one has failed."""
        self._dirty.set()
        self._complain()

    def _complain(self) -> None:
        wrong, self._wrong = self._wrong, None
        if wrong is not None:
            raise wrong

    def _run(self) -> None:
        while not self._over.is_set():
            self._dirty.wait()
            self._dirty.clear()
            try:
                os.fsync(self.file)
            except OSError as wrong:  # raised at the next write
                self._wrong = wrong
            self._over.wait(PAUSE)

    def close(self) -> None:
        """Wait until everything is on the disk; raise OSError if it cannot be."""
        self._over.set()
        self._dirty.set()
        self._thread.join()
        try:
            os.fsync(self.file)
        except OSError as wrong:
            self._wrong = wrong
        self._complain()
