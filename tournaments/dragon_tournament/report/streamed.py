"""Streamed: the report of a tournament of very many games, made without holding their records.

It is the report of all records, or none: what cannot be had exactly from counts is left to who
holds them. A race is told instance by instance and has few, so it is among the latter.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from dragon_tournament.records.event_log import Incident
from dragon_tournament.records.record import SCHEMA
from dragon_tournament.report.summary import Report, is_dealt, report_of
from dragon_tournament.statistics.skill import available
from dragon_tournament.statistics.tally import Tally

EVERY = 10_000  # lines between two reports of progress


class Unfit(Exception):
    """Records that can only be told with all of them at hand."""


def streamed_report(
    path: Path,
    about: Mapping[str, Any],
    progress: Callable[[int], Any] | None = None,
    incidents: Iterable[Incident] = (),
) -> Report | None:
    """Report matches from a stream of records, without the verdict of a test.

    None where the records must be held: of races, ratings that depend on the order, or where a
    line occurs twice or is none.
    """
    if about.get("rating") == "openskill" and available():
        return None
    try:
        tally = count(path, about, progress)
    except Unfit:
        return None
    return report_of(tally, about, path, incidents=incidents)


def count(
    path: Path, about: Mapping[str, Any], progress: Callable[[int], Any] | None = None
) -> Tally:
    """The tally of a file's complete lines; raises Unfit."""
    ids, tally = array("q"), Tally()
    scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
    passed = 0
    with path.open(encoding="utf-8", newline="\n") as file:
        try:
            for line in file:
                if not line.endswith("\n"):
                    break  # it is still being written
                table, end = scan(line, 0)
                if end != len(line) - 1:
                    raise Unfit
                # a seat's own lines are lists, which a tally does not take: they have no hash
                solo = table.get("attempts") or len(table["seats"]) < 2
                if table.get("schema", 1) != SCHEMA or solo:
                    raise Unfit
                if not ids:
                    tally.dealt = is_dealt(about, table["game"])
                tally.add_line(table)
                ids.append(hash(table["id"]))
                passed += len(line)
                if progress is not None and len(ids) % EVERY == 0:
                    progress(passed)
                    passed = 0
        except (ValueError, TypeError, KeyError, StopIteration, RecursionError):
            # reading it again finds its line
            raise Unfit from None
    if len(np.unique(np.frombuffer(ids, np.int64))) < len(ids):
        raise Unfit
    return tally
