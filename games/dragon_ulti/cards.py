"""The 32 cards: four suits of eight ranks, their names, and their places in two orders.

A card is the number 8 * suit + value, with suits H hearts, L leaves, A acorns, B bells and
values 0 to 7 for the ranks 7 8 9 X U O K A: the digits of the `deal=` code. A *place* is
8 * suit + strength, where strength is the value in ace-king order (7 8 9 X U O K A) and
the rank's index in ace-ten order (7 8 9 U O K X A) in the other: rules work on places.

>>> card("HX"), name(3), place(3, "ace-ten"), place(3, "ace-king")
(3, 'HX', 6, 3)
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from dragon_ulti.language import READ, bad_notation, tr

SUITS, RANKS = "HLAB", "789XUOKA"
SUIT_NAMES = ("hearts", "leaves", "acorns", "bells")
RANK_NAMES = ("seven", "eight", "nine", "ten", "under", "over", "king", "ace")
SYMBOLS = "♥♠♣♦"
"""The French suits that stand for hearts, leaves, acorns and bells in text."""
GERMAN = "♥🍃🌰🔔"
"""The suits of the Hungarian deck, where the font has them."""
DECK = tuple(range(32))
ORDERS = {"ace-king": "789XUOKA", "ace-ten": "789UOKXA"}
"""Ranks from the weakest."""
NO_TRUMP = 4
"""In the place of a suit where there is no trump."""


LETTERS = {
    letter: suit for letters in (SUITS, READ["letters"], SYMBOLS, GERMAN)
    for suit, letter in enumerate(letters)
}  # fmt: skip
"""The suits by all that they are written with."""
_RANKS = {rank: value for value, rank in enumerate(RANKS)} | {"10": 3}
_RANKS |= {letter: _RANKS[rank] for letter, rank in READ["ranks"].items()}


def folded(text: str) -> str:
    """A word without case, accents, spaces and dashes, to compare it with.

    >>> folded("Négy ász"), folded("40-100")
    ('negyasz', '40100')
    """
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in parts if letter.isalnum())


_WORDS = {
    folded(word): suit for words in (SUIT_NAMES, READ["suits"]) for suit, word in enumerate(words)
}


def card(text: str) -> int:
    """The card of a name such as `HA`, `PA` or `♥A`, in either case; raises BadNotation."""
    word = text.upper().replace("\ufe0f", "")  # which follows a heart that is drawn in colours
    suit, rank = LETTERS.get(word[:1]), _RANKS.get(word[1:])
    if suit is not None and rank is not None:
        return 8 * suit + rank
    raise bad_notation(
        "{text!r} is not a card; write suit and rank, such as HA: suits are H L A B (hearts, "
        "leaves, acorns, bells) or P Z M T (piros, zöld, makk, tök), ranks 7 8 9 X U O K A (X is "
        "the ten)",
        text=text,
    )


def name(number: int) -> str:
    """The name of a card."""
    return SUITS[number >> 3] + RANKS[number & 7]


def names(cards: Iterable[int]) -> str:
    """The names of cards, with spaces between."""
    return " ".join(map(name, cards))


def pretty(number: int) -> str:
    """A card with the symbol of its suit.

    >>> pretty(7)
    '♥A'
    """
    return SYMBOLS[number >> 3] + RANKS[number & 7]


def spoken(number: int) -> str:
    """A card in words.

    >>> spoken(3)
    'ten of hearts'
    """
    return f"{RANK_NAMES[number & 7]} of {SUIT_NAMES[number >> 3]}"


def place(number: int, order: str) -> int:
    """The place of a card in an order of ranks."""
    return number & 24 | ORDERS[order].index(RANKS[number & 7])


_BITS = {order: tuple(1 << place(number, order) for number in DECK) for order in ORDERS}


def by_suit(hand: Iterable[int], order: str) -> tuple[tuple[int, ...], ...]:
    """The cards of a hand in each of the four suits, the strongest first."""
    ranked = sorted(hand, key=lambda number: -place(number, order))
    return tuple(tuple(c for c in ranked if c >> 3 == suit) for suit in range(4))


def card_at(place: int, order: str) -> int:
    """The card of a place: the inverse of `place`."""
    return place & 24 | RANKS.index(ORDERS[order][place & 7])


def places(cards: Iterable[int], order: str) -> int:
    """The set of the places of cards, a bit each."""
    return sum(map(_BITS[order].__getitem__, cards))


def cards_at(bits: int, order: str) -> tuple[int, ...]:
    """The cards of a set of places, suit by suit, the weakest first."""
    return tuple(card_at(i, order) for i in range(32) if bits >> i & 1)


def suit(text: str) -> int:
    """The number of a suit by its letter or name, in English or Hungarian; raises ValueError.

    >>> suit("H"), suit("zöld"), suit("T")
    (0, 1, 3)
    """
    found = LETTERS.get(text.upper(), _WORDS.get(folded(text)))
    if found is None:
        raise ValueError(
            tr(
                "{text!r} is not a suit; write H, L, A or B (hearts, leaves, acorns, bells), or P, "
                "Z, M or T (piros, zöld, makk, tök)",
                text=text,
            )
        )
    return found
