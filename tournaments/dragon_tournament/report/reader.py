"""The records of a tournament and the files beside them, while it runs or afterwards.

Very many records are counted and not held (`streamed_report`), if the report can be had exactly
from counts. Races need their records, of which there are few.
"""

from __future__ import annotations

import gc
import json
import math
import tomllib
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import attrs
import numpy as np
from attrs import Factory, define, field

from dragon.errors import ConfigError
from dragon_tournament.records import event_log
from dragon_tournament.records.event_log import Incident
from dragon_tournament.records.files import (
    LARGE,
    RECORDS,
    REPORT,
    RecordFile,
    StoredRecords,
    settings_in,
)
from dragon_tournament.records.record import SCHEMA, Record
from dragon_tournament.report.summary import Report, is_dealt, names_in, report
from dragon_tournament.statistics.skill import available
from dragon_tournament.statistics.sprt import Sprt, Verdict, verdict
from dragon_tournament.statistics.tally import Tally

EVERY = 10_000  # lines between two reports of progress


def records_path(given: Path) -> Path:
    """The path of the records: in a folder, the file itself, or in the folder of a TOML file's run.

    Raises ConfigError if there are none.
    """
    path = given
    if given.suffix == ".toml" and given.is_file():
        try:
            table = tomllib.loads(given.read_text(encoding="utf-8"))
        except (OSError, ValueError) as wrong:
            raise ConfigError(f"cannot read {given}: {str(wrong).splitlines()[0]}") from None
        path = Path("results") / str(table.get("name") or given.stem)
    if path.is_dir():
        path /= RECORDS
    if path.is_file() and (path != given or _may_be_records(path)):
        return path
    if path == given:
        remedy = "give the folder of a tournament, its records.jsonl or its TOML file"
    else:
        remedy = "no game has ended there yet, or the folder is another one"
    raise ConfigError(f"no records at {path}; {remedy}")


