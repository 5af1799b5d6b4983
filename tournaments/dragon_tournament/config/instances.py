"""Instances: what a tournament file says of the set to be solved; mistakes are noted, not raised.

An entry of [[instance]] is a position, a game or both; with `files` it is one for every line of
every file, or, with `parameter`, one for every file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from glob import glob
from hashlib import blake2b
from pathlib import Path
from typing import Any

import attrs
from attrs import frozen

from dragon.config import build
from dragon.config import game as build_game
from dragon.core import TERMINAL, Game
from dragon.errors import DragonError
from dragon_tournament.config.problems import Problems
from dragon_tournament.formatting import shortened
from dragon_tournament.instance import Instance

NAME = 60  # characters of a name that is made of a position
Addressed = tuple[str, Instance]  # an instance and the address of what it comes from
NO_GAME = "has no game that could be used, and neither has the file; write one of both"


@frozen
class Entry:
    """The keys of an [[instance]], with their defaults."""

    name: str = ""
    """What it is called; by default its moves, its position, its game or its file and line."""
    position: str = ""
    """Where it begins, in the game's notation; by default where the game does."""
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
        yield from _lines(Entry(files=pattern), "instances", folder, game, problems)


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
            yield from _lines(entry, at, folder, own, problems)
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


def _lines(
    entry: Entry, at: str, folder: Path, game: Game[Any] | None, problems: Problems
) -> Iterator[Addressed]:
    """A position for each line of the files, but for empty ones and those that begin with #."""
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
