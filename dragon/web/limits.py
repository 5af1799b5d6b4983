"""The limits of requests: specs of games and searches that name files or are too large are refused.

A setting that names a file or a program (`dragon.config.OUTSIDE`) keeps its default over the web.
Whole numbers are bounded, so that no spec asks for a board or a table that fills the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from dragon import config
from dragon.core import Game, Search, State
from dragon.core.spec import parse_call
from dragon.errors import ConfigError, GameError, UnknownName
from dragon.rules.notation import parse_move
from dragon.web.problem import AT

PAGE = config.Elsewhere("a page", "leave it out, or use the command line", "the server")
LARGEST = 1_000_000_000
"""No whole number in a spec is larger."""
MEGABYTES = 256
"""The largest table that a search may be given."""
SIDE, CELLS = 64, 400
"""The longest side of a board, and the most cells where there are two sides."""
SIDES = ("rows", "cols", "columns", "size", "n", "width", "height")
THREADS = 4
"""The most threads of a search; each process of the server has its share of the cores only."""


def game(spec: str, name: str = "game") -> Game[Any]:
    """The game of a spec; raises ConfigError at the field `name`."""
    found: Game[Any] = _sound(config.game, spec, name)
    return found


def search(spec: str, name: str = "search") -> Search:
    """The search of a spec, with those inside it; raises ConfigError at the field `name`."""
    found: Search = _sound(config.search, spec, name)
    return found


def _sound(made: Any, spec: str, name: str) -> Any:
    try:
        _refuse(parse_call(spec)[1], name)
        value = made(spec, elsewhere=PAGE)
    except UnknownName as wrong:
        raise ConfigError(f"{wrong} @ {AT}.{name}") from wrong
    except ConfigError as wrong:  # whose places are those in the spec; they name the setting, too
        problems = [each.rpartition(" @ ")[0] or each for each in wrong.problems]
        raise ConfigError([f"{each} @ {AT}.{name}" for each in problems]) from wrong
    for part in _parts(value):
        fields = attrs.fields(type(part))
        has = {str(a.alias): getattr(part, a.name) for a in fields}
        given = {k: has[k] for a in fields if has[k := str(a.alias)] != a.default}
        _refuse(given, name)
        sides = [v for k, v in has.items() if k in SIDES and isinstance(v, int)]
        if len(sides) > 1 and sides[0] * sides[1] > CELLS:
            raise ConfigError(
                f"{part} has {sides[0] * sides[1]:,} cells; this server plays on at most {CELLS} "
                f"@ {AT}.{name}"
            )
    return value


def _parts(value: Any) -> Iterator[Any]:
    """A game or search, and the searches among its settings, at every depth."""
    yield value
    for a in attrs.fields(type(value)):
        inner = getattr(value, a.name)
        if isinstance(inner, Search):
            yield from _parts(inner)


def _refuse(settings: Mapping[str, Any], name: str) -> None:
    """Raise ConfigError if a setting is too large."""
    for key, value in settings.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        most = SIDE if key in SIDES else THREADS if key == "threads" else LARGEST
        most = MEGABYTES if "megabytes" in key else most
        if number and not -LARGEST <= value <= most:
            raise ConfigError(f"{key} is at most {most:,} on this server @ {AT}.{name}")
        if isinstance(value, str | list | tuple) and len(value) > 400:
            raise ConfigError(f"{key} is too long @ {AT}.{name}")


def states(
    of: Game[Any], start: str, deal: int, moves: tuple[str, ...], name: str = "moves"
) -> list[State[Any]]:
    """The first state and the one after each move; raises ConfigError with the number of the move.

    name: the field that the moves come from.
    """
    try:
        found = [config.position(of, start or None, deal)]
    except GameError as wrong:
        place = "start" if name == "moves" else name
        raise ConfigError(f"{' '.join(str(wrong).split())} @ {AT}.{place}") from wrong
    for ply, move in enumerate(moves, 1):
        try:
            found.append(found[-1].after(parse_move(found[-1], move)))
        except GameError as wrong:
            raise ConfigError(f"move {ply}: {wrong} @ {AT}.{name}") from wrong
    return found
