"""Conditions on monsters as people write them: `level<=4`, `type=Cyberse`, `name~dragon`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from dragon.errors import ConfigError, did_you_mean
from dragon_cards.card import FORMATS, REMEDY, UNKNOWN
from dragon_cards.names import BEGINS, EXACT, Names, folded

if TYPE_CHECKING:
    from dragon_cards.card import Card
    from dragon_small_world.links import Bools, Links
    from dragon_small_world.pool import Pool

    Test = Callable[[Card], bool]

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": le, ">=": ge, "!=": ne, "=": eq, "<": lt, ">": gt,
}  # fmt: skip
WHOLE, WORDS = ("id", "level", "atk", "def"), ("name", "type", "attribute", "archetype", "role")
KNOWN = WHOLE + WORDS + FORMATS
_WRITTEN = re.compile(r"\s*(\w+)\s*(<=|>=|!=|=|<|>|~)\s*(.+?)\s*")


@frozen
class Condition:
    """A condition, read; which monsters meet it is up to the pool."""

    text: str
    """The condition as it was written."""
    word: str
    """The property that it is about, one of KNOWN."""
    sign: str
    value: str


def allowed(pool: Pool, filters: Sequence[str]) -> Bools:
    """Return bool[pool]: the monsters that meet all the conditions; raise ConfigError."""
    import numpy as np

    tests = [test(condition(text), pool) for text in filters]
    return np.array([all(meets(m) for meets in tests) for m in pool.monsters], bool)


def fit(links: Links, filters: Sequence[str], no_deck: bool) -> Bools | None:
    """Return bool[pool], the possible bridges; None for all. Raise ConfigError where there is none.

    no_deck: leave out the monsters of the deck.
    """
    if not filters and not no_deck:
        return None
    found = allowed(links.deck.pool, filters)
    if no_deck:
        found[list(links.deck.places)] = False
    if not found.any():
        asked = ", ".join([*filters, *["--exclude-deck"] * no_deck])
        raise ConfigError(f"no monster may be a bridge under {asked}; loosen the filters")
    return found


def condition(text: str) -> Condition:
    """Return the condition in a text; raise ConfigError for one that makes no sense in any pool."""
    written = _WRITTEN.fullmatch(text)
    if written is None:
        raise ConfigError(
            f"cannot read the filter {text!r:.80}; write level<=4, type=Cyberse, name~dragon"
        )
    word, sign, value = written[1].lower(), written[2], written[3]
    if word not in KNOWN:
        raise ConfigError(
            f"no property {word!r:.40} in the filter {text!r:.80}{did_you_mean(word, KNOWN)} "
            f"({', '.join(KNOWN)})"
        )
    if word in WORDS:
        if sign not in ("=", "!=", "~"):
            raise ConfigError(
                f"{word} has no order in the filter {text!r:.80}; write {word}=, != or ~"
            )
    elif sign == "~" or not (_asks(word, sign, value) or (value.isdecimal() and len(value) < 12)):
        raise ConfigError(
            f"{word} is a number in the filter {text!r:.80}; write {word}<=4 or {word}=4"
        )
    return Condition(text, word, sign, value)


def _held(monster: Card, word: str) -> tuple[str, ...]:
    """Return the values of a monster for one of WORDS; it may have several roles."""
    return monster.roles if word == "role" else (getattr(monster, word),)


def _asks(word: str, sign: str, value: str) -> bool:
    """Return True if it is about a `?`."""
    return value == "?" and word in ("atk", "def") and sign in ("=", "!=")


def test(asked: Condition, pool: Pool) -> Test:
    """Return the monsters that meet a condition; raise ConfigError if the pool cannot tell.

    A `?` meets none on ATK or DEF but `=?` and `!=`. Of a banlist the copies that it allows
    are compared.
    """
    word, plain = asked.word, folded(asked.value)
    if asked.sign == "~":
        return lambda monster: any(plain in folded(held) for held in _held(monster, word))
    compare = SIGNS[asked.sign]
    if word in WORDS:
        known = Names(sorted({held for m in pool.monsters for held in _held(m, word)} - {""}))
        match = known.match(asked.value)
        if match.how not in (EXACT, BEGINS):
            match = evolve(match, places=())
        if match.place is None:
            raise ConfigError(
                f"{match.complaint(word)} (filter {asked.text!r:.80}; cards: {pool.store})"
            )
        same, one = folded(known.names[match.place]), asked.sign == "="
        return lambda monster: (same in map(folded, _held(monster, word))) == one
    if word in FORMATS:
        if word not in pool.store.formats:
            raise ConfigError(
                f"the cards tell no {word.upper()} banlist for the filter {asked.text!r:.80}; "
                f"{REMEDY} (cards: {pool.store.source})"
            )
        return lambda monster: compare(monster.limit(word), int(asked.value))
    field = "defence" if word == "def" else word
    about = _asks(word, asked.sign, asked.value)
    number = UNKNOWN if about else int(asked.value)

    def meets(monster: Card) -> bool:
        held = getattr(monster, field)
        if held == UNKNOWN and word in ("atk", "def") and not about:
            return asked.sign == "!="
        return compare(held, number)

    return meets
