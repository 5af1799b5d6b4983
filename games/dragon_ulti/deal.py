"""Deals: three hands and a talon as text, as the 61 digits of `deal=`, as a URL and as JSON.

Text has the hands of seats 0, 1 and 2 and the talon, which may be left out:
`HA HK ... / H7 ... / LX ... / L7 B7`. The 61 digits are the trump's and, for each of the 30
cards of the three hands, suit and value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

from dragon.errors import BadNotation
from dragon_ulti.cards import DECK, NO_TRUMP, SUITS, card, name, names

Hand = tuple[int, ...]
SIZE = 10
"""Cards dealt to each seat."""
CODE = re.compile(r"\d{31,}")
URL = re.compile(r"[?&#]?deal=([^&#\s,]*)")


@frozen
class Deal:
    """Three hands of equal length and a talon, () where it is not known; cards are numbers."""

    hands: tuple[Hand, Hand, Hand]
    talon: Hand = ()

    @property
    def full(self) -> bool:
        """Whether all ten cards of each seat are there."""
        return all(len(hand) == SIZE for hand in self.hands)

    def __str__(self) -> str:
        return " / ".join(map(names, (*self.hands, *([self.talon] if self.talon else []))))


def checked(hands: Sequence[Iterable[int]], talon: Iterable[int], text: str) -> Deal:
    """The deal of these cards; raises BadNotation where they cannot be one.

    The talon of a full deal is what is left over.
    """
    if len(hands) != 3:
        remedy = (
            'as in {"hands": [["HA", ...], [...], [...]]}, and "talon" beside them if it is known'
            if text.lstrip().startswith("{")
            else "with / between them, and a fourth group for the talon if it is known"
        )
        raise BadNotation(
            f"{text!r} has {len(hands)} {'hand' if len(hands) == 1 else 'hands'}; three are "
            f"needed, {remedy}"
        )
    sets = [tuple(sorted(hand)) for hand in hands]
    rest = tuple(sorted(talon))
    owner: dict[int, str] = {}
    for where, cards in zip((*SEATS, "the talon"), (*sets, rest), strict=True):
        for each in cards:
            if each in owner:
                twice = (
                    f"twice by {where}" if owner[each] == where else f"by {owner[each]} and {where}"
                )
                raise BadNotation(f"{name(each)} is held {twice} in {text!r}; a card is there once")
            owner[each] = where
    if len(set(map(len, sets))) > 1 or len(sets[0]) > SIZE:
        counts = ", ".join(f"{who} {len(hand)}" for who, hand in zip(SEATS, sets, strict=True))
        raise BadNotation(
            f"the hands of {text!r} are not of equal length, or longer than {SIZE} ({counts}); "
            f"give each seat {SIZE} cards, or as many as are left"
        )
    if len(sets[0]) == SIZE:
        left = tuple(each for each in DECK if each not in owner)
        rest = rest or left
    if len(rest) not in (0, 2):
        raise BadNotation(
            f"the talon of {text!r} has {len(rest)} cards; it has two, or leave it out"
        )
    return Deal((sets[0], sets[1], sets[2]), rest)


SEATS = ("seat 0", "seat 1", "seat 2")
PLAYERS = ("declarer", "seat 1", "seat 2")


def read_text(text: str) -> Deal:
    """The deal of hands written with `/` between them; raises BadNotation."""
    groups = text.split("/")
    if len(groups) > 4:
        raise BadNotation(f"{text!r} has {len(groups)} groups; write three hands and a talon")
    if len(groups) < 3:
        return checked(groups, (), text)  # type: ignore[arg-type]  # only their number is wrong
    places = zip((*SEATS, "the talon"), groups, strict=False)
    read = [read_cards(group, where, text) for where, group in places]
    return checked(read[:3], sum(read[3:], ()), text)


def digits_of(text: str) -> str | None:
    """The digits of a deal's code, or of a URL with `deal=` in it; None in other texts.

    Clauses may follow after a comma, as in `0070...,played HA`.
    """
    if text.lstrip().startswith("{"):
        return None
    if found := URL.search(text):
        return found[1]
    code = text.partition(",")[0].strip()
    return code if CODE.fullmatch(code) else None


def clauses_of(text: str) -> str:
    """What follows after the first comma, with it; empty if there is none."""
    _, comma, rest = text.partition(",")
    return comma + rest


def read_code(digits: str) -> tuple[Deal, int]:
    """Deal and trump of 61 digits, or of 62 with a contract's in front; raises BadNotation."""
    if not re.fullmatch(r"[0-9]{61,62}", digits):
        odd = re.sub(r"[0-9]", "", digits)
        what = f"has {odd[0]!r} in it" if odd else f"has {len(digits)} digits"
        raise BadNotation(
            f"deal={digits} {what}; a deal is 61 digits: the trump's, and suit and value of "
            "each of 30 cards"
        )
    first = len(digits) - 61
    trump = int(digits[first])
    if trump > 3:
        raise BadNotation(
            f"deal={digits}: digit {first + 1}, the trump, is {trump}; suits are 0 to 3"
        )
    cards = []
    for i in range(first + 1, len(digits), 2):
        kind, value = int(digits[i]), int(digits[i + 1])
        if kind > 3 or value > 7:
            raise BadNotation(
                f"deal={digits}: digits {i + 1} and {i + 2}, {kind}{value}, are no card; a suit is "
                "0 to 3 and a value 0 to 7"
            )
        cards.append(8 * kind + value)
    return checked([cards[:10], cards[10:20], cards[20:]], (), f"deal={digits}"), trump


