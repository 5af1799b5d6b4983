"""The cards that dragon uses: those that were fetched, or else the starter pool."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from attrs import evolve

from dragon.config import read_text
from dragon.errors import ConfigError
from dragon.files import data_folder
from dragon.sealed import SEAL, is_intact, is_sealed, seal
from dragon_cards.card import SPELL, TRAP, Store
from dragon_cards.tables import NAMED, store_in

MOST_BYTES = 64 << 20
"""The most bytes of card data; all existing cards take a third of this."""
FETCHED = "the fetched cards"
REMARK = "# fetched by dragon, format 1, "
"""The first words of a file of fetched cards, before its seal; a table without it is a user's."""


@cache
def starter() -> Store:
    """Return the cards that come with the package."""
    text = (files("dragon_cards") / "data" / "starter.csv").read_text(encoding="utf-8")
    return evolve(store_in(text, "the starter pool", {}), starter=True)


def fetched_file() -> Path:
    """Return the file in which `dragon cards update` keeps the fetched cards."""
    return data_folder() / "cards" / "cards.csv"


def store() -> Store:
    """Return the fetched cards, read again after each update, or else the starter pool.

    Raise ConfigError if the file is damaged.
    """
    file = fetched_file()
    try:
        changed = file.stat().st_mtime_ns
    except OSError:
        return starter()
    return _fetched(file, changed)


@lru_cache(maxsize=2)
def _fetched(file: Path, changed: int) -> Store:
    return evolve(read(file), source=FETCHED)  # pages do not show their place


def read(file: Path, need: Sequence[str] = NAMED) -> Store:
    """Read the cards of a CSV table or a JSON dump of the public data; raise ConfigError.

    need: the columns that a table must have; the rest of tables.PRINTED are there if known.
    """
    text = read_text(file, "card data", MOST_BYTES)
    data = text.encode()
    if (text.startswith(REMARK) or is_sealed(data)) and not is_intact(data):
        raise ConfigError(
            f"{file} is damaged, or was changed since dragon wrote it: its checksum is another "
            "one; fetch the cards again with `dragon cards update`, or take out its first line"
        )
    return given(text, str(file), need)


def kept(text: str) -> bytes:
    """Return a table of cards as a sealed file."""
    return seal(f"{REMARK}{SEAL}\n{text}".encode())


def given(text: str, source: str, need: Sequence[str] = NAMED) -> Store:
    """Read the cards of a text, with the other arts of the starter pool, and with its spells
    and traps if the text has none, as in a table of monsters.
    """
    first = starter().cards
    arts = {alias: card.id for card in first for alias in card.aliases}
    found = store_in(text, source, arts, need)
    if not {SPELL, TRAP}.isdisjoint(card.kind for card in found.cards):
        return found
    more = (c for c in first if c.kind in (SPELL, TRAP) and c.id not in found.by_id)
    return evolve(found, cards=(*found.cards, *more))
