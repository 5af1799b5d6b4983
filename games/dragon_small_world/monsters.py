"""Monsters and the pool of them, read from the package's table, a CSV file or a JSON dump.

A pool also knows the names of the cards that are no main-deck monsters where its data tells
them, and the passcodes of alternate arts.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from attrs import field, frozen

from dragon.errors import ConfigError
from dragon_small_world.names import Names

COLUMNS = ("id", "name", "attribute", "type", "level", "atk", "def")
"""What a table of monsters must have; `aliases` may come besides."""
FRAMES = frozenset(
    {"normal", "effect", "ritual", "normal_pendulum", "effect_pendulum", "ritual_pendulum"}
)
"""The frames of monsters that can be in a main deck, as the public card data calls them."""
UNKNOWN = -1
"""How a `?` is stored."""
MOST_BYTES = 64 << 20
"""A longer file is no card data: all cards there are make up a third of this."""
MOST_CARDS = 50_000
"""There are some 14,000."""
MOST_NUMBER = 1 << 31


@frozen
class Monster:
    """A main-deck monster: what is printed on it."""

    id: int
    """The passcode."""
    name: str
    attribute: str
    type: str
    level: int
    atk: int
    """UNKNOWN where a `?` is printed."""
    defence: int
    """UNKNOWN where a `?` is printed."""

    def printed(self, word: str) -> str:
        """A property as the card has it.

        >>> Monster(1, "A", "DARK", "Fiend", 4, UNKNOWN, 200).printed("atk")
        '?'
        """
        value = getattr(self, "defence" if word == "def" else word)
        return "?" if value == UNKNOWN and word in ("atk", "def") else str(value)


@frozen(eq=False)
class Pool:
    """Monsters in the order of their table, and what else the table tells."""

    monsters: tuple[Monster, ...]
    aliases: Mapping[int, int] = field(factory=dict, repr=False)
    """From the passcode of an alternate art to that of the monster."""
    others: Mapping[int, str] = field(factory=dict, repr=False)
    """Cards that are no main-deck monsters, by passcode."""
    source: str = ""
    """Where it comes from, for messages."""

    @cached_property
    def place(self) -> dict[int, int]:
        """From a passcode to the place of its monster; alternate arts too."""
        places = {monster.id: i for i, monster in enumerate(self.monsters)}
        for alias, main in self.aliases.items():
            if main in places:
                places.setdefault(alias, places[main])
        return places

    @cached_property
    def names(self) -> Names:
        """The monsters by name."""
        return Names([monster.name for monster in self.monsters])

    @cached_property
    def other_names(self) -> Names:
        """The other cards by name."""
        return Names(list(self.others.values()))

    def find(self, text: str, what: str = "monster") -> int:
        """The place of the monster of that name or passcode.

        Case, accents and signs are of no account. Raises ConfigError, with what may have
        been meant; `what` is what the text should be.
        """
        number = text.strip()
        if number.isdecimal() and len(number) < 12 and int(number) in self.place:
            return self.place[int(number)]
        found = self.names.find(text)
        if found is None:
            raise ConfigError(f"no {what} called {text!r}{self.hint(text)}")
        return found

    def hint(self, text: str) -> str:
        """What may have been meant by an unknown name, and where was looked."""
        if self.other_names.find(text) is not None:
            return f": it is no main-deck monster (cards: {self.source})"
        close = self.names.close(text)
        meant = f"; did you mean {close!r}?" if close else ""
        return f"{meant} (cards: {self.source}; --cards FILE and `dragon small-world update` widen)"


@lru_cache(maxsize=2)
def starter() -> Pool:
    """The pool that comes with the package."""
    text = (files("dragon_small_world") / "data" / "pool.csv").read_text(encoding="utf-8")
    return from_csv(text, "the starter pool", {})


def updated_file() -> Path:
    """Where `dragon small-world update` keeps the cards that it has downloaded."""
    import platformdirs

    return platformdirs.user_data_path("dragon-search") / "small-world" / "cards.csv"


def usual() -> Pool:
    """The downloaded cards, or the starter pool where there are none."""
    file = updated_file()
    return read(file) if file.exists() else starter()


def read(file: Path) -> Pool:
    """The pool of a CSV table or a JSON dump of the public card data; raises ConfigError."""
    text = text_of(file, MOST_BYTES, "card data")
    aliases = dict(starter().aliases)
    if text.lstrip()[:1] in ("{", "["):
        return from_json(text, str(file), aliases)
    return from_csv(text, str(file), aliases)


def text_of(file: Path | str, most: int, what: str) -> str:
    """What is in a text file in UTF-8, or in stdin for `-`; never more than `most` bytes are read.

    Raises ConfigError, in a sentence about `what`.
    """
    name = "stdin" if str(file) == "-" else str(file)
    try:
        if name == "stdin":
            data = sys.stdin.buffer.read(most + 1)
        else:
            with open(file, "rb") as stream:
                data = stream.read(most + 1)
    except (OSError, ValueError, AttributeError) as error:  # stdin may be closed, or None
        reason = getattr(error, "strerror", None) or error
        raise ConfigError(f"cannot read {name}: {reason}") from error
    if len(data) > most:
        size = f"{most >> 20} MB" if most >> 20 else f"{most >> 10} kB"
        raise ConfigError(f"{name} is longer than {size}, too long for {what}; is it another file?")
    if b"\0" in data:
        raise ConfigError(f"{name} is not a text file, hence no {what}; is it another file?")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{name}, line {line}: not a text file in UTF-8 ({error.reason}), hence no {what}"
        ) from error


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
        return _pooled(_csv_cards(rows, head, source, first), source, aliases)
    except csv.Error as error:
        raise ConfigError(
            f"{source}, line {first + rows.line_num}: not a CSV table ({error})"
        ) from error


def _csv_cards(
    rows: Iterator[list[str]], head: list[str], source: str, first: int
) -> Iterator[_Card]:
    at = [head.index(word) for word in COLUMNS]
    also = head.index("aliases") if "aliases" in head else None
    least = max(at) + 1
    for row in rows:
        if not row:
            continue
        where = f"{source}, line {first + rows.line_num}"  # type: ignore[attr-defined]
        if len(row) < least:
            raise ConfigError(f"{where}: {len(row)} fields where the first line has {len(head)}")
        cells = [row[i].strip() for i in at]
        known = row[also].split() if also is not None and also < len(row) else []
        yield where, cells, known


def from_json(text: str, source: str, aliases: Mapping[int, int]) -> Pool:
    """The pool of a dump of the public card data: `{"data": [...]}`, or the list alone."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{source}: not JSON ({error})") from error
    cards = told.get("data") if isinstance(told, dict) else told
    if not isinstance(cards, list):
        raise ConfigError(f'{source}: no list of cards; a dump is {{"data": [{{"id": ...}}]}}')
    return _pooled(_json_cards(cards, source), source, aliases)