def _may_be_records(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(1) in (b"", b"{")


@define
class ResultsReader:
    """The records read so far, and the files beside them; `read` adds records written since."""

    path: Path
    records: Sequence[Record] = field(factory=list)
    about: dict[str, Any] = field(factory=dict)
    """The settings in tournament.json; empty if it is absent or unreadable."""
    tally: Tally = field(factory=Tally)
    """The counts of the records read so far."""
    file: RecordFile = Factory(lambda self: RecordFile(self.path), takes_self=True)

    def read(self, progress: Callable[[int], Any] | None = None) -> int:
        """Read new records; return their number. A line that is being written waits for its end.

        Raises as `RecordFile.read` does.
        """
        before = len(self.tally)
        self.tally.reopen()
        self.about = settings_in(self.path.parent)
        records = self.file.scan(self._count, progress)
        whole = isinstance(records, StoredRecords)
        self.records = records if whole else [*self.records, *records]
        return len(self.tally) - before

    def _count(self, record: Record) -> None:
        if not len(self.tally):
            self.tally.dealt = is_dealt(self.about, record.game)
        self.tally.add_record(record)

    @property
    def large(self) -> bool:
        """Return True if there are too many records to keep all in memory."""
        return self.path.stat().st_size >= LARGE

    @property
    def planned(self) -> int | None:
        """The number of games in the tournament, if it is known."""
        return self.about.get("total")

    def incidents(self) -> list[Incident]:
        """The incidents beside the games, broken lines of the records included."""
        return [*event_log.read(self.path.parent), *self.file.junk]

    def streamed(self, progress: Callable[[int], Any] | None = None) -> Report | None:
        """The report of very many records, none of which is kept; None if that is impossible."""
        if not self.large:
            return None
        self.about = settings_in(self.path.parent)
        gc.disable()  # of so many objects, none of them in a cycle, it takes a quarter of the time
        try:
            found = streamed_report(self.path, self.about, progress, self.incidents())
        finally:
            gc.enable()
        return None if found is None else attrs.evolve(found, verdict=self._verdict(found))

    def report(self) -> Report:
        """The report of the records read so far."""
        seatings = dict.fromkeys(kind.seats for kind in self.tally.kinds)
        found = report(self.tally, self.about, self.path, seatings, self.incidents(), self.records)
        return attrs.evolve(found, verdict=self._verdict(found))

    def _verdict(self, found: Report) -> Verdict | None:
        """The state of the test after all games on record, or the decision of the run."""
        with suppress(TypeError, ValueError, KeyError):  # settings of another version
            first, second = names_in(self.about)
            met = {(met.first, met.second): met for met in found.meetings}.get((first, second))
            seats = max((len(row.seats) for row in found.rows), default=2)
            size = len(found.rows) if seats > 2 else 2
            return self._decided(verdict(Sprt(**self.about["sprt"]), met, size))
        return None

    def _decided(self, now: Verdict) -> Verdict:
        """Keep the decision in report.json, even if games that were in flight contradict it now."""
        with suppress(OSError, ValueError, TypeError, KeyError):
            test = json.loads((self.path.parent / REPORT).read_text(encoding="utf-8"))["sprt"]
            json.dumps(test, ensure_ascii=False, allow_nan=False).encode()  # it is to be shown
            sound = all(map(math.isfinite, (test["llr"], *test["scores"], *test["counts"])))
            sound = sound and test["accepted"] in (None, "H0", "H1")
            sound = sound and isinstance(test["ended"], str | None)
            same = all(test[key] == value for key, value in attrs.asdict(now.sprt).items())
            since = now.sample.size - sum(test["counts"])
            # Pairs that came in since were in flight; where no opening was left, none were.
            over = since >= 0 if test["accepted"] else test["ended"] and since == 0
            if over and sound and same:
                sample = attrs.evolve(now.sample, values=test["scores"], counts=test["counts"])
                return Verdict(
                    now.sprt, test["llr"], sample, test["accepted"] or "", test["ended"] or ""
                )
        return now


def open_results(given: Path) -> ResultsReader:
    """A reader for a path that the user gives, its records not yet read; raises ConfigError."""
    return ResultsReader(records_path(given))


def streamed_report(
    path: Path,
    about: Mapping[str, Any],
    progress: Callable[[int], Any] | None = None,
    incidents: Iterable[Incident] = (),
) -> Report | None:
    """Report matches from a stream of records, without the verdict of a test.

    None if the records must be in memory: those of races, for ratings that depend on the order, or
    if a line occurs twice or is not a record.
    """
    if about.get("rating") == "openskill" and available():
        return None
    tally = count(path, about, progress)
    return None if tally is None else report(tally, about, path, incidents=incidents)


def count(
    path: Path, about: Mapping[str, Any], progress: Callable[[int], Any] | None = None
) -> Tally | None:
    """Count the complete lines of a file; None if their report needs all records in memory."""
    ids, tally = array("q"), Tally()
    scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
    passed = 0
    with path.open(encoding="utf-8", newline="\n") as file:
        try:
            for line in file:
                if not line.endswith("\n"):
                    break  # it is still being written
                table, end = scan(line, 0)
                # a seat's own lines are lists, which a tally does not take: they have no hash
                solo = table.get("attempts") or len(table["seats"]) < 2
                if end != len(line) - 1 or table.get("schema", 1) != SCHEMA or solo:
                    return None
                if not ids:
                    tally.dealt = is_dealt(about, table["game"])
                tally.add_line(table)
                ids.append(hash(table["id"]))
                passed += len(line)
                if progress is not None and len(ids) % EVERY == 0:
                    progress(passed)
                    passed = 0
        except (ValueError, TypeError, KeyError, StopIteration, RecursionError):
            return None  # reading it again finds its line
    return tally if len(np.unique(np.frombuffer(ids, np.int64))) == len(ids) else None
