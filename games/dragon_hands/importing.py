"""Deck lists of other programs as deck files: `.ydk`, `ydke://`, with tags from card facts."""

from __future__ import annotations

import base64
import binascii
import csv
from collections import Counter
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from io import StringIO
from typing import Any

from attrs import frozen

from dragon.errors import ConfigError
from dragon_hands.condition import clauses
from dragon_hands.deck import BLANK, BLANK_TAGS
from dragon_hands.grammar import Wrong, parse

MOST_CARDS = 500
LARGEST_TABLE = 50_000_000
"""Bytes of a table of cards: that of all cards has less than two million."""
COLUMNS = ("id", "name")
"""What a table of cards must have; attribute, type and level make tags."""


@frozen
class Fact:
    """What is known of a card."""

    name: str
    tags: tuple[str, ...]


def facts(text: str, name: str) -> dict[int, Fact]:
    """The cards of a table in CSV by their ids; raises ConfigError with the line."""
    rows = csv.DictReader(StringIO(text), restval="")
    try:
        rows.fieldnames = [word.strip().lower() for word in rows.fieldnames or ()]
        missing = [column for column in COLUMNS if column not in rows.fieldnames]
        if missing:
            raise ConfigError(
                f"{name}:1: no column {' and '.join(missing)}; the first line names the columns: "
                "id, name, and attribute, type, level where they are known"
            )
        found: dict[int, Fact] = {}
        for cells in rows:
            if not any(cells.values()):
                continue
            if not cells["id"].strip().isdecimal() or not cells["name"].strip():
                raise ConfigError(
                    f"{name}:{rows.line_num}: {cells['id']!r} is no id, or the name is missing; "
                    "each line has a number and a name"
                )
            found[int(cells["id"])] = Fact(cells["name"].strip(), _tags(cells))
    except csv.Error as error:
        raise ConfigError(f"{name}:{rows.line_num}: not CSV: {error}") from error
    return found


def _tags(cells: Mapping[str, str]) -> tuple[str, ...]:
    attribute, kind, level = (cells.get(w, "").strip() for w in ("attribute", "type", "level"))
    words = (attribute, kind, f"Level {level}" * bool(level), "Monster" * bool(attribute))
    return tuple(dict.fromkeys(filter(None, words)))


def listed(text: str, name: str) -> tuple[Counter[int], Counter[int]]:
    """The copies of each id of a `.ydk` file or a `ydke://` link, of main and extra deck.

    Raises ConfigError with the line.
    """
    stripped = text.strip()
    main, extra = _linked(stripped, name) if stripped.startswith("ydke://") else _lines(text, name)
    if not main:
        raise ConfigError(f"{name}:1: no card in the main deck; list ids, one a line, after #main")
    if len(main) + len(extra) > MOST_CARDS:
        raise ConfigError(f"{name}:1: {len(main) + len(extra):,} cards; at most {MOST_CARDS}")
    return Counter(main), Counter(extra)


def _lines(text: str, name: str) -> tuple[list[int], list[int]]:
    parts: dict[str, list[int]] = {"main": [], "extra": [], "side": []}
    part = "main"
    for number, line in enumerate(text.splitlines(), 1):
        word = line.strip()
        if word.lower() in ("#main", "#extra", "!side"):
            part = word[1:].lower()
        elif not word or word.startswith(("#", "!")):
            continue
        elif word.isascii() and word.isdecimal() and len(word) <= 10:
            parts[part].append(int(word))
        else:
            shown = word if len(word) <= 40 else f"{word[:40]}..."
            raise ConfigError(f"{name}:{number}: {shown!r} is no id; a line is a card's number")
    return parts["main"], parts["extra"]


def _linked(text: str, name: str) -> tuple[list[int], list[int]]:
    parts = text.removeprefix("ydke://").split("!")[:2]
    found = []
    for part in parts:
        try:
            data = base64.b64decode(part, validate=True)
        except (binascii.Error, ValueError) as error:
            raise ConfigError(f"{name}:1: not a ydke:// link: {error}; copy it anew") from error
        if len(data) % 4 or len(parts) < 2:
            raise ConfigError(f"{name}:1: a ydke:// link that is cut off; copy it anew")
        found.append([int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)])
    return found[0], found[1]


def imported(
    main: Mapping[int, int],
    extra: Mapping[int, int],
    known: Mapping[int, Fact],
    conditions: tuple[str, ...] = (),
    title: str = "",
) -> tuple[str, list[int], list[str]]:
    """A deck file in YAML, the ids not in the table, and the names that no card and no tag has.

    Such names are asked for by the conditions; raises ConfigError for one that cannot be read.
    """
    import yaml

    asked: list[str] = []
    for text in conditions:
        try:
            asked += [clause.name for clause in clauses(parse(text))]
        except Wrong as wrong:
            raise ConfigError(f"condition {text!r}, {wrong}") from wrong
    unknown: list[int] = []
    document: dict[str, Any] = {"deckName": title} if title else {}
    document["deck"] = _section(main, known, unknown)
    if extra:
        document["extra"] = _section(extra, known, unknown)
    document["conditions"] = list(conditions)
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=10_000)
    cards = {**document["deck"], **document.get("extra", {})}
    tags = (tag for card in cards.values() for tag in card.get("tags", ()))
    named = {BLANK, *BLANK_TAGS, *cards, *tags}
    return text, unknown, [name for name in dict.fromkeys(asked) if name not in named]


@cache
def free_cards() -> dict[str, Any]:
    """The free cards that an import knows, as a deck file writes them."""
    import yaml

    text = (files("dragon_hands") / "data" / "free-cards.yaml").read_text(encoding="utf-8")
    known: dict[str, Any] = yaml.safe_load(text)
    return known


def _section(
    ids: Mapping[int, int], known: Mapping[int, Fact], unknown: list[int]
) -> dict[str, Any]:
    """Cards by name; an id that is not known is a card with a number for a name."""
    found: dict[str, Any] = {}
    for number, copies in ids.items():
        fact = known.get(number)
        if fact is None:
            unknown.append(number)
            fact = Fact(f"Card {number}", ())
        if fact.name in found:  # another art of the same card
            found[fact.name]["qty"] += copies
            continue
        card: dict[str, Any] = {"qty": copies}
        if fact.tags:
            card["tags"] = list(fact.tags)
        if fact.name in free_cards():
            card["free"] = free_cards()[fact.name]
        found[fact.name] = card
    return found
