"""Store: a tournament's folder; its truth is records.jsonl, one game a line, only appended."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from dragon.errors import ConfigError, TournamentError
from dragon_tournament.records.record import OtherSchema, Record
from dragon_tournament.records.sync import Sync


class Store:
    """An open folder; a context manager, for it is locked meanwhile.

    A line torn by a kill is dropped on opening: its game will be played again.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / "records.jsonl"
        self.count = 0
        """How many records there are."""
        self.version = ""
        """The version of dragon that the records found here were last played with, if known."""
        self._whole: int | None = None
        """How many bytes of the file the records read take, without a torn last line."""
        self._ended = True
        """Whether the last of them has its newline."""
        self._lock: IO[bytes] | None = None
        self._file: IO[bytes] | None = None
        self._sync: Sync | None = None

    def __enter__(self) -> Store:
        with self._errors("open"):
            try:
                self.folder.mkdir(parents=True, exist_ok=True)
            except (FileExistsError, NotADirectoryError):
                at = next(p for p in (self.folder, *self.folder.parents) if p.exists())
                raise ConfigError(f"{at} is a file, not a folder; give another --out") from None
            self._lock = open(self.folder / "lock", "ab")
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
        """Puts the records of old aside, under the first free number; where they went."""
        if not self.path.exists():
            return None
        number = 1
        while (aside := self.folder / f"records.{number}.jsonl").exists():
            number += 1
        with self._errors("move"):
            self.path.rename(aside)
        return aside

    def read(self) -> list[Record]:
        """The records that are there, each id once; they are not kept."""
        with self._errors("read"):
            data = self.path.read_bytes() if self.path.exists() else b""
        records, whole = self._parse(data)
        if self._file is None:  # before it is open
            self._whole, self._ended = whole, data[whole - 1 : whole] == b"\n"
            self.version = str(self._summary().get("version", "")) if records else ""
        self.count = len(records)
        return records

    def open(self, summary: Mapping[str, Any], strangers: int = 0) -> None:
        """Begins to write after what was read; refuses the records of another configuration.

        `summary`: the configuration, kept beside. `strangers`: records that do not belong to it.
        """
        if self._whole is None:
            self.read()
        if strangers:
            raise ConfigError(self._refusal(strangers, summary))
        with self._errors("write"):
            self._file = open(self.path, "ab")  # noqa: SIM115 - held until __exit__
            self._file.truncate(self._whole)
            self._sync = Sync(self._file.fileno())
            if self._whole and not self._ended:
                self._write(b"\n")
        self.write("tournament.json", json.dumps(summary, indent=1, ensure_ascii=False) + "\n")

    def _parse(self, data: bytes) -> tuple[list[Record], int]:
        """The records, each id once, and how many bytes of the file they take."""
        found: dict[str, Record] = {}
        start = 0
        lines = data.split(b"\n")
        for number, line in enumerate(lines, 1):
            complete = number < len(lines)
            if not (line or complete):  # what follows the last newline
                break
            try:
                record = Record.from_line(line.decode("utf-8"))
            except OtherSchema as later:
                raise ConfigError(f"{self.path}:{number}: {later}") from None
            except (ValueError, TypeError, KeyError) as wrong:
                if not complete:  # torn: the last one, and never finished
                    break
                raise ConfigError(
                    f"{self.path}:{number}: not a record ({_first_line(wrong)}); mend or delete "
                    f"the line, or begin anew with --restart, which keeps the file beside"
                ) from None
            found.setdefault(record.id, record)
            start += len(line) + complete
        return list(found.values()), start

    def _refusal(self, strangers: int, summary: Mapping[str, Any]) -> str:
        old, new = self._summary(), json.loads(json.dumps(summary))
        keys = [k for k in new if old and old.get(k) != new[k]]
        differ = f" (they differ in {', '.join(keys)})" if keys else ""
        return (
            f"{self.folder} holds {strangers} records of another configuration{differ}; "
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

    def write(self, name: str, text: str) -> None:
        """Replaces a file of the folder as a whole."""
        path = self.folder / name
        with _Errors(f"cannot write {path}"):
            scratch = path.with_name(f"{name}.tmp")
            scratch.write_text(text, encoding="utf-8")
            os.replace(scratch, path)


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


def _first_line(wrong: BaseException) -> str:
    return (str(wrong).splitlines() or [type(wrong).__name__])[0]


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
