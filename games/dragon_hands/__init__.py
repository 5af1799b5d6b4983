"""Opening hands: exact odds of what a deck opens with, from a YAML file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon import Game, Search, hookimpl

if TYPE_CHECKING:
    import click

    from dragon.page import Page


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The game of this package."""
    from dragon_hands.game import Hands

    return [Hands]


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """Two ways to estimate a deal."""
    from dragon_hands.samplers import Antithetic, Stratified

    return [Antithetic, Stratified]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """The command `dragon hands`."""
    from dragon_hands.cli import hands

    return [hands]


@hookimpl
def dragon_pages() -> list[Page]:
    """The page of opening hands."""
    from dragon_hands.page import HANDS

    return [HANDS]
