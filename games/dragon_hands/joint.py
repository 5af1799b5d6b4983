"""The exact counter for several samples of a deck, one after the other: a hand, prizes, draws.

`joint` counts as `exact.successes` does, class by class, keeping the part that can still matter.
But the cards of a class are split between the samples, and a count says which of them it looks at:
its zone lists their numbers, so that "02" is a bound on the first and the third sample together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import comb

from attrs import define

from dragon_hands.exact import Allowance, Key, Open, Table, classes_of, successes
from dragon_hands.formula import Count, Counts, Objective


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
