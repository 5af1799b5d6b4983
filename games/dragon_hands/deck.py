"""A deck file as values: cards with their free effects, and the conditions asked of a hand.

A clause asks for copies of a name in a zone; AND, OR and NOT join clauses.

>>> str(And((Or((Clause("Alpha"), Clause("Beta"))), Clause("Dragon", 2, "+"))))
'(Alpha OR Beta) AND 2+ Dragon'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

from attrs import evolve, field, frozen, validators

from dragon.errors import ConfigError, closest
from dragon_cards.names import BLANKS, Names, unaccented

ZONES = ("Hand", "Deck", "GY", "Banished", "Extra", "Prizes")
"""The places where cards can be."""
KEYWORDS = ("AND", "OR", "IN", "NOT")
ILLEGAL = "@#$%^*()[]{}<>/\\|+="
"""The characters that a name without quotation marks cannot contain."""


@frozen
class Clause:
    """At least (`+`), at most (`-`) or exactly (no sign) `count` cards of a name in a zone."""

    name: str
    """The name of a card, or of a tag that cards carry."""
    count: int = field(default=1, validator=validators.ge(0))
    sign: str = field(default="+", validator=validators.in_(("+", "-", "")))
    zone: str = field(default="Hand", validator=validators.in_(ZONES))

    def __str__(self) -> str:
        name = quoted(self.name) if needs_quotes(self.name) else self.name
        plain = (self.count, self.sign) == (1, "+") and not self.name[:1].isdigit()
        quantity = "" if plain else f"{self.count}{self.sign} "
        return f"{quantity}{name}{'' if self.zone == 'Hand' else f' IN {self.zone}'}"


@frozen
class _Joined:
    parts: tuple[Condition, ...]

    def __str__(self) -> str:
        return f" {type(self).__name__.upper()} ".join(map(_within, self.parts))


@frozen
class And(_Joined):
    """All of the parts; under `distinct` sharing each with cards of its own."""


@frozen
class Or(_Joined):
    """One of the parts, or more."""


@frozen
class Not:
    """The negation of a part, which is tested by itself and needs no cards."""

    part: Condition

    def __str__(self) -> str:
        return f"NOT {_within(self.part)}"


Condition: TypeAlias = Clause | And | Or | Not


def _within(part: Condition) -> str:
    """Return the text of a part among others, in brackets if it needs them."""
    return f"({part})" if isinstance(part, And | Or) else str(part)


def joined(kind: type[And] | type[Or], left: Condition, right: Condition) -> Condition:
    """Return `left AND right` or `left OR right`, as one list if left is of the same kind."""
    head = left.parts if isinstance(left, kind) else (left,)
    return kind((*head, right))


def clauses(condition: Condition) -> Iterator[Clause]:
    """Yield every clause from left to right."""
    if isinstance(condition, Clause):
        yield condition
    else:
        for part in (condition.part,) if isinstance(condition, Not) else condition.parts:
            yield from clauses(part)


def renamed(condition: Condition, names: Callable[[str], str]) -> Condition:
    """Return a condition with the names that a function gives in place of its own."""
    if isinstance(condition, Clause):
        return evolve(condition, name=names(condition.name))
    if isinstance(condition, Not):
        return Not(renamed(condition.part, names))
    return type(condition)(tuple(renamed(part, names) for part in condition.parts))


def denies(condition: Condition) -> bool:
    """Return True if the condition contains a NOT."""
    if isinstance(condition, And | Or):
        return any(map(denies, condition.parts))
    return isinstance(condition, Not)


def needs_quotes(name: str) -> bool:
    """Return True if a name without quotation marks would be read as something else."""
    words = name.split(" ")
    return (
        not all(words)
        or " ".join(name.split()) != name
        or any(word in KEYWORDS for word in words)
        or bool(re.search(rf"[{re.escape(ILLEGAL)}]", name))
        or name[0] == "-"
        or any(word[0] in "\"'" for word in words)
    )


def quoted(name: str) -> str:
    """Return a name in quotation marks; a mark within is doubled."""
    mark = "'" if '"' in name and "'" not in name else '"'
    return f"{mark}{name.replace(mark, 2 * mark)}{mark}"


BLANK = "Empty Card"
BLANK_TAGS = ("Empty", "Blank", "Non Engine")
"""The tags of the blanks, which fill the deck up to its size."""
SIZE = 40
"""The size of a deck that does not state another."""
COSTS = ("BanishFromDeck", "BanishFromHand", "PayLife", "Discard")
CONDITIONS = ("Discard", "BanishFromHand", "BanishFromDeck")
RESTRICTIONS = ("NoSpecialSummon", "NoMoreDraws", "NoPreviousDraws")
"""The names of a free card's demands, in the order of the codes 0, 1, 2 and 3."""
TIMINGS = ("after", "before")
RESTS = ("bottom", "shuffle")


@frozen
class Cost:
    """Cards, or life, that a free card takes: a number, or cards of given names or tags."""

    kind: str
    """One of `COSTS` or `CONDITIONS`."""
    count: int = 0
    """The number of cards of any kind, or the amount of life points where those are paid."""
    names: tuple[tuple[tuple[str, ...], int], ...] = ()
    """Instead of `count`: sets of names or tags, and the number of cards of each set."""

    @property
    def from_hand(self) -> bool:
        """True if the cards are chosen from the hand."""
        return self.kind in ("Discard", "BanishFromHand")

    def __str__(self) -> str:
        what = " and ".join(f"{n} of {' or '.join(words)}" for words, n in self.names)
        return f"{self.kind} {what or self.count}"


