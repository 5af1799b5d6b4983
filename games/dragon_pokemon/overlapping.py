"""The original program's collection: sets whose picks come in an order that it would try.

For the *statically* rarest item that is not covered, the one that the fewest options cover at the
beginning (of equals the first), it picks any option that covers the item, and so on until
everything is covered. A set belongs to the collection if its picks, in some order, are such a
sequence. Every irredundant cover of limited size does, and some others.

The program met a set once for each such sequence, and remembered the sets to drop repetitions. Here
a set counts at the first of its sequences only, in the order in which the search tries them. The
set alone shows whether a sequence is the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from dragon.compiler.specialise import Constants
from dragon.cover.kernel_stream import KernelStream
from dragon.modes import jit_enabled
from dragon_pokemon.kernels.overlapping import RUN, TRY, Memory

if TYPE_CHECKING:
    from dragon.cover import Problem
    from dragon_pokemon.roster import Cap

Cover = tuple[int, ...]
WORD = 63
"""The most items of a compiled kernel; with more it is interpreted."""


@frozen
class Rows:
    """Options as bit sets of items; the statically rarest item is bit 0."""

    number: tuple[int, ...]
    """The number in the problem of each visible option."""
    mask: tuple[int, ...]
    weight: tuple[dict[int, int], ...]
    """The weight that each gives to the items that it covers."""
    columns: tuple[tuple[int, ...], ...]
    """The options that cover each item, in their order."""
    caps: tuple[tuple[frozenset[int], int], ...] = ()
    """Sets of options, and how many of each a set has at most."""

    @property
    def full(self) -> int:
        """All items."""
        return (1 << len(self.columns)) - 1

    def cost(self, picks: Cover) -> int:
        """Return the cost of a cover, in any order of its picks."""
        return sum(
            min(self.weight[pick][i] for pick in picks if self.mask[pick] >> i & 1)
            for i in range(len(self.columns))
        )


def rows_of(problem: Problem, caps: Sequence[Cap] = ()) -> Rows:
    """Return the visible part of a problem, items by rarity, and the caps on its options."""
    numbers = [i for i, name in enumerate(problem.names) if name not in problem.hidden_options]
    names = [name for name in problem.primary if name not in problem.hidden_items]
    held = {
        name: tuple(k for k, i in enumerate(numbers) if name in problem.options[i].items)
        for name in names
    }
    place = {name: at for at, name in enumerate(sorted(names, key=lambda name: len(held[name])))}
    weights = tuple(
        {
            place[name]: problem.options[i].weights.get(name, 0)
            for name in problem.options[i].items
            if name in place
        }
        for i in numbers
    )
    masks = tuple(sum(1 << at for at in row) for row in weights)
    at = {problem.names[number]: k for k, number in enumerate(numbers)}
    bound = tuple((frozenset(at[kind] for kind in cap.kinds & {*at}), cap.most) for cap in caps)
    return Rows(tuple(numbers), masks, weights, tuple(held[name] for name in place), bound)


def lowest(items: int) -> int:
    """Return the rarest item of a set."""
    return (items & -items).bit_length() - 1


PYTHON = {
    "np": SimpleNamespace(uint64=int), "ONE": 1, "NONE": 0, "ctz": lowest,
    "popcount": int.bit_count,
}  # fmt: skip
"""Names of the kernel for sets that are Python's integers."""


class Collection(KernelStream):
    """The sets of at most `size` options, as a stream."""

    def __init__(self, rows: Rows, size: int) -> None:
        self.rows = rows
        compiled = jit_enabled() and 0 < len(rows.columns) <= WORD

        def numbers(values: Iterable[int], word: bool = False) -> Any:
            return np.array([*values], np.uint64 if word else np.int64) if compiled else [*values]

        base, strong, double = strengths(rows)
        spans = np.cumsum([0, *map(len, rows.columns)]).tolist()
        capped = [[c for c, (held, _) in enumerate(rows.caps) if option in held]
                  for option in range(len(rows.mask))]  # fmt: skip
        nothing = [0] * (size + 2)
        m = Memory(
            numbers(rows.number), numbers(rows.mask, True), numbers(strong, True),
            numbers(double, True), numbers(spans),
            numbers(option for column in rows.columns for option in column),
            numbers(np.cumsum([0, *map(len, capped)]).tolist()),
            numbers(cap for each in capped for cap in each),
            numbers(most for _, most in rows.caps),
            numbers([rows.full], True), numbers(nothing), numbers(nothing), numbers(nothing, True),
            numbers(nothing, True), numbers(nothing, True), numbers(nothing),
            sizes=np.zeros(size + 1, np.int64), out=np.zeros(0, np.int32), runs=np.zeros(1, RUN),
        )  # fmt: skip
        run = m.runs[0]
        run["size"], run["base"], run["most"] = size, base, np.iinfo(np.int64).max
        names = None if compiled else PYTHON
        constants = Constants("overlapping covers")
        super().__init__("dragon_pokemon.kernels.overlapping", constants, m, size, names)

    def limit_cost(self, most: int) -> None:
        """Count the sets that cost more from now on, without listing them."""
        self.m.runs["most"] = most

    @property
    def sizes(self) -> dict[int, int]:
        """The number of sets found of each size."""
        return {n: count for n, count in enumerate(self.m.sizes.tolist()) if count}

    def _levels(self) -> Iterable[tuple[int, int]]:
        m, run = self.m, self.m.runs[0]
        for d in range(int(run["level"]) + int(run["step"] == TRY)):
            item = lowest(~int(m.covered[d]))
            yield max(0, int(m.at[d]) - int(m.start[item]) - 1), len(self.rows.columns[item])


def strengths(rows: Rows) -> tuple[int, list[int], list[int]]:
    """Return the largest cost of a cover, and the items that each option covers for 1 and 2 less.

    The options of an item differ by 2 at most: half, a quarter and no damage score 3, 2 and 1,
    double and fourfold damage 5 and 6.
    """
    dearest = [max((rows.weight[option][item] for option in column), default=0)
               for item, column in enumerate(rows.columns)]  # fmt: skip
    strong, double = (
        [sum(1 << i for i, w in weight.items() if w <= dearest[i] - less) for weight in rows.weight]
        for less in (1, 2)
    )
    return sum(dearest), strong, double


def collection_of(problem: Problem, size: int, caps: Sequence[Cap] = ()) -> Collection:
    """Return the collection of a problem, sets of at most `size` options that keep the caps."""
    rows = rows_of(problem, caps)
    return Collection(rows, min(size, len(rows.columns)))
