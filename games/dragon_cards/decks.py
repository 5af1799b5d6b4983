"""Decks as people have them: `.ydk` files, `ydke://` links, lists of names, YAML of hands.

Lines that are not understood are noted with their number, and the rest is used.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import yaml
from attrs import evolve, field, frozen

from dragon.config import read_text
from dragon.errors import ConfigError, did_you_mean
from dragon_cards.card import EXTRA as EXTRA_KIND
from dragon_cards.card import OTHER, Card, Store
from dragon_cards.names import BEGINS, NEAR, PART

MOST_CARDS = 150
"""The most cards of all sections together; the rules allow 90."""
MOST_BYTES = 256 << 10
LINK = "ydke://"
MAIN, EXTRA, SIDE = SECTIONS = ("main", "extra", "side")
BLANK = Card(0, "other", kind=OTHER)
"""A card that does not matter: `11 other` in a list of names, or a blank of a YAML file's deck."""
BLANKS = ("other", "empty card")
SIZE = 40
"""The size of the deck of a YAML file that does not state another."""
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader, in C where that was built."""
DEEPEST = 20
"""The most levels of lists and mappings."""
_APART = re.compile(r"[\s:()=*-]+")
_COUNTED = re.compile(r"(\d{1,2})\s*[xX*]?\s+(\S.*)|(\S.*?)\s+[xX*]\s*(\d{1,2})|(\d{3,})\s+(\d)")
_YAML = re.compile(r"""^deck:[ \t]*(?:\{|(?:#.*)?\n\s*?[ \t]\S)|\bqty["']?\s*:""", re.MULTILINE)


@frozen
class Entry:
    """A line of a deck: a card with its copies, or text that is not understood."""

    text: str
    """The name or passcode as it was given, without the copies."""
    copies: int
    """The number of copies; 0 for a line that is not a card."""
    section: str
    """The section, one of SECTIONS."""
    line: int
    """The line number, from 1; 1 for a link that stands alone."""
    card: Card | None = None
    """The card; None if it is not known."""
    note: str = ""
    """The mistake in the line, or the reading of it, without its place; often empty."""


@frozen
class DeckList:
    """A deck as it was read."""

    entries: tuple[Entry, ...]
    """The entries in the order of the lines; a card that is listed twice has two."""
    store: Store = field(repr=False, eq=False)
    """The cards among which it was read."""
    name: str = "the deck"
    """The name of the deck, for messages."""

    def cards(self, *sections: str) -> dict[Card, int]:
        """Return the known cards with their copies, each once, in some or all SECTIONS."""
        found: dict[Card, int] = {}
        for entry in self.entries:
            if entry.card and entry.card != BLANK and entry.section in (sections or SECTIONS):
                found[entry.card] = found.get(entry.card, 0) + entry.copies
        return found

    def size(self, section: str = MAIN) -> int:
        """Return the number of cards of a section, known or not."""
        return sum(entry.copies for entry in self.entries if entry.section == section)

    def unknown_of(self, sections: Collection[str] = SECTIONS) -> tuple[str, ...]:
        """Return the names and passcodes that are not known, as they were given, each once."""
        lost = (e for e in self.entries if e.card is None and e.copies and e.section in sections)
        return tuple(dict.fromkeys(entry.text for entry in lost))

    def notes_of(self, sections: Collection[str] = SECTIONS) -> tuple[str, ...]:
        """Return the mistakes in lines, each a sentence with its place. All unknown names make
        one sentence together.
        """
        noted = {e.text: e for e in reversed(self.entries) if e.note and e.section in sections}
        found = [f"{self.name}, line {e.line}: {e.note}" for e in reversed(noted.values())]
        lost = [text for text in self.unknown_of(sections) if text not in noted]
        if lost:
            first = next(entry.line for entry in self.entries if entry.text == lost[0])
            listed = ", ".join(
                t if t.isdecimal() else repr(t) for t in (f"{t:.60}" for t in lost[:4])
            )
            listed += f" and {len(lost) - 4} more" if len(lost) > 4 else ""
            found.append(f"{self.name}, line {first}: not known: {listed} (cards: {self.store})")
        return tuple(found)


def read_deck(given: str, store: Store, samples: Sequence[str] = ()) -> DeckList:
    """Read the deck of a file, of a `ydke://` link, or of stdin for `-`; raise ConfigError.

    samples: other words that the caller understands, for suggestions.
    """
    if given.startswith(LINK):
        return deck_in(given, store, "the link")
    if given != "-" and not exists(given):
        raise ConfigError(
            f"no deck file {given!r:.200}{did_you_mean(given, samples)}; give a .ydk file, a list "
            f"of names, a .yaml file of hands, or a {LINK} link"
        )
    text = read_text(given, "a deck", MOST_BYTES)
    return deck_in(text, store, "stdin" if given == "-" else given)


def exists(name: str) -> bool:
    """Return True if there is a file of that name; the name may be an impossible one."""
    try:
        return bool(name) and Path(name).exists()
    except (OSError, ValueError):
        return False


def deck_in(text: str, store: Store, name: str = "the deck") -> DeckList:
    """Read the deck of a text; name: the name of the deck in messages.

    Raise ConfigError if it contains no card, or too many.
    """
    lines = _yaml_lines(text, name) if _YAML.search(text) else _lines(text)
    entries: list[Entry] = []
    total = 0
    for line in lines:
        entry = line if line.card or line.note else understood(line, store)
        total += entry.copies
        if total > MOST_CARDS:
            raise ConfigError(
                f"{name}, line {entry.line}: more than {MOST_CARDS} cards; a deck has 60 at most, "
                "and 15 each in extra and side deck"
            )
        if entry.copies or entry.note:
            entries.append(entry)
    deck = DeckList(tuple(entries), store, name)
    if not total:
        hint = f"{name}: no card in it; a deck has a passcode or a name on each line"
        raise ConfigError(list(deck.notes_of()[:5]) or hint)
    return deck


def _lines(text: str) -> Iterator[Entry]:
    section = MAIN
    for number, line in enumerate(text.splitlines(), 1):
        word = line.strip()
        if word.startswith(LINK):
            yield from _linked(word, number)
        elif heading := _heading(word):
            section = heading
        elif word and not word.startswith(("#", "!", "//")):
            yield Entry(word, 1, section, number)


def _heading(line: str) -> str | None:
    """Return the section that begins here: `#main`, `!side`, or a heading of lists of names.

    >>> _heading("== Side Deck (15 cards) =="), _heading("Deck:"), _heading("Extra-Foolish Burial")
    ('side', 'main', None)
    """
    first, *rest = _APART.split(line.lower().strip("#!:()=*- \t"))
    first = MAIN if first == "deck" else first
    heading = all(word in ("deck", "card", "cards") or word.isdecimal() for word in rest)
    return first if first in SECTIONS and heading else None


def _linked(link: str, number: int) -> Iterator[Entry]:
    """Yield the passcodes of a link: main, extra and side in base 64, with `!` between."""
    parts = link.removeprefix(LINK).split("!")
    if len(parts) < 3:
        note = f"a {LINK} link has main, extra and side, each ended by a !; copy all of it"
        yield Entry(link[:60], 0, MAIN, number, note=note)
        return
    for section, text in zip(SECTIONS, parts[:3], strict=True):
        try:
            data = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError) as error:
            note = f"the {section} part of the link is broken ({error}); copy it again"
            yield Entry(text[:60], 0, section, number, note=note)
            continue
        for at in range(0, len(data) - 3, 4):
            code = int.from_bytes(data[at : at + 4], "little")
            yield Entry(str(code), 1, section, number)
        if len(data) % 4:
            note = f"the {section} part of the link is cut off; copy all of it"
            yield Entry(text[-60:], 0, section, number, note=note)


def _yaml_lines(text: str, name: str) -> Iterator[Entry]:
    """Yield the cards of a YAML file of hands, `deck: {Name: {qty: 3}}`, and its blanks."""
    try:
        depth = 0
        for event in yaml.parse(text, Loader=LOADER):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise ConfigError(f"{name}: more than {DEEPEST} levels; a deck file needs 6")
        top = yaml.compose(text, Loader=LOADER)
    except ConfigError:
        raise
    except (yaml.YAMLError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{name}, line {mark.line + 1}" if mark else name
        reason = getattr(error, "problem", None) or "it cannot be read"
        raise ConfigError(f"{where}: not YAML ({reason}); mend the line") from error
    keys = _keys(top)
    listed = 0
    for key, section in (("deck", MAIN), ("extra", EXTRA), ("side", SIDE)):
        for card, (line, node) in (_keys(keys[key][1]) if key in keys else {}).items():
            copies = str(getattr(_keys(node).get("qty", (0, None))[1], "value", ""))
            if copies.isdecimal() and len(copies) < 4:
                listed += int(copies) if section == MAIN else 0
                yield Entry(card, int(copies), section, line)
            else:
                note = f"{card!r:.80} needs qty; write `qty: 3` under it"
                yield Entry(card, 0, section, line, note=note)
    size = str(getattr(keys["size"][1], "value", "")) if "size" in keys else ""
    missing = (int(size) if size.isdecimal() and len(size) < 4 else SIZE) - listed
    if missing > 0 and listed:
        yield Entry(BLANK.name, missing, MAIN, 1, BLANK)


def _keys(node: yaml.Node | None) -> dict[str, tuple[int, yaml.Node]]:
    """Return the keys of a mapping with their lines and values; no keys for other nodes."""
    pairs = node.value if isinstance(node, yaml.MappingNode) else ()
    return {str(key.value): (key.start_mark.line + 1, value) for key, value in pairs}


def understood(line: Entry, store: Store) -> Entry:
    """Return a line with its card and copies; a number before or after a name counts copies.

    A line is first read as a name, such as `7 Colored Fish`, and only then as seven copies.
    """
    readings = [(line.copies, line.text)]
    if counted := _COUNTED.fullmatch(line.text):
        before, name, named, after, code, times = counted.groups()
        readings.append((int(before or after or times), name or named or code))
    for copies, text in readings:
        if text.isdecimal():
            card = store.by_id.get(int(text[:20]))
            if card or (copies, text) == readings[-1]:
                return _placed(evolve(line, text=text, copies=copies, card=card))
        elif text.casefold() in BLANKS:
            return evolve(line, text=text, copies=copies, card=BLANK)
        elif (place := store.names.find(text)) is not None:
            return _placed(evolve(line, text=text, copies=copies, card=store.cards[place]))
    whole = store.names.match(line.text)
    copies, text = readings[0 if whole.how == BEGINS else -1]
    match = store.names.match(text)
    if match.place is None:
        note = match.complaint("card") if match.names else ""
        return evolve(line, text=text, copies=copies, note=note)
    card = store.cards[match.place]
    note = f"{text!r:.80} is read as {card.name!r}" if match.how in (PART, NEAR) else ""
    return _placed(evolve(line, text=match.text, copies=copies, card=card, note=note))


def _placed(entry: Entry) -> Entry:
    """Move a card of the extra deck there, from among the others of a list of names."""
    wrong = entry.card and entry.card.kind == EXTRA_KIND and entry.section == MAIN
    return evolve(entry, section=EXTRA) if wrong else entry
