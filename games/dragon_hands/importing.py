"""Decks from files and links: deck files, and deck lists, of which deck files are made.

A deck list is a `.ydk` file, a `ydke://` link, or names one a line; tags are those of its cards.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from attrs import evolve, frozen

from dragon.config import read_text
from dragon.errors import ConfigError
from dragon_cards.card import EXTRA as EXTRA_KIND
from dragon_cards.card import MONSTER, SPELL, TRAP, Card, Store
from dragon_cards.decks import BLANK, EXTRA, LINK, MAIN, DeckList, Entry, deck_in
from dragon_cards.store import store
from dragon_hands.deck import BLANK as BLANK_NAME
from dragon_hands.deck import SIZE, Deck
from dragon_hands.reading import parse_deck
from dragon_hands.source import LARGEST

_KEY = re.compile(
    r"""^\s*(["']?)(deck|conditions|extra|size|deckName|condition_timing)\1\s*:"""
    r"""|^\s*\{|\bqty["']?\s*:""",
    re.M,
)
"""The marks of a deck file: one of its keys, braces, or a number of copies under a name."""


@frozen
class Imported:
    """A deck file in YAML that was made of a deck list."""

    text: str
    unknown: tuple[str, ...]
    """Names and passcodes that are not known; they are in the file, without tags."""
    notes: tuple[str, ...]
    """The mistakes in lines of the list, each a sentence with its place."""


def is_list(text: str) -> bool:
    """Return True for a deck list, False for a deck file or an empty text.

    >>> is_list("3 Ash Blossom"), is_list("deck:\\n  Alpha: {qty: 3}")
    (True, False)
    """
    return bool(text.strip()) and _KEY.search(text) is None


def load(file: str, more: Sequence[str] = ()) -> Deck:
    """Read the deck of a file, of stdin for `-`, or of a `ydke://` link; see `any_deck`."""
    if file.startswith(LINK):
        return any_deck(file, "the link", more)
    return any_deck(read_text(file, "a deck", LARGEST), "stdin" if file == "-" else file, more)


def any_deck(text: str, file: str = "deck", more: Sequence[str] = (), asks: bool = True) -> Deck:
    """Read a deck file in YAML, or a deck list, whose notes are among the warnings.

    more: conditions besides those of the file. asks: require at least one. Raise
    ConfigError with every mistake.
    """
    if not is_list(text):
        return parse_deck(text, file, more, asks)
    made = imported(text, store(), file)
    deck = parse_deck(made.text, file, more, asks=False)
    if asks and not deck.conditions:
        raise ConfigError(f"{file}: a deck list does not have conditions; {_suggestion(deck)}")
    line = re.compile(rf"^{re.escape(file)}:\d+: ")  # lines of the text made from the list
    said = (line.sub(lambda _: f"{file}: ", each) for each in deck.warnings)
    return evolve(deck, warnings=(*made.notes, *said))


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
    text: str, cards: Store, name: str = "the deck", conditions: Sequence[str] = (), title: str = ""
) -> Imported:
    """Return the deck file of a list, main and extra deck; raise ConfigError if it is empty."""
    deck = deck_in(text, cards, name)
    lines = [f"deckName: {_scalar(title)}"] if title else []
    lines += ["deck:", *_section(deck, MAIN)]
    if deck.size(EXTRA):
        lines += ["extra:", *_section(deck, EXTRA)]
    if deck.size() > SIZE and any(entry.card == BLANK for entry in deck.entries):
        lines.append(f"size: {deck.size()}")
    lines.append("conditions:" if conditions else "conditions: []")
    lines += [f"  - {_scalar(each)}" for each in conditions]
    both = (MAIN, EXTRA)
    return Imported("\n".join([*lines, ""]), deck.unknown_of(both), deck.notes_of(both))


def _section(deck: DeckList, section: str) -> Iterator[str]:
    """Yield the lines of the cards of a section; a card that is listed twice stands once."""
    copies: dict[str, int] = {}
    known: dict[str, Card] = {}
    for entry in deck.entries:
        if entry.section == section and entry.copies and entry.card != BLANK:
            called = _called(entry)
            copies[called] = copies.get(called, 0) + entry.copies
            if entry.card:
                known[called] = entry.card
    for called, number in copies.items():
        yield f"  {_scalar(called)}:"
        yield f"    qty: {number}"
        if called in known:
            yield f"    tags: {_flow(list(tags_of(known[called])))}"
        if called in free_cards():
            yield f"    free: {_flow(free_cards()[called])}"


def _called(entry: Entry) -> str:
    if entry.card:
        return entry.card.name
    return f"Card {entry.text}" if entry.text.isdecimal() else entry.text


def tags_of(card: Card) -> tuple[str, ...]:
    """Return the tags of a card: its archetype, its names among players, and its printed words.

    >>> tags_of(Card(1, "Ash", "FIRE", "Zombie", 3, 0, 1800, roles=("Tuner", "Hand Trap")))
    ('Tuner', 'Hand Trap', 'Zombie', 'FIRE', 'Level 3', 'Monster')
    """
    words: tuple[str, ...] = (card.archetype, *card.roles)
    if card.kind in (MONSTER, EXTRA_KIND):
        level = f"Level {card.level}" if card.level and card.kind == MONSTER else ""
        words += (card.type, card.attribute, level, "Monster")
    elif card.kind in (SPELL, TRAP):
        kind = card.kind.capitalize()
        words += (f"{card.type} {kind}" if card.type else "", kind)
    return tuple(dict.fromkeys(word for word in words if word and word != BLANK_NAME))


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
