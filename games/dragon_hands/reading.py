"""Deck files read and checked: every mistake is reported at once, with its line and a remedy.

The YAML of a deck file becomes tables that know their lines (`dragon_cards.source`), and each table
a value by `dragon.config.build`; of the values a `Deck` is made, and checked as a whole.

Effects of free cards that a deck file cannot express come from the card scripts of the simulator
EDOPro (ProjectIgnis/CardScripts, official/c<passcode>.lua), read card by card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from attrs import evolve, field, fields_dict, frozen, resolve_types, validators

from dragon.config import LinedTable, build, shown, unknown_setting
from dragon.errors import ConfigError, quoted
from dragon_cards.names import Names
from dragon_cards.source import Mistakes, Text, listed, tables
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
    hint,
)
from dragon_hands.grammar import Wrong, parse

T = TypeVar("T")

REMEDY = "; give a card that name, or that tag"

LONGEST_NAME = 200
"""The most letters of a card's name, or of a tag."""
MOST_CARDS = 500
"""The most cards of a deck, and names in it; the rules of the game allow 60."""
MOST_CONDITIONS = 200
MOST_TAGS = 100


# ---- the keys of a deck file -------------------------------------------------------------------
# Without eq and repr, which nothing uses, these classes are made in less than half the time.


def _from_to(least: int, most: int) -> list[Any]:
    return [validators.ge(least), validators.le(most)]


def _code(given: Any, known: Sequence[str]) -> str | None:
    """Return a known name, given as itself or by its number; else None."""
    word = str(given)
    if word.isdecimal() and int(word) < len(known):
        return known[int(word)]
    return word if word in known else None


def _codes(known: Sequence[str]) -> Any:
    """Return a validator for one or several known names or their numbers."""

    def check(instance: Any, attribute: Any, value: Any) -> None:
        for each in listed(value):
            if _code(each, known) is None:
                codes = ", ".join(f"{name} or {code}" for code, name in enumerate(known))
                meant = hint(each, known) if isinstance(each, str) else ""
                raise ValueError(f"{shown(each)} is not one of {codes}{meant}")

    return check


def _is_payment(cost: _Cost, attribute: Any, value: Any) -> None:
    kind = cost.kind
    if type(value) is int:
        if kind != "PayLife" and not 0 <= value <= 60:
            raise ValueError(f"{value} cards; write a number from 0 to 60")
    elif kind == "PayLife" or _names(value) is None:
        raise ValueError(f"value must be a whole number, not {shown(value)}")
    elif kind == "BanishFromDeck":
        raise ValueError("BanishFromDeck takes cards from the top; write how many")


def _names(value: Any) -> tuple[tuple[tuple[str, ...], int], ...] | None:
    """Read `Name` or `[One, Other]`, one card of any of these, or `{Name: 2}`; else None."""
    if isinstance(value, Mapping):
        numbers = [n for n in value.values() if type(n) is int and 0 < n <= 60]
        if not 1 <= len(value) <= 5 or len(numbers) < len(value):
            return None
        return tuple(((name,), n) for name, n in value.items())
    words = listed(value)
    if not words or not all(isinstance(word, str) for word in words):
        return None
    return ((tuple(map(str, words)), 1),)


@frozen(eq=False, repr=False)
class _Cost:
    """The keys of a cost."""

    kinds: ClassVar[Sequence[str]] = COSTS
    value: Any = field(validator=_is_payment, metadata={"example": "`value: 1`"})
    type: Any = field(validator=_codes(COSTS), metadata={"example": "`type: Discard`"})

    @property
    def kind(self) -> str:
        """The name of the kind; empty for a code that is wrong."""
        return _code(self.type, self.kinds) or ""

    def made(self) -> Cost:
        """Return the cost."""
        if type(self.value) is int:
            return Cost(self.kind, self.value)
        return Cost(self.kind, names=_names(self.value) or ())


@frozen(eq=False, repr=False)
class _Condition(_Cost):
    """The keys of a free card's condition: a cost of fewer kinds."""

    kinds: ClassVar[Sequence[str]] = CONDITIONS
    type: Any = field(validator=_codes(CONDITIONS), metadata={"example": "`type: Discard`"})


def _is_among(dug: _Excavate, attribute: Any, value: int) -> None:
    if value > dug.count:
        raise ValueError(f"picks {value} of {dug.count}; pick no more than count")


