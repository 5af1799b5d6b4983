"""Equivalent cards, and states of equal value: the rules `reduce` and `key`.

Once a card is played, the next above it and the next below are neighbours. So a suit is a
string of owners, the weakest card first, and equal strings play alike, whatever the ranks.
Where a goal looks at some ranks, those are a string of their own. A suit's six weakest
ranks (in ace-ten order those without worth) and its two strongest have a table each, whose
index has two bits a card (0 none, 1 to 3 seats 0 to 2): low digits in `a`, high in `b`,
`a | b << ranks`.

Strings of at most n owners are numbered from 0 without gaps: there are (3**(n + 1) - 1) / 2.

The module is imported when a game begins, since its tables need numpy.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from dragon import rule
from dragon.bits import add, bit, ctz, elements, i64, mix, mul, shl, shr, u64
from dragon_ulti.rules import (
    ACE_TEN,
    ACES,
    DECK,
    GOALS,
    LEAST,
    LITERAL,
    POINTS,
    SOME,
    TENS,
    TENTHS,
    TOP,
    ULTI,
    counts,
    in_play,
)


def strings(ranks: int) -> int:
    """Return the number of strings of owners, for at most this number of cards."""
    powers: int = 3 ** (ranks + 1)
    return (powers - 1) // 2


def forms(ranks: int, barriers: tuple[int, ...] = ()) -> Any:
    """uint16[4**ranks]: the number of each suit, or part of one; and how many numbers there are.

    No string crosses a barrier, the rank from which a new string begins.
    """
    import numpy as np

    index = np.arange(1 << 2 * ranks)
    number, total = np.zeros(len(index), np.int64), 1
    for low, high in pairwise((0, *barriers, ranks)):
        value, power = digits(ranks, low, high)
        number = number * strings(high - low) + (power.astype(np.int64) - 1) // 2 + value
        total *= strings(high - low)
    return number.astype(np.uint16), total


def digits(ranks: int, low: int = 0, high: int | None = None) -> tuple[Any, Any]:
    """uint16[4**ranks] each: a string as a number to the base 3, and 3 to its length.

    Of the ranks from `low` to below `high`, all of them by default.
    """
    import numpy as np

    index = np.arange(1 << 2 * ranks)
    value, length = np.zeros(len(index), np.int64), np.zeros(len(index), np.int64)
    for rank in range(low, ranks if high is None else high):
        owner = (index >> rank & 1) + 2 * (index >> ranks + rank & 1)
        value += np.where(owner > 0, (owner - 1) * 3**length, 0)
        length += owner > 0
    return value.astype(np.uint16), (3**length).astype(np.uint16)


LOW_FORMS, LOW_COUNT = forms(6)
SEVEN_FORMS, SEVEN_COUNT = forms(6, (1,))
HIGH_FORMS, HIGH_COUNT = forms(2)
LOW_DIGITS, LOW_POWERS = digits(6)
HIGH_STRINGS = sum(digits(2))
"""With a 1 after the last digit, so that no string begins another."""
WHOLE_COUNT = 2 * 3**8
SPLIT_FORMS, SPLIT_COUNT = forms(2, (1,))


@rule
def barriers(s):
    """Return the ranks that begin a new kind of card: no equivalence crosses them."""
    start = LEAST
    if s.config & ACE_TEN:
        if counts(s) or s.config & (TENS | POINTS):
            start = start | TENTHS
        if s.config & (ACES | TENS):
            start = start | TOP
        if s.config & ULTI:
            start = start | (s.trumps & shl(LEAST, 1))
    return start


@rule
def repeated(s, cards):
    """Return the cards of a hand right above another of them, among the cards in play."""
    start = barriers(s)
    gaps = u64(0)
    if not s.config & LITERAL:
        gaps = DECK & ~(in_play(s) | start)
    over = shl(cards, 1) & ~start
    landed = add(over & gaps, gaps)  # carried from the lowest of each run of gaps past its top
    return cards & ~start & ((over & ~gaps) | (landed & ~gaps))


@rule
def reduce(s, out, n):
    """Keep the lowest of cards between which none is in play: the others are equivalent."""
    if n == 1:
        return 1
    cards = u64(0)
    for i in range(n):
        cards = cards | bit(out[i])
    return elements(cards & ~repeated(s, cards), out)


@rule
def wanting(s):
    """Return the units that the declarer needs; below 0 where marriages may yet count."""
    return s.need - s.won if counts(s) and not s.config & POINTS else 0


@rule
def part(a, b, suit):
    """Return the index into `forms` of six ranks, and of two."""
    low = i64(shr(a, 8 * suit) & u64(63) | shl(shr(b, 8 * suit) & u64(63), 6))
    high = i64(shr(a, 8 * suit + 6) & u64(3) | shl(shr(b, 8 * suit + 6) & u64(3), 2))
    return low, high


@rule
def key(s):
    """Return the hands by relative ranks, the seat to lead and the units that are short.

    Injective, except for the three rare cases that are mixed; 0, not worth keeping, within a trick.
    """
    if s.first:
        return u64(0)
    if s.config & LITERAL:
        more = s.hands[2] | shl(u64(s.pending + 256 * (wanting(s) + 64)), 34)
        more |= shl(u64(s.seat), 32) | shl(u64(s.config & GOALS), 52)
        return mix(add(mix(s.hands[0] | shl(s.hands[1], 32)), more))
    a, b = s.hands[0] | s.hands[2], s.hands[1] | s.hands[2]
    number = u64(s.seat + 3 * max(wanting(s), 0))
    split = s.config & (ACES | TENS) != 0
    whole = not split and not counts(s) and s.config & POINTS == 0
    trump = ctz(s.trumps) >> 3
    for suit in range(4):
        low, high = part(a, b, suit)
        if s.config & ULTI and suit == trump:
            number = add(mul(number, SEVEN_COUNT), SEVEN_FORMS[low])
        elif whole:
            string = i64(LOW_DIGITS[low]) + i64(LOW_POWERS[low]) * i64(HIGH_STRINGS[high])
            number = add(mul(number, WHOLE_COUNT), string)
            continue
        else:
            number = add(mul(number, LOW_COUNT), LOW_FORMS[low])
        if split:
            number = add(mul(number, SPLIT_COUNT), SPLIT_FORMS[high])
        else:
            number = add(mul(number, HIGH_COUNT), HIGH_FORMS[high])
    if s.config & SOME:
        number = mix(add(mix(number), s.config & GOALS))
    if s.pending:
        number = mix(add(mix(number), s.pending + 256 * (wanting(s) + 64)))
    return number
