"""Decks read and checked: every mistake is reported at once, with its line and a remedy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

import yaml
from attrs import evolve

from dragon.config import read_text
from dragon.errors import ConfigError
from dragon_cards.decks import LINK
from dragon_cards.store import store
from dragon_hands.condition import KEYWORDS, clauses
from dragon_hands.deck import BLANK, SIZE, TIMINGS, Card, Deck, Requirement
from dragon_hands.effects import free_of
from dragon_hands.fields import LONGEST_NAME, Fields, hint
from dragon_hands.grammar import Wrong, parse
from dragon_hands.importing import imported, is_list
from dragon_hands.source import (
    LARGEST,
    Source,
    compose,
    is_nothing,
    kind_of,
    line_of,
    shortened,
    text_of,
)

TOP = ("deck", "conditions", "deckName", "size", "extra", "condition_timing")
CARD = ("qty", "tags", "free")
MOST_CARDS = 500
"""The most cards of a deck, and names in it; the rules of the game allow 60."""
MOST_CONDITIONS = 200
MOST_TAGS = 100


def load(given: str, more: Sequence[str] = ()) -> Deck:
    """Read the deck of a file, of stdin for `-`, or of a `ydke://` link; see `any_deck`."""
    if given.startswith(LINK):
        return any_deck(given, "the link", more)
    return any_deck(read_text(given, "a deck", LARGEST), "stdin" if given == "-" else given, more)


def any_deck(text: str, name: str = "deck", more: Sequence[str] = (), asks: bool = True) -> Deck:
    """Read a deck file in YAML, or a deck list, whose notes are among the warnings.

    more: conditions besides those of the file. asks: require at least one. Raise
    ConfigError with every mistake.
    """
    if not is_list(text):
        return parse_deck(text, name, more, asks)
    made = imported(text, store(), name)
    deck = parse_deck(made.text, name, more, asks=False)
    if asks and not deck.conditions:
        raise ConfigError(f"{name}: a deck list does not have conditions; {_suggestion(deck)}")
    line = re.compile(rf"^{re.escape(name)}:\d+: ")  # lines of the text made from the list
    said = (line.sub(lambda _: f"{name}: ", each) for each in deck.warnings)
    return evolve(deck, warnings=(*made.notes, *said))


def _suggestion(deck: Deck) -> str:
    """Return the remedy for a deck without conditions, with its own tags."""
    copies = Counter[str]()
    for card in deck.cards:
        copies.update(dict.fromkeys(card.tags, card.copies))
    tags = ", ".join(f"{tag} {n}" for tag, n in copies.most_common(12))
    return (
        "give --condition, with names of cards or tags"
        + (f" (tags, with their copies: {tags})" if tags else "")
        + ", or make a deck file of it by `dragon hands import`"
    )


def parse_deck(text: str, name: str = "deck", more: Sequence[str] = (), asks: bool = True) -> Deck:
    """Read the deck of a text in YAML; `name` stands before the line number of each mistake.

    more: conditions besides those of the text. asks: require at least one.
    """
    source = Source(name)
    top = Fields.of(compose(text, source), "the file", source)
    source.check()
    top.only(TOP)
    timing = top.word("condition_timing", TIMINGS, TIMINGS[0])
    cards = _cards(top, "deck", timing)
    extra = _cards(top, "extra", timing) if "extra" in top.found else ()
    size = top.whole("size", 0, MOST_CARDS, SIZE)
    title = text_of(top.found["deckName"][1]) if "deckName" in top.found else None
    deck = Deck(cards, _conditions(top, more, asks), size, extra, title or "", name)
    if deck.listed > MOST_CARDS:
        few = f"a deck has at most {MOST_CARDS} (the game's rules: 60)"
        top.wrong("deck", f"{deck.listed:,} cards; {few}")
    elif not deck.listed and not source.problems:
        top.wrong("deck", "0 cards; give at least one card a qty of 1 or more")
    if any(card.name == BLANK for card in deck.cards) and deck.blanks:
        top.wrong("deck", f"{BLANK!r} is the name of the blanks; give the card another name")
    _check_names(deck, source)
    source.check()
    _warn(deck, top.line("deck"), source)
    return evolve(deck, warnings=tuple(source.warnings))


def _cards(top: Fields, key: str, timing: str) -> tuple[Card, ...]:
    if key not in top.found:
        top.wrong(key, f"there is no {key!r}; list the cards under `{key}:`, each with its qty")
        return ()
    node = top.given(key)
    if node is None:
        top.wrong(key, f"{key} is empty; list at least one card with its qty")
        return ()
    listed = Fields.of(node, key, top.source).found
    if len(listed) > MOST_CARDS:
        top.wrong(key, f"{len(listed):,} names; a {key} has at most {MOST_CARDS}")
        return ()
    return tuple(_card(name, *listed[name], timing, top.source) for name in listed)


def _card(name: str, line: int, node: yaml.Node, timing: str, source: Source) -> Card:
    what = repr(shortened(name, 60))
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        source.wrong(line, f"{what} is not a name of a card; write up to {LONGEST_NAME} letters")
    if is_nothing(node):
        source.wrong(line, f"{what} needs qty; write `qty: 3` under it")
        return Card(name, 0, line=line)
    fields = Fields.of(node, what, source).only(CARD, ignored=True)
    fields.need(line, "`qty: 3` under it", "qty")
    copies = fields.whole("qty", 0, MOST_CARDS, 0)
    tags: list[str] = []
    listed = [*islice(fields.items("tags"), MOST_TAGS + 1)]
    if len(listed) > MOST_TAGS:
        fields.wrong("tags", f"{what}: a card has at most {MOST_TAGS} tags")
        listed = []
    for tag in listed:
        text = text_of(tag)
        if text is None or not text.strip() or len(text) > LONGEST_NAME:
            source.wrong(line_of(tag), f"{what}: a tag must be text, not {kind_of(tag)}")
        elif text not in tags:
            tags.append(text)
    effect = fields.given("free")
    free = free_of(name, fields.line("free"), effect, timing, source) if effect else None
    return Card(name, copies, tuple(tags), free, line)


def _conditions(top: Fields, more: Sequence[str], asks: bool) -> tuple[Requirement, ...]:
    nodes = list(top.items("conditions"))
    if "conditions" not in top.found and asks and not more:
        top.wrong("conditions", "there are no conditions; list at least one under `conditions:`")
        return ()
    if not (asks and not more) <= len(nodes) + len(more) <= MOST_CONDITIONS:
        few = f"list at least one, at most {MOST_CONDITIONS}"
        top.wrong("conditions", f"{len(nodes) + len(more):,} conditions; {few}")
        return ()
    texts = [(line_of(node), text_of(node), kind_of(node)) for node in nodes]
    texts += [(0, text, "text") for text in more]
    found: list[Requirement] = []
    for line, text, kind in texts:
        if text is None:
            top.source.wrong(line, f"a condition must be text, not {kind}")
            continue
        try:
            found.append(Requirement(parse(text), text, line))
        except Wrong as wrong:
            top.source.wrong(line, f"condition {shortened(text, 60)!r}, {wrong}")
    return tuple(found)


# ---- what the file says as a whole ---------------------------------------------------------------


def _check_names(deck: Deck, source: Source) -> None:
    """Note clauses and costs that name no card and no tag, if any card could be read."""
    for asked in deck.conditions if deck.cards else ():
        for clause in clauses(asked.condition):
            if clause.name in deck.names:
                continue
            called = f"no card and no tag is called {clause.name!r}"
            numbered = f"{called} (in '{clause.count}{clause.sign} {clause.name}')"
            bare = f"{clause.count} {clause.name}"
            if bare in deck.names:
                begins = f"the card {bare!r} begins with a number, write 1+ {bare}"
                source.wrong(asked.line, f"{numbered}; {begins}")
            elif any(word.upper() in KEYWORDS for word in clause.name.split()):
                source.wrong(asked.line, f"{numbered}; keywords are upper case: AND, OR, IN, NOT")
            else:
                said = hint(clause.name, deck.names) or "; give a card that name, or that tag"
                source.warn(asked.line, f"{numbered}, so it counts as zero{said}")
    for card in deck.cards:
        free = card.free
        for cost in (free.cost, free.condition) if free else ():
            for words, _ in cost.names if cost else ():
                for word in words:
                    if word not in deck.names:
                        source.warn(
                            card.line,
                            f"{card.name!r} takes {word!r}, which is not a card or a tag"
                            f"{hint(word, deck.names)}",
                        )


def _warn(deck: Deck, line: int, source: Source) -> None:
    """Note warnings about the whole deck; line: that on which the cards begin."""
    if deck.blanks:
        source.warn(line, f"{deck.listed} cards listed; {deck.blanks} blanks fill the deck up to "
                          f"{deck.size}")  # fmt: skip
    if deck.total < SIZE or deck.total > 60:
        source.warn(line, f"{deck.total} cards; the game's rules ask for 40 to 60")
    moved = any(card.free and card.copies for card in deck.cards)
    for asked in deck.conditions:
        for clause in clauses(asked.condition):
            if clause.name not in deck.names:
                continue
            zone = deck.extra if clause.zone == "Extra" else deck.main
            copies = sum(card.copies for card in zone if card.answers(clause.name))
            asks = clause.sign != "-" and clause.count > 0
            if asks and clause.zone in ("GY", "Banished") and not moved:
                source.warn(
                    asked.line, f"{str(clause)!r} never holds: no free card puts cards there"
                )
            elif asks and clause.count > copies:
                source.warn(asked.line, f"{str(clause)!r} never holds: there are only {copies}")
            elif clause.count == 0 and clause.sign == "+":
                source.warn(asked.line, f"{str(clause)!r} always holds")
