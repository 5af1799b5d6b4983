"""Nex: a connection game in which stones change sides; João Pedro Neto, 2004.

Read in this order: `game`, the parameters; `board`, cells as bits, and the counts of stones that
occur; `stones`, the rules that read and write stones; `forced`, those of boards of one word alone;
`rules`, all together. `notation` is for people. `table` makes, keeps and reads tables of small
boards, from which `nextable` plays. `records` reads games, `annotation` finds their mistakes; `cli`
has the commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon import Game, Search, hookimpl
from dragon_nex.game import Nex
from dragon_nex.nextable import NexTable

if TYPE_CHECKING:
    import click

    from dragon.page import Page


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The games of this package."""
    return [Nex]


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """The searches of this package."""
    return [NexTable]


@hookimpl
def dragon_pages() -> list[Page]:
    """Nex among the domains of the first page."""
    from dragon.page import Page

    page = Page(
        name="nex",
        title="Nex",
        summary="Join your two edges; stones are placed with neutral ones, and change sides.",
        folder="dragon_nex:web",
        picture="scene.svg",
        example="Play on 5x5 against the computer",
        link="/play?game=nex(rows=5,cols=5)",
    )
    return [page]


@hookimpl
def dragon_commands() -> list[click.Command]:
    """`dragon nex`."""
    from dragon_nex.cli import nex

    return [nex]
