"""The installed games, searches and problems, as the command line lists them."""

from __future__ import annotations

from functools import cache
from math import isqrt
from typing import Any

import attrs
from attrs import frozen

from dragon import plugins
from dragon.core import Game, Trait
from dragon.core.spec import how_to_play, literal, settings
from dragon.errors import DragonError
from dragon.jsonable import game_object, plain, search_object
from dragon.page import Nothing, text
from dragon.protocols import seat_names
from dragon.web import limits
from dragon.web.picture import drawing
from dragon.web.scenes import scene_of

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
    """Return what the Play page says of a game: the names of its sides, the levels of a computer
    player, and how it is won; null where there is none."""
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
    return {"svg": drawing(of, state)["svg"]}


def choices(cls: type[Game[Any]]) -> dict[str, list[Any]]:
    """The values, as in specs, of each parameter whose field has `choices` in its metadata."""
    return {
        str(a.alias): [*map(literal, a.metadata[CHOICES])]
        for a in attrs.fields(cls)
        if CHOICES in a.metadata
    }


def ranges(cls: type[Game[Any]]) -> dict[str, tuple[int, int]]:
    """The range of each whole number that the class takes, all else at its defaults.

    A game may take long to make. So the validators of a number are asked first, and if the game can
    be made with the least and the greatest number that they allow, it is not made with the others.
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
