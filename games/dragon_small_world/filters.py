"""Conditions on monsters as people write them: `level<=4`, `type=Cyberse`, `name~dragon`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from dragon.errors import ConfigError
from dragon_small_world.monsters import UNKNOWN
from dragon_small_world.names import folded

if TYPE_CHECKING:
    from dragon_small_world.links import Bools
    from dragon_small_world.monsters import Monster, Pool

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "<=": le, ">=": ge, "!=": ne, "=": eq, "<": lt, ">": gt,
}  # fmt: skip
WHOLE, WORDS = ("id", "level", "atk", "def"), ("name", "type", "attribute")
_WRITTEN = re.compile(r"\s*(\w+)\s*(<=|>=|!=|=|<|>|~)\s*(.+?)\s*")


def allowed(pool: Pool, filters: Sequence[str]) -> Bools:
    """bool[pool]: the monsters that meet all the conditions; raises ConfigError."""
    import numpy as np

    tests = [condition(text) for text in filters]
    return np.array([all(test(m) for test in tests) for m in pool.monsters], bool)


def condition(text: str) -> Callable[[Monster], bool]:
    """What a condition asks of a monster. A `?` meets none on ATK or DEF but `=?` and `!=`."""
    written = _WRITTEN.fullmatch(text)
    if written is None:
        raise ConfigError(
            f"cannot read the filter {text!r}; write level<=4, type=Cyberse, name~dragon"
        )
    word, sign, value = written[1].lower(), written[2], written[3]
    if word not in WHOLE + WORDS:
        close = get_close_matches(word, WHOLE + WORDS, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise ConfigError(
            f"no property {word!r} in the filter {text!r}{hint} ({', '.join(WHOLE + WORDS)})"
        )
    return (
        _on_words(text, word, sign, value)
        if word in WORDS
        else _on_numbers(text, word, sign, value)
    )


def _on_words(text: str, word: str, sign: str, value: str) -> Callable[[Monster], bool]:
    plain = folded(value)
    if sign not in ("=", "!=", "~"):
        raise ConfigError(f"{word} has no order in the filter {text!r}; write {word}=, != or ~")
    if sign == "~":
        return lambda monster: plain in folded(getattr(monster, word))
    return lambda monster: (folded(getattr(monster, word)) == plain) == (sign == "=")


def _on_numbers(text: str, word: str, sign: str, value: str) -> Callable[[Monster], bool]:
    field = "defence" if word == "def" else word
    asked = value == "?" and word in ("atk", "def") and sign in ("=", "!=")
    if sign == "~" or not (asked or (value.isdecimal() and len(value) < 12)):
        raise ConfigError(f"{word} is a number in the filter {text!r}; write {word}<=4 or {word}=4")
    number, compare = UNKNOWN if asked else int(value), SIGNS[sign]

    def test(monster: Monster) -> bool:
        held = getattr(monster, field)
        if held == UNKNOWN and word in ("atk", "def") and not asked:
            return sign == "!="
        return compare(held, number)

    return test