def _json_cards(cards: list[Any], source: str) -> Iterator[_Card]:
    for number, card in enumerate(cards):
        where = f"{source}, card {number + 1}"
        if not isinstance(card, dict) or "id" not in card or "name" not in card:
            raise ConfigError(f"{where}: a card is an object with id and name, not {card!r:.60}")
        if card.get("frameType") in FRAMES:
            words = ("attribute", "race", "level", "atk", "def")
            cells = ["" if card.get(word) is None else str(card[word]) for word in words]
        else:
            cells = [""] * 5
        arts = card.get("card_images") or []
        if not isinstance(arts, list) or not all(isinstance(art, dict) for art in arts):
            raise ConfigError(
                f"{where}: card_images is a list of objects with id, not {arts!r:.60}"
            )
        known = [str(art["id"]) for art in arts if "id" in art]
        yield where, [str(card["id"]), str(card["name"]), *cells], known


_Card = tuple[str, list[str], list[str]]
"""Where a card stands, its cells in the order of COLUMNS, and its alternate passcodes."""


def _pooled(cards: Iterable[_Card], source: str, aliases: Mapping[int, int]) -> Pool:
    monsters: dict[int, Monster] = {}
    known = dict(aliases)
    others: dict[int, str] = {}
    names: dict[str, int] = {}
    for where, cells, arts in cards:
        number = _whole(cells[0], "id", where)
        name = cells[1]
        if len(monsters) + len(others) == MOST_CARDS:
            raise ConfigError(f"{where}: more than {MOST_CARDS:,} cards; is it another table?")
        if not name:
            raise ConfigError(f"{where}: a card without a name")
        for art in arts:
            alias = _whole(art, "alias", where)
            if alias != number:
                known[alias] = number
        if not cells[2] and not cells[3]:
            others[number] = name
            continue
        if number in monsters or name in names:
            raise ConfigError(f"{where}: {name} ({number}) stands there twice; take one out")
        names[name] = number
        monsters[number] = Monster(
            number,
            sys.intern(name),
            cells[2].upper(),
            cells[3],
            _whole(cells[4], "level", where),
            _strength(cells[5], "atk", where),
            _strength(cells[6], "def", where),
        )
    if not monsters:
        raise ConfigError(f"{source}: no main-deck monster in it; is it card data?")
    return Pool(tuple(monsters.values()), known, others, source)


def _whole(text: str, column: str, where: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number < MOST_NUMBER:
        raise ConfigError(f"{where}: {column} is {text!r:.40}; write a whole number")
    return number


def _strength(text: str, column: str, where: str) -> int:
    """ATK or DEF; `?` and the -1 that some tables have for it are UNKNOWN."""
    if text in ("?", "-1"):
        return UNKNOWN
    try:
        return _whole(text, column, where)
    except ConfigError as error:
        raise ConfigError(f"{error} or ?") from error
