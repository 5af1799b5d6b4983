"""Hashes of the code that plays a tournament, so that a resumed run sees changes."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from dragon.core import Game, Search
from dragon.rules.record import RecordGame, rules_of


def source_of(thing: Game[Any] | Search) -> str | None:
    """A hash of the files that have the class of a game or a search, and its rules.

    Files of dragon itself do not count: it has a version. None if no other file can be read.
    """
    written: list[Any] = [type(thing)]
    if isinstance(thing, RecordGame):
        written += rules_of(thing).functions()
    found = set()
    for part in written:
        if str(part.__module__).partition(".")[0] != "dragon":
            try:
                found.add(hashlib.sha256(Path(inspect.getfile(part)).read_bytes()).hexdigest())
            except (OSError, TypeError):
                return None  # it was typed into a prompt, say
    return hashlib.sha256("".join(sorted(found)).encode()).hexdigest()[:24] if found else None


def sources(game: Game[Any], searches: Mapping[str, Search]) -> dict[str, str]:
    """The hashes of a game and of its players' searches, by what they are called."""
    named: list[tuple[str, Game[Any] | Search]] = [(str(game), game), *searches.items()]
    return {name: source for name, thing in named if (source := source_of(thing)) is not None}


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The changes between two runs with these settings: of players, and of the report."""
    old, new = str(before.get("version", "")), str(now["version"])
    if old not in ("", new):
        yield (
            (
                f"they were played by dragon {old}, the others will be by {new}; "
                "--restart plays all of them by one"
            ),
            f"dragon {old}, then dragon {new}",
        )
    known = before.get("sources", {})
    changed = [name for name, source in now["sources"].items() if known.get(name, source) != source]
    if changed:
        yield (
            (
                f"the code of {', '.join(changed)} has changed since they were played; "
                "--restart plays all of them by the same"
            ),
            f"the code of {', '.join(changed)} changed in between",
        )
