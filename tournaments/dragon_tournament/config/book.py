"""Book: the openings that a tournament file gives, or names a file of; mistakes are noted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import attrs

from dragon.config import build
from dragon_tournament.config.problems import Problems
from dragon_tournament.tournament import Openings

KINDS = ("moves", "positions")
SOURCES = ("lines", "positions", "file", "random")


def openings_of(table: Any, folder: Path, problems: Problems) -> Openings:
    """The openings; a file of them is sought in `folder`."""
    if table is None:
        return Openings()
    if not isinstance(table, dict):
        problems.add(f"must be a table with lines or random, not {table!r} @ openings")
        return Openings()
    own = dict(table)
    sources = [key for key in SOURCES if key in table]
    _check_keys(table, sources, problems)
    if len(sources) > 1:
        problems.add(f"{' and '.join(sources)} exclude each other; leave one out @ openings")
    elif sources and not (table[sources[0]] or sources == ["random"]):
        problems.add(f"{sources[0]} is empty; give some, or leave the table out @ openings")
    lines, positions = own.pop("lines", []), own.pop("positions", [])
    file, kind = own.pop("file", None), own.pop("kind", "moves")
    if kind not in KINDS:
        problems.add(f"kind must be 'moves' or 'positions', not {kind!r} @ openings.kind")
    if "kind" in table and file is None:
        problems.add(
            "kind tells what a file holds, and there is none; leave it out @ openings.kind"
        )
    at = "openings.lines"
    if file is not None:
        at = "openings.file"
        found = _file(file, folder, problems)
        lines, positions = (found, []) if kind == "moves" else ([], found)
    if not isinstance(positions, list) or not all(isinstance(p, str) for p in positions):
        problems.add(f"must be a list of positions, not {positions!r} @ openings.positions")
        positions = []
    known = {key: own[key] for key in ("random", "count", "order") if key in own}
    openings = problems.attempt(build, Openings, known, "openings") or Openings()
    openings = attrs.evolve(
        openings, lines=tuple(_lines(lines, at, problems)), positions=tuple(positions)
    )
    many, count = len(openings.lines) + len(openings.positions), openings.count or 0
    if 0 < many < count:
        problems.add(f"count is {count}, but only {many} are given; take fewer @ openings.count")
    return openings


def _check_keys(table: dict[str, Any], sources: list[str], problems: Problems) -> None:
    known = [*SOURCES, "kind", "count", "order"]
    strange = [key for key in table if key not in known]
    for key in strange:
        close = get_close_matches(key, known, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        listed = ", ".join(known)
        problems.add(f"no setting {key!r} here{hint} (settings: {listed}) @ openings")
    if not sources and not strange:
        problems.add("needs lines = [...], positions, file, or random = plies @ openings")
    if "random" in sources and "order" in table:
        problems.add("random openings have no order; leave it out @ openings.order")


def _file(name: Any, folder: Path, problems: Problems) -> list[str]:
    """The lines of a file, but for empty ones and those that begin with #."""
    if not isinstance(name, str):
        problems.add(f"must be the path of a file, not {name!r} @ openings.file")
        return []
    path = folder / name
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError, ValueError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else "it is not UTF-8 text"
        problems.add(f"cannot read {path}: {reason} @ openings.file")
        return []
    found = [line.strip() for line in text.splitlines()]
    found = [line for line in found if line and not line.startswith("#")]
    if not found:
        problems.add(f"{path} holds no openings; write one a line @ openings.file")
    return found


def _lines(lines: Any, at: str, problems: Problems) -> Iterable[tuple[str, ...]]:
    if not isinstance(lines, list):
        problems.add(f"must be a list of lines, not {lines!r} @ {at}")
        return
    for index, line in enumerate(lines):
        if isinstance(line, str):
            yield tuple(re.split(r"[\s;]+", line.strip(" \t;"))) if line.strip(" \t;") else ()
        elif isinstance(line, list) and all(isinstance(m, str | int) for m in line):
            yield tuple(str(m) for m in line)
        else:
            problems.add(
                f"must be a list of moves, or text with moves between spaces, not {line!r} "
                f"@ {at}[{index}]"
            )
