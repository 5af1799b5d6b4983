"""The 32 cards and the deals of them: names, places in two orders, and a deal in four forms.

A card is the number 8 * suit + value, with suits H hearts, L leaves, A acorns, B bells and
values 0 to 7 for the ranks 7 8 9 X U O K A: the digits of the `deal=` code. A *place* is
8 * suit + strength, where strength is the value in ace-king order (7 8 9 X U O K A) and
the rank's index in ace-ten order (7 8 9 U O K X A) in the other: rules work on places.

>>> card("HX"), name(3), place(3, "ace-ten"), place(3, "ace-king")
(3, 'HX', 6, 3)

A deal is three hands and a talon, as text, as the 61 digits of `deal=`, as a URL or as JSON. Text
has the hands of seats 0, 1 and 2 and the talon, which may be left out:
`HA HK ... / H7 ... / LX ... / L7 B7`. The 61 digits are the trump's and, for each of the 30 cards
of the three hands, suit and value.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from attrs import frozen

from dragon.errors import BadNotation
from dragon_ulti.language import READ, bad_notation, tr

SUITS, RANKS = "HLAB", "789XUOKA"
SUIT_NAMES = ("hearts", "leaves", "acorns", "bells")
RANK_NAMES = ("seven", "eight", "nine", "ten", "under", "over", "king", "ace")
SYMBOLS = "♥♠♣♦"
"""The French suits that stand for hearts, leaves, acorns and bells in text."""
GERMAN = "♥🍃🌰🔔"
"""The suits of the Hungarian deck, where the font has them."""
SEVEN, TEN, UNDER, OVER, KING, ACE = (RANKS.index(rank) for rank in "7XUOKA")
DECK = tuple(range(32))
_NAMES = tuple(suit + rank for suit in SUITS for rank in RANKS)
ORDERS = {"ace-king": "789XUOKA", "ace-ten": "789UOKXA"}
"""Ranks from the weakest."""
NO_TRUMP = 4
"""In the place of a suit where there is no trump."""


SIGNS: dict[str, int] = {
    sign: suit for signs in (SYMBOLS, GERMAN) for suit, sign in enumerate(signs)
}
LETTERS: dict[str, int] = SIGNS | {
    letter: suit for letters in (SUITS, READ["letters"]) for suit, letter in enumerate(letters)
}
"""The suits by all that they are written with."""
ROMAN = {"VII": "7", "VIII": "8", "IX": "9", "10": "X"}
_RANKS: dict[str, int] = {rank: value for value, rank in enumerate(RANKS)}
_RANKS |= {letter: _RANKS[rank] for letter, rank in (ROMAN | READ["ranks"]).items()}
_RUN = re.compile("|".join(sorted(_RANKS, key=len, reverse=True)))


def folded(text: str) -> str:
    """Return a word without case, accents, spaces and dashes, to compare it with.

    >>> folded("Négy ász"), folded("40-100")
    ('negyasz', '40100')
    """
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if letter.isalnum())


_WORDS = {
    folded(word): suit for words in (SUIT_NAMES, READ["suits"]) for suit, word in enumerate(words)
}
_OF = re.compile(rf"\b({'|'.join(RANK_NAMES)}) +of +({'|'.join(SUIT_NAMES)})\b", re.IGNORECASE)
_RANK_WORDS = {
    folded(word): value
    for words in (RANK_NAMES, READ["rank_names"])
    for value, word in enumerate(words)
}


def card(text: str) -> int:
    """Return the card of a name such as `HA`, `PVII`, `♥A` or `piros ász`; raise BadNotation."""
    word = text.upper().replace("\ufe0f", "")  # which follows a heart that is drawn in colours
    suit, rank = LETTERS.get(word[:1]), _RANKS.get(word[1:])
    if suit is not None and rank is not None:
        return 8 * suit + rank
    found = tuple(_cards_of(text)) if re.search(r"[\s:]", text.strip()) else ()
    if len(found) != 1:
        raise _no_card(text)
    return found[0]


def _no_card(text: str) -> BadNotation:
    return bad_notation(
        "{text!r} is not a card; write suit and rank, such as HA: suits are H L A B (hearts, "
        "leaves, acorns, bells) or P Z M T (piros, zöld, makk, tök), ranks 7 8 9 X U O K A (X is "
        "the ten)",
        text=text,
    )


def _rank(word: str) -> int | None:
    return _RANKS.get(word.upper(), _RANK_WORDS.get(folded(word)))


def _suit(word: str) -> int | None:
    return LETTERS.get(word.upper().replace("\ufe0f", ""), _WORDS.get(folded(word)))


def begins_cards(text: str) -> bool:
    """Return True if the first word of a text is a card, a suit or a rank."""
    word = re.split(r"[:;\s]", text.strip())[0]
    known = _suit(word) is not None or _rank(word) is not None
    return known or (word[:1].upper() in LETTERS and word[1:].upper() in _RANKS)


def _cards_of(text: str) -> Iterator[int]:
    """Yield the cards of a text: cards, and suits before their ranks; raise BadNotation.

    After a suit and a colon ranks may be written without gaps. Commas are gaps.
    """
    suit, lone = 0, ""  # the suit of the ranks that follow, and its word if none has yet
    context = joined = False
    for word, colon in re.findall(r"([^\s,;:]+)(\s*:)?", _OF.sub(r"\2 \1", text)):
        rank, named, run = _rank(word), _suit(word), word.upper()
        if context and not colon and rank is not None:
            yield 8 * suit + rank
        elif joined and not colon and not _RUN.sub("", run):
            yield from (8 * suit + _RANKS[each] for each in _RUN.findall(run))
        elif lone or (colon and named is None):
            raise _no_card(f"{lone} {word}".strip())
        elif named is not None:
            suit, lone, joined, context = named, word, bool(colon), True
            continue
        else:
            context = False
            yield card(word)
        lone, joined = "", False
    if lone:
        raise _no_card(lone)


def name(number: int) -> str:
    """Return the name of a card."""
    return _NAMES[number]


def names(cards: Iterable[int]) -> str:
    """Return the names of cards, with spaces between."""
    return " ".join(map(name, cards))


def pretty(number: int) -> str:
    """Return a card with the symbol of its suit.

    >>> pretty(7)
    '♥A'
    """
    return SYMBOLS[number >> 3] + RANKS[number & 7]


def spoken(number: int) -> str:
    """Return a card in words.

    >>> spoken(3)
    'ten of hearts'
    """
    return f"{RANK_NAMES[number & 7]} of {SUIT_NAMES[number >> 3]}"


def place(number: int, order: str) -> int:
    """Return the place of a card in an order of ranks."""
    return number & 24 | ORDERS[order].index(RANKS[number & 7])


_BITS = {order: tuple(1 << place(number, order) for number in DECK) for order in ORDERS}
_CARDS = {order: tuple(sorted(DECK, key=_BITS[order].__getitem__)) for order in ORDERS}
"""The card of each place."""


def by_suit(hand: Iterable[int], order: str) -> tuple[tuple[int, ...], ...]:
    """Return the cards of a hand in each of the four suits, the strongest first."""
    ranked = sorted(hand, key=lambda number: -place(number, order))
    return tuple(tuple(c for c in ranked if c >> 3 == suit) for suit in range(4))


def card_at(place: int, order: str) -> int:
    """Return the card of a place: the inverse of `place`."""
    return _CARDS[order][place]


def places(cards: Iterable[int], order: str) -> int:
    """Return the set of the places of cards, a bit each."""
    return sum(map(_BITS[order].__getitem__, cards))


def cards_at(bits: int, order: str) -> tuple[int, ...]:
    """Return the cards of a set of places, suit by suit, the weakest first."""
    return tuple(card_at(i, order) for i in range(32) if bits >> i & 1)


def suit(text: str) -> int:
    """Return the number of a suit by its letter or name, in English or Hungarian; raise ValueError.

    >>> suit("H"), suit("zöld"), suit("T")
    (0, 1, 3)
    """
    found = _suit(text)
    if found is None:
        raise ValueError(
            tr(
                "{text!r} is not a suit; write H, L, A or B (hearts, leaves, acorns, bells), or P, "
                "Z, M or T (piros, zöld, makk, tök)",
                text=text,
            )
        )
    return found


def marriages(hand: Iterable[int], trump: int) -> int:
    """Return the units of the marriages in a hand: over and king of trump 4, of other suits 2."""
    held = {*hand}
    pairs = ({8 * suit + OVER, 8 * suit + KING} for suit in range(4))
    return sum((4 if suit == trump else 2) for suit, pair in enumerate(pairs) if pair <= held)


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
        """True if all ten cards of each seat are there."""
        return all(len(hand) == SIZE for hand in self.hands)

    def __str__(self) -> str:
        return " / ".join(map(names, (*self.hands, *([self.talon] if self.talon else []))))


def checked(hands: Sequence[Iterable[int]], talon: Iterable[int], text: str) -> Deal:
    """Return the deal of these cards; raise BadNotation where they cannot be one.

    The talon of a full deal is what is left over.
    """
    if len(hands) != 3:
        remedy = (
            'as in {"hands": [["HA", ...], [...], [...]]}, '
            + tr('and "talon" beside them if it is known')
            if text.lstrip().startswith("{")
            else tr("with / between them, and a fourth group for the talon if it is known")
        )
        if len(hands) == 1:
            raise bad_notation(
                "{text!r} has 1 hand; three are needed, {remedy}", text=text, remedy=remedy
            )
        raise bad_notation(
            "{text!r} has {n} hands; three are needed, {remedy}",
            text=text, n=len(hands), remedy=remedy,
        )  # fmt: skip
    sets = [tuple(sorted(hand)) for hand in hands]
    rest = tuple(sorted(talon))
    owner: dict[int, str] = {}
    for where, cards in zip((*SEATS, "the talon"), (*sets, rest), strict=True):
        for each in cards:
            if each in owner:
                raise bad_notation(
                    "{card} is held twice by {where} in {text!r}; a card is there once"
                    if owner[each] == where
                    else "{card} is held by {other} and {where} in {text!r}; a card is there once",
                    card=name(each), where=tr(where), other=tr(owner[each]), text=text,
                )  # fmt: skip
            owner[each] = where
    if len(set(map(len, sets))) > 1 or len(sets[0]) > SIZE:
        counts = ", ".join(f"{tr(who)} {len(hand)}" for who, hand in zip(SEATS, sets, strict=True))
        raise bad_notation(
            "the hands of {text!r} are not of equal length, or longer than {size} ({counts}); "
            "give each seat {size} cards, or as many as are left",
            text=text, size=SIZE, counts=counts,
        )  # fmt: skip
    if len(sets[0]) == SIZE:
        left = tuple(each for each in DECK if each not in owner)
        rest = rest or left
    if len(rest) not in (0, 2):
        raise bad_notation(
            "the talon of {text!r} has {n} cards; it has two, or leave it out",
            text=text, n=len(rest),
        )  # fmt: skip
    return Deal((sets[0], sets[1], sets[2]), rest)


SEATS = ("seat 0", "seat 1", "seat 2")
PLAYERS = ("declarer", "seat 1", "seat 2")


def read_text(text: str) -> Deal:
    """Return the deal of hands written with `/` between them; raise BadNotation."""
    groups = text.split("/")
    if len(groups) > 4:
        raise bad_notation(
            "{text!r} has {n} groups; write three hands and a talon", text=text, n=len(groups)
        )
    if len(groups) < 3:
        return checked(groups, (), text)  # type: ignore[arg-type]  # only their number is wrong
    places = zip((*SEATS, "the talon"), groups, strict=False)
    read = [read_cards(group, tr(where), text) for where, group in places]
    return checked(read[:3], sum(read[3:], ()), text)


def digits_of(text: str) -> str | None:
    """Return the digits of a deal's code, or of a URL with `deal=` in it; None in other texts.

    Clauses may follow after a comma, as in `0070...,played HA`.
    """
    if text.lstrip().startswith("{"):
        return None
    if found := URL.search(text):
        return found[1]
    code = text.partition(",")[0].strip()
    return code if CODE.fullmatch(code) else None


def clauses_of(text: str) -> str:
    """Return the text from the first comma on; empty if there is none."""
    _, comma, rest = text.partition(",")
    return comma + rest


def read_code(digits: str) -> tuple[Deal, int]:
    """Deal and trump of 61 digits, or of 62 with a contract's in front; raises BadNotation."""
    if not re.fullmatch(r"[0-9]{61,62}", digits):
        odd = re.sub(r"[0-9]", "", digits)
        what = tr("has {odd!r} in it", odd=odd[0]) if odd else tr("has {n} digits", n=len(digits))
        raise bad_notation(
            "deal={digits} {what}; a deal is 61 digits: the trump's, and suit and value of "
            "each of 30 cards",
            digits=digits, what=what,
        )  # fmt: skip
    first = len(digits) - 61
    trump = int(digits[first])
    if trump > 3:
        raise bad_notation(
            "deal={digits}: digit {n}, the trump, is {trump}; suits are 0 to 3",
            digits=digits, n=first + 1, trump=trump,
        )  # fmt: skip
    cards = []
    for i in range(first + 1, len(digits), 2):
        kind, value = int(digits[i]), int(digits[i + 1])
        if kind > 3 or value > 7:
            raise bad_notation(
                "deal={digits}: digits {one} and {two}, {pair}, are no card; a suit is 0 to 3 and "
                "a value 0 to 7",
                digits=digits, one=i + 1, two=i + 2, pair=f"{kind}{value}",
            )  # fmt: skip
        cards.append(8 * kind + value)
    return checked([cards[:10], cards[10:20], cards[20:]], (), f"deal={digits}"), trump


