"""The positions of a tournament file: instances to be solved, and openings; mistakes are noted.

An entry of [[instance]] is a position, a game or both; with `files` it is one for every line of
every file, or, with `parameter`, one for every file. Openings stand in the file, or in a file that
it names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from glob import glob
from hashlib import blake2b
from pathlib import Path
from typing import Any

import attrs
from attrs import field, frozen
from attrs.validators import in_

from dragon.config import build
from dragon.config import game as build_game
from dragon.core import TERMINAL, Game
from dragon.errors import DragonError
from dragon_tournament.config.tables import Problems, without_foreign
from dragon_tournament.formatting import shortened
from dragon_tournament.tournament import Instance, Openings

NAME = 60  # characters of a name that is made of a position
Addressed = tuple[str, Instance]  # an instance and the address of what it comes from
NO_GAME = "has no game that could be used, and neither has the file; write one of both"


@frozen
class Entry:
    """The keys of an [[instance]], with their defaults."""

    name: str = ""
    """Its name; by default its moves, its position, its game or its file and line."""
    position: str = ""
    """Its beginning, in the game's notation; by default the game's start."""
    moves: str = ""
    """Moves made from there, between spaces."""
    value: float | None = None
    """Its true value for the seat to move, where it is known."""
    files: str = ""
    """Instead of a position: the pattern of file names, each line of them a position."""
    parameter: str = ""
    """With `files`: the game's parameter that each file is, instead of lines."""
    game: Any = None


def instances_of(
    table: Mapping[str, Any], folder: Path, game: Game[Any] | None, problems: Problems
) -> list[Instance]:
    """The instances of a file, in its order; `game` is that of entries without one."""
    taken: Counter[str] = Counter()
    found = []
    for at, instance in _instances(table, folder, game, problems):
        taken[instance.name] += 1
        if (number := taken[instance.name]) > 1:
            instance = attrs.evolve(instance, name=f"{instance.name} ({number})")
        if (sentence := _objection(instance)) is not None:
            problems.add(f"{sentence} @ {at}")
        found.append(instance)
    return found


def _objection(instance: Instance) -> str | None:
    """Return the objection to it as a sentence."""
    try:
        state = instance.state(0)
    except DragonError as wrong:
        return str(wrong)
    if state.turn == TERMINAL:
        return f"in {instance.name!r} the game is over; an instance must leave something to do"
    value, largest = instance.value, state.largest
    if value is not None and not abs(value) <= largest:  # nan too
        return (
            f"value must be from {-largest:g} to {largest:g}, what {instance.game} can pay, "
            f"not {value:g}"
        )
    return None


def _instances(
    table: Mapping[str, Any], folder: Path, game: Game[Any] | None, problems: Problems
) -> Iterator[Addressed]:
    tables = table.get("instance", [])
    if not isinstance(tables, list):
        problems.add("must be a list; write [[instance]] with position or game @ instance")
        tables = []
    for index, given in enumerate(tables):
        yield from _entry(given, f"instance[{index}]", folder, game, problems)
    patterns = table.get("instances", [])
    patterns = [patterns] if isinstance(patterns, str) else patterns
    if not isinstance(patterns, list) or not all(isinstance(p, str) for p in patterns):
        problems.add(f"must be the pattern of file names, or a list, not {patterns!r} @ instances")
        return
    for pattern in patterns:
        yield from _positions(Entry(files=pattern), "instances", folder, game, problems)


def _entry(
    given: Any, at: str, folder: Path, game: Game[Any] | None, problems: Problems
) -> Iterator[Addressed]:
    if not isinstance(given, dict):
        problems.add(f"must be a table under [[instance]], not {given!r} @ {at}")
        return
    entry = problems.attempt(build, Entry, given, at)
    if entry is None:
        return
    if entry.files:
        clash = [key for key in ("position", "moves", "value", "name") if key in given]
        if clash:
            keys = " and ".join(clash)
            problems.add(f"files and {keys} exclude each other; leave one out @ {at}")
        elif entry.parameter:
            yield from _files(entry, at, folder, game, problems)
        else:
            own = _own(entry, at, game, problems)
            yield from _positions(entry, at, folder, own, problems)
        return
    if entry.parameter:
        problems.add(f"parameter is for files; leave it out @ {at}.parameter")
    found = _own(entry, at, game, problems)
    if found is not None:
        moves = tuple(entry.moves.replace(";", " ").split())
        name = entry.name or shortened(" ".join(moves) or entry.position or str(found), NAME)
        yield at, Instance(name, found, entry.position, moves, entry.value)


