"""Hashes of the code that plays a tournament, so that a resumed run sees changes."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterator, Mapping
from typing import Any

from dragon.core import Game, Search
from dragon.rules.record import RecordGame, rules_of


def source_of(thing: Game[Any] | Search) -> str | None:
    """A hash of the files that have the class of a game or a search, its rules, and its `files`.

    Files of dragon itself do not count: it has a version. None if no other file can be read.
    """
    written: list[Any] = [type(thing)]
    if isinstance(thing, RecordGame):
        written += rules_of(thing).functions()
    files = list(thing.files) if isinstance(thing, Search) else []
    try:
        for part in written:
            if str(part.__module__).partition(".")[0] != "dragon":
                files.append(inspect.getfile(part))
        found = {_hash_of(file) for file in files}
    except (OSError, TypeError):
        return None  # it was typed into a prompt, say, or may be run and not read
    return hashlib.sha256("".join(sorted(found)).encode()).hexdigest()[:24] if found else None


def _hash_of(file: str) -> str:
    with open(file, "rb") as read:
        return hashlib.file_digest(read, "sha256").hexdigest()


def sources(game: Game[Any], searches: Mapping[str, Search]) -> dict[str, str]:
    """The hashes of a game and of its players' searches, by what they are called."""
    named: list[tuple[str, Game[Any] | Search]] = [(str(game), game), *searches.items()]
    return {name: source for name, thing in named if (source := source_of(thing)) is not None}


def moved_bounds(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield a pair like those of `changes` if the bounds of a test have changed since its games."""
    old, new = before.get("sprt"), now.get("sprt")
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return
    moved = [f"{key} = {old.get(key)}, then {new[key]}" for key in new if old.get(key) != new[key]]
    if moved:
        shown = "; ".join(moved)
        yield (
            f"the bounds of the test were moved after its games ({shown}), so that its verdict "
            "does not have the risks that it states; --restart plays all of them again",
            f"the bounds of the test were moved after games: {shown}",
        )


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
