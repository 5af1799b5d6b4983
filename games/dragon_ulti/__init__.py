"""Ulti: Hungarian trick-taking for three, a declarer against two defenders.

In the order in which to read it:

- `cards`, `contracts`, `variant`: cards and deals, bids, and the points of play that tables settle
  otherwise; `language` with `hungarian.toml`: both languages.
- `rules`, `equivalence`: play as rules over a `record`, and cards that are worth the same.
- `notation`, `svg`: positions as text and pictures; `views`, `hidden`: closed hands, as rules and
  as text.
- `game`: the settings; `random_deal`, `worlds`: deals at random, and those that fit what is known.
- `solver`, `answers`, `history`, `review`: perfect play, and a played game judged by it.
- `question`, `stakes`, `advice`: which bid a hand is worth; `sheet`: the score of an evening.
- `request`: a question's words; `objects`: answers as JSON; `cli`, `service`: commands and page.
"""

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
    from dragon.page import Endpoint, Page

    page = Page(
        name="ulti",
        title="Ulti",
        summary="Deals with open cards solved: every contract, every trump, every card. And what "
        "to bid when they are closed.",
        folder="dragon_ulti:web",
        script="ulti.js",
        style="ulti.css",
        service="dragon_ulti.service",
        warm="warm",
        picture="scene.svg",
        example="What is this deal worth as an ulti in hearts?",
        link="/ulti?contract=ulti&trump=H"
        "&deal=0000204050603071727371214151322242332343310112021252630313536",
        endpoints=(
            Endpoint(path="deals"),
            Endpoint(path="deal", cost="quick"),
            Endpoint(path="read", cost="quick"),
            Endpoint(path="hand", cost="quick"),
            *(
                Endpoint(path=path, cost="search", stream=True)
                for path in ("table", "solve", "cards", "review", "advise")
            ),
        ),
    )
    return [page]