def _own(entry: Entry, at: str, game: Game[Any] | None, problems: Problems) -> Game[Any] | None:
    """The entry's own game, or the common one; None with the mistake noted."""
    if entry.game is None:
        if game is None:
            problems.add(f"{NO_GAME} @ {at}")
        return game
    if not isinstance(entry.game, str | dict):
        problems.add(f"must be a game such as 'nim(pile=12)', not {entry.game!r} @ {at}.game")
        return None
    return problems.attempt(build_game, entry.game, f"{at}.game", at=f"{at}.game")


def _matching(pattern: str, folder: Path, at: str, problems: Problems) -> Sequence[Path]:
    """The files of a pattern, in the order of their names."""
    found = [Path(name) for name in sorted(glob(str(folder / pattern), recursive=True))]
    found = [path for path in found if path.is_file()]
    if not found:
        problems.add(f"no file matches {folder / pattern}; the pattern starts from the file @ {at}")
    return found


def _positions(
    entry: Entry, at: str, folder: Path, game: Game[Any] | None, problems: Problems
) -> Iterator[Addressed]:
    """A position for each line of the files, except empty ones and those that begin with #."""
    if game is None:
        return
    for path in _matching(entry.files, folder, at, problems):
        for number, line in problems.lines(path, at) or ():
            yield f"{at} ({path.name}:{number})", Instance(f"{path.stem}:{number}", game, line)


def _files(
    entry: Entry, at: str, folder: Path, game: Game[Any] | None, problems: Problems
) -> Iterator[Addressed]:
    """A game for each file, which is one of its parameters."""
    base = entry.game if entry.game is not None else game
    if base is None:
        problems.add(f"{NO_GAME} @ {at}")
        return
    for path in _matching(entry.files, folder, at, problems):
        made = problems.attempt(_with_file, base, entry.parameter, path, at, at=at)
        if made is None:
            return
        digest = blake2b(path.read_bytes(), digest_size=8).hexdigest()
        yield f"{at} ({path.name})", Instance(path.stem, made, file=str(path), digest=digest)


def _with_file(base: Any, parameter: str, path: Path, at: str) -> Game[Any]:
    """The game with a file for a parameter."""
    if isinstance(base, Game):
        spec: dict[str, Any] = {a.alias: getattr(base, a.name) for a in attrs.fields(type(base))}
        spec["name"] = base.name
    elif isinstance(base, str):
        spec = {"name": base}
    else:
        spec = dict(base)
    return build_game({**spec, parameter: str(path)}, at)


# ---- openings ------------------------------------------------------------------------------------


SOURCES = ("lines", "positions", "file", "random")
FOREIGN = {
    "format": 'kind = "moves" or "positions" says what the file holds',
    "plies": "leave out what each line has beyond them",
    "start": "leave out the lines before",
    "policy": "every pair of games has the next opening",
}
"""What is written here in place of keys of cutechess, fastchess and others."""


@frozen
class OpeningsTable(Openings):
    """The keys of the table [openings]: those of Openings, and a file that holds them."""

    lines: Any = ()
    file: str | None = None
    kind: str = field(default="moves", validator=in_(("moves", "positions")))
    """The contents of the file."""


def openings_of(table: Any, folder: Path, problems: Problems) -> tuple[Openings, tuple[str, ...]]:
    """The openings, and the address of each that is given; a file of them is sought in `folder`."""
    if isinstance(table, dict):
        table = without_foreign(table, FOREIGN, (), problems, "openings.")
    found = problems.table(
        OpeningsTable, table, "openings", '{ lines = ["a1 b2"] } or { random = 2 }'
    )
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
