"""Folder: a tournament as it lies on disk, read without disturbing the run that may be writing."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
from attrs import define, field

from dragon.errors import ConfigError
from dragon_tournament.records import diary
from dragon_tournament.records.diary import Incident
from dragon_tournament.records.record import OtherSchema, Record
from dragon_tournament.records.store import junk_at
from dragon_tournament.report.summary import Report, report
from dragon_tournament.report.survey import survey
from dragon_tournament.statistics.sprt import Sprt, Verdict, verdict

RECORDS, SETTINGS = "records.jsonl", "tournament.json"
KINDS = {
    **dict.fromkeys(("name", "version", "game", "referee", "format", "rating", "goal"), (str,)),
    **dict.fromkeys(("games", "rounds", "replays", "total"), (int,)),
    "tolerance": (int, float), "graded": (bool,), "sprt": (dict,),
    "players": (list,), "instances": (list,),
}  # fmt: skip
"""Of what kinds a value of tournament.json is, where somebody uses it."""


def records_path(given: Path) -> Path:
    """Where the records are: in a folder, the file itself, or where a TOML file's run puts them.

    Raises ConfigError where there are none.
    """
    path = given
    if given.suffix == ".toml" and given.is_file():
        path = Path("results") / _name_of(given)
    if path.is_dir():
        path /= RECORDS
    if path.is_file():
        return path
    if path == given:
        remedy = "give the folder of a tournament, its records.jsonl or its TOML file"
    else:
        remedy = "no game has ended there yet, or the folder is another one"
    raise ConfigError(f"no records at {path}; {remedy}")


def _name_of(file: Path) -> str:
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as wrong:
        raise ConfigError(f"cannot read {file}: {str(wrong).splitlines()[0]}") from None
    return str(table.get("name") or file.stem)


@define
class Folder:
    """The records read so far, and what lies beside them; `read` takes in what has come since."""

    path: Path
    records: list[Record] = field(factory=list)
    about: dict[str, Any] = field(factory=dict)
    """tournament.json, empty where it is absent or unreadable."""
    junk: list[Incident] = field(factory=list)
    """The lines that are no records, which count for nothing."""
    _known: set[str] = field(factory=set)
    _bytes: int = 0
    _lines: int = 0

    def read(self, progress: Callable[[int], Any] | None = None) -> int:
        """How many records have come. A line that is still being written waits for its end.

        `progress` is told of bytes as they are read. Raises ConfigError for records that only
        another dragon can read, and where none of the lines is a record; OSError where the file
        cannot be read.
        """
        before = len(self.records)
        with self.path.open("rb") as file:
            file.seek(self._bytes)
            for line in file:
                if not line.endswith(b"\n") and not _whole(line):
                    break
                self._lines += 1
                self._add(line)
                self._bytes += len(line)
                if progress is not None:
                    progress(len(line))
        if self.junk and not self.records:
            raise ConfigError(f"{self.path} holds no record ({self.junk[0].detail}); give another")
        self.about = self.settings()
        return len(self.records) - before

    def _add(self, line: bytes) -> None:
        try:
            record = Record.from_line(line.decode("utf-8"))
        except OtherSchema as other:
            raise ConfigError(f"{self.path}:{self._lines}: {other}") from None
        except (ValueError, TypeError, KeyError) as wrong:
            if line.strip():
                self.junk.append(junk_at(self._lines, wrong))
            return
        if record.id not in self._known:  # a game counts once, as it does for the run itself
            self._known.add(record.id)
            self.records.append(record)

    def settings(self) -> dict[str, Any]:
        """tournament.json as it is now, empty where it is absent or unreadable."""
        return settings_in(self.path.parent)

    @property
    def planned(self) -> int | None:
        """How many games there are to be, if it is known."""
        total = self.about.get("total")
        return total if isinstance(total, int) else None

    def diary(self) -> list[Incident]:
        """What befell the tournament so far, the lines of its records that are none included."""
        return [*diary.read(self.path.parent), *self.junk]

    def survey(self, progress: Callable[[int], Any] | None = None) -> Report | None:
        """The report of all records without holding any; None where they must be held."""
        self.about = self.settings()
        told = survey(self.path, self.about, progress, self.diary())
        return None if told is None else attrs.evolve(told, verdict=self._verdict(told))

    def report(self) -> Report:
        """The report of the records read so far."""
        names = self._names()
        seatings = dict.fromkeys(record.seats for record in self.records)
        told = report(
            name=str(self.about.get("name") or self.path.parent.name or self.path.stem),
            records=self.records,
            names=names,
            seatings=seatings,
            path=str(self.path),
            planned=self.planned,
            about=self.about,
            incidents=self.diary(),
        )
        return attrs.evolve(told, verdict=self._verdict(told))

    def _names(self) -> list[str]:
        """The players that the settings name."""
        return [player["name"] for player in self.about.get("players", ())]

    def _verdict(self, told: Report) -> Verdict | None:
        """How the test stands by all games on record, or what the run itself has decided."""
        with suppress(TypeError, ValueError, KeyError):  # settings of another version
            first, second = self._names()
            met = {(met.first, met.second): met for met in told.meetings}.get((first, second))
            seats = max((len(row.seats) for row in told.rows), default=2)
            size = len(told.rows) if seats > 2 else 2
            return self._decided(verdict(Sprt(**self.about["sprt"]), met, size))
        return None

    def _decided(self, now: Verdict) -> Verdict:
        """A decision stands, though games that were in flight then may say otherwise since."""
        with suppress(OSError, ValueError, TypeError, KeyError):
            told = json.loads((self.path.parent / "report.json").read_text(encoding="utf-8"))
            test = told["sprt"]
            json.dumps(test, ensure_ascii=False, allow_nan=False).encode()  # it is to be shown
            sound = all(map(math.isfinite, (test["llr"], *test["scores"], *test["counts"])))
            sound = sound and test["accepted"] in (None, "H0", "H1")
            sound = sound and isinstance(test["ended"], str | None)
            over = test["accepted"] or test["ended"]
            if over and sound and test["elo0"] == now.sprt.elo0:
                sample = attrs.evolve(now.sample, values=test["scores"], counts=test["counts"])
                return Verdict(
                    now.sprt, test["llr"], sample, test["accepted"] or "", test["ended"] or ""
                )
        return now


def settings_in(folder: Path) -> dict[str, Any]:
    """tournament.json of a folder, as far as it is what a run writes: the records do without it.

    Empty where it is absent or unreadable; without values of another kind than KINDS says.
    """
    with suppress(OSError, ValueError, RecursionError):
        if not (folder / SETTINGS).is_file():
            return {}
        text = (folder / SETTINGS).read_text(encoding="utf-8")
        about = json.loads(text, parse_constant=_no_number)
        if isinstance(about, dict):
            json.dumps(about, ensure_ascii=False).encode()  # a lone surrogate cannot be shown
            for key in ("players", "instances"):
                if isinstance(about.get(key), list):
                    about[key] = [_fit(e) for e in about[key] if isinstance(e, dict) and _named(e)]
            return _fit(about)
    return {}


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")


def _fit(table: dict[str, Any]) -> dict[str, Any]:
    return {
        key: value for key, value in table.items() if key not in KINDS or type(value) in KINDS[key]
    }


def _named(table: dict[str, Any]) -> bool:
    return isinstance(table.get("name"), str)


def _whole(line: bytes) -> bool:
    """Whether the last line is a record though its newline is missing."""
    with suppress(ValueError, TypeError, KeyError):
        Record.from_line(line.decode("utf-8"))
        return True
    return False


def folder(given: Path) -> Folder:
    """The folder of a path as a user gives it, its records not yet read; raises ConfigError."""
    return Folder(records_path(given))
