"""The exact counter: the number of opening hands that satisfy an objective, out of C(N, h).

Ask `counted`, which chooses between two ways: `joint` and `count_hands`.

`joint` goes through the deck class by class: a *class* is the cards that belong to the same
sets. It keeps only the part of the hands that can still matter: the counts that are undecided and
the value of each. Hands of equal prospects are counted together, in whole numbers, for each number
of cards drawn. It counts several samples too, one after the other, such as a hand, prizes and
draws: then the cards of a class are split between them, and the zone of a bound lists the numbers
of the samples that it looks at, so that "02" is a bound on the first and the third together.

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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from math import comb
from operator import add
from typing import TYPE_CHECKING, Any, TypeAlias

from attrs import define, field

from dragon.compiler.specialise import Constants, specialise
from dragon.modes import jit_enabled
from dragon_hands.counts import Count, Counts, Formula, Objective, in_hand, objectives_of, within
from dragon_hands.work import Allowance, TooLarge

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Open: TypeAlias = frozenset[frozenset[frozenset[int]]]
"""The undecided counts of each term still possible, of each formula not yet satisfied."""
Key: TypeAlias = tuple[Open, tuple[int, ...]]
LANE = 16
"""The bits for the cards drawn to a sample; the highest is set where they are too many."""


def successes(
    objective: Objective, copies: Sequence[int], hand: int, allowance: Allowance | None = None
) -> int:
    """Return the number of the C(N, h) opening hands that satisfy the objective.

    copies: those of each card of the deck, blanks included; their sum is N. Zones other than the
    hand and the deck are empty. Raise TooLarge if the allowance is used up.
    """
    bounds = [[in_hand(term, copies, hand) for term in each] for each in objective]
    stated = tuple(tuple(frozenset(t) for t in each if t is not None) for each in bounds)
    return joint(stated, copies, (hand,), (0,) * len(copies), allowance or Allowance())


def joint(
    objective: Objective, copies: Sequence[int], sizes: Counts, back: Counts, allowance: Allowance
) -> int:
    """Return the number of ways to draw samples of these sizes that satisfy the objective.

    copies, back: cards of each class in the deck, and those that join it after the first sample.
    Raise TooLarge if the allowance is used up.
    """
    table = Table.of(objective, copies, sizes, back, allowance)
    return 0 if table is None else table.count()


def total(copies: int, sizes: Iterable[int], back: int = 0) -> int:
    """Return the number of ways to draw the samples; after the first, `back` cards join the deck.

    >>> total(30, [3, 1], 3), comb(30, 3) * (30 - 3 + 3)
    (121800, 121800)
    """
    ways = 1
    for size in sizes:
        if size > copies:
            return 0
        ways *= comb(copies, size)
        copies, back = copies - size + back, 0
    return ways


@define
class Table:
    """The memory of one count."""

    bounds: list[tuple[int, Count]]
    """The bounds, each with its counter: the number of its set and samples."""
    zones: list[list[int]]
    """The samples that each counter looks at."""
    classes: list[tuple[int, int, tuple[int, ...]]]
    """Cards of each class in the deck and those that join it; the counters that they move."""
    rest: tuple[int, int]
    """The cards that no bound counts, in the deck and those that join it."""
    sizes: Counts
    left: list[list[int]]
    """The cards to come for each counter, before each class and after the last."""
    start: Open
    allowance: Allowance
    found: int = 0
    seen: dict[tuple[int, Open, tuple[int, ...]], Key | bool] = field(factory=dict)
    ways: dict[tuple[int, int], int] = field(factory=dict)
    """The ways to fill up the samples, by class and lanes; see `count`."""

    @classmethod
    def of(
        cls, objective: Objective, copies: Sequence[int], sizes: Counts, back: Counts,
        allowance: Allowance,
    ) -> Table | None:  # fmt: skip
        """Return the table at its start; None if no samples can satisfy the objective."""
        counters: dict[tuple[int, str], int] = {}
        most: list[int] = []
        bounds: dict[tuple[int, Count], int] = {}
        formulas: list[frozenset[frozenset[int]]] = []
        every = [*map(add, copies, back)]
        for formula in objective:
            terms = set()
            for term in formula:
                kept = set()
                for count in term:
                    counter = counters.setdefault((count.cards, count.zone), len(counters))
                    if counter == len(most):
                        drawn = sum(sizes[int(i)] for i in count.zone)
                        most.append(min(within(count.cards, every), drawn))
                    verdict = count.decided(0, most[counter])
                    if verdict is False:
                        break
                    if verdict is None:
                        kept.add(bounds.setdefault((counter, count), len(bounds)))
                else:
                    terms.add(frozenset(kept))
            if not terms:
                return None
            formulas.append(frozenset(terms))
        masks = [cards for cards, _ in counters]
        joining = {moved: n for n, moved in classes_of(masks, back)}
        classes = [
            (n - joining.get(moved, 0), joining.get(moved, 0), moved)
            for n, moved in classes_of(masks, every)
        ]
        left = [[0] * len(masks)]
        for n, m, moved in reversed(classes):
            left.append([c + (n + m if i in moved else 0) for i, c in enumerate(left[-1])])
        left.reverse()
        rest = sum(copies) - sum(n for n, _, _ in classes), sum(back) - sum(joining.values())
        zones = [[*map(int, zone)] for _, zone in counters]
        return cls(list(bounds), zones, classes, rest, sizes, left, frozenset(formulas), allowance)

    def count(self) -> int:
        """Return the number of ways.

        The numbers of cards drawn so far are the lanes of one integer, each begun so that the
        highest bit is set by a card more than the sample has.
        """
        lanes = [(LANE * i, size) for i, size in enumerate(self.sizes)]
        full = sum(1 << lane + LANE - 1 for lane, _ in lanes)
        begun = sum((1 << LANE - 1) - 1 - size << lane for lane, size in lanes)
        states: dict[Key, dict[int, int]] = {}
        self._enter(states, 0, self.start, (0,) * len(self.zones), {begun: 1})
        for step in range(len(self.classes)):
            splits = list(self._splits(step))
            after: dict[Key, dict[int, int]] = {}
            for (opened, values), weights in states.items():
                for taken, ways, more in splits:
                    drawn = {
                        d + taken: w * ways for d, w in weights.items() if not d + taken & full
                    }
                    if drawn:
                        self._enter(after, step + 1, opened, tuple(map(add, values, more)), drawn)
            states = after
        assert not states  # after the last class nothing is undecided
        return self.found

    def _splits(self, step: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Yield every split of a class between the samples: lanes, ways, and moves of counters."""
        copies, back, moved = self.classes[step]
        every = copies + back
        for taken in product(*(range(min(size, every) + 1) for size in self.sizes)):
            if sum(taken) <= every and (ways := total(copies, taken, back)):
                more = (
                    sum([taken[z] for z in zone]) if i in moved else 0
                    for i, zone in enumerate(self.zones)
                )
                yield sum(n << LANE * i for i, n in enumerate(taken)), ways, tuple(more)

    def _enter(
        self, states: dict[Key, dict[int, int]], step: int, opened: Open, values: Counts,
        weights: dict[int, int],
    ) -> None:  # fmt: skip
        """Enter samples among those of equal prospects, or count them if they are decided."""
        key = self.prospects_of(step, opened, values)
        if key is True:
            self.found += sum([w * self._filled(step, drawn) for drawn, w in weights.items()])
        elif key:
            known = states.setdefault(key, {})
            for drawn, w in weights.items():
                known[drawn] = known.get(drawn, 0) + w

    def _filled(self, step: int, drawn: int) -> int:
        """Return the ways to fill up the samples from the classes to come and the rest."""
        if (step, drawn) not in self.ways:
            top = (1 << LANE - 1) - 1
            missing = [top - (drawn >> LANE * i & top) for i in range(len(self.sizes))]
            copies, back = self.rest
            copies += sum(n for n, _, _ in self.classes[step:])
            back += sum(m for _, m, _ in self.classes[step:])
            self.ways[step, drawn] = total(copies, missing, back)
        return self.ways[step, drawn]

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
