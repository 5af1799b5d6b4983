"""Small World: which monster bridges two others (Yu-Gi-Oh!).

In the order in which to read it:

- `pool`, `words`: the monsters, those of a deck, and those that may be a bridge.
- `links`: which monsters have exactly one property in common, and the ways over a bridge.
- `score`, `bridges`, `reach`: the score of a set with the kernel, the best bridges and sets, and
  the monsters from which targets are reached.
- `game`: a set of bridges as a game of one seat.
- `svg`: the links as a drawing; `objects`: answers as JSON; `cli`, `page`, `service`: commands and
  page.
"""

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
