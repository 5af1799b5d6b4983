"""What the cards' own texts say and a deck file cannot: where excavated cards go, and so on.

Sources: the cards' scripts of the open simulator EDOPro (ProjectIgnis/CardScripts,
official/c<passcode>.lua), read card by card. A file that says otherwise is believed.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

SHUFFLED = frozenset({"Pot of Duality"})
"""Their excavated cards that are not taken are shuffled into the deck; others' go to the bottom."""
LEAST_HAND = {"Into the Void": 3, "Into The Void": 3}
"""Cards that must be in the hand to play it, itself included."""


@cache
def free_cards() -> dict[str, Any]:
    """The free cards that an import knows, as a deck file writes them."""
    import yaml

    text = (files("dragon_hands") / "data" / "free-cards.yaml").read_text(encoding="utf-8")
    known: dict[str, Any] = yaml.safe_load(text)
    return known