@frozen
class Free:
    """The effect of playing a free card."""

    count: int = 0
    """The number of cards drawn."""
    once: bool = False
    """True if only one card of this name may be played in a turn."""
    cost: Cost | None = None
    """The cost, paid before anything else; it must be payable."""
    condition: Cost | None = None
    """The condition, carried out after the draw; if that is impossible, the hand is lost."""
    timing: str = "after"
    """The time of the condition; `before`: it is required to play, and paid like a cost."""
    restrictions: tuple[str, ...] = ()
    excavate: int = 0
    """The number of cards looked at from the top of the deck."""
    pick: int = 0
    """The number of these that are taken."""
    rest: str = "bottom"
    """The place where the others go."""
    least_hand: int = 1
    """The least cards in the hand to play it, itself included."""


@frozen
class Card:
    """A card of the deck, with its copies."""

    name: str
    copies: int
    tags: tuple[str, ...] = ()
    free: Free | None = None
    line: int = field(default=0, eq=False)
    """The line of the card in its file; 0 without a file."""

    def answers(self, name: str) -> bool:
        """Return True if a clause that asks for `name` can mean this card."""
        return name == self.name or name in self.tags


@frozen
class Requirement:
    """A condition with the text and the line that it was read from; 0 if from no file."""

    condition: Condition
    text: str
    line: int = field(default=0, eq=False)

    def __str__(self) -> str:
        return str(self.condition)


@frozen
class Deck:
    """A deck with the conditions on its opening hands."""

    cards: tuple[Card, ...]
    """The cards as listed, without the blanks."""
    conditions: tuple[Requirement, ...]
    size: int = field(default=SIZE, validator=validators.ge(0))
    """The size up to which blanks fill the deck."""
    extra: tuple[Card, ...] = ()
    """The extra deck."""
    name: str = ""
    file: str = field(default="deck", eq=False)
    """The name of the file that it was read from, for messages."""
    warnings: tuple[str, ...] = field(default=(), eq=False)
    hand: int | None = None
    """The cards of its opening hand, where that is known."""
    game: str = field(default="", eq=False)
    """The game of a deck list, where the list shows another one than Yu-Gi-Oh!."""

    @property
    def listed(self) -> int:
        """Copies of all cards of the main deck, without the blanks."""
        return sum(card.copies for card in self.cards)

    @property
    def blanks(self) -> int:
        """Cards that fill the deck up to its size."""
        return max(0, self.size - self.listed)

    @property
    def total(self) -> int:
        """Cards of the main deck."""
        return self.listed + self.blanks

    @cached_property
    def main(self) -> tuple[Card, ...]:
        """The cards of the main deck, the blanks last where there are any."""
        blank = (Card(BLANK, self.blanks, BLANK_TAGS),) if self.blanks else ()
        return self.cards + blank

    @cached_property
    def copies(self) -> tuple[int, ...]:
        """The copies of each card of the main deck."""
        return tuple(card.copies for card in self.main)

    @property
    def has_free(self) -> bool:
        """True if a free card is in the deck."""
        return any(card.free and card.copies for card in self.cards)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name and tag that a clause can ask for."""
        cards = (*self.cards, *self.extra, Card(BLANK, 0, BLANK_TAGS))
        return frozenset(word for card in cards for word in (card.name, *card.tags))

    @cached_property
    def _cased(self) -> dict[str, str]:
        """The names by their `_plain` form; those of which this is the same are left out."""
        found: dict[str, set[str]] = {}
        for name in self.names:
            found.setdefault(_plain(name), set()).add(name)
        return {plain: name for plain, (name, *more) in found.items() if not more}

    def named(self, condition: Condition) -> Condition:
        """Return a condition with the names as the deck has them: a name that it does not have is
        the one that differs in case, accents or the kind of apostrophe only, and `other` are the
        blanks.
        """
        return renamed(condition, self.name_of)

    def name_of(self, name: str) -> str:
        """Return a name or tag of the deck that is meant by a name; the name itself if none is."""
        if name in self.names:
            return name
        plain = _plain(name)
        return self._cased.get(plain, BLANK if plain in BLANKS else name)

    def asking(self, conditions: Iterable[Requirement]) -> Deck:
        """Return the deck with these conditions, whose names are as the deck has them."""
        named = (evolve(each, condition=self.named(each.condition)) for each in conditions)
        return evolve(self, conditions=tuple(named))

    def checked_hand(self, hand: int) -> int:
        """Return the size of a hand; raise ConfigError if the deck has fewer cards."""
        if not 1 <= hand <= self.total:
            raise ConfigError(
                f"a hand of {hand} cards from a deck of {self.total}; ask for 1 to {self.total}"
            )
        return hand

    def with_copies(self, copies: dict[str, int]) -> Deck:
        """Return the deck with other copies of some cards, and blanks up to its size."""
        changed = (evolve(card, copies=copies.get(card.name, card.copies)) for card in self.cards)
        return evolve(self, cards=tuple(changed))


def hint(word: str, known: Iterable[str]) -> str:
    """Return `; did you mean 'x'?` if a known word is close, in any case, or contains it.

    >>> hint("Ash", ["Effect Veiler", "Ash Blossom & Joyous Spring"])
    "; did you mean 'Ash Blossom & Joyous Spring'?"
    """
    folded = {name.lower(): name for name in reversed(list(known))}
    near = closest(word[:200].lower(), folded)
    if near:
        return f"; did you mean {folded[near]!r}?"
    return Names(sorted(folded.values())).match(word).hint


def _plain(name: str) -> str:
    """Return a name without case and accents, with straight apostrophes.

    >>> _plain("L\u00f3rien\u2019s")
    "lorien's"
    """
    return unaccented(re.sub("[\u2018\u2019\u00b4`]", "'", name))
