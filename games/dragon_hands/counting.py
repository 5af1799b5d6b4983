"""The number of opening hands that satisfy formulas, out of C(N, h): `counted`.

It chooses between `exact.successes`, class by class in plain Python, and `count_hands`, hand by
hand in compiled code, with formulas as additions and masks; `Draws` draws hands by the same.

Each bound on the cards of a set has a field of its own in a word, of 4 bits where hands have at
most 7 cards, else of 8. A card adds 1 to the fields of its sets, a hand the sum of its cards. Let H
be a field's highest bit. `at least k` holds exactly where adding H - k to the field sets H, and `at
most k` where adding H - 1 - k leaves it unset. So a term is one addition, one mask and one
comparison a word: ``(sums + add) & mask == test``. Nothing carries over into the next field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from math import comb
from typing import TYPE_CHECKING, Any

from attrs import define, field

from dragon.compiler.specialise import Constants, specialise
from dragon.modes import jit_enabled
from dragon_hands.exact import Allowance, Count, Formula, TooLarge, in_hand, successes
from dragon_hands.formula import objectives_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_WORDS = 16
MOST_KINDS = 2_000_000_000
"""The most work, kinds of hand times terms: some seconds."""
WIDE = 127
"""The most cards of a hand: a field of 8 bits."""


@define
class BitFields:
    """Formulas over a deck as arrays; see the module."""

    hand: int
    cards: npt.NDArray[np.uint64]
    """uint64[cards of `copies`, words]: the amount that each adds."""
    copies: tuple[int, ...]
    adds: npt.NDArray[np.uint64]
    masks: npt.NDArray[np.uint64]
    tests: npt.NDArray[np.uint64]
    ends: npt.NDArray[np.int64]
    module: Any = field(eq=False)

    def fresh(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return memory for a kernel: formulas passed, and hits of each, of any, of all."""
        import numpy as np

        return np.zeros(len(self.ends), np.int64), np.zeros(len(self.ends) + 2, np.int64)


def bit_fields(formulas: Sequence[Formula], copies: Sequence[int], hand: int) -> BitFields:
    """Return the formulas as arrays, for the zones hand and deck; raise TooLarge for many."""
    import numpy as np

    if hand > WIDE:
        raise TooLarge
    bits = 4 if hand <= 7 else 8
    per_word = 64 // bits
    fields: dict[tuple[int, bool], int] = {}
    terms: list[list[tuple[int, Count]]] = []
    ends = []
    for formula in formulas:
        for term in formula:
            bounds = in_hand(term, copies, hand)
            if bounds is not None:
                keys = [(bound.cards, bound.least) for bound in bounds]
                places = [fields.setdefault(key, len(fields)) for key in keys]
                terms.append(list(zip(places, bounds, strict=True)))
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
    for t, placed in enumerate(terms):
        for f, bound in placed:
            w, shift = f // per_word, bits * (f % per_word)
            adds[t][w] |= (high - bound.count - (not bound.least)) << shift
            masks[t][w] |= high << shift
            tests[t][w] |= high * bound.least << shift
    constants = Constants("opening hands", (("WORDS", words),))
    module = specialise("dragon_hands.kernel", constants)
    rows = [np.array(each, np.uint64).reshape(-1, words) for each in (cards, adds, masks, tests)]
    return BitFields(
        hand, rows[0], tuple(copies), rows[1], rows[2], rows[3], np.array(ends, np.int64), module
    )


def kinds(copies: Sequence[int], hand: int) -> int:
    """Return the number of kinds of hand, by copies of each class, of `hand` or fewer cards."""
    ways = [1] + [0] * hand
    for n in copies:
        ways = [sum(ways[j - t] for t in range(min(n, j) + 1)) for j in range(hand + 1)]
    return sum(ways)


def count_hands(fields: BitFields) -> list[int]:
    """Count the opening hands that satisfy each formula, any, all; raise TooLarge for many."""
    import numpy as np

    hand, total = fields.hand, sum(fields.copies)
    grouped = Counter[tuple[int, ...]]()
    for row, n in zip(fields.cards.tolist(), fields.copies, strict=True):
        grouped[tuple(row)] += n
    rest = grouped.pop((0,) * fields.cards.shape[1], 0)
    copies = list(grouped.values())
    work = kinds(copies, hand) * max(1, len(fields.adds))
    if comb(total, hand) >= 1 << 62 or work > MOST_KINDS:
        raise TooLarge
    words = np.array(list(grouped), np.uint64).reshape(len(copies), fields.cards.shape[1])
    ways = np.array([[comb(n, t) for t in range(hand + 1)] for n in copies], np.int64)
    passed, hits = fields.fresh()
    fields.module.enumerate_hands(
        words, np.array(copies, np.int64), ways.reshape(-1, hand + 1),
        np.array([comb(rest, left) for left in range(hand + 1)], np.int64), hand,
        fields.adds, fields.masks, fields.tests, fields.ends,
        np.zeros((hand + 1, words.shape[1]), np.uint64), np.zeros((hand + 1, 3), np.int64),
        np.zeros(hand + 1, np.int64), passed, hits,
    )  # fmt: skip
    return [int(n) for n in hits]


class Draws:
    """Hands drawn by compiled code from one stream of random numbers."""

    def __init__(self, fields: BitFields, seed: int) -> None:
        import numpy as np

        self.fields = fields
        self.deck: npt.NDArray[np.uint64] = np.repeat(fields.cards, fields.copies, axis=0)
        self.random = np.random.SeedSequence(seed).generate_state(4, np.uint64)

    def draw(self, hands: int) -> list[int]:
        """Draw hands; return how many satisfy each formula, any, all."""
        p = self.fields
        passed, hits = p.fresh()
        arrays = p.adds, p.masks, p.tests, p.ends, self.random, passed, hits
        p.module.draw_hands(self.deck, p.hand, hands, *arrays)
        return [int(n) for n in hits]


FEW = 3_000
"""The work of plain Python before compiled code is used: some ten milliseconds."""


def counted(formulas: Sequence[Formula], copies: Sequence[int], hand: int) -> list[int]:
    """Count the opening hands that satisfy each formula, any, all; raise TooLarge for many.

    There are two ways, since neither serves every deck. Plain Python needs no compiled code, which
    takes 0.15 s to load, and counts large hands too. Where the sets of a deck overlap in very many
    ways, compiled code is up to a hundred times as fast (27 alternatives over 40 classes: 0.02 s
    for 1.5), and counts in 0.03 s what plain Python gives up (108 alternatives).
    """
    with suppress(TooLarge):  # too large for plain Python; compiled code may still do it
        return _counted(formulas, copies, hand, Allowance(FEW))
    if jit_enabled():
        with suppress(TooLarge):  # too large for bit fields; plain Python remains
            return count_hands(bit_fields(formulas, copies, hand))
    return _counted(formulas, copies, hand, Allowance())


def _counted(
    formulas: Sequence[Formula], copies: Sequence[int], hand: int, allowance: Allowance
) -> list[int]:
    if len(formulas) == 1:
        return [successes((formulas[0],), copies, hand, allowance)] * 3
    return [successes(each, copies, hand, allowance) for each in objectives_of(formulas)]
