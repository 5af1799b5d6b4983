"""Openings: those that a tournament file gives, or names a file of; mistakes are noted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from attrs import field, frozen
from attrs.validators import in_

from dragon_tournament.config.problems import Problems
from dragon_tournament.tournament import Openings

SOURCES = ("lines", "positions", "file", "random")


@frozen
class Table(Openings):
    """The keys of the table [openings]: those of Openings, and a file that holds them."""

    lines: Any = ()
    file: str | None = None
    kind: str = field(default="moves", validator=in_(("moves", "positions")))
    """What the file holds."""


def openings_of(table: Any, folder: Path, problems: Problems) -> tuple[Openings, tuple[str, ...]]:
    """The openings, and the address of each that is given; a file of them is sought in `folder`."""
    found = problems.table(Table, table, "openings", '{ lines = ["a1 b2"] } or { random = 2 }')
    if found is None:
        return Openings(), ()
    sources = [key for key in SOURCES if key in table]
    if not sources:
        problems.add("needs lines = [...], positions, file, or random = plies @ openings")
    elif len(sources) > 1:
        problems.add(f"{' and '.join(sources)} exclude each other; leave one out @ openings")
    elif not (table[sources[0]] or sources == ["random"]):
        problems.add(f"{sources[0]} is empty; give some, or leave the table out @ openings")
    if found.random is not None and "order" in table:
        problems.add("random openings have no order; leave it out @ openings.order")
    if found.file is None and "kind" in table:
        sentence = "kind tells what a file holds, and there is none; leave it out"
        problems.add(sentence, at="openings.kind")
    at, lines, positions = "openings.lines", found.lines, found.positions
    key, given = ("positions", positions) if positions else ("lines", lines)
    many = len(given) if isinstance(given, list | tuple) else 0
    addresses = [f"openings.{key}[{i}]" for i in range(many)]
    if found.file is not None:
        at = "openings.file"
        numbered = problems.lines(folder / found.file, at)
        read = [line for _, line in numbered or ()]
        addresses = [f"{at} ({found.file}:{number})" for number, _ in numbered or ()]
        if numbered == []:
            problems.add(f"{folder / found.file} holds no openings; write one a line @ {at}")
        lines, positions = (read, ()) if found.kind == "moves" else ((), tuple(read))
    openings = Openings(
        tuple(_lines(lines, at, problems)), positions, found.random, found.count, found.order
    )
    many, count = len(openings.lines) + len(openings.positions), openings.count or 0
    if 0 < many < count:
        problems.add(f"count is {count}, but only {many} are given; take fewer @ openings.count")
    return openings, tuple(addresses)


def _lines(lines: Any, at: str, problems: Problems) -> Iterable[tuple[str, ...]]:
    if not isinstance(lines, list | tuple):
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
