"""Card data read from the package's table, a CSV file or a JSON dump, into a pool of monsters."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from attrs import evolve, field, frozen

from dragon.compiler.cache import data_folder
from dragon.config import read_text
from dragon.errors import ConfigError
from dragon_small_world.monsters import MOST_COPIES, UNKNOWN, Monster, Pool
from dragon_small_world.words import BANLISTS

COLUMNS = ("id", "name", "attribute", "type", "level", "atk", "def")
"""What a table of monsters must have; `aliases` and BANLISTS may be there too."""
FRAMES = frozenset(
    {"normal", "effect", "ritual", "normal_pendulum", "effect_pendulum", "ritual_pendulum"}
)
"""The frames of monsters that can be in a main deck, as the public card data calls them."""
ELSEWHERE = ("fusion", "synchro", "xyz", "link")
"""Older dumps tell no frame; a type with one of these words belongs to the extra deck."""
STATUS = {
    "forbidden": 0, "banned": 0, "limited": 1, "semi-limited": 2, "unlimited": MOST_COPIES,
    "not banned": MOST_COPIES, "": MOST_COPIES, "0": 0, "1": 1, "2": 2, "3": MOST_COPIES,
}  # fmt: skip
"""How many copies a banlist allows, by what card data says of it."""
MOST_BYTES = 64 << 20
"""A longer file is no card data: all cards there are make up a third of this."""
MOST_CARDS = 50_000
"""There are some 14,000."""
MOST_NUMBER = 1 << 31


@cache
def starter() -> Pool:
    """The pool that comes with the package."""
    text = (files("dragon_small_world") / "data" / "pool.csv").read_text(encoding="utf-8")
    return from_csv(text, "the starter pool", {})


def updated_file() -> Path:
    """Where `dragon small-world update` keeps the cards that it has downloaded."""
    return data_folder() / "small-world" / "cards.csv"


def usual() -> Pool:
    """The downloaded cards, or the starter pool where there are none."""
    file = updated_file()
    return read(file) if file.exists() else starter()


def read(file: Path) -> Pool:
    """The pool of a CSV table or a JSON dump of the public card data; raises ConfigError."""
    return pool_in(read_text(file, "card data", MOST_BYTES), str(file))


def pool_in(text: str, source: str) -> Pool:
    """The pool of a CSV table or a JSON dump, whichever it is; raises ConfigError."""
    parse = from_json if text.lstrip()[:1] in ("{", "[") else from_csv
    return parse(text, source, starter().aliases)


@frozen
class _Card:
    """A card as its table has it."""

    where: str
    number: str
    name: str
    cells: tuple[str, ...]
    """Attribute, type, level, ATK and DEF; empty of what is no main-deck monster."""
    arts: tuple[str, ...] = ()
    """Its other passcodes."""
    banlists: Mapping[str, str] = field(factory=dict)
    """What is said of it."""


def from_csv(text: str, source: str, aliases: Mapping[int, int]) -> Pool:
    """The pool of a table with a line of column names; raises ConfigError.

    A card without attribute and type is no main-deck monster. Lines that begin with `#`
    are remarks.
    """
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    rows = csv.reader(lines[first:], strict=True)
    try:
        head = [word.strip().lower() for word in next(rows, [])]
        missing = [word for word in COLUMNS if word not in head]
        if missing:
            raise ConfigError(
                f"{source}, line {first + 1}: no column {', '.join(missing)}; "
                f"card data has the columns {','.join(COLUMNS)}, or is a JSON dump"
            )
        known = [word for word in BANLISTS if word in head]
        return _pooled(_csv_cards(rows, head, source, first), source, aliases, known)
    except csv.Error as error:
        raise ConfigError(
            f"{source}, line {first + rows.line_num}: not a CSV table ({error})"
        ) from error


def _csv_cards(
    rows: Iterator[list[str]], head: list[str], source: str, first: int
) -> Iterator[_Card]:
    at = [head.index(word) for word in COLUMNS]
    more = {word: head.index(word) for word in ("aliases", *BANLISTS) if word in head}
    least = max(at) + 1
    for row in rows:
        if not row:
            continue
        where = f"{source}, line {first + rows.line_num}"  # type: ignore[attr-defined]
        if len(row) < least:
            raise ConfigError(f"{where}: {len(row)} fields where the first line has {len(head)}")
        number, name, *cells = (row[i].strip() for i in at)
        others = {word: row[i].strip() for word, i in more.items() if i < len(row)}
        arts = tuple(others.pop("aliases", "").split())
        yield _Card(where, number, name, tuple(cells), arts, others)


def from_json(text: str, source: str, aliases: Mapping[int, int]) -> Pool:
    """The pool of a dump of the public card data: `{"data": [...]}`, or the list alone."""
    try:
        dump = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{source}: not JSON ({error})") from error
    cards = dump.get("data") if isinstance(dump, dict) else dump
    if not isinstance(cards, list):
        raise ConfigError(f'{source}: no list of cards; a dump is {{"data": [{{"id": ...}}]}}')
    return _pooled(_json_cards(cards, source), source, aliases)


def _json_cards(cards: list[Any], source: str) -> Iterator[_Card]:
    for number, card in enumerate(cards):
        where = f"{source}, card {number + 1}"
        if not isinstance(card, dict) or "id" not in card or "name" not in card:
            raise ConfigError(f"{where}: a card is an object with id and name, not {card!r:.60}")
        words = ("attribute", "race", "level", "atk", "def") if _in_main_deck(card) else ()
        cells = ["" if card.get(word) is None else str(card[word]) for word in words]
        arts = card.get("card_images") or []
        if not isinstance(arts, list) or not all(isinstance(art, dict) for art in arts):
            raise ConfigError(
                f"{where}: card_images is a list of objects with id, not {arts!r:.60}"
            )
        said = card.get("banlist_info") or {}
        if not isinstance(said, dict):
            raise ConfigError(f"{where}: banlist_info is an object, not {said!r:.60}")
        yield _Card(
            where, str(card["id"]), str(card["name"]), tuple(cells or [""] * 5),
            tuple(str(art["id"]) for art in arts if "id" in art),
            {word: str(said[f"ban_{word}"]) for word in BANLISTS if f"ban_{word}" in said},
        )  # fmt: skip


def _in_main_deck(card: Mapping[str, Any]) -> bool:
    if "frameType" in card:
        return card["frameType"] in FRAMES
    kind = str(card.get("type", "")).lower()
    return "monster" in kind and not any(word in kind for word in ELSEWHERE)


def _pooled(
    cards: Iterable[_Card], source: str, aliases: Mapping[int, int], listed: Iterable[str] = ()
) -> Pool:
    """The pool of these cards; listed: banlists that are known, whatever they name."""
    monsters: dict[int, Monster] = {}
    known = dict(aliases)
    others: dict[int, str] = {}
    names: dict[str, Monster] = {}
    banlists: dict[str, dict[int, int]] = {word: {} for word in listed}
    for card in cards:
        number = _whole(card.number, "id", card.where)
        if len(monsters) + len(others) == MOST_CARDS:
            raise ConfigError(f"{card.where}: more than {MOST_CARDS:,} cards; is it another table?")
        if not card.name:
            raise ConfigError(f"{card.where}: a card without a name")
        for art in card.arts:
            alias = _whole(art, "alias", card.where)
            if alias != number:
                known[alias] = number
        for word, status in card.banlists.items():
            allowed = _copies(status, word, card.where)
            among = banlists.setdefault(word, {})
            if allowed < MOST_COPIES:
                among[number] = allowed
        if not card.cells[0] and not card.cells[1]:
            others[number] = card.name
            continue
        monster = _monster(number, card)
        first = names.setdefault(card.name, monster)
        another_art = first is not monster and evolve(monster, id=first.id) == first
        if number in monsters or not (first is monster or another_art):
            raise ConfigError(
                f"{card.where}: {card.name} ({number}) stands there twice; take one out"
            )
        if first is monster:
            monsters[number] = monster
        else:
            known[number] = first.id
    if not monsters:
        raise ConfigError(f"{source}: no main-deck monster in it; is it card data?")
    return Pool(tuple(monsters.values()), known, others, banlists, source)


def _monster(number: int, card: _Card) -> Monster:
    attribute, kind, level, atk, defence = card.cells
    return Monster(
        number, sys.intern(card.name), attribute.upper(), kind,
        _whole(level, "level", card.where),
        _strength(atk, "atk", card.where),
        _strength(defence, "def", card.where),
    )  # fmt: skip


def _whole(text: str, column: str, where: str, more: str = "") -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number < MOST_NUMBER:
        raise ConfigError(f"{where}: {column} is {text!r:.40}; write a whole number{more}")
    return number


def _strength(text: str, column: str, where: str) -> int:
    """ATK or DEF; `?` and the -1 that some tables have for it are UNKNOWN."""
    return UNKNOWN if text in ("?", "-1") else _whole(text, column, where, " or ?")


def _copies(status: str, banlist: str, where: str) -> int:
    """How many copies a banlist allows of a card."""
    allowed = STATUS.get(status.strip().lower())
    if allowed is None:
        raise ConfigError(
            f"{where}: {banlist} is {status!r:.40}; write Forbidden, Limited, Semi-Limited or a "
            f"number from 0 to {MOST_COPIES}"
        )
    return allowed
