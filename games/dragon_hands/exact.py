"""The exact counter: the number of hands, or of samples of a deck, that satisfy an objective.

A condition comes as a *formula*: alternative terms, each of counts that must all hold
(`dragon_hands.formula`). The counter goes through the deck class by class: a *class* is the cards
that belong to the same sets. It keeps only the part of the hands that can still matter: the counts
that are undecided and the value of each. Hands of equal prospects are counted together, in whole
numbers, for each number of cards drawn.

`successes` counts opening hands, `joint` several samples, one after the other: a hand, prizes,
draws. There the cards of a class are split between the samples, and a count says which of them it
looks at: its zone lists their numbers, so that "02" is a bound on the first and the third sample
together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product, zip_longest
from math import comb
from typing import TypeAlias

from attrs import define, field, frozen

Counts: TypeAlias = tuple[int, ...]
"""The number of cards of each class."""


@frozen(order=True)
class Count:
    """A bound on the cards of a set in a zone: at least, or at most, `count`."""

    zone: str
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
    """Return the counts of a term as bounds on the opening hand; None if one never holds.

    Graveyard and banishment are empty; a card in the hand is not in the deck.
    """
    found = []
    for count in sorted(term):
        if count.zone == "Deck":
            left = copies_of(count, copies) - count.count
            count = Count("Hand", count.cards, not count.least, left)
        verdict = count.decided(0, hand if count.zone == "Hand" else 0)
        if verdict is False:
            return None
        if verdict is None:
            found.append(count)
    return tightest(found)


def copies_of(count: Count, copies: Sequence[int]) -> int:
    """Return the number of cards of the set of a count."""
    return sum(n for i, n in enumerate(copies) if count.cards >> i & 1)


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


# ---- several samples -----------------------------------------------------------------------------


def total(copies: int, sizes: Sequence[int], back: int = 0) -> int:
    """Return the number of ways to draw the samples; after the first, `back` cards join the deck.

    >>> total(30, [3, 1], 3), comb(30, 3) * (30 - 3 + 3)
    (121800, 121800)
    """
    ways = 1
    for i, size in enumerate(sizes):
        if size > copies:
            return 0
        ways *= comb(copies, size)
        copies += (back if i == 0 else 0) - size
    return ways


def joint(
    objective: Objective, copies: Counts, sizes: Counts, back: Counts, allowance: Allowance
) -> int:
    """Return the number of ways to draw the samples that satisfy the objective.

    copies, back: cards of each class in the deck, and those that join it after the first sample.
    Raise TooLarge if the allowance is used up.
    """
    drawn = [i for i, size in enumerate(sizes) if size]
    if len(drawn) < 2:  # one sample, which the other counter counts faster
        number, zone = sum(sizes), "".join(map(str, drawn))
        single = tuple(
            tuple(
                frozenset(
                    Count("Hand" if zone and zone in n.zone else "GY", n.cards, n.least, n.count)
                    for n in term
                )
                for term in each
            )
            for each in objective
        )
        if drawn != [0]:
            copies = tuple(map(sum, zip(copies, back, strict=True)))
        return successes(single, copies, number, allowance)
    table = _Joint.of_samples(objective, copies, sizes, back, allowance)
    return 0 if table is None else table.count()


@define
class _Joint(Table):
    """The memory of one count of several samples."""

    sizes: Counts = ()
    zones: Sequence[Sequence[int]] = ()
    """The samples that each counter looks at."""
    backs: Sequence[int] = ()
    """The cards of each class that join the deck after the first sample."""
    rest_back: int = 0

    @classmethod
    def of_samples(
        cls, objective: Objective, copies: Counts, sizes: Counts, back: Counts,
        allowance: Allowance,
    ) -> _Joint | None:  # fmt: skip
        """Return the table at its start; None if no samples can satisfy the objective."""
        counters: dict[tuple[int, str], int] = {}
        bounds: dict[tuple[int, Count], int] = {}
        formulas: list[frozenset[frozenset[int]]] = []
        there = [n + m for n, m in zip(copies, back, strict=True)]
        for formula in objective:
            terms = set()
            for term in formula:
                kept = set()
                for count in term:
                    most = sum(n for c, n in enumerate(there) if count.cards >> c & 1)
                    verdict = count.decided(0, min(most, sum(sizes[int(i)] for i in count.zone)))
                    if verdict is False:
                        break
                    if verdict is None:
                        counter = counters.setdefault((count.cards, count.zone), len(counters))
                        kept.add(bounds.setdefault((counter, count), len(bounds)))
                else:
                    terms.add(frozenset(kept))
            if not terms:
                return None
            formulas.append(frozenset(terms))
        masks = [cards for cards, _ in counters]
        classes = classes_of(masks, there)
        joining = {moved: n for n, moved in classes_of(masks, back)}
        backs = [joining.get(moved, 0) for _, moved in classes]
        left = [[0] * len(masks)]
        for n, moved in reversed(classes):
            left.append([c + (n if i in moved else 0) for i, c in enumerate(left[-1])])
        left.reverse()
        drawn = [(n - b, moved) for (n, moved), b in zip(classes, backs, strict=True)]
        return cls(
            list(bounds), drawn, sum(copies) - sum(n for n, _ in drawn), sum(sizes), left,
            frozenset(formulas), allowance, sizes=sizes,
            zones=[[*map(int, zone)] for _, zone in counters],
            backs=backs, rest_back=sum(back) - sum(backs),
        )  # fmt: skip

    def count(self) -> int:
        """Return the number of ways."""
        none = (0,) * len(self.sizes)
        states: dict[Key, dict[Counts, int]] = {}
        self._enter(states, 0, self.start, (0,) * len(self.zones), {none: 1})
        for step, (copies, moved) in enumerate(self.classes):
            splits = list(self._splits(copies, self.backs[step]))
            after: dict[Key, dict[Counts, int]] = {}
            for (opened, values), weights in states.items():
                for taken, ways in splits:
                    shifted = {
                        drawn: w * ways
                        for before, w in weights.items()
                        if all(map(_fits, self.sizes, drawn := tuple(map(_plus, before, taken))))
                    }
                    if shifted:
                        moved_values = tuple(
                            v + sum([taken[z] for z in self.zones[i]]) if i in moved else v
                            for i, v in enumerate(values)
                        )
                        self._enter(after, step + 1, opened, moved_values, shifted)
            states = after
        assert not states  # after the last class nothing is undecided
        return self.found

    def _splits(self, copies: int, back: int) -> Iterator[tuple[Counts, int]]:
        """Yield every split of the cards of a class between the samples, with its ways."""
        for taken in product(*(range(min(size, copies + back) + 1) for size in self.sizes)):
            if sum(taken) <= copies + back and (ways := total(copies, taken, back)):
                yield taken, ways

    def _enter(
        self, states: dict[Key, dict[Counts, int]], step: int, opened: Open, values: Counts,
        weights: dict[Counts, int],
    ) -> None:  # fmt: skip
        """Enter samples among those of equal prospects, or count them if they are decided."""
        key = self.prospects_of(step, opened, values)
        if key is True:
            others = self.rest + sum(n for n, _ in self.classes[step:])
            back = self.rest_back + sum(self.backs[step:])
            for drawn, w in weights.items():
                missing = [s - d for s, d in zip(self.sizes, drawn, strict=True)]
                self.found += w * total(others, missing, back)
        elif key:
            known = states.setdefault(key, {})
            for drawn, w in weights.items():
                known[drawn] = known.get(drawn, 0) + w


def _plus(a: int, b: int) -> int:
    return a + b


def _fits(size: int, drawn: int) -> bool:
    return drawn <= size
