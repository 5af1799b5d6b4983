"""Formulas as additions and masks: the counts of a hand in a few machine words.

Each bound on the cards of a set has a field of its own in a word, of 4 bits where hands
have at most 7 cards, else of 8. A card adds 1 to the fields of its sets, a hand the sum of
its cards. Let H be a field's highest bit. `at least k` holds exactly where adding H - k to
the field sets H, and `at most k` where adding H - 1 - k leaves it unset. So a term is one
addition, one mask and one comparison a word:
``(sums + add) & mask == test``. Nothing carries over into the next field.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import TYPE_CHECKING, Any

from attrs import define, field

from dragon.specialise import Constants, specialise
from dragon_hands.exact import TooLarge
from dragon_hands.formula import Formula, Term

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_WORDS = 16
MOST_WORK = 2_000_000_000
"""Kinds of hand times terms: some seconds of work."""
WIDE = 127
"""The most cards of a hand: a field of 8 bits."""


@define
class Packed:
    """Formulas over a deck as arrays; see the module."""

    hand: int
    cards: npt.NDArray[np.uint64]
    """uint64[cards of `copies`, words]: what each adds."""
    copies: tuple[int, ...]
    adds: npt.NDArray[np.uint64]
    masks: npt.NDArray[np.uint64]
    tests: npt.NDArray[np.uint64]
    ends: npt.NDArray[np.int64]
    module: Any = field(eq=False)

    def fresh(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Memory for a kernel: which formulas passed, and hits of each, of any, of all."""
        import numpy as np

        return np.zeros(len(self.ends), np.int64), np.zeros(len(self.ends) + 2, np.int64)


def pack(formulas: Sequence[Formula], copies: Sequence[int], hand: int) -> Packed:
    """The formulas as arrays, for zones hand and deck; raises TooLarge for too many bounds."""
    import numpy as np

    if hand > WIDE:
        raise TooLarge
    bits = 4 if hand <= 7 else 8
    per_word = 64 // bits
    fields: dict[tuple[int, bool], int] = {}
    terms: list[list[tuple[int, bool, int]]] = []
    ends = []
    for formula in formulas:
        for term in formula:
            bounds = _bounds(term, copies, hand)
            if bounds is not None:
                terms.append(
                    [(fields.setdefault((s, le), len(fields)), le, k) for s, le, k in bounds]
                )
        ends.append(len(terms))
    words = 1
    while words * per_word < len(fields):
        words *= 2
    if words > MOST_WORDS:
        raise TooLarge
    cards = [[0] * words for _ in copies]
    for (cards_of, _), f in fields.items():
        for i in range(len(copies)):
            if cards_of >> i & 1:
                cards[i][f // per_word] |= 1 << bits * (f % per_word)
    high = 1 << bits - 1
    adds, masks, tests = ([[0] * words for _ in terms] for _ in range(3))
    for t, bounds in enumerate(terms):
        for f, least, k in bounds:
            w, shift = f // per_word, bits * (f % per_word)
            adds[t][w] |= (high - k if least else high - 1 - k) << shift
            masks[t][w] |= high << shift
            tests[t][w] |= (high if least else 0) << shift
    module = specialise(
        "dragon_hands.kernels.dealing",
        Constants("opening hands", (("WORDS", words),)),
    )
    rows = [np.array(each, np.uint64).reshape(-1, words) for each in (cards, adds, masks, tests)]
    return Packed(
        hand, rows[0], tuple(copies), rows[1], rows[2], rows[3], np.array(ends, np.int64), module
    )


def _bounds(term: Term, copies: Sequence[int], hand: int) -> list[tuple[int, bool, int]] | None:
    """The counts of a term as bounds on sets in the hand; None where one always fails."""
    found: dict[tuple[int, bool], int] = {}
    for count in term:
        if count.zone in ("GY", "Banished"):
            if not count.holds(0):
                return None
            continue
        least, bound = count.least, count.count
        if count.zone == "Deck":
            total = sum(n for i, n in enumerate(copies) if count.cards >> i & 1)
            least, bound = not least, total - bound
        if (bound <= 0) if least else (bound >= hand):
            continue
        if (bound > hand) if least else (bound < 0):
            return None
        key = count.cards, least
        known = found.get(key, bound)
        found[key] = max(known, bound) if least else min(known, bound)
    return [(cards, least, bound) for (cards, least), bound in found.items()]


def kinds(copies: Sequence[int], hand: int) -> int:
    """How many hands there are by the copies of each class, of hand or fewer cards."""
    ways = [1] + [0] * hand
    for n in copies:
        ways = [sum(ways[j - t] for t in range(min(n, j) + 1)) for j in range(hand + 1)]
    return sum(ways)


def tally(packed: Packed) -> list[int]:
    """How many opening hands satisfy each formula, any, all; raises TooLarge."""
    import numpy as np

    hand, total = packed.hand, sum(packed.copies)
    grouped: dict[tuple[int, ...], int] = {}
    rest = 0
    for row, n in zip(packed.cards.tolist(), packed.copies, strict=True):
        if any(row):
            grouped[tuple(row)] = grouped.get(tuple(row), 0) + n
        else:
            rest += n
    copies = list(grouped.values())
    work = kinds(copies, hand) * max(1, len(packed.adds))
    if comb(total, hand) >= 1 << 62 or work > MOST_WORK:
        raise TooLarge
    words = np.array(list(grouped), np.uint64).reshape(len(copies), packed.cards.shape[1])
    ways = np.array([[comb(n, t) for t in range(hand + 1)] for n in copies], np.int64)
    passed, hits = packed.fresh()
    packed.module.enumerate_hands(
        words, np.array(copies, np.int64), ways.reshape(-1, hand + 1),
        np.array([comb(rest, left) for left in range(hand + 1)], np.int64), hand,
        packed.adds, packed.masks, packed.tests, packed.ends,
        np.zeros((hand + 1, words.shape[1]), np.uint64), np.zeros((hand + 1, 3), np.int64),
        np.zeros(hand + 1, np.int64), passed, hits,
    )  # fmt: skip
    return [int(n) for n in hits]
