"""What is installed, as the command line lists it."""

from __future__ import annotations

from functools import cache
from typing import Any

from attrs import frozen

from dragon.commands import games as game_list
from dragon.commands import searches as search_list
from dragon.web import specs
from dragon.web.page import Nothing, text


@frozen
class Of:
    """Of which game the searches are asked for."""

    game: str = text("")
    """A game, as `nex(rows=4, cols=4)`: each search says why it cannot play it, or null."""


@cache
def games(asked: Nothing) -> dict[str, Any]:
    """Every game with its parameters."""
    return {"games": game_list.rows()}


def searches(asked: Of) -> dict[str, Any]:
    """Every search with its settings, and its objection to a game."""
    return {"searches": search_list.rows(specs.game(asked.game) if asked.game else None)}
