"""Games and searches that a request names: parsed as everywhere, and refused where they reach out.

A setting that names a file or a program is marked by its author, in the field's metadata
(`metadata={"outside": True}`): over the web it keeps its default. Whole numbers are bounded, so
that no spec asks for a board or a table that fills the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from dragon import config
from dragon.core import Game, Limit, Search, State
from dragon.errors import ConfigError, UnknownName
from dragon.plugins import find_game, find_search
from dragon.web.problem import AT

OUTSIDE = "outside"
"""Key of a field's metadata: whether it names what is outside the program."""
LARGEST = 1_000_000_000
"""No whole number in a spec is larger."""
MEGABYTES = 256
"""The largest table that a search may be given."""
SIDE, CELLS = 64, 400
"""The longest side of a board, and the most cells where there are two sides."""
SIDES = ("rows", "cols", "columns", "size", "n", "width", "height")
THREADS = 4
"""The most threads of a search; each of the server's processes has but its share of the cores."""


def game(spec: str, name: str = "game") -> Game[Any]:
    """The game of a spec; raises ConfigError at the field `name`."""
    found: Game[Any] = _sound(config.game, find_game, spec, name)
    return found


def search(spec: str, name: str = "search") -> Search:
    """The search of a spec, likewise; those inside it too."""
    found: Search = _sound(config.search, find_search, spec, name)
    return found


def _sound(made: Any, find: Any, spec: str, name: str) -> Any:
    try:
        called, settings = config.parse_call(spec)
        _refuse(find(called), settings, name)
        value = made(spec)
    except UnknownName as wrong:
        raise ConfigError(f"{wrong} @ {AT}.{name}") from wrong
    except ConfigError as wrong:  # whose places are those in the spec; they name the setting, too
        told = [each.rpartition(" @ ")[0] or each for each in wrong.problems]
        raise ConfigError([f"{each} @ {AT}.{name}" for each in told]) from wrong
    refuse(value, name)
    return value


def refuse(value: Game[Any] | Search, name: str) -> None:
    """Raises ConfigError where a setting reaches outside or is too large."""
    for part in _parts(value):
        fields = attrs.fields(type(part))
        has = {str(a.alias): getattr(part, a.name) for a in fields}
        given = {k: has[k] for a in fields if has[k := str(a.alias)] != a.default}
        _refuse(type(part), given, name)
        sides = [v for k, v in has.items() if k in SIDES and isinstance(v, int)]
        if len(sides) > 1 and sides[0] * sides[1] > CELLS:
            raise ConfigError(
                f"{part} has {sides[0] * sides[1]:,} cells; this server plays on at most {CELLS} "
                f"@ {AT}.{name}"
            )


def _parts(value: Any) -> Iterator[Any]:
    """A game or search and the searches among its settings, theirs too."""
    yield value
    for a in attrs.fields(type(value)):
        inner = getattr(value, a.name)
        if isinstance(inner, Search):
            yield from _parts(inner)


def _refuse(cls: type, settings: Mapping[str, Any], name: str) -> None:
    outside = {str(a.alias): a.default for a in attrs.fields(cls) if a.metadata.get(OUTSIDE)}
    for key, value in settings.items():
        if key in outside and value != outside[key]:
            raise ConfigError(
                f"{key} names what is outside the server, which a page may not; leave it out, or "
                f"use the command line @ {AT}.{name}"
            )
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if number and not -LARGEST <= value <= (most := largest(key)):
            raise ConfigError(f"{key} is at most {most:,} on this server @ {AT}.{name}")
        if isinstance(value, str | list | tuple) and len(value) > 400:
            raise ConfigError(f"{key} is too long @ {AT}.{name}")


def largest(key: str) -> int:
    """The largest number that a setting of this name may have."""
    if "megabytes" in key:
        return MEGABYTES
    return SIDE if key in SIDES else THREADS if key == "threads" else LARGEST


def state(
    of: Game[Any], start: str, deal: int, moves: tuple[str, ...], name: str = "moves"
) -> list[State[Any]]:
    """The first state and the one after each move; raises ConfigError with the number of the move.

    name: the field that the moves come from.
    """
    from dragon.commands.options import position
    from dragon.errors import GameError
    from dragon.notation import parse_move

    try:
        here = position(of, start or None, deal)
    except GameError as wrong:
        place = "start" if name == "moves" else name
        raise ConfigError(f"{' '.join(str(wrong).split())} @ {AT}.{place}") from wrong
    found = [here]
    for ply, move in enumerate(moves, 1):
        try:
            here = here.after(parse_move(here, move))
        except GameError as wrong:
            raise ConfigError(f"move {ply}: {wrong} @ {AT}.{name}") from wrong
        found.append(here)
    return found


def limit(seconds: float, nodes: int | None = None) -> Limit:
    """How long a search may go on."""
    return Limit(seconds=seconds, nodes=nodes)
