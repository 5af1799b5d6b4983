"""Cards as the objects that `--json` prints and pages are given."""

from __future__ import annotations

from collections import Counter
from typing import Any

from dragon_cards.card import EXTRA, KINDS, MONSTER, Card, Store


def of_store(store: Store) -> dict[str, Any]:
    """How many cards of each kind a store has, and where they come from."""
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
    """What is known of a card; level, ATK and DEF are of monsters alone."""
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
