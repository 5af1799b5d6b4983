"""What is installed, as the command line lists it."""

from __future__ import annotations

from functools import cache
from typing import Any

from attrs import frozen

from dragon import plugins
from dragon.jsonable import game_object, search_object
from dragon.page import Nothing, text
from dragon.web import limits


@frozen
class Of:
    """Of which game the searches are asked for."""

    game: str = text("")
    """A game, as `nex(rows=4, cols=4)`: each search says why it cannot play it, or null."""


@cache
def games(asked: Nothing) -> dict[str, Any]:
    """The installed games, as `dragon games --json` lists them."""
    return {"games": [*map(game_object, plugins.games().values())]}


def searches(asked: Of) -> dict[str, Any]:
    """The installed searches, as `dragon searches --json`; which can play what."""
    of = limits.game(asked.game) if asked.game else None
    return {"searches": [search_object(cls, of) for cls in plugins.searches().values()]}
