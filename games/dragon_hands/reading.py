"""Deck files read and checked: every mistake is told at once, with its line and a remedy."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from attrs import evolve

from dragon_hands.checking import MOST_CARDS, check_deck, check_names, warn
from dragon_hands.effects import free_of
from dragon_hands.fields import LONGEST_NAME, Found, unknown_keys, whole, word_of
from dragon_hands.grammar import Wrong, parse
from dragon_hands.source import (
    Source,
    compose,
    entries,
    is_nothing,
    items,
    kind_of,
    line_of,
    read,
    text_of,
)
from dragon_hands.spec import SIZE, TIMINGS, Asked, Card, Spec

if TYPE_CHECKING:
    import yaml

TOP = ("deck", "conditions", "deckName", "size", "extra", "condition_timing")
CARD = ("qty", "tags", "free")
MOST_CONDITIONS = 200
MOST_TAGS = 100


def load(file: str) -> Spec:
    """The deck of a file, or of stdin for `-`; raises ConfigError with every mistake."""
    return parse_spec(read(file), "stdin" if file == "-" else file)


def parse_spec(text: str, name: str = "deck") -> Spec:
    """The deck of a text in YAML; `name` stands before the line number of each mistake."""
    source = Source(name)
    root = compose(text, source)
    top = entries(root, "the file", source)
    source.check()
    unknown_keys(top, TOP, "the file", source)
    timing = word_of(top, "condition_timing", TIMINGS, TIMINGS[0], source)
    cards = _cards(top, "deck", timing, source)
    extra = _cards(top, "extra", timing, source) if "extra" in top else ()
    size = whole(top, "size", 0, MOST_CARDS, SIZE, "the file", source)
    asked = _conditions(top, source)
    title = text_of(top["deckName"][1]) if "deckName" in top else None
    spec = Spec(cards, asked, size, extra, title or "", name)
    check_deck(spec, top, source)
    check_names(spec, source)
    source.check()
    warn(spec, top, source)
    return evolve(spec, warnings=tuple(source.warnings))


def _cards(top: Found, key: str, timing: str, source: Source) -> tuple[Card, ...]:
    if key not in top:
        source.wrong(1, f"there is no {key!r}; list the cards under `{key}:`, each with its qty")
        return ()
    line, node = top[key]
    if is_nothing(node):
        source.wrong(line, f"{key} is empty; list at least one card with its qty")
        return ()
    listed = entries(node, key, source)
    if len(listed) > MOST_CARDS:
        source.wrong(line, f"{len(listed):,} names; a {key} has at most {MOST_CARDS}")
        return ()
    return tuple(_card(name, at, value, timing, source) for name, (at, value) in listed.items())


def _card(name: str, line: int, node: yaml.Node, timing: str, source: Source) -> Card:
    what = repr(name if len(name) <= 60 else f"{name[:60]}...")
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        source.wrong(line, f"{what} is no name of a card; write up to {LONGEST_NAME} letters")
    if is_nothing(node):
        source.wrong(line, f"{what} has no qty; write `qty: 3` under it")
        return Card(name, 0, line=line)
    found = entries(node, what, source)
    unknown_keys(found, CARD, what, source)
    if "qty" not in found and found:
        source.wrong(line, f"{what} has no qty; write `qty: 3` under it")
    qty = whole(found, "qty", 0, MOST_CARDS, 0, what, source)
    tags: list[str] = []
    listed = [*islice(items(found["tags"][1]), MOST_TAGS + 1)] if "tags" in found else []
    if len(listed) > MOST_TAGS:
        source.wrong(found["tags"][0], f"{what}: a card has at most {MOST_TAGS} tags")
        listed = []
    for tag in listed:
        text = text_of(tag)
        if text is None or not text.strip() or len(text) > LONGEST_NAME:
            source.wrong(line_of(tag), f"{what}: a tag must be text, not {kind_of(tag)}")
        elif text not in tags:
            tags.append(text)
    free = None
    if "free" in found and not is_nothing(found["free"][1]):
        free = free_of(name, *found["free"], timing, source)
    return Card(name, qty, tuple(tags), free, line)


def _conditions(top: Found, source: Source) -> tuple[Asked, ...]:
    if "conditions" not in top:
        source.wrong(1, "there are no conditions; list at least one under `conditions:`")
        return ()
    line, node = top["conditions"]
    found: list[Asked] = []
    if not list(items(node)) or len(list(items(node))) > MOST_CONDITIONS:
        number = len(list(items(node)))
        source.wrong(line, f"{number:,} conditions; list at least one, at most {MOST_CONDITIONS}")
        return ()
    for each in items(node):
        text = text_of(each)
        if text is None:
            source.wrong(line_of(each), f"a condition must be text, not {kind_of(each)}")
            continue
        try:
            found.append(Asked(parse(text), text, line_of(each)))
        except Wrong as wrong:
            shown = text if len(text) <= 60 else f"{text[:60]}..."
            source.wrong(line_of(each), f"condition {shown!r}, {wrong}")
    return tuple(found)
