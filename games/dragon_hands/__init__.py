"""Opening hands: exact odds of what a deck opens with, from a YAML file.

In the order in which to read it:

- `deck`, `question`: a deck with its conditions, and a question about it, as values.
- `importing`: a deck from a file or a link; `reading`, `grammar`: a deck file from its YAML to a
  `Deck`.
- `formula`: conditions as counts of cards, and the cards in classes.
- `exact`, `counting` with its `kernel`: hands counted class by class, or hand by hand; `play`,
  `policy`: free cards played; `chances`, `opening`: mulligans and later draws; `probability`: the
  result.
- `odds`: the answer to a question, exact or estimated; `ratios`: other numbers of copies;
  `examples`, `plots`: hands and pictures.
- `game`, `state`, `samplers`: hands as a game, and two searches that estimate it.
- `objects`: answers as JSON; `cli`, `service`: commands and page.
"""

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
    from dragon.page import Endpoint, Page

    page = Page(
        name="hands",
        title="Hands",
        summary="How often a deck opens with what it needs: exact odds while you type.",
        folder="dragon_hands:web",
        script="hands.js",
        style="hands.css",
        service="dragon_hands.service",
        warm="warm",
        picture="scene.svg",
        example="How often does this deck open with a starter?",
        endpoints=(
            Endpoint(path="example"),
            Endpoint(path="read", method="POST", cost="quick"),
            Endpoint(path="write", method="POST", cost="quick"),
            Endpoint(path="odds", method="POST", cost="search", stream=True),
            Endpoint(path="turns", method="POST", cost="search", stream=True),
            Endpoint(path="sensitivity", method="POST", cost="search", stream=True),
            Endpoint(path="histogram", method="POST", cost="quick"),
            Endpoint(path="sample", method="POST", cost="quick"),
        ),
    )
    return [page]
