"""Worlds: how the cards that a declarer does not see may lie, each deal as likely as any other.

What is known of the defenders is written `1: HA, 2: not L HX`: seat 1 holds the ace of
hearts, seat 2 has no leaves and not the ten of hearts.

>>> own = range(8, 18)
>>> Worlds(unseen(own)).count, Worlds(unseen(own), read_known("1: HA, 2: not H", own)).count
(42678636, 55055)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from dragon_ulti.cards import DECK, LETTERS, SIZE, Deal, Hand, name, names, read_cards
from dragon_ulti.language import bad_notation, tr
from dragon_ulti.random_deal import draw, kinds_of, ways

World = tuple[Hand, Hand, Hand]
"""The hands of seats 1 and 2 and the talon, () where that is known anyway."""


@frozen
class Known:
    """The known cards of the defenders: pairs of a seat and a card."""

    held: frozenset[tuple[int, int]] = frozenset()
    lacked: frozenset[tuple[int, int]] = frozenset()

    def excluded(self, cards: Iterable[int]) -> tuple[int, int, int]:
        """For seat 1, seat 2 and the talon those of `cards` that do not lie there, as bits."""
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
    mine = set(own)
    for clause in filter(None, (part.strip() for part in text.split(","))):
        who, _, said = clause.partition(":")
        if who.strip() not in ("1", "2") or not said.split():
            raise bad_notation(
                "{clause!r} in {text!r} does not say what a defender holds; write a seat, 1 or 2, "
                "and cards, as in '1: HA HX, 2: not L'",
                clause=clause, text=text,
            )  # fmt: skip
        seat, words = int(who), said.split()
        absent = words[0].lower() == "not"
        for word in words[1:] if absent else words:
            kind = LETTERS.get(word.upper()) if absent else None
            first, whole_suit = 8 * (kind or 0), kind is not None
            each = range(first, first + 8) if whole_suit else read_cards(word, tr("a clause"), text)
            for number in each:
                if number in mine and len(word) > 1:
                    raise bad_notation(
                        "{card} is in your own hand ({clause!r})", card=name(number), clause=clause
                    )
                (lacked if absent else held).add((seat, number))
        if absent and len(words) == 1:
            raise bad_notation(
                "{clause!r} does not say what is lacked; write a suit or cards", clause=clause
            )
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
    return Known(frozenset(held), frozenset(lacked))


class Worlds:
    """All deals to two defenders that fit what is known, with two cards left over or none.

    `unseen` are 22 cards, of which two become the talon, or 20, where the talon is seen.
    Raises BadNotation where no deal fits.
    """

    def __init__(self, unseen: Sequence[int], known: Known | None = None) -> None:
        self._cards, self._room = tuple(sorted(unseen)), (SIZE, SIZE, len(unseen) - 2 * SIZE)
        self._excluded = (known or Known()).excluded(self._cards)
        kinds = kinds_of(self._cards, self._excluded)
        self.count = ways(tuple((at, len(cards)) for at, cards in kinds.items()), self._room)
        """The number of deals."""
        if not self.count:
            raise bad_notation(
                "no deal of {cards} fits what is known of the defenders: each has {size} of these "
                "cards; take something back",
                cards=names(self._cards), size=SIZE,
            )  # fmt: skip

    def deals(self, seed: int) -> Iterator[World]:
        """Deals without end, each time any of them as likely; the same for the same seed."""
        import numpy as np

        random = np.random.default_rng(seed)
        while True:
            drawn = draw(self._cards, self._excluded, self._room, random)
            assert drawn is not None  # there is a deal, so there always is
            one, two, talon = drawn
            yield one, two, talon


def unseen(hand: Iterable[int]) -> tuple[int, ...]:
    """Return the cards that are not in a hand."""
    held = set(hand)
    return tuple(number for number in DECK if number not in held)


def deal_of(hand: Hand, world: World, discard: Hand = ()) -> Deal:
    """Return the whole deal of a declarer's hand and a world; a discard is the talon."""
    one, two, talon = world
    return Deal((hand, one, two), discard or talon)
