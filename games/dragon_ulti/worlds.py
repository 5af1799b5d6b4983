"""Worlds: how the cards that a declarer does not see may lie, each deal as likely as any other.

What is known of the defenders is written `1: HA, 2: not L HX`: seat 1 holds the ace of
hearts, seat 2 does not have leaves, nor the ten of hearts. `1: 40 20, 2: none` are all the
marriages that they have announced.

>>> own = range(8, 18)
>>> Worlds(unseen(own)).count, Worlds(unseen(own), read_known("1: HA, 2: not H", own)).count
(42678636, 55055)
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, product

from attrs import frozen

from dragon.errors import BadNotation
from dragon_ulti.cards import (
    DECK,
    KING,
    LETTERS,
    NO_TRUMP,
    OVER,
    SIZE,
    Deal,
    Hand,
    begins_cards,
    folded,
    name,
    names,
    read_cards,
    suit,
)
from dragon_ulti.contracts import announcement
from dragon_ulti.language import READ, bad_notation, tr
from dragon_ulti.random_deal import draw, kinds_of, ways

Hands = tuple[Hand, ...]
World = tuple[Hand, Hand, Hand]
"""The hands of seats 1 and 2 and the talon, () where that is known anyway."""


@frozen
class Known:
    """The known cards of the defenders: pairs of a seat and a card."""

    held: frozenset[tuple[int, int]] = frozenset()
    lacked: frozenset[tuple[int, int]] = frozenset()
    announced: frozenset[tuple[int, str]] = frozenset()
    """Pairs of a seat and all that it has announced, such as `40 20` or `none`."""

    def excluded(self, cards: Iterable[int]) -> tuple[int, int, int]:
        """The cards of `cards` that seat 1, seat 2 and the talon do not hold, as bits."""
        bits = [0, 0, 0]
        for number in cards:
            owner = next((seat for seat in (1, 2) if (seat, number) in self.held), None)
            for i, place in enumerate((1, 2, None)):
                elsewhere = owner is not None and place != owner
                if elsewhere or (place, number) in self.lacked:
                    bits[i] |= 1 << number
        return bits[0], bits[1], bits[2]


def read_known(text: str, own: Iterable[int]) -> Known:
    """Read `text` about the defenders; raise BadNotation, also for cards of the `own` hand."""
    held: set[tuple[int, int]] = set()
    lacked: set[tuple[int, int]] = set()
    announced: dict[int, str] = {}
    mine = set(own)
    for clause in _clauses(text):
        who, _, said = clause.partition(":")
        if who.strip() not in ("1", "2") or not said.split():
            raise bad_notation(
                "{clause!r} in {text!r} does not say what a defender holds; write a seat, 1 or 2, "
                "and cards, as in '1: HA HX, 2: not L'",
                clause=clause, text=text,
            )  # fmt: skip
        seat, words = int(who), re.split(r"[\s,]+", said.strip())
        if heard := _announcement(words):
            if seat in announced:
                raise bad_notation(
                    "{text!r} says twice what {who} announced", text=text, who=tr(f"seat {seat}")
                )
            announced[seat] = heard
            continue
        absent = folded(words[0]) in ABSENT
        if absent and len(words) == 1:
            raise bad_notation(
                "{clause!r} does not say what is lacked; write a suit or cards", clause=clause
            )
        if absent:
            numbers = tuple(_lacked(said.strip()[len(words[0]) :], text))
        else:
            numbers = read_cards(said, tr("a clause"), text)
        for number in numbers:
            if number in mine and not absent:
                raise bad_notation(
                    "{card} is in your own hand ({clause!r})", card=name(number), clause=clause
                )
            (lacked if absent else held).add((seat, number))
    for seat, number in sorted(held):
        if (seat, number) in lacked:
            raise bad_notation(
                "{text!r} says both that {who} has {card} and that it does not",
                text=text, who=tr(f"seat {seat}"), card=name(number),
            )  # fmt: skip
        if (3 - seat, number) in held:
            raise bad_notation(
                "{text!r} gives {card} to both defenders", text=text, card=name(number)
            )
    return Known(frozenset(held), frozenset(lacked), frozenset(announced.items()))


ABSENT = {"not", *map(folded, READ["absent"])}


def _clauses(text: str) -> list[str]:
    """Return the clauses of a text, each with its seat; a comma may divide cards, too."""
    clauses: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        if clauses and (begins_cards(part) or part in ("40", "20")):
            clauses[-1] += f", {part}"
        else:
            clauses.append(part)
    return clauses


def _announcement(words: list[str]) -> str:
    """Return an announcement of marriages as `announcement` has it; empty if it is not one."""
    if len(words) == 1 and folded(words[0]) in {"none", *map(folded, READ["none"])}:
        return "none"
    values = sorted(words, reverse=True)
    return " ".join(values) if {*words} <= {"40", "20"} and words.count("40") < 2 else ""


def _lacked(said: str, text: str) -> Iterator[int]:
    """Yield the cards of suits and cards; letters of suits alone are suits, also A."""
    words = [word for word in re.split(r"[\s,]+", said) if word]
    if not all(word.upper() in LETTERS and word.isalpha() for word in words):
        with suppress(BadNotation):  # suits that stand for all their cards
            yield from read_cards(said, tr("a clause"), text)
            return
    for word in words:
        with suppress(ValueError):
            first = 8 * suit(word)
            yield from range(first, first + 8)
            continue
        yield from read_cards(word, tr("a clause"), text)


class Worlds:
    """All deals to two defenders that fit what is known, with two cards left over or none.

    `unseen` are 22 cards, of which two become the talon, or 20, where the talon is seen. `trump`
    is a suit, for marriages that were announced. Raises BadNotation where no deal fits.
    """

    def __init__(
        self, unseen: Sequence[int], known: Known | None = None, trump: int = NO_TRUMP
    ) -> None:
        cards, room = tuple(sorted(unseen)), (SIZE, SIZE, len(unseen) - 2 * SIZE)
        self._known, self._trump = known or Known(), trump
        self._excluded = self._known.excluded(cards)
        pairs = [{8 * suit + OVER, 8 * suit + KING} for suit in range(4)]
        here = {*cards} if self._known.announced else set()
        self._wed = sorted(card for pair in pairs if pair <= here for card in pair)
        self._rest = [card for card in cards if card not in self._wed]
        self._layouts = list(self._lay(room))
        """The places of overs and kings, the free places left, and the number of deals; a single
        entry if nothing was announced."""
        self.count = sum(n for _, _, n in self._layouts)
        """The number of deals."""
        if not self.count:
            raise bad_notation(
                "no deal of {cards} fits what is known of the defenders: each has {size} of these "
                "cards; take something back",
                cards=names(cards), size=SIZE,
            )  # fmt: skip

    def _lay(self, room: tuple[int, ...]) -> Iterator[tuple[Hands, tuple[int, ...], int]]:
        kinds = kinds_of(self._rest, self._excluded)
        rest = tuple((at, len(cards)) for at, cards in kinds.items())
        for places in product(range(3), repeat=len(self._wed)):
            hands = tuple(
                tuple(c for c, at in zip(self._wed, places, strict=True) if at == place)
                for place in range(3)
            )
            lies = zip(self._wed, places, strict=True)
            left = tuple(r - len(hand) for r, hand in zip(room, hands, strict=True))
            if min(left) < 0 or any(self._excluded[at] >> card & 1 for card, at in lies):
                continue
            announced = self._known.announced
            if all(announcement(hands[seat - 1], self._trump) == said for seat, said in announced):
                yield hands, left, ways(rest, left)

    def deals(self, seed: int) -> Iterator[World]:
        """Deals without end, each time any of them as likely; the same for the same seed."""
        import numpy as np

        random = np.random.default_rng(seed)
        sums = [*accumulate(n for _, _, n in self._layouts)]
        while True:
            at = bisect(sums, int(random.integers(sums[-1]))) if len(sums) > 1 else 0
            hands, left, _ = self._layouts[at]
            drawn = draw(self._rest, self._excluded, left, random)
            assert drawn is not None  # there is a deal, so there always is
            one, two, talon = (
                tuple(sorted(hand + more)) for hand, more in zip(hands, drawn, strict=True)
            )
            yield one, two, talon


def unseen(hand: Iterable[int]) -> tuple[int, ...]:
    """Return the cards that are not in a hand."""
    held = set(hand)
    return tuple(number for number in DECK if number not in held)


def deal_of(hand: Hand, world: World, discard: Hand = ()) -> Deal:
    """Return the whole deal of a declarer's hand and a world; a discard is the talon."""
    one, two, talon = world
    return Deal((hand, one, two), discard or talon)