def write_code(deal: Deal, trump: int) -> str:
    """Return the 61 digits of a full deal; without trump the first is 0, as in the original."""
    if not deal.full:
        raise bad_notation(
            "{deal} is not a whole deal; the code has ten cards for each seat", deal=deal
        )
    cards = (f"{each >> 3}{each & 7}" for hand in deal.hands for each in hand)
    return f"{0 if trump == NO_TRUMP else trump}{''.join(cards)}"


def read_json(text: str) -> dict[str, Any]:
    """Return the object of a JSON text with `hands`; raise BadNotation."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as wrong:
        raise bad_notation(
            "{text!r} is not JSON: {why} at line {line}, column {column}",
            text=text, why=wrong.msg, line=wrong.lineno, column=wrong.colno,
        ) from None  # fmt: skip
    except RecursionError:
        raise bad_notation("a deal in JSON is an object with lists in it, and no deeper") from None
    if not isinstance(value, dict) or not isinstance(value.get("hands"), list):
        raise bad_notation(
            '{text!r} has no "hands"; write {{"hands": [["HA", ...], [...], [...]]}}', text=text
        )
    return value


def deal_of_json(value: dict[str, Any], text: str) -> Deal:
    """Return the deal of an object's `hands` and `talon`: lists of names, or texts of names."""
    hands = [read_cards(hand, tr("hand {n}", n=i), text) for i, hand in enumerate(value["hands"])]
    talon = read_cards(value.get("talon") or [], tr("the talon"), text)
    return checked(hands, talon, text)