def write_code(deal: Deal, trump: int) -> str:
    """The 61 digits of a full deal; without trump the first is 0, as the original program's is."""
    if not deal.full:
        raise BadNotation(f"{deal} is no whole deal; the code has ten cards for each seat")
    cards = (f"{each >> 3}{each & 7}" for hand in deal.hands for each in hand)
    return f"{0 if trump == NO_TRUMP else trump}{''.join(cards)}"


def read_json(text: str) -> dict[str, Any]:
    """The object of a JSON text with `hands`; raises BadNotation."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise BadNotation(
            f"{text!r} is not JSON: {wrong.msg} at line {wrong.lineno}, column {wrong.colno}"
        ) from None
    except RecursionError:
        raise BadNotation("a deal in JSON is an object with lists in it, and no deeper") from None
    if not isinstance(value, dict) or not isinstance(value.get("hands"), list):
        raise BadNotation(
            f'{text!r} has no "hands"; write {{"hands": [["HA", ...], [...], [...]]}}'
        )
    return value


def deal_of_json(value: dict[str, Any], text: str) -> Deal:
    """The deal in an object's `hands` and `talon`: lists of names, or names with spaces between."""
    hands = [read_cards(hand, f"hand {i}", text) for i, hand in enumerate(value["hands"])]
    talon = read_cards(value.get("talon") or [], "the talon", text)
    return checked(hands, talon, text)


def read_cards(value: Any, where: str, text: str) -> Hand:
    """The cards of names in a text or a list; raises BadNotation that says where in `text`."""
    given = value.split() if isinstance(value, str) else value
    if not isinstance(given, list) or not all(isinstance(word, str) for word in given):
        raise BadNotation(f"{where} of {text!r} is no list of cards")
    try:
        return tuple(card(word) for word in given)
    except BadNotation as wrong:
        raise BadNotation(f"{wrong} ({where} of {text!r})") from None


def as_json(deal: Deal) -> dict[str, Any]:
    """The object that `deal_of_json` reads."""
    hands = [[name(each) for each in hand] for hand in deal.hands]
    return {"hands": hands, "talon": [name(each) for each in deal.talon]}


def trump_letter(trump: int) -> str | None:
    """H, L, A or B, or None without trump."""
    return None if trump == NO_TRUMP else SUITS[trump]


def bare(text: str) -> str:
    """The same deal without trump and contract, if it is a code or JSON, for any game to read."""
    digits = digits_of(text)
    if digits is not None:
        return f"{read_code(digits)[0]}{clauses_of(text)}"
    if text.lstrip().startswith("{"):
        value = read_json(text)
        return json.dumps({k: v for k, v in value.items() if k not in ("trump", "contract")})
    return text


def said_trump(text: str) -> str | None:
    """The trump that a deal's code or JSON speaks of, if it does; mistakes are told by `parse`."""
    digits = digits_of(text)
    if digits is not None and len(digits) in (61, 62):
        found = digits[len(digits) - 61]
        return SUITS[int(found)] if found in "0123" else None
    if text.lstrip().startswith("{"):
        try:
            return str(read_json(text).get("trump") or "") or None
        except BadNotation:
            return None
    return None
