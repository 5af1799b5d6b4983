"""Card data as text: the public dump in JSON and tables in CSV are read, a table is written."""

from __future__ import annotations

import csv
import io
import json
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from attrs import evolve, field, frozen

from dragon.errors import ConfigError
from dragon_cards.card import (
    EXTRA,
    FORMATS,
    KINDS,
    MONSTER,
    MOST_COPIES,
    OTHER,
    SPELL,
    TRAP,
    UNKNOWN,
    Card,
    Store,
)

NAMED = ("id", "name")
"""The columns that every table must have."""
PRINTED = (*NAMED, "attribute", "type", "level", "atk", "def")
"""The columns of a table of monsters whose links are asked for."""
MORE = ("kind", "archetype", "roles", "aliases", *FORMATS)
"""The optional columns. Roles are separated by semicolons, aliases by spaces."""
FRAMES = {
    **dict.fromkeys(
        ("normal", "effect", "ritual", "normal_pendulum", "effect_pendulum", "ritual_pendulum"),
        MONSTER,
    ),
    "spell": SPELL,
    "trap": TRAP,
}
"""The kinds of cards, by the names of their frames in the public data."""
ABOVE = ("fusion", "synchro", "xyz", "link")
"""The beginnings of frames, or in older data words of types, of the extra deck."""
WORDS = ("Tuner", "Ritual", "Pendulum", "Flip", "Spirit", "Gemini", "Union", "Toon")
"""The roles that the public data have within the type: `Pendulum Tuner Effect Monster`."""
QUESTIONS = ("atk", "def")
"""The numbers that may be a question mark; some data have a flag such as `question_atk` for it."""
STATUS = {
    "forbidden": 0, "banned": 0, "limited": 1, "semi-limited": 2, "unlimited": MOST_COPIES,
    "not banned": MOST_COPIES, "": MOST_COPIES, "0": 0, "1": 1, "2": 2, "3": MOST_COPIES,
}  # fmt: skip
"""The copies that a banlist allows, by the status in card data."""
MOST_CARDS = 50_000
"""The most cards of a table; some 14,000 exist."""
MOST_NUMBER = 1 << 31


@cache
def roles() -> Mapping[str, tuple[str, ...]]:
    """Return the roles that players give some cards, by name."""
    text = (files("dragon_cards") / "data" / "roles.toml").read_text(encoding="utf-8")
    found: dict[str, tuple[str, ...]] = {}
    for role, names in tomllib.loads(text).items():
        for name in names:
            found[name] = (*found.get(name, ()), role)
    return found


def store_in(
    text: str, source: str, aliases: Mapping[int, int], need: Sequence[str] = NAMED
) -> Store:
    """Read the cards of a CSV table or a JSON dump; raise ConfigError.

    aliases: passcodes of other arts that are known already, with those of their cards.
    need: the columns that a table must have.
    """
    if text.lstrip()[:1] in ("{", "["):
        return _stored(_json_cards(text, source), source, aliases)
    return _csv_store(text, source, aliases, need)


@frozen
class _Row:
    """A card as its table has it."""

    where: str
    cells: Mapping[str, str]
    """The cells of the columns PRINTED and MORE; empty for columns that are missing."""
    aliases: Sequence[str] = field(factory=list)
    banlists: Mapping[str, str] = field(factory=dict)
    """The status of the card on each banlist."""
    bare: bool = False
    """True if the table does not have the numbers of monsters."""


def _csv_store(text: str, source: str, aliases: Mapping[int, int], need: Sequence[str]) -> Store:
    """Read the cards of a table with a line of column names and remarks that begin with `#`."""
    lines = text.splitlines()
    first = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
    rows = csv.reader(lines[first:], strict=True)
    try:
        head = [word.strip().lower() for word in next(rows, [])]
        missing = [word for word in need if word not in head]
        if missing:
            raise ConfigError(
                f"{source}, line {first + 1}: no column {', '.join(missing)}; "
                f"card data has the columns {','.join(PRINTED)}, or is a JSON dump"
            )
        if twice := next((word for word in head if word and head.count(word) > 1), ""):
            raise ConfigError(
                f"{source}, line {first + 1}: the column {twice} occurs twice; keep one of them"
            )
        known = [word for word in FORMATS if word in head]
        return _stored(_csv_cards(rows, head, source, first, need), source, aliases, known)
    except csv.Error as error:
        raise ConfigError(
            f"{source}, line {first + rows.line_num}: not a CSV table ({error})"
        ) from error


