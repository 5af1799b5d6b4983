"""Ulti: Hungarian trick-taking for three, a declarer against two defenders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon import Game, hookimpl
from dragon_ulti.game import Ulti

if TYPE_CHECKING:
    import click

    from dragon.page import Page


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The games of this package."""
    return [Ulti]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """`dragon ulti`."""
    from dragon_ulti.cli import ulti

    return [ulti]


@hookimpl
def dragon_pages() -> list[Page]:
    """The page of Ulti."""
    from dragon_ulti.page import ULTI

    return [ULTI]