@frozen(eq=False, repr=False)
class _Excavate:
    """The keys of an excavation."""

    count: int = field(validator=_from_to(1, 60), metadata={"example": "`count: 3`"})
    pick: int = field(validator=[*_from_to(0, 60), _is_among], metadata={"example": "`pick: 1`"})
    rest: str | None = field(default=None, validator=validators.optional(validators.in_(RESTS)))


SHUFFLED = frozenset({"Pot of Duality"})
"""Cards whose excavated rest is shuffled into the deck; otherwise it goes to the bottom."""
LEAST_HAND = {"Into the Void": 3, "Into The Void": 3}
"""The least cards in the hand to play these, themselves included."""


@frozen(eq=False, repr=False)
class _Free:
    """The keys of a free card's effect."""

    once: bool = field(alias="oncePerTurn", metadata={"example": "`oncePerTurn: true` or `false`"})
    count: int = field(default=0, validator=_from_to(0, 60))
    cost: _Cost | None = None
    condition: _Condition | None = None
    restriction: Any = field(default=None, validator=_codes(RESTRICTIONS))
    excavate: _Excavate | None = None
    condition_timing: str | None = field(
        default=None, validator=validators.optional(validators.in_(TIMINGS))
    )

    def made(self, name: str, timing: str) -> Free:
        """Return the effect of the card of that name, at a file's usual time of conditions."""
        dug = self.excavate
        restrictions = [_code(each, RESTRICTIONS) for each in listed(self.restriction)]
        return Free(
            count=self.count,
            once=self.once,
            cost=self.cost.made() if self.cost else None,
            condition=self.condition.made() if self.condition else None,
            timing=self.condition_timing or timing,
            restrictions=tuple(dict.fromkeys(filter(None, restrictions))),
            excavate=dug.count if dug else 0,
            pick=dug.pick if dug else 0,
            rest=(dug and dug.rest) or ("shuffle" if name in SHUFFLED else "bottom"),
            least_hand=LEAST_HAND.get(name, 1),
        )


def _are_tags(card: _Card, attribute: Any, value: Any) -> None:
    for each in listed(value):
        if not isinstance(each, Text) or not each.strip() or len(each) > LONGEST_NAME:
            said = f"a tag must be text of up to {LONGEST_NAME} letters, not {shown(each)}"
            raise ValueError(said)
    if len(listed(value)) > MOST_TAGS:
        raise ValueError(f"a card has at most {MOST_TAGS} tags")


@frozen(eq=False, repr=False)
class _Card:
    """The keys under the name of a card."""

    qty: int = field(validator=_from_to(0, MOST_CARDS), metadata={"example": "`qty: 3`"})
    tags: Any = field(default=None, validator=_are_tags)
    free: _Free | None = None


@frozen(eq=False, repr=False)
class _File:
    """The keys of a deck file."""

    deck: Any = field(metadata={"example": "the cards under `deck:`, each with its qty"})
    conditions: Any = None
    title: Any = field(default=None, alias="deckName")
    size: int = field(default=SIZE, validator=_from_to(0, MOST_CARDS))
    hand: int | None = field(default=None, validator=validators.optional(_from_to(1, MOST_CARDS)))
    extra: Any = None
    side: Any = None
    condition_timing: str = field(default=TIMINGS[0], validator=validators.in_(TIMINGS))


for each in (_Cost, _Condition, _Excavate, _Free, _Card, _File):
    resolve_types(each)


# ---- a deck file -------------------------------------------------------------------------------


