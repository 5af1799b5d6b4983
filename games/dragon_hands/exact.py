"""The exact counter: the number of hands, or of samples of a deck, that satisfy an objective.

A condition comes as a *formula*: alternative terms, each of counts that must all hold
(`dragon_hands.formula`). The counter goes through the deck class by class: a *class* is the cards
that belong to the same sets. It keeps only the part of the hands that can still matter: the counts
that are undecided and the value of each. Hands of equal prospects are counted together, in whole
numbers, for each number of cards drawn.

For one set of cards this is the hypergeometric distribution. `successes` counts opening hands,
`joint` several samples, one after the other: a hand, prizes, draws. The cards of a class are split
between the samples, and a count says which of them it looks
at: its zone lists their numbers, so that "02" is a bound on the first and the third together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import comb
from operator import add
from typing import TypeAlias

from attrs import define, field, frozen

FIRST, PRIZES, DRAWS = "012"
"""The samples: the opening hand, cards set aside, and cards drawn later."""
Counts: TypeAlias = tuple[int, ...]
"""The number of cards of each class."""


@frozen(order=True)
class Count:
    """A bound on the cards of a set in a zone: at least, or at most, `count`."""

    zone: str
    """A zone of conditions, or the numbers of the samples that are drawn to it."""
    cards: int
    least: bool
    count: int

    def holds(self, there: int) -> bool:
        """Return True if this number of cards satisfies the bound."""
        return there >= self.count if self.least else there <= self.count

    def decided(self, low: int, high: int) -> bool | None:
        """Return True if it holds for all of low to high, False for none, None for some."""
        if self.least:
            return True if low >= self.count else None if high >= self.count else False
        return False if low > self.count else None if high > self.count else True

    @property
    def denial(self) -> Count:
        """The bound that holds exactly where this one does not."""
        return Count(self.zone, self.cards, not self.least, self.count + (-1 if self.least else 1))


Term: TypeAlias = frozenset[Count]
"""Counts that must all hold."""
Formula: TypeAlias = tuple[Term, ...]
"""Alternative terms: one must hold. No term never holds; an empty term always does."""
Objective: TypeAlias = tuple[Formula, ...]
"""Formulas that must all hold, each by itself."""


def in_hand(term: Term, copies: Sequence[int], hand: int) -> list[Count] | None:
    """Return the counts of a term as bounds on the first sample; None if one never holds.

    Graveyard and banishment are empty; a card in the hand is not in the deck.
    """
    found = []
    for count in sorted(term):
        if count.zone == "Deck":
            left = within(count.cards, copies) - count.count
            count = Count("Hand", count.cards, not count.least, left)
        verdict = count.decided(0, hand if count.zone == "Hand" else 0)
        if verdict is False:
            return None
        if verdict is None:
            found.append(Count(FIRST, count.cards, count.least, count.count))
    return tightest(found)


def within(cards: int, copies: Sequence[int]) -> int:
    """Return the number of cards of a set."""
    return sum([n for i, n in enumerate(copies) if cards >> i & 1])


def tightest(counts: Iterable[Count]) -> list[Count]:
    """Return the tightest bounds on each set, from below and from above."""
    found: dict[tuple[str, int, bool], Count] = {}
    for count in counts:
        key = count.zone, count.cards, count.least
        known = found.get(key, count)
        found[key] = max(known, count) if count.least else min(known, count)
    return list(found.values())


MOST_WORK = 400_000
"""The most prospects, weighted by their alternatives: about ten seconds, and some hundred
megabytes."""

Open: TypeAlias = frozenset[frozenset[frozenset[int]]]
"""The undecided counts of each term still possible, of each formula not yet satisfied."""
Key: TypeAlias = tuple[Open, tuple[int, ...]]
LANE = 16
"""The bits for the cards drawn to a sample; the highest is set where they are too many."""


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


Watch = Callable[[float], None]
"""A function given the part of the work done, from time to time; its exception ends the work."""


def part_of(watch: Watch | None, done: float, parts: float) -> Watch | None:
    """Return the watch of the next of `parts` parts, after telling it the parts done."""
    if watch is None:
        return None
    watch(done / parts)
    return lambda share: watch((done + share) / parts)


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
        if n and (moved := tuple([i for i, mask in enumerate(masks) if mask >> card & 1])):
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