def _csv_cards(
    rows: Iterator[list[str]], head: list[str], source: str, first: int, need: Sequence[str]
) -> Iterator[_Row]:
    least = max(head.index(word) for word in need) + 1
    empty = dict.fromkeys((*PRINTED, *MORE), "")
    known = [word for word in FORMATS if word in head]
    bare = "atk" not in head
    for row in rows:
        if not row:
            continue
        where = f"{source}, line {first + rows.line_num}"  # type: ignore[attr-defined]
        if not least <= len(row) <= len(head):
            remedy = "; a name with a comma needs quotation marks" if len(row) > len(head) else ""
            raise ConfigError(
                f"{where}: {len(row)} fields where the first line has {len(head)}{remedy}"
            )
        cells = empty | dict(zip(head, map(str.strip, row), strict=False))
        for word in QUESTIONS:
            _question(cells, word, cells.get(f"question_{word}", ""), where)
        cells["kind"] = cells["kind"] or (MONSTER if cells["attribute"] or cells["type"] else OTHER)
        banlists = {word: cells[word] for word in known}
        yield _Row(where, cells, cells["aliases"].split(), banlists, bare)


def _json_cards(text: str, source: str) -> Iterator[_Row]:
    """Yield the cards of a dump of the public data: `{"data": [...]}`, or the list alone."""
    try:
        dump = json.loads(text, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{source}: not JSON ({error})") from error
    cards = dump.get("data") if isinstance(dump, dict) else dump
    if not isinstance(cards, list):
        raise ConfigError(f'{source}: no list of cards; a dump is {{"data": [{{"id": ...}}]}}')
    for number, card in enumerate(cards):
        where = f"{source}, card {number + 1}"
        if not isinstance(card, dict) or "id" not in card or "name" not in card:
            raise ConfigError(f"{where}: a card is an object with id and name, not {card!r:.60}")
        cells = {word: _text(card, word) for word in (*PRINTED, *MORE)}
        typed = _text(card, "type")
        cells |= {"type": _text(card, "race"), "kind": _kind(card)}
        cells["level"] = cells["level"] or _text(card, "linkval")
        more = card.get("misc_info") or [{}]
        flags = card | (more[0] if isinstance(more, list) and isinstance(more[0], dict) else {})
        for word in QUESTIONS:  # the public data give 0 where the card has a question mark
            flag = _text(flags, f"question_{word}")
            cells[word] = "?" if _is_set(flag) and cells[word] in ("0", "") else cells[word]
            _question(cells, word, flag, where)
        cells["roles"] = ";".join(word for word in WORDS if word in typed.split())
        arts = card.get("card_images") or []
        if not isinstance(arts, list) or not all(isinstance(art, dict) for art in arts):
            raise ConfigError(
                f"{where}: card_images is a list of objects with id, not {arts!r:.60}"
            )
        said = card.get("banlist_info") or {}
        if not isinstance(said, dict):
            raise ConfigError(f"{where}: banlist_info is an object, not {said!r:.60}")
        banlists = {word: str(said[f"ban_{word}"]) for word in FORMATS if f"ban_{word}" in said}
        yield _Row(where, cells, [str(art["id"]) for art in arts if "id" in art], banlists)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON; raise ValueError for a key that occurs twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"{twice!r:.60} occurs twice in an object that begins {pairs[:2]!s:.90}")
    return found


def _is_set(flag: str) -> bool:
    return flag.strip().lower() not in ("", "0", "false", "no", "none", "null")


def _question(cells: Mapping[str, str], word: str, flag: str, where: str) -> None:
    """Raise ConfigError for a flag `question_atk` beside a number."""
    if _is_set(flag) and cells[word] not in ("?", "-1"):
        raise ConfigError(
            f"{where}: question_{word} is set, but {word} is {cells[word]!r:.40}; write ? as {word}"
        )


def _text(card: Mapping[str, Any], word: str) -> str:
    return "" if card.get(word) is None else str(card[word])


def _kind(card: Mapping[str, Any]) -> str:
    """Return the kind of a card of the public data; older data do not have frames."""
    if "frameType" in card:
        frame = str(card["frameType"])
        return EXTRA if frame.startswith(ABOVE) else FRAMES.get(frame, OTHER)
    words = str(card.get("type", "")).lower().split()
    if "monster" in words:
        return EXTRA if any(word in words for word in ABOVE) else MONSTER
    return next((kind for kind in (SPELL, TRAP) if kind in words), OTHER)


