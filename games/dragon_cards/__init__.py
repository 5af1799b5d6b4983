"""Cards (Yu-Gi-Oh!): a store of them, fetched once, and decks read as people have them.

In the order in which to read it:

- `card`, `names`: a card, and names as people write them; `tables`: cards from CSV and JSON.
- `store`, `download`: the cards of this machine; `cli`, `service`: the command and the page.
- `texts`: the text of a deck; `source`: a deck file in YAML; `codes`: links and codes; `lines`,
  `lists`: a list line by line; `decks`: entries with copies, sections, and the lines left over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragon import hookimpl

if TYPE_CHECKING:
    import click

    from dragon.page import Page


@hookimpl
def dragon_commands() -> list[click.Command]:
    """The command `dragon cards`."""
    from dragon_cards.cli import cards

    return [cards]


@hookimpl
def dragon_pages() -> list[Page]:
    """The answers about cards for the pages of plugins."""
    from dragon.page import Endpoint, Page

    page = Page(
        name="cards",
        title="Cards",
        summary="The cards that are known.",
        folder="dragon_cards:web",
        service="dragon_cards.service",
        endpoints=(
            Endpoint(path="", function="known", cost="quick"),
            Endpoint(path="names", cost="quick"),
            Endpoint(path="archetypes", cost="quick"),
            Endpoint(path="update", method="POST", cost="search", stream=True, seconds=600),
        ),
    )
    return [page]