def parse_deck(
    text: str, file: str = "deck", more: Sequence[str] = (), asks: bool = True,
    size: int | None = None, strict: bool = True,
) -> Deck:  # fmt: skip
    """Read the deck of a text in YAML; `file` is the name before each mistake.

    more: conditions besides those of the text. asks: require at least one. size: another one than
    that of the text. strict: refuse conditions on names that nothing has.
    """
    mistakes = Mistakes(file)
    settings = tables(text, file, mistakes.wrong)
    keys = _built(_File, settings, "", mistakes) or _File(None)
    cards = _cards("deck", settings, keys.condition_timing, mistakes)
    extra = _cards("extra", settings, keys.condition_timing, mistakes)
    conditions = _conditions(settings, more, asks, mistakes)
    title = keys.title if isinstance(keys.title, Text) else ""
    _cards("side", settings, keys.condition_timing, mistakes)
    total = keys.size if size is None else size
    deck = Deck(cards, (), total, extra, str(title), file, hand=keys.hand).asking(conditions)
    line = settings.lines.get("deck", 1)
    if size is not None and size < deck.listed:
        mistakes.wrong(
            line, f"size {size}, but {deck.listed} cards are listed; give as many or more"
        )
    if deck.listed > MOST_CARDS:
        few = f"a deck has at most {MOST_CARDS} (the game's rules: 60)"
        mistakes.wrong(line, f"{deck.listed:,} cards; {few}")
    elif not deck.listed and not mistakes.problems:
        mistakes.wrong(line, "0 cards; give at least one card a qty of 1 or more")
    if any(card.name == BLANK for card in deck.cards) and deck.blanks:
        mistakes.wrong(line, f"{BLANK!r} is the name of the blanks; give the card another name")
    _check_names(deck, mistakes, strict and not mistakes.problems)
    mistakes.check()
    if deck.blanks and size is None and "size" not in settings:
        mistakes.warn(line, f"{deck.listed} cards listed; {deck.blanks} blanks fill the deck up to "
                          f"{deck.size}")  # fmt: skip
    _warn(deck, line, mistakes)
    return evolve(deck, warnings=tuple(mistakes.warnings))


def _built(cls: type[T], settings: LinedTable, address: str, mistakes: Mistakes) -> T | None:
    """Return the value of a table, or None, with all that is wrong with it noted."""
    try:
        return build(cls, settings, address)
    except ConfigError as wrong:
        mistakes.add(*wrong.problems)
        return None


def _cards(key: str, settings: LinedTable, timing: str, mistakes: Mistakes) -> tuple[Card, ...]:
    """Return the cards that are listed under a key; timing: that of conditions, if not given."""
    if key not in settings:
        return ()
    table, line = settings[key], settings.lines[key]
    if not isinstance(table, LinedTable):
        said = f"{key} must be a table of keys, not {shown(table)}; list cards, each with its qty"
        mistakes.wrong(line, said)
    elif len(table) > MOST_CARDS:
        mistakes.wrong(line, f"{len(table):,} names; a {key} has at most {MOST_CARDS}")
    else:
        return tuple(_card(name, key, table, timing, mistakes) for name in table)
    return ()


def _card(name: str, key: str, cards: LinedTable, timing: str, mistakes: Mistakes) -> Card:
    line, address = cards.lines[name], f"{key}.{name[:60]}"
    table = LinedTable(cards.file, line) if cards[name] is None else cards[name]
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        said = f"{quoted(name)} is not a name of a card; write up to {LONGEST_NAME} letters"
        mistakes.wrong(line, said)
    if not isinstance(table, LinedTable):
        mistakes.wrong(line, f"must be a table of keys, not {shown(table)} @ {address}")
        return Card(name, 0, line=line)
    known = LinedTable(table.file, table.line)
    known.lines = table.lines
    for setting, value in table.items():
        if setting in fields_dict(_Card):
            known[setting] = value
        else:
            said = f"{unknown_setting(_Card, setting)}; it is ignored @ {address}"
            mistakes.warn(table.lines[setting], said)
    keys = _built(_Card, known, address, mistakes)
    if keys is None:
        return Card(name, 0, line=line)
    tags = tuple(dict.fromkeys(map(str, listed(keys.tags))))
    free = keys.free.made(name, timing) if keys.free else None
    return Card(name, keys.qty, tags, free, line)


def _conditions(
    settings: LinedTable, more: Sequence[str], asks: bool, mistakes: Mistakes
) -> tuple[Requirement, ...]:
    given, line = listed(settings.get("conditions")), settings.lines.get("conditions", 1)
    number = len(given) + len(more)
    if asks and not number:
        mistakes.wrong(line, "there are no conditions; list at least one under `conditions:`")
    elif number > MOST_CONDITIONS:
        mistakes.wrong(line, f"{number:,} conditions; list at most {MOST_CONDITIONS}")
        return ()
    for text in given:
        if not isinstance(text, Text):
            mistakes.wrong(line, f"a condition must be text, not {shown(text)}")
    return _parsed(
        [*(text for text in given if isinstance(text, Text)), *map(Text, more)], mistakes
    )


