"""Answers as the objects that `--json` prints and the web page shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dragon_hands.deck import Deck
    from dragon_hands.examples import Example
    from dragon_hands.importing import Imported
    from dragon_hands.odds import Odds
    from dragon_hands.probability import Probability
    from dragon_hands.ratios import Change


def answered(exact: Odds | None, drawn: Odds | None) -> dict[str, Any]:
    """Return the odds; an estimate beside exact ones is under `check`."""
    first = exact or drawn
    assert first is not None
    return first.plain() | ({"check": drawn.plain()} if exact and drawn else {})


def changed(
    policy: str, now: Probability, rows: Sequence[Change], complete: bool
) -> dict[str, Any]:
    """Return the odds by a policy with one copy of each card less, and with one more."""
    cards = [
        {"card": row.card, "copies": row.copies, "fewer": row.fewer and row.fewer.plain(),
         "more": row.more.plain()}
        for row in rows
    ]  # fmt: skip
    return {"free": policy, "any": now.plain(), "cards": cards, "complete": complete}


def counted(hand: int, bars: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    """Return for each name the probabilities of 0, 1, 2, ... in the hand."""
    return {"hand": hand, "histogram": {name: list(shares) for name, shares in bars.items()}}


def example(found: Example) -> dict[str, Any]:
    """Return a hand to look at, and the reasons why it passes."""
    return {
        "cards": list(found.cards),
        "passes": [
            {"text": text, "given": [{"clause": c, "cards": list(n)} for c, n in given]}
            for text, given in found.passes
        ],
    }


def listed(deck: Deck, made: Imported | None = None) -> dict[str, Any]:
    """Return a deck as it was read, with the line on which each part begins.

    made: the deck file that it was read from, where it was given as a deck list.
    """
    return {
        "name": deck.name,
        "total": deck.total,
        "listed": deck.listed,
        "blanks": deck.blanks,
        "hand": deck.hand,
        "cards": [
            {
                "name": card.name,
                "copies": card.copies,
                "tags": list(card.tags),
                "free": card.free is not None,
                "line": card.line,
            }
            for card in deck.cards
        ],
        "conditions": [{"text": each.text, "line": each.line} for each in deck.conditions],
        "warnings": list(deck.warnings),
        "file": made and made.text,
        "notes": list(made.notes) if made else [],
    }
