"""Two decks compared: the cards that come in and go out, and the odds of each condition."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from attrs import evolve

from dragon_cards.texts import text_of
from dragon_hands.deck import Card, Deck
from dragon_hands.importing import any_deck
from dragon_hands.odds import odds
from dragon_hands.probability import Probability
from dragon_hands.question import Question
from dragon_hands.reading import asking
from dragon_hands.source import LARGEST


def pairs(
    before: str, after: str, conditions: Sequence[str] = (), size: int | None = None
) -> Callable[[Sequence[str]], tuple[Deck, Deck]]:
    """Return the function that reads two decks, each a file, a link or `-`, with more conditions.

    Both have the conditions of both files and those that are given, each once, then the further
    ones. A condition may name a card that only one of them has, and in the words of either list: a
    card of both has the tags of both. size: as for `any_deck`.
    """
    texts = [text_of(given, most=LARGEST) for given in (before, after)]
    first, second = (any_deck(text, name, asks=False, size=size) for text, name in texts)
    every = [asked.text for deck in (first, second) for asked in deck.conditions]
    usual = dict.fromkeys((*every, *conditions))
    cards: dict[str, Card] = {}
    for card in (*first.cards, *second.cards):
        tags = (*cards.get(card.name, card).tags, *card.tags)
        cards[card.name] = evolve(card, tags=tuple(dict.fromkeys(tags)))
    both = Deck(tuple(cards.values()), (), extra=(*first.extra, *second.extra), file="--condition")

    def read(more: Sequence[str] = ()) -> tuple[Deck, Deck]:
        asked = asking(both, [*usual, *more]).conditions
        one, other = (
            evolve(
                deck,
                name=deck.name or deck.file,
                cards=tuple(evolve(card, tags=cards[card.name].tags) for card in deck.cards),
                conditions=asked,
            )
            for deck in (first, second)
        )
        return one, other

    return read


def compared(
    before: Deck, after: Deck, question: Question, other: Question | None = None
) -> dict[str, Any]:
    """Return the difference of two decks that have the same conditions, as `--json` prints it.

    other: the question of the second deck, if it is not that of the first. Raise TooLarge if exact
    odds take too long.
    """
    answer: dict[str, Any] = {
        "sizes": [before.total, after.total],
        "hand": question.hand,
        "sharing": question.sharing,
        "free": question.policy,
        **question.plain(),
        "cards": [
            *_changed("main", before.cards, after.cards),
            *_changed("extra", before.extra, after.extra),
        ],
        "conditions": [],
        "any": None,
    }
    if before.conditions:
        first, second = odds(before, question), odds(after, other or question)
        each = zip(first.conditions, second.conditions, strict=True)
        answer["conditions"] = [{"text": text, **_both(one, two)} for (text, one), (_, two) in each]
        answer["any"] = _both(first.any, second.any)
    return answer


def _changed(section: str, before: Sequence[Card], after: Sequence[Card]) -> list[dict[str, Any]]:
    first, second = ({card.name: card.copies for card in cards} for cards in (before, after))
    return [
        {
            "name": name,
            "section": section,
            "before": first.get(name, 0),
            "after": second.get(name, 0),
        }
        for name in dict.fromkeys((*first, *second))
        if first.get(name, 0) != second.get(name, 0)
    ]


def _both(before: Probability, after: Probability) -> dict[str, Any]:
    return {"before": before.plain(), "after": after.plain(), "difference": after.p - before.p}
