"""Decks as people have them: lists of many kinds, codes and links, YAML of hands; read and written.

Every line is understood, or noted with its number and what was made of it: see `lists`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from attrs import evolve, field, frozen

from dragon.config import LinedTable
from dragon.errors import ConfigError
from dragon_cards.card import REMEDY, Card, Store
from dragon_cards.codes import link
from dragon_cards.lines import EXTRA, MAIN, SECTIONS, SIDE, SIZES, Reading
from dragon_cards.lists import BLANK, CardLines, Entry, called, chosen
from dragon_cards.source import tables
from dragon_cards.texts import FORMS as FORMS
from dragon_cards.texts import exists as exists
from dragon_cards.texts import is_deck_file
from dragon_cards.texts import text_of as text_of

MOST_CARDS = 150
"""The most cards of all sections together; the rules allow 90."""
SIZE = SIZES[""]
"""The size of a deck that does not state another."""
PASSCODE = re.compile(r"(?:Card )?(\d{1,10})", re.ASCII)
"""A card of which only the passcode is known, as a list or as `called` has it."""


@frozen
class DeckList:
    """A deck as it was read."""

    entries: tuple[Entry, ...]
    """The entries in the order of the lines; a card that is listed twice has two."""
    store: Store = field(repr=False, eq=False)
    """The cards among which it was read."""
    name: str = "the deck"
    """The name of the deck, for messages."""
    game: str = ""
    """The game, where a list shows that it is not Yu-Gi-Oh!, whose cards alone are known."""

    def cards(self, *sections: str) -> dict[Card, int]:
        """Return the known cards with their copies, each once, in some or all SECTIONS."""
        found: dict[Card, int] = {}
        for entry in self.entries:
            if entry.card and entry.card != BLANK and entry.section in (sections or SECTIONS):
                found[entry.card] = found.get(entry.card, 0) + entry.copies
        return found

    def names(self, section: str = MAIN) -> dict[str, int]:
        """Return the names of a section with their copies, known or not, each once."""
        found: dict[str, int] = {}
        for entry in self.entries:
            if entry.section == section and entry.copies and entry.card != BLANK:
                found[called(entry)] = found.get(called(entry), 0) + entry.copies
        return found

    def size(self, section: str = MAIN) -> int:
        """Return the number of cards of a section, known or not, with what fills it."""
        return sum(entry.copies for entry in self.entries if entry.section == section)

    @property
    def blanks(self) -> int:
        """The cards of the main deck that do not matter."""
        return sum(e.copies for e in self.entries if e.card == BLANK and e.section == MAIN)

    def sized(self, size: int) -> DeckList:
        """Return the deck with blanks up to that size of the main deck; raise ConfigError."""
        listed = self.size() - self.blanks
        if size < listed:
            raise ConfigError(
                f"{self.name}: size {size}, but {listed} cards are listed; give {listed} or more"
            )
        kept = tuple(e for e in self.entries if e.card != BLANK or e.section != MAIN)
        return evolve(self, entries=(*kept, Entry(BLANK.name, size - listed, MAIN, 0, BLANK)))

    def unknown_of(self, sections: Collection[str] = SECTIONS) -> tuple[str, ...]:
        """Return the names and passcodes that are not known, as they were given, each once."""
        lost = (e for e in self.entries if e.card is None and e.copies and e.section in sections)
        return tuple(dict.fromkeys(entry.text for entry in lost))

    @property
    def filled(self) -> tuple[str, ...]:
        """The note that blanks fill the deck, if the list does not say so."""
        return tuple(f"{self.name}: {e.note}" for e in self.entries if e.note and not e.line)

    def notes_of(self, sections: Collection[str] = SECTIONS) -> tuple[str, ...]:
        """Return the mistakes in lines, each a sentence with its place. All unknown names make
        one sentence together.
        """
        noted = {
            (e.text, e.note): e for e in reversed(self.entries) if e.note and e.section in sections
        }
        said = [e for e in reversed(noted.values()) if e.line]
        found = [f"{_place(self.name, e.line)}: {e.note}" for e in said]
        named = {entry.text for entry in noted.values()}
        lost = [text for text in self.unknown_of(sections) if text not in named]
        if lost and self.game:
            found.append(f"{self.name}: the cards of {self.game} are not known; they have no tags")
        elif lost:
            first = next(entry.line for entry in self.entries if entry.text == lost[0])
            listed = ", ".join(
                t if t.isdecimal() else repr(t) for t in (f"{t:.60}" for t in lost[:4])
            )
            listed += f" and {len(lost) - 4} more" if len(lost) > 4 else ""
            found.append(f"{_place(self.name, first)}: not known: {listed} (cards: {self.store})")
        return tuple(found)


def _place(name: str, line: int) -> str:
    return f"{name}, line {line}" if line else name


# ---- where decks come from ---------------------------------------------------------------------


def read_deck(given: str, store: Store, samples: Sequence[str] = ()) -> DeckList:
    """Read the deck of a file, of a link or code, or of stdin for `-`; raise ConfigError.

    samples: other words that the caller understands, for suggestions.
    """
    text, name = text_of(given, samples)
    return deck_in(text, store, name)


def deck_in(text: str, store: Store, name: str = "the deck", size: int | None = None) -> DeckList:
    """Read the deck of a text; name: the name of the deck in messages; size: that of its main deck.

    A list that does not state its size, by blanks or a total, is filled to the usual one. Raise
    ConfigError if it contains no card, or too many.
    """
    game = ""
    if is_deck_file(text):
        lines = [_known(entry, store) for entry in _yaml_entries(text, name)]
    else:
        listed = CardLines(text, store, MOST_CARDS)
        lines, game = listed.entries(), listed.game
    total = 0
    for entry in lines:
        total += entry.copies
        if total > MOST_CARDS:
            raise ConfigError(
                f"{_place(name, entry.line)}: more than {MOST_CARDS} cards; a deck has 60 at most, "
                "and 15 each in extra and side deck"
            )
    entries = tuple(entry for entry in lines if entry.copies or entry.note)
    deck = DeckList(entries, store, name, game)
    if not total:
        hint = f"{name}: no card in it; a deck has a passcode or a name on each line"
        raise ConfigError(list(deck.notes_of()[:5]) or hint)
    return deck if size is None else deck.sized(size)


# ---- deck files ---------------------------------------------------------------------------------


def _yaml_entries(text: str, name: str) -> Iterator[Entry]:
    """Yield the cards of a YAML file of hands, `deck: {Name: {qty: 3}}`, and its blanks."""
    wrong: list[tuple[int, str]] = []
    settings = tables(text, name, lambda line, sentence: wrong.append((line, sentence)))
    listed = 0
    for key, section in (("deck", MAIN), ("extra", EXTRA), ("side", SIDE)):
        table = settings.get(key)
        if not isinstance(table, LinedTable):
            continue
        for card, keys in table.items():
            copies = _number(keys.get("qty") if isinstance(keys, LinedTable) else None)
            listed += (copies or 0) * (section == MAIN)
            note = f"{card!r:.60} needs qty; write `qty: 3` under it" * (copies is None)
            yield Entry(card, copies or 0, section, table.lines[card], note=note)
    yield from (Entry("", 0, MAIN, line, note=sentence) for line, sentence in wrong)
    size = _number(settings.get("size"))
    missing = (SIZE if size is None else size) - listed
    if missing > 0 and listed:
        yield Entry(BLANK.name, missing, MAIN, 1, BLANK)


def _number(value: Any) -> int | None:
    """Return a number of cards; None for anything else, and for very many."""
    text = str(value)
    return int(text) if text.isdecimal() and len(text) < 4 else None


def _known(entry: Entry, store: Store) -> Entry:
    """Return an entry of a YAML file with its card."""
    if entry.card or entry.note:
        return entry
    found = chosen([Reading(entry.text)], entry.section, entry.line, store)
    return evolve(found, copies=entry.copies)


# ---- writing -----------------------------------------------------------------------------------


def write(deck: DeckList, form: str = "list") -> str:
    """Return a deck in one of FORMS, which `deck_in` reads as the same cards; raise ConfigError.

    A .ydk file and a link have passcodes alone: no blanks, and no unknown names.
    """
    if form == "list":
        text = "".join(_list_lines(deck))
        again = deck_in(text, deck.store)
        for section in SECTIONS:
            lost = set(deck.names(section)) - set(again.names(section))
            if lost:
                raise ConfigError(
                    f"{deck.name}: {min(lost)!r:.60} would be read as another card in a list; give "
                    "it another name"
                )
        return text
    codes: dict[str, list[int]] = {section: [] for section in SECTIONS}
    unknown: list[str] = []
    for entry in deck.entries:
        if not entry.copies or entry.card == BLANK:
            continue
        number = PASSCODE.fullmatch(entry.text)
        code = entry.card.id if entry.card else int(number[1]) if number else 0
        if 0 < code < 1 << 32:
            codes[entry.section] += [code] * entry.copies
        else:
            unknown.append(entry.text)
    if unknown:
        raise ConfigError(
            f"{deck.name}: no passcode is known of {', '.join(map(repr, unknown[:5]))}; {REMEDY}, "
            "or write a list"
        )
    if form == "ydke":
        return link(codes.values()) + "\n"
    heads = {MAIN: "#main", EXTRA: "#extra", SIDE: "!side"}
    made = ["#created by dragon"]
    for section, numbers in codes.items():
        made += [heads[section], *map(str, numbers)]
    return "\n".join([*made, ""])


def _list_lines(deck: DeckList) -> Iterator[str]:
    for section in SECTIONS:
        names = deck.names(section)
        blanks = deck.blanks if section == MAIN else 0
        if names or blanks:
            yield f"{section.capitalize()} deck ({sum(names.values()) + blanks})\n"
            yield from (f"{copies} {name}\n" for name, copies in names.items())
            yield f"{blanks} {BLANK.name}\n" * bool(blanks)
