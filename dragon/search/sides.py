"""What the searches of two sides share: their objection, and the check of a depth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import attrs

    from dragon.core import Game, Search


def sides_objection(search: Search, game: Game[Any]) -> str | None:
    """Why a search of two sides cannot play `game`; None for one or two teams."""
    sides = len(set(game.teams))
    return None if sides <= 2 else f"{search} needs two sides at most ({game} has {sides})"


def depth_setting(instance: object, attribute: attrs.Attribute[Any], value: int | None) -> None:
    """An attrs validator: none, or at least one."""
    if value is not None and value < 1:
        raise ValueError(f"{attribute.name} must be at least 1, not {value}")
