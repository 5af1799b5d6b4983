"""Store: a tournament's folder; its truth is records.jsonl, one game a line, only appended.

What befell the tournament beside its games is in diary.jsonl.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from dragon.errors import UNUSABLE, ConfigError, TournamentError
from dragon_tournament.records import diary
from dragon_tournament.records.diary import Incident, What
from dragon_tournament.records.record import OtherSchema, Record
from dragon_tournament.records.sync import Sync


class Store:
    """An open folder; a context manager, for it is locked meanwhile.

    A line torn by a kill is dropped on opening: its game will be played again. A whole line that
    is no record stays where it is, and counts for nothing.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "records.jsonl"
        self.count = 0
        """How many records there are."""
        self.version = ""
        """The version of dragon that the records found here were last played with, if known."""
        self.junk: tuple[Incident, ...] = ()
        """The lines that are no records."""
        self._torn = False
        """Whether the last line was cut short."""
        self._whole: int | None = None
        """How many bytes of the file the records read take, without a torn last line."""
        self._ended = True
        """Whether the last of them has its newline."""
        self._lock: IO[bytes] | None = None
        self._file: IO[bytes] | None = None
        self._sync: Sync | None = None

    def __enter__(self) -> Store:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = open(self.folder / "lock", "ab")
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if self._sync is not None:
                with self._errors("write"):
                    self._sync.close()
        finally:
            for file in (self._file, self._lock):
                if file is not None:
                    with suppress(OSError):  # a full disk was reported when the line was written
                        file.close()
            self._file = self._lock = self._sync = None

    def _errors(self, verb: str) -> _Errors:
        return _Errors(f"cannot {verb} {self.path}")

    def restart(self) -> Path | None:
        """Puts the records of old aside, with their diary, under the first free number.

        Where the records went; None where there were none.
        """
        if not self.path.exists():
            return None
        number = 1
        while any(self._aside(path, number).exists() for path in (self.path, self._diary)):
            number += 1
        with self._errors("move"):
            if self._diary.exists():  # first: records without a diary are as good
                self._diary.rename(self._aside(self._diary, number))
            return self.path.rename(self._aside(self.path, number))

    @property
    def _diary(self) -> Path:
        return self.folder / diary.NAME

    def _aside(self, path: Path, number: int) -> Path:
        return path.with_name(f"{path.stem}.{number}{path.suffix}")

    def read(self) -> list[Record]:
        """The records that are there, each id once; they are not kept.

        Raises ConfigError for records that only another dragon can read, and where there are
        lines and none of them is a record: the file is something else then.
        """
        with self._errors("read"):
            data = self.path.read_bytes() if self.path.exists() else b""
        records, whole = self._parse(data)
        if self._file is None:  # before it is open
            self._whole, self._ended = whole, data[whole - 1 : whole] == b"\n"
            self._torn = whole < len(data)
            self.version = str(self._summary().get("version", "")) if records else ""
        self.count = len(records)
        return records

    def open(self, summary: Mapping[str, Any], foreign: int = 0) -> None:
        """Begins to write after what was read; refuses the records of another configuration.

        `summary`: the configuration, kept beside. `foreign`: records that do not belong to it.
        """
        if self._whole is None:
            self.read()
        if foreign:
            raise ConfigError(self._refusal(foreign, summary))
        with self._errors("write"):
            self._file = open(self.path, "ab")  # noqa: SIM115 - held until __exit__
            self._file.truncate(self._whole)
            self._sync = Sync(self._file.fileno())
            if self._whole and not self._ended:
                self._write(b"\n")
        if self._torn:
            self.note(Incident(What.TORN))
        self.write("tournament.json", json.dumps(summary, indent=1, ensure_ascii=False) + "\n")

    def _parse(self, data: bytes) -> tuple[list[Record], int]:
        """The records, each id once, and how many bytes of the file they take with the junk."""
        found: dict[str, Record] = {}
        junk: list[Incident] = []
        start = 0
        lines = data.split(b"\n")
        for number, line in enumerate(lines, 1):
            complete = number < len(lines)
            if not (line or complete):  # what follows the last newline
                break
            try:
                record = Record.from_line(line.decode("utf-8"))
                found.setdefault(record.id, record)
            except OtherSchema as other:
                raise ConfigError(f"{self.path}:{number}: {other}") from None
            except (ValueError, TypeError, KeyError) as wrong:
                if not complete:  # torn: the last one, and never finished
                    break
                if line.strip():
                    junk.append(junk_at(number, wrong))
            start += len(line) + complete
        if junk and not found:
            raise ConfigError(
                f"{self.path} holds no record ({junk[0].detail}); give another --out, or begin "
                f"anew with --restart, which keeps the file beside"
            )
        self.junk = tuple(junk)
        return list(found.values()), start

    def _refusal(self, foreign: int, summary: Mapping[str, Any]) -> str:
        old, new = self._summary(), json.loads(json.dumps(summary))
        keys = [k for k in new if old and old.get(k) != new[k]]
        differ = f" (they differ in {', '.join(keys)})" if keys else ""
        return (
            f"{self.folder} holds {foreign} records of another configuration{differ}; "
            f"give another --out, or --restart, which keeps them beside"
        )

    def _summary(self) -> dict[str, Any]:
        """The configuration that lies beside the records, empty where it cannot be read."""
        with suppress(OSError, ValueError):  # it only helps to explain
            old = json.loads((self.folder / "tournament.json").read_text(encoding="utf-8"))
            return old if isinstance(old, dict) else {}
        return {}

    def append(self, record: Record) -> None:
        """Writes a record down: it outlives the process now, and the machine very soon.

        Raises TournamentError where it, or one before it, cannot be written.
        """
        with self._errors("write"):
            self._write(record.to_line().encode() + b"\n")
        self.count += 1

    def _write(self, data: bytes) -> None:
        assert self._file is not None
        assert self._sync is not None
        self._file.write(data)
        self._file.flush()
        self._sync.wanted()

    def note(self, incident: Incident) -> None:
        """Adds an entry to the diary; raises TournamentError where that cannot be written."""
        with (
            _Errors(f"cannot write {self._diary}"),
            self._diary.open("a", encoding="utf-8") as file,
        ):
            file.write(incident.to_line() + "\n")

    def diary(self) -> list[Incident]:
        """What befell the tournament so far, the lines of its records that are none included."""
        return [*diary.read(self.folder), *self.junk]

    def write(self, name: str, text: str) -> None:
        """Replaces a file of the folder as a whole."""
        path = self.folder / name
        scratch = path.with_name(f"{name}.tmp")
        with _Errors(f"cannot write {path}"):
            try:
                scratch.write_text(text, encoding="utf-8")
                os.replace(scratch, path)
            except OSError:
                scratch.unlink(missing_ok=True)
                raise


class _Errors:
    """Turns the system's errors into one sentence."""

    def __init__(self, attempt: str) -> None:
        self.attempt = attempt

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, OSError):
            raise TournamentError(
                f"{self.attempt}: {error.strerror or error}; what was recorded is kept, "
                f"and the same command goes on from there"
            ) from None


def junk_at(number: int, wrong: BaseException) -> Incident:
    """What is told of a line that is no record, and why it is none."""
    reason = (str(wrong).splitlines() or [type(wrong).__name__])[0]
    return Incident(What.JUNK, f"line {number}: {reason}")


def _locked(file: IO[bytes]) -> bool:
    """Whether the lock could be had; a system without locks gives it to everybody."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