def read_cards(value: Any, where: str, text: str) -> Hand:
    """Return the cards of names in a text or a list; raise BadNotation with the place."""
    if not isinstance(value, str | list) or not all(isinstance(word, str) for word in value):
        raise bad_notation("{where} of {text!r} is not a list of cards", where=where, text=text)
    try:
        return tuple(_cards_of(value) if isinstance(value, str) else map(card, value))
    except BadNotation as wrong:
        raise bad_notation(
            "{wrong} ({where} of {text!r})", wrong=wrong, where=where, text=text
        ) from None


def as_json(deal: Deal) -> dict[str, Any]:
    """Return the object that `deal_of_json` reads."""
    hands = [[name(each) for each in hand] for hand in deal.hands]
    return {"hands": hands, "talon": [name(each) for each in deal.talon]}


def trump_letter(trump: int) -> str | None:
    """Return H, L, A or B, or None without trump."""
    return None if trump == NO_TRUMP else SUITS[trump]


def bare(text: str) -> str:
    """Return the deal without trump and contract, if it is a code or JSON, for any game to read."""
    digits = digits_of(text)
    if digits is not None:
        return f"{read_code(digits)[0]}{clauses_of(text)}"
    if text.lstrip().startswith("{"):
        value = read_json(text)
        return json.dumps({k: v for k, v in value.items() if k not in ("trump", "contract")})
    return text


def said_trump(text: str) -> str | None:
    """Return the trump that a deal's code or JSON names, if any; `parse` reports mistakes."""
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
