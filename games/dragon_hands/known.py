"""What the cards' own texts say and a deck file cannot: where excavated cards go, and so on.

Sources: the cards' scripts of the open simulator EDOPro (ProjectIgnis/CardScripts,
official/c<passcode>.lua), read card by card. A file that says otherwise is believed.
"""

from __future__ import annotations

SHUFFLED = frozenset({"Pot of Duality"})
"""Their excavated cards that are not taken are shuffled into the deck; others' go to the bottom."""
LEAST_HAND = {"Into the Void": 3, "Into The Void": 3}
"""Cards that must be in the hand to play it, itself included."""
FREE = {
    "Pot of Desires": {
        "count": 2, "oncePerTurn": True, "cost": {"type": "BanishFromDeck", "value": 10},
    },
    "Pot of Prosperity": {
        "oncePerTurn": True, "restriction": ["NoPreviousDraws", "NoMoreDraws"],
        "excavate": {"count": 6, "pick": 1},
    },
    "Pot of Extravagance": {
        "count": 2, "oncePerTurn": False, "restriction": ["NoPreviousDraws", "NoMoreDraws"],
    },
    "Pot of Duality": {
        "oncePerTurn": True, "restriction": ["NoSpecialSummon"],
        "excavate": {"count": 3, "pick": 1},
    },
    "Upstart Goblin": {
        "count": 1, "oncePerTurn": False, "cost": {"type": "PayLife", "value": -1000},
    },
    "Allure of Darkness": {
        "count": 2, "oncePerTurn": False,
        "condition": {"type": "BanishFromHand", "value": "DARK"},
    },
    "Into the Void": {"count": 1, "oncePerTurn": False},
    "Trade-In": {
        "count": 2, "oncePerTurn": False, "cost": {"type": "Discard", "value": ["Level 8"]},
    },
    "Spellbook of Knowledge": {
        "count": 2, "oncePerTurn": True, "cost": {"type": "Discard", "value": ["Spellbook"]},
    },
}  # fmt: skip
"""The free cards that an import knows, as a deck file writes them."""
