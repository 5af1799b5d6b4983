"""The positions of a tournament file: instances to be solved, and openings; mistakes are noted.

An entry of [[instance]] is a position, a game or both; with `files` it is one for every line of
every file, or, with `parameter`, one for every file. Openings are in the file, or in a file that it
names.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from glob import glob
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any

import attrs
from attrs import field, frozen
from attrs.validators import ge, in_, optional

from dragon.config import build, read_text
from dragon.config import game as build_game
from dragon.core import TERMINAL, Game
from dragon.errors import DragonError
from dragon_tournament.config.problems import Problems
from dragon_tournament.formatting import shortened
from dragon_tournament.pairing import ORDER, generator
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
        text = problems.attempt(read_text, path, "positions", at=at) or ""
        for number, line in enumerate(map(str.strip, text.splitlines()), 1):
            if line and not line.startswith("#"):
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
KINDS = {".pgn": "pgn", ".epd": "positions", ".fen": "positions"}
"""The usual contents of a file by the end of its name; moves for all other names."""
LARGE = 100_000
"""The openings of a book that must say by `count` how many of them are taken."""
TAG = re.compile(rb'\s*\[\s*\w+\s*"')


@frozen
class OpeningsTable:
    """The keys of the table [openings]."""

    lines: Any = ()
    positions: tuple[str, ...] = ()
    file: str | None = None
    kind: str | None = field(default=None, validator=optional(in_(("moves", "positions", "pgn"))))
    """The contents of the file; by default as its name ends."""
    plies: int | None = field(default=None, validator=optional(ge(1)))
    """The plies that are taken of each line, or of each game in PGN."""
    random: int | None = field(default=None, validator=optional(ge(1)))
    count: int | None = field(default=None, validator=optional(ge(1)))
    order: str = field(default="given", validator=in_(("given", "random")))
    """The order in which openings are taken."""


def openings_of(
    table: Any, folder: Path, seed: int, needed: int | None, problems: Problems
) -> Openings:
    """The openings that are used; a file of them is sought in `folder`.

    needed: the greatest number that can be used, if the file may hold more. seed: that of their
    order.
    """
    found = problems.table(
        OpeningsTable, table, "openings", '{ lines = ["a1 b2"] } or { random = 2 }'
    )
    if found is None:
        return Openings()
    sources = [key for key in SOURCES if key in table]
    if not sources:
        problems.add("needs lines = [...], positions, file, or random = plies @ openings")
    elif len(sources) > 1:
        problems.add(f"{' and '.join(sources)} exclude each other; leave one out @ openings")
    elif not (table[sources[0]] or sources == ["random"]):
        problems.add(f"{sources[0]} is empty; give some, or leave the table out @ openings")
    if found.random is not None:
        for key in ("order", "plies"):
            if key in table:
                problems.add(f"random openings have no {key}; leave it out @ openings.{key}")
        return Openings(random=found.random, count=found.count)
    if found.file is None and "kind" in table:
        sentence = "kind tells what a file holds, and there is none; leave it out"
        problems.add(sentence, at="openings.kind")
    if found.file is not None:
        return _book(found, folder, seed, needed, problems)
    if found.positions:
        numbers = _taken(found, len(found.positions), seed, needed, problems)
        return Openings(positions=tuple(found.positions[n] for n in numbers), places=numbers)
    lines = [line[: found.plies] for line in _lines(found.lines, "openings.lines", problems)]
    numbers = _taken(found, len(lines), seed, needed, problems)
    return Openings(lines=tuple(lines[n] for n in numbers), places=numbers)


def _taken(
    table: OpeningsTable, given: int, seed: int, needed: int | None, problems: Problems
) -> tuple[int, ...]:
    """The numbers of the openings that are used, in their order."""
    count = table.count or given
    if 0 < given < count:
        problems.add(f"count is {count}, but only {given} are given; take fewer @ openings.count")
    count = min(count, given)
    if given > LARGE and table.count is None and needed is None:
        problems.add(
            f"the book has {given:,} openings; say how many of them are to be taken, such as "
            "count = 1000 @ openings.count"
        )
        return ()
    count = min(count, needed or count)
    if table.order == "random":
        return tuple(generator(ORDER, seed).permutation(given)[:count].tolist())
    return tuple(range(count))


def _book(
    table: OpeningsTable, folder: Path, seed: int, needed: int | None, problems: Problems
) -> Openings:
    """The openings of a file, of which only those that are used are kept in memory."""
    assert table.file is not None
    path, at = folder / table.file, "openings.file"
    kind = table.kind or KINDS.get(path.suffix.lower(), "moves")
    if kind == "pgn" and table.plies is None:
        problems.add(
            "say how many plies of each game are taken, such as plies = 8 @ openings.plies"
        )
        return Openings()
    if kind == "positions" and table.plies is not None:
        problems.add("positions have no plies; leave it out @ openings.plies")
    try:
        with path.open("rb") as file:
            starts, numbers = _starts(file, kind == "pgn")
            if not starts:
                problems.add(f"{path} holds no openings; write one a line @ {at}")
            taken = _taken(table, len(starts), seed, needed, problems)
            texts = []
            for number in taken:
                file.seek(starts[number])
                end = starts[number + 1] if number + 1 < len(starts) else None
                data = file.read(end and end - starts[number]) if kind == "pgn" else file.readline()
                texts.append(data.decode("utf-8").removeprefix("\ufeff").strip())
    except OSError as wrong:
        problems.add(f"cannot read {path}: {wrong.strerror}; give a text file in UTF-8 @ {at}")
        return Openings()
    except ValueError:  # a path with a zero, or a byte that is not UTF-8
        problems.add(f"cannot read {path}: it is not UTF-8 text; give a text file in UTF-8 @ {at}")
        return Openings()
    places = tuple(numbers[number] for number in taken)
    if kind == "positions":
        return Openings(positions=tuple(texts), file=table.file, places=places)
    if kind == "moves":
        lines = tuple(line[: table.plies] for line in _lines(texts, at, problems))
        return Openings(lines, file=table.file, places=places)
    from dragon.transcripts.pgn import beginning

    games: list[str] = []
    for place, text in zip(places, texts, strict=True):
        where = f"{at} ({table.file}:{place})"
        game = problems.attempt(beginning, text, table.plies, at=where)
        if game is None:
            return Openings()
        games.append(game)
    return Openings(games=tuple(games), file=table.file, places=places)


def _starts(file: IO[bytes], pgn: bool) -> tuple[array[int], array[int]]:
    """Return the start position of a file's openings, and their line numbers.

    An opening is a line, unless it is empty or begins with #; a game in PGN begins with the first
    of its tags, a file without tags is one game.
    """
    starts, numbers = array("q"), array("q")
    at, inside = 0, False  # the tags of a game
    for number, line in enumerate(file, 1):
        text = line.removeprefix(b"\xef\xbb\xbf").strip()
        if pgn:
            tag = TAG.match(text) is not None
            begins = (tag and not inside) or (not starts and bool(text) and text[:1] != b"%")
            inside = tag or (inside and not text)
        else:
            begins = bool(text) and text[:1] != b"#"
        if begins:
            starts.append(at)
            numbers.append(number)
        at += len(line)
    return starts, numbers


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