def _parsed(texts: Sequence[Text], mistakes: Mistakes) -> tuple[Requirement, ...]:
    found: list[Requirement] = []
    for text in texts:
        try:
            found.append(Requirement(parse(text), str(text), text.line))
        except Wrong as wrong:
            mistakes.wrong(text.line, f"condition {quoted(text)}, {wrong}")
    return tuple(found)


def asking(deck: Deck, texts: Sequence[str]) -> Deck:
    """Return a deck with these conditions; raise ConfigError with all mistakes in them."""
    mistakes = Mistakes(deck.file)
    deck = deck.asking(_parsed([*map(Text, texts)], mistakes))
    _check_names(deck, mistakes)
    mistakes.check()
    return evolve(deck, warnings=(*deck.warnings, *mistakes.warnings))


# ---- what the file says as a whole ---------------------------------------------------------------


def _check_names(deck: Deck, mistakes: Mistakes, strict: bool = True) -> None:
    """Note clauses that name no card and no tag, if any card could be read, and costs that do so.

    A name that no card of the store has either is a mistake if strict, else a warning.
    """
    for asked in deck.conditions if deck.cards else ():
        for clause in clauses(asked.condition):
            if clause.name in deck.names:
                continue
            numbered = f"{clause.name!r} (in '{clause.count}{clause.sign} {clause.name}')"
            bare = f"{clause.count} {clause.name}"
            called = f"no card and no tag is called {numbered}"
            said = hint(clause.name, deck.names)
            if bare in deck.names:
                begins = f"the card {bare!r} begins with a number, write 1+ {bare}"
                mistakes.wrong(asked.line, f"{called}; {begins}")
            elif _is_word(clause.name):
                zero = f"no card of the deck is or has {numbered}, so it counts as zero"
                mistakes.warn(asked.line, f"{zero}{said or REMEDY}")
            elif any(word.upper() in KEYWORDS for word in clause.name.split()):
                mistakes.wrong(asked.line, f"{called}; keywords are upper case: AND, OR, IN, NOT")
            elif strict:
                said = said or Names(sorted(store().words)).match(clause.name).hint or REMEDY
                mistakes.wrong(asked.line, f"{called}{said} (cards: {store()})")
            else:
                mistakes.warn(asked.line, f"{called}, so it counts as zero{said or REMEDY}")
    for card in deck.cards:
        free = card.free
        for cost in (free.cost, free.condition) if free else ():
            for words, _ in cost.names if cost else ():
                for word in words:
                    if word not in deck.names:
                        mistakes.warn(
                            card.line,
                            f"{card.name!r} takes {word!r}, which is not a card or a tag"
                            f"{hint(word, deck.names)}",
                        )


def _is_word(name: str) -> bool:
    """Return True for the name or a tag of a card that is known, in any case."""
    return name in store().words or name.casefold() in map(str.casefold, store().words)


def _is_of_yugioh(cards: Sequence[Card]) -> bool:
    """Return True if a quarter of the cards are known, and none has more than three copies.

    Single names are in other games too, such as Mountain.
    """
    known = sum(store().names.literal(card.name) is not None for card in cards)
    return 0 < len(cards) <= 4 * known and all(card.copies <= 3 for card in cards)


def _warn(deck: Deck, line: int, mistakes: Mistakes) -> None:
    """Note warnings about the whole deck; line: that on which the cards begin."""
    if not SIZE <= deck.total <= 60 and _is_of_yugioh(deck.cards):
        mistakes.warn(line, f"{deck.total} cards; a deck of Yu-Gi-Oh! has 40 to 60")
    moved = any(card.free and card.copies for card in deck.cards)
    for asked in deck.conditions:
        for clause in clauses(asked.condition):
            if clause.name not in deck.names:
                continue
            zone = deck.extra if clause.zone == "Extra" else deck.main
            copies = sum(card.copies for card in zone if card.answers(clause.name))
            asks = clause.sign != "-" and clause.count > 0
            if asks and clause.zone in ("GY", "Banished") and not moved:
                mistakes.warn(
                    asked.line, f"{str(clause)!r} never holds: no free card puts cards there"
                )
            elif asks and clause.count > copies:
                mistakes.warn(asked.line, f"{str(clause)!r} never holds: there are only {copies}")
            elif clause.count == 0 and clause.sign == "+":
                mistakes.warn(asked.line, f"{str(clause)!r} always holds")
