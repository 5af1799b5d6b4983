"""Cards as the objects that `--json` prints and pages are given."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dragon_cards.card import EXTRA, KINDS, MONSTER, Card, Store


def of_store(store: Store) -> dict[str, Any]:
    """Return the number of cards of each kind in a store, and their source."""
    kinds = Counter(card.kind for card in store.cards)
    return {
        "source": store.source,
        "sentence": str(store),
        "starter": store.starter,
        "cards": len(store.cards),
        "kinds": {kind: kinds[kind] for kind in KINDS},
        "archetypes": len({card.archetype for card in store.cards} - {""}),
        "formats": list(store.formats),
    }


def of_card(card: Card) -> dict[str, Any]:
    """Return the data of a card; only monsters have level, ATK and DEF."""
    monster = card.kind in (MONSTER, EXTRA)
    numbers = {word: card.printed(word) for word in ("level", "atk", "def")} if monster else {}
    return {
        "id": card.id,
        "name": card.name,
        "kind": card.kind,
        "attribute": card.attribute,
        "type": card.type,
        **numbers,
        "archetype": card.archetype,
        "roles": list(card.roles),
        "aliases": list(card.aliases),
        "limits": dict(card.limits),
    }
