"""What a deck file says that free cards do: `free` and all that stands under it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dragon_hands.fields import Found, coded, unknown_keys, whole, word_of
from dragon_hands.known import LEAST_HAND, SHUFFLED
from dragon_hands.source import (
    Source,
    entries,
    is_nothing,
    items,
    kind_of,
    number_of,
    text_of,
    truth_of,
)
from dragon_hands.spec import CONDITIONS, COSTS, RESTRICTIONS, RESTS, TIMINGS, Free, Toll

if TYPE_CHECKING:
    import yaml

FREE = ("count", "oncePerTurn", "cost", "condition", "restriction", "excavate", "condition_timing")
TOLL = ("type", "value")
EXCAVATE = ("count", "pick", "rest")


def free_of(name: str, line: int, node: yaml.Node, timing: str, source: Source) -> Free:
    """The free card of a `free` block, with every mistake in it noted."""
    what = f"free of {name!r}"
    found = entries(node, what, source)
    unknown_keys(found, FREE, what, source)
    once = None
    if "oncePerTurn" in found:
        at, value = found["oncePerTurn"]
        once = truth_of(value)
        if once is None:
            source.wrong(at, f"{what}: oncePerTurn must be true or false, not {kind_of(value)}")
    elif found:
        source.wrong(line, f"{what} has no oncePerTurn; write `oncePerTurn: true` or `false`")
    looked, pick, rest = _excavate(name, found, source)
    return Free(
        count=whole(found, "count", 0, 60, 0, what, source),
        once=bool(once),
        cost=_toll(found, "cost", COSTS, what, source),
        condition=_toll(found, "condition", CONDITIONS, what, source),
        timing=word_of(found, "condition_timing", TIMINGS, timing, source),
        restrictions=_restrictions(found, what, source),
        excavate=looked,
        pick=pick,
        rest=rest,
        least_hand=LEAST_HAND.get(name, 1),
    )


def _excavate(name: str, found: Found, source: Source) -> tuple[int, int, str]:
    usual = "shuffle" if name in SHUFFLED else "bottom"
    if "excavate" not in found or is_nothing(found["excavate"][1]):
        return 0, 0, usual
    line, node = found["excavate"]
    what = f"excavate of {name!r}"
    inner = entries(node, what, source)
    unknown_keys(inner, EXCAVATE, what, source)
    for key in ("count", "pick"):
        if key not in inner and inner:
            source.wrong(line, f"{what} has no {key}; write `count: 3` and `pick: 1`")
    looked = whole(inner, "count", 1, 60, 1, what, source)
    pick = whole(inner, "pick", 0, 60, 0, what, source)
    if pick > looked:
        source.wrong(inner["pick"][0], f"{what}: picks {pick} of {looked}; pick no more than count")
    return looked, pick, word_of(inner, "rest", RESTS, usual, source)


def _toll(
    found: Found,
    key: str,
    kinds: Sequence[str],
    what: str,
    source: Source,
) -> Toll | None:
    """A cost or a condition: a type, by name or code, and a value."""
    if key not in found or is_nothing(found[key][1]):
        return None
    line, node = found[key]
    where = f"{key} of {what}"
    inner = entries(node, where, source)
    unknown_keys(inner, TOLL, where, source)
    for part in TOLL:
        if part not in inner and inner:
            source.wrong(line, f"{where} has no {part}; write `type: {kinds[0]}` and `value: 1`")
    if not all(part in inner for part in TOLL):
        return None
    kind = coded(inner["type"][1], kinds, f"type of {where}", source)
    at, value = inner["value"]
    number = number_of(value)
    if kind is None:
        return None
    if number is not None:
        if kind != "PayLife" and not 0 <= number <= 60:
            source.wrong(at, f"{where}: {number} cards; write a number from 0 to 60")
        return Toll(kind, number)
    names = _names(value)
    if names is None or kind == "PayLife":
        source.wrong(at, f"{where}: the value must be a whole number, not {kind_of(value)}")
    elif kind == "BanishFromDeck":
        source.wrong(at, f"{where}: BanishFromDeck takes cards from the top; write how many")
    else:
        return Toll(kind, names=names)
    return None


def _names(node: yaml.Node) -> tuple[tuple[tuple[str, ...], int], ...] | None:
    """`Name`, or `[One, Other]`: one card of any of these; `{Name: 2}`: two. None if neither."""
    import yaml

    if isinstance(node, yaml.MappingNode):
        pairs = [(text_of(key), number_of(value)) for key, value in node.value]
        if (
            not pairs
            or len(pairs) > 5
            or any(k is None or not v or v < 0 or v > 60 for k, v in pairs)
        ):
            return None
        return tuple(((str(k),), int(v or 0)) for k, v in pairs)
    words = [text_of(each) for each in items(node)]
    if not words or None in words or str(node.tag).endswith((":float", ":bool")):
        return None
    return ((tuple(map(str, words)), 1),)


def _restrictions(found: Found, what: str, source: Source) -> tuple[str, ...]:
    given = items(found["restriction"][1]) if "restriction" in found else ()
    read_off = (coded(node, RESTRICTIONS, f"restriction of {what}", source) for node in given)
    return tuple(dict.fromkeys(word for word in read_off if word is not None))
