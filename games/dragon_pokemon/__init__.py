"""Pokémon: teams that resist every type, and attacks that hit every type, as covers.

In the order in which to read it:

- `tables`, `species`: the facts of each generation, and Pokémon by name.
- `game`, `query`: the question, and the part of it on which options depend; `choices`: its options.
- `problem`: the question as a cover problem; `answers`, `ranking`: covers counted and ranked;
  `overlapping`: the collection of the original program.
- `team`: a team as a table and a picture; `lists`: lists of Pokémon, read and written.
- `objects`: answers as JSON and for people; `cli`, `service`: commands and page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon import Game, hookimpl
from dragon_pokemon.game import Pokemon

if TYPE_CHECKING:
    import click

    from dragon.page import Page


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The game of this package."""
    return [Pokemon]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """`dragon pokemon`."""
    from dragon_pokemon.cli import pokemon

    return [pokemon]


@hookimpl
def dragon_pages() -> list[Page]:
    """The page of `dragon serve`."""
    from dragon.page import Endpoint, Page

    page = Page(
        name="pokemon",
        title="Pokémon",
        summary="Teams that resist every type, and attacks that hit every type.",
        folder="dragon_pokemon:web",
        script="pokemon.js",
        style="pokemon.css",
        service="dragon_pokemon.service",
        warm="warm",
        picture="scene.svg",
        example="Six that resist every type",
        endpoints=(
            Endpoint(path="types"),
            Endpoint(path="locations"),
            Endpoint(path="names", method="POST", cost="quick"),
            Endpoint(path="team", cost="quick"),
            Endpoint(path="cover", cost="search", stream=True, seconds=90),
        ),
    )
    return [page]
