"""The installed games, searches and problems, as the command line lists them, and scenes of games.

A scene is what the Play page shows of a game beside its rules, from the file `scenes.toml` in the
package of its plugin (`docs/write-a-page.md`): a line of moves for a picture, how a side has won,
and the simulations or nodes of the levels Easy, Medium and Strong of a computer player, or of Easy
and Strong, or Strong alone, where luck or best play makes more levels impossible. Unlike seconds
they make a level the same on any machine. `docs/measure_levels.py` plays them against one another.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import import_module
from importlib.resources import files
from math import isqrt
from typing import Any

import attrs
from attrs import field, frozen

from dragon import plugins
from dragon.boards.material import themed
from dragon.core import Game, Trait
from dragon.core.spec import how_to_play, literal, settings
from dragon.errors import DragonError
from dragon.jsonable import game_object, plain, search_object
from dragon.page import Nothing, text
from dragon.protocols import seat_names
from dragon.web import limits
from dragon.web.picture import drawing

CHOICES = "choices"
"""Key of a field's metadata: the values that a page may offer."""


@frozen
class Of:
    """The game for which searches are listed."""

    game: str = text("")
    """A game, as `nex(rows=4, cols=4)`: each search says why it cannot play it, or null."""


@cache
def games(asked: Nothing) -> dict[str, Any]:
    """The installed games, as `dragon games --json` lists them; their rules (`how`), from where to
    where each whole number may go on this server (`ranges`), and the words of other parameters
    (`choices`)."""
    found = []
    for cls in plugins.games().values():
        more = {"how": how_to_play(cls), "ranges": ranges(cls), "choices": choices(cls)}
        found.append(game_object(cls) | more | playing(cls))
    return {"games": found}


def playing(cls: type[Game[Any]]) -> dict[str, Any]:
    """Return the texts of the Play page about a game: the names of its sides, the levels of a
    computer player, and how it is won; null where there is none."""
    shown = scene_of(cls)
    if any(s.required for s in settings(cls)):
        return {"sides": [], "levels": None, "won": shown.won}
    of = cls()
    suits = len(of.teams) == 2 and Trait.DUEL in of.traits and Trait.HIDDEN not in of.traits
    sides = [name[:1].upper() + name[1:] for name in seat_names(of, drawn=True)]
    able = plain({n: attrs.asdict(each) for n, each in shown.levels.items()}) if suits else None
    return {"sides": sides, "levels": able, "won": shown.won}


@frozen
class Named:
    """The game that is to be seen."""

    game: str = text(longest=400)
    """The name of a game."""


@cache
def scene(asked: Named) -> dict[str, Any]:
    """A picture of a game in mid-game or at its beginning; null where it does not draw one."""
    of = limits.game(asked.game)
    own = scene_of(type(of))
    if own.game:
        of = limits.game(own.game)
    state = limits.states(of, "", 0 if own.moves else 1, own.moves)[-1]
    svg = drawing(of, state)["svg"]
    return {"svg": svg and themed(svg)}


def choices(cls: type[Game[Any]]) -> dict[str, list[Any]]:
    """The values, as in specs, of each parameter whose field has `choices` in its metadata."""
    return {
        str(a.alias): [*map(literal, a.metadata[CHOICES])]
        for a in attrs.fields(cls)
        if CHOICES in a.metadata
    }


def ranges(cls: type[Game[Any]]) -> dict[str, tuple[int, int]]:
    """The range of each whole number that the class takes, all else at its defaults.

    A game may take long to make. So the validators of a number are called first, and if the game
    can be made with the least and the greatest number that they allow, it is not made with the
    others.
    """
    numbers = {s.name: s.default for s in settings(cls) if type(s.default) is int}
    sides = sum(name in limits.SIDES for name in numbers)
    most = isqrt(limits.CELLS) if sides > 1 else limits.SIDE

    def taken(name: str, value: int) -> bool:
        try:
            cls(**{name: value})
        except (DragonError, TypeError, ValueError):
            return False
        return True

    def allowed(name: str, value: int) -> bool:
        try:
            validators[name](None, fields[name], value)
        except (DragonError, ValueError):
            return False
        except (AttributeError, TypeError):  # it looks at other fields too
            return True
        return True

    def last(name: str, values: range) -> int:
        """Return the last of the values before one that is not taken."""
        if validators[name] is not None:
            end = next((v for v in values if not allowed(name, v)), values.stop)
            if end == values.start or taken(name, end - values.step):
                return end - values.step
        return next((v for v in values if not taken(name, v)), values.stop) - values.step

    fields = {str(a.alias): a for a in attrs.fields(cls)}
    validators = {name: fields[name].validator for name in numbers}
    found = {}
    for name, usual in numbers.items():
        low = last(name, range(usual - 1, -1, -1))
        high = last(name, range(usual + 1, most + 1))
        if low < high:
            found[name] = low, high
    return found


def searches(asked: Of) -> dict[str, Any]:
    """The installed searches, as `dragon searches --json`; which can play what."""
    of = limits.game(asked.game) if asked.game else None
    return {"searches": [search_object(cls, of) for cls in plugins.searches().values()]}


NAMES = ("easy", "medium", "strong")
"""The levels from the weakest on."""
USUAL = (20, 150, 1500)
"""The simulations of a game whose plugin does not say."""
SAMPLED, SEARCHED = "mcts(style='strong')", "alphabeta"


@frozen
class Level:
    """A search as a spec, and its limit for each move."""

    search: str
    simulations: int | None = None
    nodes: int | None = None


def _apart(moves: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return moves that a comma separates."""
    return tuple(moves.split(",")) if isinstance(moves, str) else moves


@frozen
class Scene:
    """The scene of a game; empty if its plugin does not have one."""

    game: str = ""
    moves: tuple[str, ...] = field(default=(), converter=_apart)
    won: str | None = None
    simulations: tuple[int, ...] = field(default=(), converter=tuple)
    nodes: tuple[int, ...] = field(default=(), converter=tuple)

    @property
    def levels(self) -> dict[str, Level]:
        """The levels by their names."""
        if self.nodes:
            found = [Level(SEARCHED, nodes=count) for count in self.nodes]
        else:
            found = [Level(SAMPLED, simulations=count) for count in self.simulations or USUAL]
        names = (*NAMES[: len(found) - 1], NAMES[-1])
        return dict(zip(names, found, strict=True))


def scene_of(cls: type[Game[Any]]) -> Scene:
    """Return the scene of a game's class; an empty one where its plugin has none."""
    return scenes(cls.__module__.partition(".")[0]).get(cls.name, Scene())


@cache
def scenes(package: str) -> dict[str, Scene]:
    """Return the scenes of a plugin's package, by the names of the games."""
    if not hasattr(import_module(package), "__path__"):  # a plugin of one module
        return {}
    file = files(package).joinpath("scenes.toml")
    if not file.is_file():
        return {}
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: Scene(**table) for name, table in tables.items()}
