"""Small World: which monster bridges two others (Yu-Gi-Oh!).

In the order in which to read it:

- `pool`, `words`: the monsters, those of a deck, and those that may be a bridge.
- `links`: which monsters have exactly one property in common, and the ways over a bridge.
- `score`, `bridges`, `reach`: the score of a set with the kernel, the best bridges and sets, and
  the monsters from which targets are reached.
- `game`: a set of bridges as a game of one seat.
- `svg`: the links as a drawing; `objects`: answers as JSON; `cli`, `service`: commands and page.
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
    from dragon.page import Endpoint, Page

    page = Page(
        name="small-world",
        title="Small World",
        summary="Which monster bridges the others of a Yu-Gi-Oh! deck.",
        folder="dragon_small_world:web",
        script="small-world.js",
        style="small-world.css",
        service="dragon_small_world.service",
        warm="warm",
        picture="scene.svg",
        example="Which bridges does a Mathmech deck have?",
        endpoints=(
            Endpoint(path="deck", function="understood", method="POST", cost="quick"),
            Endpoint(path="names", cost="quick"),
            Endpoint(
                path="bridges",
                method="POST",
                cost="quick",
                summary="The bridges of a deck, as `dragon small-world bridges --json`; what is "
                "printed on each, and whether its links depend on what `?` equals.",
            ),
            Endpoint(path="pairs", method="POST", cost="search", stream=True, seconds=90),
            Endpoint(path="sets", method="POST", cost="search", stream=True, seconds=90),
            Endpoint(path="paths", method="POST", cost="quick"),
            Endpoint(path="explain", cost="quick"),
            Endpoint(path="weak", method="POST", cost="quick"),
            Endpoint(path="graph", method="POST", cost="quick"),
            Endpoint(path="matrix", method="POST", cost="quick"),
            Endpoint(path="reach", method="POST", cost="search", seconds=20),
        ),
    )
    return [page]