def _stored(
    rows: Iterable[_Row], source: str, aliases: Mapping[int, int], listed: Iterable[str] = ()
) -> Store:
    """Return the store of these cards; listed: banlists that are known, even if empty."""
    cards: dict[int, Card] = {}
    names: dict[str, Card] = {}
    formats = set(listed)
    others: dict[int, set[int]] = {}
    for alias, number in aliases.items():
        others.setdefault(number, set()).add(alias)
    for row in rows:
        if len(cards) == MOST_CARDS:
            raise ConfigError(f"{row.where}: more than {MOST_CARDS:,} cards; is it another table?")
        card = _card(row)
        formats.update(row.banlists)
        first = names.setdefault(card.name, card)
        another_art = first is not card and evolve(card, id=first.id, limits=first.limits) == first
        if card.id in cards or not (first is card or another_art):
            raise ConfigError(f"{row.where}: {card.name} ({card.id}) is there twice; take one out")
        if row.aliases or first is not card:
            arts = others.setdefault(first.id, set())
            arts.update(_whole(alias, "alias", row.where) for alias in row.aliases)
            arts.add(card.id)
        if first is card:
            cards[card.id] = card
    for number, arts in others.items():
        if number in cards and (arts := arts - {number}):
            cards[number] = evolve(cards[number], aliases=tuple(sorted(arts)))
    if not cards:
        raise ConfigError(f"{source}: no card in it; is it card data?")
    return Store(tuple(cards.values()), source, tuple(f for f in FORMATS if f in formats))


def _card(row: _Row) -> Card:
    cell, where = row.cells, row.where
    number, kind, name = _whole(cell["id"], "id", where), cell["kind"], cell["name"]
    if not name:
        raise ConfigError(f"{where}: a card without a name")
    if kind not in KINDS:
        raise ConfigError(f"{where}: kind is {kind!r:.40}; write {', '.join(KINDS)}")
    level = 0
    atk = defence = UNKNOWN
    if kind in (MONSTER, EXTRA):
        bare = row.bare or kind == EXTRA
        level = 0 if bare and not cell["level"] else _whole(cell["level"], "level", where)
        atk = _strength(cell["atk"], "atk", where, bare)
        defence = _strength(cell["def"], "def", where, bare)
    limits = [
        (word, allowed) for word, status in row.banlists.items()
        if status and (allowed := _copies(status, word, where)) < MOST_COPIES
    ]  # fmt: skip
    given = tuple(filter(None, map(str.strip, cell["roles"].split(";"))))
    known = roles().get(name, ())
    return Card(
        number, sys.intern(name), sys.intern(cell["attribute"].upper()),
        sys.intern(cell["type"]), level, atk, defence, sys.intern(kind),
        sys.intern(cell["archetype"]),
        given + tuple(role for role in known if role not in given) if known else given, (),
        tuple(limits),
    )  # fmt: skip


def _whole(text: str, column: str, where: str, more: str = "") -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if not 0 <= number < MOST_NUMBER:
        raise ConfigError(f"{where}: {column} is {text!r:.40}; write a whole number{more}")
    return number


def _strength(text: str, column: str, where: str, bare: bool) -> int:
    """Read ATK or DEF; `?`, its code -1 in some tables, and if bare no text are UNKNOWN."""
    if text in ("?", "-1") or (bare and not text):
        return UNKNOWN
    return _whole(text, column, where, " or ?")


def _copies(status: str, banlist: str, where: str) -> int:
    """Return the copies of a card that a banlist allows; raise ConfigError."""
    allowed = STATUS.get(status.strip().lower())
    if allowed is None:
        raise ConfigError(
            f"{where}: {banlist} is {status!r:.40}; write Forbidden, Limited, Semi-Limited or a "
            f"number from 0 to {MOST_COPIES}"
        )
    return allowed


def table(store: Store) -> str:
    """Return the store as a CSV table that `store_in` reads."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    columns = [word for word in (*PRINTED, *MORE) if word not in FORMATS]
    rows.writerow([*columns, *store.formats])
    for card in store.cards:
        monster = card.kind in (MONSTER, EXTRA)
        limits = dict(card.limits)
        rows.writerow([
            card.id, card.name, card.attribute, card.type,
            *(card.printed(word) if monster else "" for word in ("level", "atk", "def")),
            card.kind, card.archetype, ";".join(card.roles), " ".join(map(str, card.aliases)),
            *(limits.get(word, "") for word in store.formats),
        ])  # fmt: skip
    return out.getvalue()
