"""The part of a question that options depend on; without it, a list of games would load tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dragon_pokemon.species import Filter
else:
    Filter = object  # whose place the annotation of the game takes


class Query:
    """The part of a question that options depend on; the game has it."""

    __slots__ = ()
    gen: int
    side: str
    data: str
    combos: str
    abilities: bool
    moves: bool
    filter: Filter
    size: int
    locations: tuple[str, ...]
    only: tuple[str, ...]
    pin: tuple[str, ...]
    ban: tuple[str, ...]
