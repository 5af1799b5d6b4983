"""Sources: hashes of the code that plays, by which a run that goes on sees that it has changed."""

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

    Files of dragon itself do not count: it has a version. None where there is no other file
    that can be read.
    """
    written: list[tuple[str, Any]] = [(type(thing).__module__, type(thing))]
    if isinstance(thing, RecordGame):
        written += [(part.__module__, part) for part in rules_of(thing).functions()]
    found = set()
    for module, part in written:
        if module.partition(".")[0] != "dragon":
            try:
                found.add(hashlib.sha256(Path(inspect.getfile(part)).read_bytes()).hexdigest())
            except (OSError, TypeError):
                return None  # it was typed into a prompt, say
    return hashlib.sha256("".join(sorted(found)).encode()).hexdigest()[:24] if found else None


def sources(game: Game[Any], searches: Mapping[str, Search]) -> dict[str, str]:
    """The hashes of a game and of its players' searches, by what they are called."""
    found = {str(game): source_of(game)}
    found |= {name: source_of(search) for name, search in searches.items()}
    return {name: source for name, source in found.items() if source is not None}


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What has changed between two runs with these settings: for who plays, and for the report."""
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
