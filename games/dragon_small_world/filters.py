"""Conditions on monsters as people write them: `level<=4`, `type=Cyberse`, `name~dragon`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.errors import ConfigError, did_you_mean
from dragon_small_world.monsters import MOST_COPIES, UNKNOWN
from dragon_small_world.names import Names, folded
from dragon_small_world.words import BANLISTS

if TYPE_CHECKING:
    from dragon_small_world.links import Bools, Links
    from dragon_small_world.monsters import Monster, Pool

    Test = Callable[[Monster], bool]

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": le, ">=": ge, "!=": ne, "=": eq, "<": lt, ">": gt,
}  # fmt: skip
WHOLE, WORDS = ("id", "level", "atk", "def"), ("name", "type", "attribute")
KNOWN = WHOLE + WORDS + BANLISTS
_WRITTEN = re.compile(r"\s*(\w+)\s*(<=|>=|!=|=|<|>|~)\s*(.+?)\s*")


@frozen
class Condition:
    """A condition, read; which monsters meet it is up to the pool."""

    text: str
    """As it was written."""
    word: str
    """What it is about, one of KNOWN."""
    sign: str
    value: str


def allowed(pool: Pool, filters: Sequence[str]) -> Bools:
    """bool[pool]: the monsters that meet all the conditions; raises ConfigError."""
    import numpy as np

    tests = [test(condition(text), pool) for text in filters]
    return np.array([all(meets(m) for meets in tests) for m in pool.monsters], bool)


def fit(links: Links, filters: Sequence[str], no_deck: bool) -> Bools | None:
    """bool[pool], who may be a bridge; None for everybody. Raises ConfigError where it is nobody.

    no_deck: whether monsters of the deck may not.
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
    """What is written; raises ConfigError for what makes no sense in any pool."""
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


def _asks(word: str, sign: str, value: str) -> bool:
    """Whether it is about a `?`."""
    return value == "?" and word in ("atk", "def") and sign in ("=", "!=")


def test(asked: Condition, pool: Pool) -> Test:
    """Which monsters of a pool meet a condition; raises ConfigError where the pool cannot tell.

    A `?` meets none on ATK or DEF but `=?` and `!=`. Of a banlist the copies that it allows
    are compared.
    """
    word, plain = asked.word, folded(asked.value)
    if asked.sign == "~":
        return lambda monster: plain in folded(getattr(monster, word))
    compare = SIGNS[asked.sign]
    if word in WORDS:
        known = Names(sorted({getattr(m, word) for m in pool.monsters}))
        if known.find(asked.value) is None:
            raise ConfigError(
                f"no monster has the {word} {asked.value!r:.80} of the filter {asked.text!r:.80}"
                f"{known.hint(asked.value)} (cards: {pool.source})"
            )
        return lambda monster: compare(folded(getattr(monster, word)), plain)
    if word in BANLISTS:
        copies = pool.banlists.get(word)
        if copies is None:
            raise ConfigError(
                f"the cards ({pool.source}) tell no {word.upper()} banlist for the filter "
                f"{asked.text!r:.80}; `dragon small-world update` and dumps of the public data do"
            )
        return lambda monster: compare(copies.get(monster.id, MOST_COPIES), int(asked.value))
    field = "defence" if word == "def" else word
    about = _asks(word, asked.sign, asked.value)
    number = UNKNOWN if about else int(asked.value)

    def meets(monster: Monster) -> bool:
        held = getattr(monster, field)
        if held == UNKNOWN and word in ("atk", "def") and not about:
            return asked.sign == "!="
        return compare(held, number)

    return meets
