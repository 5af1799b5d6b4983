"""The endpoints of the page: the index, the standings of a tournament, and its report."""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any

import attrs
from attrs import frozen

from dragon.errors import ConfigError, UnknownName
from dragon.page import Nothing, text
from dragon.web import results
from dragon.web.problem import AT
from dragon_tournament.records.files import settings_in
from dragon_tournament.report.html import to_html
from dragon_tournament.report.schema import to_json
from dragon_tournament.report.summary import Report
from dragon_tournament.results import index
from dragon_tournament.results.index import Entry, LineCounter
from dragon_tournament.results.reader import ResultsReader

KEPT = 4  # folders whose records a process keeps, so that a growing one is not read again
_counter = LineCounter({})
_pages: dict[Entry, str] = {}
"""The report made last, by its tournament and when that had changed."""
_folders: OrderedDict[Entry, tuple[os.stat_result, ResultsReader]] = OrderedDict()


@frozen
class Named:
    """A request for a tournament by its name."""

    name: str = text(longest=255)
    """A name of the list, letter by letter."""


def tournaments(asked: Nothing) -> dict[str, Any]:
    """The tournaments of the folder that the server was given, the latest first."""
    found = index.tournaments(results.folder())
    return {"tournaments": [index.row(entry, _counter) for entry in found.values()]}


@cache
def ladder(asked: Nothing) -> dict[str, Any]:
    """The strength of the styles of mcts, alphabeta and random play at each game that was tried, by
    the ladder of docs/strength.md: Elo, and half of its 95% interval where it is bounded."""
    text = (files("dragon_tournament") / "ladder.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def progress(asked: Named) -> dict[str, Any]:
    """The progress of one of them."""
    return index.row(_entry(asked), _counter)


def standings(asked: Named) -> dict[str, Any]:
    """Return its standings, as `dragon standings --json`."""
    entry = _entry(asked)
    return to_json(_named(_streamed(entry) or _read(entry).report(), entry))


def report(asked: Named) -> dict[str, Any]:
    """Return its report as a page, as `dragon report` writes it."""
    entry = _entry(asked)
    if entry not in _pages:
        folder = _read(entry)
        made = to_html(_named(folder.report(), entry), folder.records)
        _pages.clear()
        _pages[entry] = made
    return {"html": _pages[entry]}


def _entry(asked: Named) -> Entry:
    try:
        return index.entry(results.folder(), asked.name)
    except UnknownName as wrong:
        raise ConfigError(f"{wrong} @ {AT}.name") from wrong


def _named(found: Report, entry: Entry) -> Report:
    """The report, with its records named as from the folder of results."""
    return attrs.evolve(found, records=f"{entry.name}/{entry.records.name}")


def _streamed(entry: Entry) -> Report | None:
    """The report of so many records that they are not held, where it can be had so."""
    with suppress(OSError):
        if (reader := ResultsReader(entry.records)).large:
            return reader.streamed()
    return None


def _read(entry: Entry) -> ResultsReader:
    """The folder with all records so far; those read before are kept."""
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
