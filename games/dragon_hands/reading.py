"""Decks read and checked: every mistake is reported at once, with its line and a remedy.

Effects of free cards that a deck file cannot express come from the card scripts of the simulator
EDOPro (ProjectIgnis/CardScripts, official/c<passcode>.lua), read card by card.
"""

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
from dragon_hands.deck import (
    BLANK,
    CONDITIONS,
    COSTS,
    KEYWORDS,
    RESTRICTIONS,
    RESTS,
    SIZE,
    TIMINGS,
    Card,
    Cost,
    Deck,
    Free,
    Requirement,
    clauses,
)
from dragon_hands.grammar import Wrong, parse
from dragon_hands.importing import imported, is_list
from dragon_hands.source import (
    LARGEST,
    LONGEST_NAME,
    Fields,
    Source,
    compose,
    hint,
    is_nothing,
    items,
    kind_of,
    line_of,
    number_of,
    shortened,
    text_of,
    truth_of,
)

TOP = ("deck", "conditions", "deckName", "size", "extra", "condition_timing")
CARD = ("qty", "tags", "free")
MOST_CARDS = 500
"""The most cards of a deck, and names in it; the rules of the game allow 60."""
MOST_CONDITIONS = 200
MOST_TAGS = 100


def load(spec: str, more: Sequence[str] = ()) -> Deck:
    """Read the deck of a file, of stdin for `-`, or of a `ydke://` link; see `any_deck`."""
    if spec.startswith(LINK):
        return any_deck(spec, "the link", more)
    return any_deck(read_text(spec, "a deck", LARGEST), "stdin" if spec == "-" else spec, more)


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
