"""The exact counter: the number of opening hands that satisfy an objective, out of C(N, h).

Ask `counted`, which chooses between two ways: `successes` and `count_hands`.

`successes` goes through the deck class by class: a *class* is the cards that belong to the same
sets. It keeps only the part of the hands that can still matter: the counts that are undecided and
the value of each. Hands of equal prospects are counted together, in whole numbers, for each number
of cards drawn.

`count_hands` counts other decks hand by hand, in compiled code, with formulas as additions and
masks. Each bound on the cards of a set has a field of its own in a word, of 4
bits where hands have at most 7 cards, else of 8. A card adds 1 to the fields of its sets, a hand
the sum of its cards. Let H be a field's highest bit. `at least k` holds exactly where adding
H - k to the field sets H, and `at most k` where adding H - 1 - k leaves it unset. So a term is
one addition, one mask and one comparison a word: ``(sums + add) & mask == test``. Nothing carries
over into the next field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import zip_longest
from math import comb
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field

from dragon.compiler.specialise import Constants, specialise
from dragon.modes import jit_enabled
from dragon_hands.formula import Count, Formula, Objective, in_hand, objectives_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


MOST_WORK = 400_000
"""The most prospects, weighted by their alternatives: about ten seconds, and some hundred
megabytes."""

Open: TypeAlias = frozenset[frozenset[frozenset[int]]]
"""The undecided counts of each term still possible, of each formula not yet satisfied."""
Key: TypeAlias = tuple[Open, tuple[int, ...]]


class TooLarge(Exception):
    """More prospects than can be kept; never shown to a user."""


@define
class Allowance:
    """The work that may still be done."""

    left: int = MOST_WORK

    def take(self, work: int) -> None:
        """Take work from the allowance; raise TooLarge if nothing is left."""
        self.left -= work
        if self.left < 0:
            raise TooLarge


def successes(
    objective: Objective, copies: Sequence[int], hand: int, allowance: Allowance | None = None
) -> int:
    """Return the number of the C(N, h) opening hands that satisfy the objective.

    copies: those of each card of the deck, blanks included; their sum is N. Zones other than the
    hand and the deck are empty. Raise TooLarge if the allowance is used up.
    """
    table = Table.of(objective, copies, hand, allowance or Allowance())
    return 0 if table is None else table.run()


@define
class Table:
    """The memory of one count."""

    bounds: list[tuple[int, Count]]
    """The bounds, each with its counter: the number of its set."""
    classes: list[tuple[int, tuple[int, ...]]]
    """The copies of each class, and the counters that it moves."""
    rest: int
    """Cards that no bound counts."""
    hand: int
    left: list[list[int]]
    """The cards to come for each counter, before each class and after the last."""
    start: Open
    allowance: Allowance
    found: int = 0
    seen: dict[tuple[int, Open, tuple[int, ...]], Key | bool] = field(factory=dict)

    @classmethod
    def of(
        cls, objective: Objective, copies: Sequence[int], hand: int, allowance: Allowance
    ) -> Table | None:
        """Return the table at its start; None if no hand can satisfy the objective."""
        masks: dict[int, int] = {}
        bounds: dict[tuple[int, Count], int] = {}
        formulas: list[frozenset[frozenset[int]]] = []
        for formula in objective:
            terms = set()
            for term in formula:
                kept = in_hand(term, copies, hand)
                if kept is not None:
                    counters = [masks.setdefault(count.cards, len(masks)) for count in kept]
                    pairs = zip(counters, kept, strict=True)
                    terms.add(frozenset(bounds.setdefault(pair, len(bounds)) for pair in pairs))
            if not terms:
                return None
            formulas.append(frozenset(terms))
        classes = classes_of(list(masks), copies)
        rest = sum(copies) - sum(n for n, _ in classes)
        left = [[0] * len(masks)]
        for n, moved in reversed(classes):
            left.append([c + (n if i in moved else 0) for i, c in enumerate(left[-1])])
        left.reverse()
        return cls(list(bounds), classes, rest, hand, left, frozenset(formulas), allowance)

    def run(self) -> int:
        """Return the number of hands."""
        states: dict[Key, list[int]] = {}
        zeros = (0,) * len(self.left[0])
        self._add(states, 0, self.start, zeros, [1])
        for step, (copies, moved) in enumerate(self.classes):
            after: dict[Key, list[int]] = {}
            for (opened, values), weights in states.items():
                for taken in range(min(copies, self.hand) + 1):
                    if taken and not any(weights[: self.hand + 1 - taken]):
                        break
                    ways = comb(copies, taken)
                    shifted = [0] * taken + [w * ways for w in weights]
                    del shifted[self.hand + 1 :]
                    moved_values = tuple(v + taken * (i in moved) for i, v in enumerate(values))
                    self._add(after, step + 1, opened, moved_values, shifted)
            states = after
        assert not states  # after the last class nothing is undecided
        return self.found

    def _add(
        self,
        states: dict[Key, list[int]],
        step: int,
        opened: Open,
        values: tuple[int, ...],
        weights: list[int],
    ) -> None:
        """Enter hands among those of equal prospects, or count them if they are decided."""
        key = self.prospects_of(step, opened, values)
        if key is True:
            others = self.rest + sum(n for n, _ in self.classes[step:])
            self.found += sum(
                w * comb(others, self.hand - drawn) for drawn, w in enumerate(weights) if w
            )
        elif key:
            known = states.get(key, ())
            states[key] = [a + b for a, b in zip_longest(known, weights, fillvalue=0)]

    def prospects_of(self, step: int, opened: Open, values: tuple[int, ...]) -> Key | bool:
        """Return all that can still matter, worked out once; see `_prospects`."""
        question = step, opened, values
        if question not in self.seen:
            self.allowance.take(1 + sum(map(len, opened)) // 2)
            self.seen[question] = self._prospects(step, opened, values)
        return self.seen[question]

    def _prospects(self, step: int, opened: Open, values: tuple[int, ...]) -> Key | bool:
        """Return all that can still matter; True if all is satisfied, False if it cannot be."""
        formulas = set()
        used: set[int] = set()
        verdicts: dict[int, bool | None] = {}
        for terms in opened:
            kept: set[frozenset[int]] = set()
            for term in terms:
                undecided = self._undecided(term, step, values, verdicts)
                if undecided is not None:
                    kept.add(undecided)
                    if not undecided:
                        break
            if not kept:
                return False
            if frozenset() not in kept:
                formulas.add(frozenset(kept))
                used.update(b for term in kept for b in term)
        if not formulas:
            return True
        caps: dict[int, int] = {}
        for b in used:
            counter, bound = self.bounds[b]
            caps[counter] = max(caps.get(counter, 0), bound.count + (not bound.least))
        return frozenset(formulas), tuple(min(v, caps.get(i, 0)) for i, v in enumerate(values))

    def _undecided(
        self,
        term: frozenset[int],
        step: int,
        values: tuple[int, ...],
        verdicts: dict[int, bool | None],
    ) -> frozenset[int] | None:
        """Return the counts of a term that are still open; None if one has failed."""
        kept = []
        for b in term:
            if b not in verdicts:
                counter, bound = self.bounds[b]
                there = values[counter]
                verdicts[b] = bound.decided(there, there + self.left[step][counter])
            verdict = verdicts[b]
            if verdict is False:
                return None
            if verdict is None:
                kept.append(b)
        return frozenset(kept)


def classes_of(masks: Sequence[int], copies: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """Return copies of cards that move the same counters, in an order that soon closes some."""
    left = Counter[tuple[int, ...]]()
    for card, n in enumerate(copies):
        moved = tuple(i for i, mask in enumerate(masks) if mask >> card & 1)
        if moved and n:
            left[moved] += n
    order: list[tuple[int, tuple[int, ...]]] = []
    started: set[int] = set()
    waiting = Counter(i for moved in left for i in moved)
    """The number of classes that still move each counter."""
    while left:
        chosen = min(
            left,
            key=lambda m: (
                len(m) - len(started.intersection(m)), min(map(waiting.__getitem__, m)), -len(m), m
            ),
        )  # fmt: skip
        started.update(chosen)
        waiting.subtract(chosen)
        order.append((left.pop(chosen), chosen))
    return order


# ---- bit fields, for compiled code ---------------------------------------------------------------


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


# ---- the counter -------------------------------------------------------------------------------

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
