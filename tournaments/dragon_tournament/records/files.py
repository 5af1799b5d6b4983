"""The files in the folder of a tournament, read without disturbing a run that writes them."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, overload

from attrs import define, field, frozen

from dragon.errors import ConfigError
from dragon_tournament.records.event_log import Incident, IncidentKind
from dragon_tournament.records.record import OtherSchema, Record

RECORDS, SETTINGS, REPORT, LOCK = "records.jsonl", "tournament.json", "report.json", "lock"
KINDS = {
    **dict.fromkeys(("name", "version", "game", "referee", "format", "rating", "goal"), (str,)),
    **dict.fromkeys(("games", "rounds", "replays", "total"), (int,)),
    "tolerance": (int, float), "graded": (bool,), "sprt": (dict,), "sources": (dict,),
    "exploited": (dict,),
    "players": (list,), "instances": (list,),
}  # fmt: skip
"""The kinds of the values of tournament.json that are used."""


LARGE = 20_000_000
"""Bytes of records that are not kept in memory if possible; reading them takes about a second."""
RECENT = 1 << 16
"""Numbers that a HashSet keeps as Python has them."""


@frozen(eq=False)
class StoredRecords(Sequence[Record]):
    """The records of a file, each read when it is needed."""

    path: Path
    places: array[int] = field(factory=lambda: array("q"))
    """The byte at which the line of each begins, ascending."""

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, number: int) -> Record: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[Record]: ...

    def __getitem__(self, number: int | slice) -> Record | Sequence[Record]:
        if isinstance(number, slice):
            return StoredRecords(self.path, self.places[number])
        with self.path.open("rb") as file:
            file.seek(self.places[number])
            return Record.from_line(file.readline().decode())

    def __iter__(self) -> Iterator[Record]:
        with self.path.open("rb") as file:
            here = 0
            for place in self.places:
                if place != here:
                    file.seek(place)
                line = file.readline()
                here = place + len(line)
                yield Record.from_line(line.decode())


@define
class HashSet:
    """A set of numbers of 64 bits, most of them in 8 bytes each, for the ids of very many games.

    >>> found = HashSet()
    >>> found.add(7), found.add(7), len(found)
    (True, False, 1)
    """

    _sorted: array[int] = field(factory=lambda: array("q"))
    _recent: set[int] = field(factory=set)
    """Those that came last, which are sorted in when they are many."""

    def __len__(self) -> int:
        return len(self._sorted) + len(self._recent)

    def add(self, number: int) -> bool:
        """Add a number; return True if it was not there."""
        if number in self._recent:
            return False
        place = bisect_left(self._sorted, number)
        if place < len(self._sorted) and self._sorted[place] == number:
            return False
        self._recent.add(number)
        if len(self._recent) >= RECENT:
            import numpy as np

            both = np.concatenate((self._sorted, array("q", self._recent)))
            both.sort()
            self._sorted = array("q", both.tobytes())
            self._recent.clear()
        return True


@define
class RecordFile:
    """The whole lines of records.jsonl; each game counts once, and other lines do not count."""

    path: Path
    remedy: str = "give another"
    """The remedy in the message for a file whose lines are not records."""
    bytes: int = 0
    """The bytes of the lines that were read; what follows is being written, or was cut short."""
    ended: bool = True
    """True if the last of them has its newline."""
    junk: list[Incident] = field(factory=list)
    """The lines that are no records."""
    twice: list[tuple[int, str]] = field(factory=list)
    """The lines, counted from 1, of games that are on record already, each with the game's id."""
    places: array[int] = field(factory=lambda: array("q"))
    """The byte at which the line of each record begins."""
    _ids: HashSet = field(factory=HashSet)
    """The hashes of the ids, which are smaller."""
    _lines: int = 0

    def read(self, progress: Callable[[int], Any] | None = None) -> list[Record]:
        """The records that have come since it was last read; see `stream`."""
        return list(self.stream(progress))

    def scan(
        self, each: Callable[[Record], object], progress: Callable[[int], Any] | None = None
    ) -> Sequence[Record]:
        """Read the new records, call `each` with each, and return them.

        Of a large file all records are returned, and not kept in memory. Raises as `stream` does.
        """
        if self.path.stat().st_size >= LARGE:
            for record in self.stream(progress):
                each(record)
            return StoredRecords(self.path, self.places)
        records = self.read(progress)
        for record in records:
            each(record)
        return records

    def stream(self, progress: Callable[[int], Any] | None = None) -> Iterator[Record]:
        """Yield the records that have come since it was last read.

        `progress` is given the bytes of each line. Raises ConfigError for records that only
        another dragon can read, and where none of the lines is a record; OSError where the file
        cannot be read.
        """
        with self.path.open("rb") as file:
            file.seek(self.bytes)
            for line in file:
                complete = line.endswith(b"\n")
                try:
                    record = Record.from_line(line.decode("utf-8"))
                    fresh = True
                except OtherSchema as other:
                    raise ConfigError(f"{self.path}:{self._lines + 1}: {other}") from None
                except (ValueError, TypeError, KeyError) as wrong:
                    if not complete:
                        break
                    fresh = False
                    if line.strip():
                        reason = (str(wrong).splitlines() or [type(wrong).__name__])[0]
                        detail = f"line {self._lines + 1}: {reason}"
                        self.junk.append(Incident(IncidentKind.JUNK, detail))
                self._lines += 1
                self.bytes += len(line)
                self.ended = complete
                if progress is not None:
                    progress(len(line))
                if fresh and not self._ids.add(hash(record.id)):
                    self.twice.append((self._lines, record.id))
                elif fresh:
                    self.places.append(self.bytes - len(line))
                    yield record
        if self.junk and not self._ids:
            detail = self.junk[0].detail
            raise ConfigError(f"{self.path} holds no record ({detail}); {self.remedy}")


def settings_in(folder: Path) -> dict[str, Any]:
    """Return tournament.json of a folder, as far as it is what a run writes.

    Empty where it is absent, unreadable or a link, which may lead to any file; without values of
    another kind than KINDS says.
    """
    with suppress(OSError, ValueError, RecursionError):
        if not (folder / SETTINGS).is_file() or (folder / SETTINGS).is_symlink():
            return {}
        text = (folder / SETTINGS).read_text(encoding="utf-8")
        about = json.loads(text, parse_constant=_no_number)
        if isinstance(about, dict):
            json.dumps(about, ensure_ascii=False).encode()  # a lone surrogate cannot be shown
            for key in ("players", "instances"):
                if isinstance(about.get(key), list):
                    tables = (e for e in about[key] if isinstance(e, dict))
                    about[key] = [_fit(e) for e in tables if isinstance(e.get("name"), str)]
            return _fit(about)
    return {}


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is not a number of JSON")


def _fit(table: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value for key, value in table.items() if key not in KINDS or type(value) in KINDS[key]
    }
