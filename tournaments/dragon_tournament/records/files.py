"""The files in the folder of a tournament, read without disturbing a run that writes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import define, field

from dragon.errors import ConfigError
from dragon_tournament.records.event_log import Incident, IncidentKind
from dragon_tournament.records.record import OtherSchema, Record

RECORDS, SETTINGS, REPORT, LOCK = "records.jsonl", "tournament.json", "report.json", "lock"
KINDS = {
    **dict.fromkeys(("name", "version", "game", "referee", "format", "rating", "goal"), (str,)),
    **dict.fromkeys(("games", "rounds", "replays", "total"), (int,)),
    "tolerance": (int, float), "graded": (bool,), "sprt": (dict,), "sources": (dict,),
    "players": (list,), "instances": (list,),
}  # fmt: skip
"""The kinds of the values of tournament.json that are used."""


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
    _ids: set[str] = field(factory=set)
    _lines: int = 0

    def read(self, progress: Callable[[int], Any] | None = None) -> list[Record]:
        """The records that have come since it was last read; see `stream`."""
        return list(self.stream(progress))

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
                    fresh = record.id not in self._ids
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
                if fresh:
                    self._ids.add(record.id)
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
