"""The effects of free cards in a deck file: `free` and the keys under it.

Effects that a deck file cannot express come from the card scripts of the simulator EDOPro
(ProjectIgnis/CardScripts, official/c<passcode>.lua), read card by card.
"""

from __future__ import annotations

from collections.abc import Sequence

import yaml

from dragon_hands.deck import CONDITIONS, COSTS, RESTRICTIONS, RESTS, TIMINGS, Cost, Free
from dragon_hands.fields import Fields
from dragon_hands.source import Source, items, kind_of, number_of, text_of, truth_of

FREE = ("count", "oncePerTurn", "cost", "condition", "restriction", "excavate", "condition_timing")
COST = ("type", "value")
EXCAVATE = ("count", "pick", "rest")
SHUFFLED = frozenset({"Pot of Duality"})
"""Cards whose excavated rest is shuffled into the deck; that of others goes to the bottom."""
LEAST_HAND = {"Into the Void": 3, "Into The Void": 3}
"""The least cards in the hand to play these, themselves included."""


def free_of(name: str, line: int, node: yaml.Node, timing: str, source: Source) -> Free:
    """Return the free card of a `free` block, and note every mistake in it."""
    fields = Fields.of(node, f"free of {name!r}", source).only(FREE)
    once = None
    if fields.need(line, "`oncePerTurn: true` or `false`", "oncePerTurn"):
        value = fields.found["oncePerTurn"][1]
        once = truth_of(value)
        if once is None:
            shown = kind_of(value)
            fields.wrong(
                "oncePerTurn", f"{fields.what}: oncePerTurn must be true or false, not {shown}"
            )
    looked, pick, rest = _excavate(name, fields)
    nodes = fields.items("restriction")
    restrictions = (fields.code("restriction", each, RESTRICTIONS) for each in nodes)
    return Free(
        count=fields.whole("count", 0, 60, 0),
        once=bool(once),
        cost=_cost(fields, "cost", COSTS),
        condition=_cost(fields, "condition", CONDITIONS),
        timing=fields.word("condition_timing", TIMINGS, timing),
        restrictions=tuple(dict.fromkeys(filter(None, restrictions))),
        excavate=looked,
        pick=pick,
        rest=rest,
        least_hand=LEAST_HAND.get(name, 1),
    )


def _excavate(name: str, outer: Fields) -> tuple[int, int, str]:
    usual = "shuffle" if name in SHUFFLED else "bottom"
    node = outer.given("excavate")
    if node is None:
        return 0, 0, usual
    fields = Fields.of(node, f"excavate of {name!r}", outer.source).only(EXCAVATE)
    fields.need(outer.line("excavate"), "`count: 3` and `pick: 1`", "count", "pick")
    looked, pick = fields.whole("count", 1, 60, 1), fields.whole("pick", 0, 60, 0)
    if pick > looked:
        fields.wrong("pick", f"{fields.what}: picks {pick} of {looked}; pick no more than count")
    return looked, pick, fields.word("rest", RESTS, usual)


def _cost(outer: Fields, key: str, kinds: Sequence[str]) -> Cost | None:
    """Read a cost or a condition: a type, by name or code, and a value."""
    node = outer.given(key)
    if node is None:
        return None
    fields = Fields.of(node, f"{key} of {outer.what}", outer.source).only(COST)
    if not fields.need(outer.line(key), f"`type: {kinds[0]}` and `value: 1`", *COST):
        return None
    kind, value = fields.code("type", fields.found["type"][1], kinds), fields.found["value"][1]
    number, names = number_of(value), _names(value)
    if kind is None:
        return None
    if number is not None:
        if kind == "PayLife" or 0 <= number <= 60:
            return Cost(kind, number)
        said = f"{number} cards; write a number from 0 to 60"
    elif names is None or kind == "PayLife":
        said = f"the value must be a whole number, not {kind_of(value)}"
    elif kind == "BanishFromDeck":
        said = "BanishFromDeck takes cards from the top; write how many"
    else:
        return Cost(kind, names=names)
    fields.wrong("value", f"{fields.what}: {said}")
    return None


def _names(node: yaml.Node) -> tuple[tuple[tuple[str, ...], int], ...] | None:
    """Read `Name` or `[One, Other]`, one card of any of these, or `{Name: 2}`; else None."""
    if isinstance(node, yaml.MappingNode):
        pairs = [(text_of(key), number_of(value)) for key, value in node.value]
        if not 1 <= len(pairs) <= 5 or any(k is None or not 0 < (v or 0) <= 60 for k, v in pairs):
            return None
        return tuple(((str(k),), int(v or 0)) for k, v in pairs)
    words = [text_of(each) for each in items(node)]
    if not words or None in words or str(node.tag).endswith((":float", ":bool")):
        return None
    return ((tuple(map(str, words)), 1),)
