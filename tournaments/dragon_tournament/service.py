"""What the page asks of the server: the shelf, how a tournament stands, and its report."""

from __future__ import annotations

import os
from collections import OrderedDict
from contextlib import suppress
from typing import Any

import attrs
from attrs import frozen

from dragon.errors import ConfigError, UnknownName
from dragon.web import results
from dragon.web.page import Nothing, text
from dragon.web.problem import AT
from dragon_tournament import shelf
from dragon_tournament.folder import Folder
from dragon_tournament.report import Report, to_html, to_json
from dragon_tournament.shelf import Counter, Entry

LARGE = 20_000_000
"""Bytes of records that are not held; how such a tournament stands is told from counts."""
KEPT = 4
"""Folders whose records a process keeps, so that a growing one is not read anew."""
_counter = Counter({})
_pages: dict[Entry, str] = {}
"""The report made last, by its tournament and when that had changed."""
_folders: OrderedDict[Entry, tuple[os.stat_result, Folder]] = OrderedDict()


@frozen
class Named:
    """Which tournament."""

    name: str = text(longest=255)
    """A name of the list, letter by letter."""


def tournaments(asked: Nothing) -> dict[str, Any]:
    """All tournaments, the latest first."""
    found = shelf.shelf(results.folder())
    return {"tournaments": [shelf.row(entry, _counter) for entry in found.values()]}


def progress(asked: Named) -> dict[str, Any]:
    """How far one of them is."""
    return shelf.row(_entry(asked), _counter)


def standings(asked: Named) -> dict[str, Any]:
    """How it stands, running or not."""
    entry = _entry(asked)
    told = _surveyed(entry) or _read(entry).report()
    return to_json(_named(told, entry))


def report(asked: Named) -> dict[str, Any]:
    """Its report, made anew: the page that `dragon report` writes."""
    entry = _entry(asked)
    if entry not in _pages:
        folder = _read(entry)
        made = to_html(_named(folder.report(), entry), folder.records)
        _pages.clear()
        _pages[entry] = made
    return {"html": _pages[entry]}


def _entry(asked: Named) -> Entry:
    try:
        return shelf.entry(results.folder(), asked.name)
    except UnknownName as wrong:
        raise ConfigError(f"{wrong} @ {AT}.name") from wrong


def _named(told: Report, entry: Entry) -> Report:
    """The report, with its records named as from the folder of results."""
    return attrs.evolve(told, records=f"{entry.name}/{entry.records.name}")


def _surveyed(entry: Entry) -> Report | None:
    """The report of so many records that they are not held, where it can be had so."""
    with suppress(OSError):
        if entry.records.stat().st_size >= LARGE:
            return Folder(entry.records).survey()
    return None


def _read(entry: Entry) -> Folder:
    """The folder with all records so far; those read before are kept."""
    plain = attrs.evolve(entry, changed=0.0)
    try:
        now = os.stat(entry.records)
        before, folder = _folders.pop(plain, (now, Folder(entry.records)))
        if before.st_ino != now.st_ino or now.st_size < before.st_size:  # begun anew
            folder = Folder(entry.records)
        folder.read()
    except FileNotFoundError:  # no game has ended yet
        folder = Folder(entry.records)
        folder.about = folder.settings()
        return folder
    except (ConfigError, OSError) as wrong:
        reason = str(wrong).replace(f"{entry.folder.parent}{os.sep}", "")
        raise ConfigError(f"{entry.name} cannot be read: {reason} @ {AT}.name") from wrong
    _folders[plain] = now, folder
    while len(_folders) > KEPT:
        _folders.popitem(last=False)
    return folder
