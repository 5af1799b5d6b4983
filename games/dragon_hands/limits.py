"""The most copies of a card that a deck may have: three, or fewer by a banlist."""

from __future__ import annotations

from collections.abc import Mapping

from dragon_cards.card import MOST_COPIES
from dragon_cards.store import store
from dragon_hands.deck import Deck


def limits_of(deck: Deck, banlist: str, most: int | None = None) -> Mapping[str, int]:
    """Return the most copies for each name of a deck, or `most` for each if it is given.

    A name that has more than three already stands for several cards, which only the size of
    the deck limits. banlist: one of `dragon_cards.card.FORMATS`.
    """
    cards = store()

    def limit(name: str) -> int:
        place = cards.names.find(name)
        return MOST_COPIES if place is None else cards.cards[place].limit(banlist)

    return {
        card.name: most if most is not None
        else limit(card.name) if card.copies <= MOST_COPIES
        else deck.total
        for card in deck.cards
    }  # fmt: skip
