"""Small World: which monster bridges two others (Yu-Gi-Oh!)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon import Game, hookimpl

if TYPE_CHECKING:
    import click

    from dragon.page import Page


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The game of this package."""
    from dragon_small_world.game import SmallWorld

    return [SmallWorld]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """`dragon small-world`."""
    from dragon_small_world.cli import small_world

    return [small_world]


@hookimpl
def dragon_pages() -> list[Page]:
    """The page of `dragon serve`."""
    from dragon_small_world.page import SMALL_WORLD

    return [SMALL_WORLD]
