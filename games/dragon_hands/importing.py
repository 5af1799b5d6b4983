"""Decks from files and links: deck files, and deck lists, of which deck files are made.

A deck list is a `.ydk` file, a `ydke://` link, or names one a line; tags are those of its cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from dragon.errors import ConfigError
from dragon_cards.texts import is_deck_file, text_of
from dragon_hands.deck import SIZE, Deck
from dragon_hands.reading import parse_deck

if TYPE_CHECKING:
    from dragon_cards.card import Card, Store
    from dragon_cards.decks import DeckList

LARGEST = 200_000
"""The most bytes of a deck file; real ones have a few thousand."""


@frozen
class Imported:
    """A deck file in YAML that was made of a deck list."""

    text: str
    unknown: tuple[str, ...]
    """Names and passcodes that are not known; they are in the file, without tags."""
    notes: tuple[str, ...]
    """The mistakes in lines of the list, each a sentence with its place."""
    game: str
    """The game, where the list shows another one than Yu-Gi-Oh!."""


def is_list(text: str) -> bool:
    """Return True for a deck list, False for a deck file or an empty text.

    >>> is_list("3 Ash Blossom"), is_list("deck:\\n  Alpha: {qty: 3}")
    (True, False)
    """
    return bool(text.strip()) and not is_deck_file(text)


def load(file: str, more: Sequence[str] = (), size: int | None = None) -> Deck:
    """Read the deck of a file, of stdin for `-`, or of a link or code; see `any_deck`."""
    text, name = text_of(file, most=LARGEST)
    return any_deck(text, name, more, size=size)


def any_deck(
    text: str, file: str = "deck", more: Sequence[str] = (), asks: bool = True,
    size: int | None = None,
) -> Deck:  # fmt: skip
    """Read a deck file in YAML, or a deck list, whose notes are among the warnings.

    more: conditions besides those of the file. asks: require at least one. size: the size of the
    main deck, if it is not what the text says. Raise ConfigError with every mistake.
    """
    if not is_list(text):
        return parse_deck(text, file, more, asks, size)
    from dragon_cards.store import store

    made = imported(text, store(), file, size=size)
    deck = parse_deck(made.text, file, more, asks=False)
    if asks and not deck.conditions:
        raise ConfigError(f"{file}: a deck list does not have conditions; {_suggestion(deck)}")
    line = re.compile(rf"^{re.escape(file)}:\d+: ")  # lines of the text made from the list
    said = (line.sub(lambda _: f"{file}: ", each) for each in deck.warnings)
    return evolve(deck, warnings=(*made.notes, *said), game=made.game)


def _suggestion(deck: Deck) -> str:
    """Return the remedy for a deck without conditions, with its own tags."""
    copies = Counter[str]()
    for card in deck.cards:
        copies.update(dict.fromkeys(card.tags, card.copies))
    tags = ", ".join(f"{tag} {n}" for tag, n in copies.most_common(12))
    return (
        "give --condition, with names of cards or tags"
        + (f" (tags, with their copies: {tags})" if tags else "")
        + ", or make a deck file of it by `dragon hands import`"
    )


def imported(
    text: str, cards: Store, name: str = "the deck", conditions: Sequence[str] = (),
    title: str = "", size: int | None = None,
) -> Imported:  # fmt: skip
    """Return the deck file of a list; raise ConfigError if it is empty.

    size: the size of the main deck, if the list does not say it.
    """
    from dragon_cards.decks import deck_in
    from dragon_cards.lines import EXTRA, MAGIC, MAIN, POKEMON, SIDE

    deck = deck_in(text, cards, name, size)
    lines = [f"deckName: {_scalar(title)}"] if title else []
    for section, key in ((MAIN, "deck"), (EXTRA, "extra"), (SIDE, "side")):
        if section == MAIN or deck.size(section):
            lines += [f"{key}:", *_section(deck, section)]
    if deck.blanks or deck.size() < SIZE:
        lines.append(f"size: {deck.size()}")
    if deck.game in (MAGIC, POKEMON):
        lines.append("hand: 7")
    lines.append("conditions:" if conditions else "conditions: []")
    lines += [f"  - {_scalar(each)}" for each in conditions]
    drawn = (MAIN, EXTRA)
    return Imported(
        "\n".join([*lines, ""]), deck.unknown_of(drawn), (*deck.notes_of(drawn), *deck.filled),
        deck.game,
    )  # fmt: skip


def _section(deck: DeckList, section: str) -> Iterator[str]:
    """Yield the lines of the cards of a section; a card that is listed twice has one line.

    The words of a list for a card are a tag of it, where it is not called so.
    """
    from dragon_cards.lists import BLANK, called
    from dragon_cards.names import folded

    known: dict[str, Card] = {}
    words: dict[str, list[str]] = {}
    for entry in deck.entries:
        if entry.section == section and entry.card and entry.card != BLANK:
            known[called(entry)] = entry.card
            if not entry.text.isdecimal() and folded(entry.text) != folded(entry.card.name):
                words.setdefault(called(entry), []).append(entry.text)
    for name, number in deck.names(section).items():
        yield f"  {_scalar(name)}:"
        yield f"    qty: {number}"
        if name in known:
            tags = dict.fromkeys((*known[name].tags, *words.get(name, ())))
            yield f"    tags: {_flow(list(tags))}"
        if name in free_cards():
            yield f"    free: {_flow(free_cards()[name])}"


def _scalar(text: str) -> str:
    """Return a text in YAML, on one line, quoted where it would not be read as text."""
    return _flow([text])[1:-1]


def _flow(value: Iterable[Any] | Mapping[str, Any]) -> str:
    """Return a list or a table in YAML, on one line."""
    import yaml

    return yaml.safe_dump(
        value, default_flow_style=True, sort_keys=False, allow_unicode=True, width=1_000_000
    ).strip()


@cache
def free_cards() -> dict[str, Any]:
    """Return the free cards that an import knows, as a deck file writes them."""
    import yaml

    text = (files("dragon_hands") / "data" / "free-cards.yaml").read_text(encoding="utf-8")
    known: dict[str, Any] = yaml.safe_load(text)
    return known
