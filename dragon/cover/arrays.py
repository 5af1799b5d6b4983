"""A cover problem as arrays, the input of all kernels: compressed rows, and bit sets of them.

The bit sets hold the visible part of the problem, numbered again without gaps: columns are the
visible primary items that count, rows the visible options that can be chosen. They are the faster
ones to ask which options cover an item, and which may not be chosen beside another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np
from attrs import frozen

from dragon.cover.option import Bounds, Option

Numbers = np.ndarray[Any, np.dtype[np.int32]]
Ints = np.ndarray[Any, np.dtype[np.int64]]
Words = np.ndarray[Any, np.dtype[np.uint64]]
UNBOUNDED = 1 << 62
"""How often an item may be covered where nothing forbids it."""


@frozen(eq=False)
class Arrays:
    """Options as compressed rows; items count from 0, the primary ones first.

    Hidden items and options are in them like all others.
    """

    primary: int
    """The number of primary items."""
    items: int
    """The number of items."""
    start: Numbers
    """int32[options + 1]: the entries of option o are start[o] to start[o + 1] - 1."""
    item: Numbers
    """int32[entries]: the item of each entry."""
    colour: Numbers
    """int32[entries]: its colour, from 1 on; 0 is none."""
    weight: Ints
    """int64[entries]: what the item adds to the cost when this option covers it."""
    cost: Ints
    """int64[options]: what choosing the option adds to the cost."""
    low: Numbers
    """int32[items]: how often an item must be covered; 0 for secondary ones."""
    high: Numbers
    """int32[items]: how often it may be; 1 for secondary ones."""

    @property
    def options(self) -> int:
        """The number of options."""
        return len(self.start) - 1

    def rebound(self, bounds: Sequence[Bounds]) -> Arrays:
        """Return the arrays with other bounds of the primary items."""
        low, high = np.tile(np.array([[0], [1]], np.int32), self.items)
        if bounds:
            low[: self.primary], high[: self.primary] = zip(*bounds, strict=True)
        return attrs.evolve(self, low=low, high=high)


def arrays_of(
    place: Mapping[str, int], options: Sequence[Option], bounds: Sequence[Bounds]
) -> Arrays:
    """The numbers of a problem; `place`: of each item, the primary ones with bounds first."""
    colours: dict[str, int] = {}
    start, item, colour, weight = [0], [], [], []
    for option in options:
        for name in option.items:
            item.append(place[name])
            paint = option.colours.get(name)
            colour.append(0 if paint is None else colours.setdefault(paint, len(colours) + 1))
            weight.append(option.weights.get(name, 0))
        start.append(len(item))
    return Arrays(
        primary=len(bounds),
        items=len(place),
        start=np.array(start, np.int32),
        item=np.array(item, np.int32),
        colour=np.array(colour, np.int32),
        weight=np.array(weight, np.int64),
        cost=np.array([option.cost for option in options], np.int64),
        low=np.zeros(0, np.int32),
        high=np.zeros(0, np.int32),
    ).rebound(bounds)


@frozen(eq=False)
class BitSets:
    """The visible part of a problem; rows, columns and clashes count from 0."""

    options: Ints
    """int64[rows]: the number in the problem of each row's option."""
    items: Ints
    """int64[columns]: the number in the problem of each column's item."""
    first: Ints
    """int64[rows + 1]: the entries of row o are first[o] to first[o + 1] - 1."""
    item: Ints
    """int64[entries]: the column of each entry, rising within a row."""
    weight: Ints
    """int64[entries]: what the item adds to the cost when this row covers it."""
    cost: Ints
    """int64[rows]: what choosing the row adds to the cost."""
    low: Ints
    """int64[columns]: how often a column must be covered."""
    high: Ints
    """int64[columns]: how often it may be where covers are exact."""
    users: Words
    """uint64[columns, words]: the rows that cover each column."""
    clash: Words
    """uint64[clashes, words]: the rows that disagree about a secondary item and its colour."""
    clash_first: Ints
    """int64[rows + 1]: row o clashes with clash_row[clash_first[o]] to the one before the next."""
    clash_row: Ints
    """int64[any]: indices in `clash`."""

    @property
    def rows(self) -> int:
        """The number of options that can be chosen."""
        return len(self.options)

    @property
    def columns(self) -> int:
        """The number of items that count."""
        return len(self.items)

    def members(self) -> Words:
        """uint64[rows, words]: the columns that each row covers; at least one word."""
        rows = np.repeat(np.arange(self.rows), np.diff(self.first))
        return bits(self.rows, self.columns, rows, self.item)


def bits(rows: int, columns: int, row: Any, column: Any) -> Words:
    """uint64[rows, words] in which bit `column` of set `row` is set for each pair; words > 0."""
    out = np.zeros((rows, max(1, -(-columns // 64))), np.uint64)
    shift = np.asarray(column, np.uint64) & np.uint64(63)
    place = (np.asarray(row, np.int64), np.asarray(column, np.int64) >> 6)
    np.bitwise_or.at(out, place, np.uint64(1) << shift)
    return out


def first_bits(n: int) -> Words:
    """uint64[words] in which bits 0 to n - 1 are set; at least one word."""
    out: Words = bits(1, n, np.zeros(n, np.int64), np.arange(n))[0]
    return out


def bitsets_of(
    problem: Any,
    order: Sequence[int] | None = None,
    free_items: bool = True,
    idle_options: bool = False,
) -> BitSets:
    """The bit sets of a problem.

    `order` numbers the rows: options as they stand unless given. `free_items`: whether items
    that need not be covered have a column. `idle_options`: whether options that cover no
    column have a row.
    """
    arrays = problem.arrays
    items, options = problem.visible
    counted = items.copy()
    counted[arrays.primary :] = False
    if not free_items:
        counted &= arrays.low > 0
    column = np.cumsum(counted) - 1
    first, item, weight, kept = [0], [], [], []
    clashes: dict[tuple[int, int], int] = {}
    clash_first, clash_row = [0], []
    for o in range(arrays.options) if order is None else order:
        entries = range(arrays.start[o], arrays.start[o + 1])
        covered = sorted((int(arrays.item[e]), e) for e in entries if counted[arrays.item[e]])
        if not options[o] or not (covered or idle_options):
            continue
        kept.append(o)
        item += [int(column[i]) for i, _ in covered]
        weight += [int(arrays.weight[e]) for _, e in covered]
        first.append(len(item))
        for e in entries:
            i = int(arrays.item[e])
            if i >= arrays.primary and items[i]:
                clash_row.append(clashes.setdefault((i, int(arrays.colour[e])), len(clashes)))
        clash_first.append(len(clash_row))
    rows = np.repeat(np.arange(len(kept)), np.diff(first))
    chosen = np.flatnonzero(counted)
    return BitSets(
        options=np.array(kept, np.int64),
        items=chosen,
        first=np.array(first, np.int64),
        item=np.array(item, np.int64),
        weight=np.array(weight, np.int64),
        cost=arrays.cost[kept].astype(np.int64),
        low=arrays.low[chosen].astype(np.int64),
        high=arrays.high[chosen].astype(np.int64),
        users=bits(len(chosen), len(kept), item, rows),
        clash=_clash_sets(clashes, np.array(clash_first), clash_row, len(kept)),
        clash_first=np.array(clash_first, np.int64),
        clash_row=np.array(clash_row, np.int64),
    )


def _clash_sets(
    clashes: dict[tuple[int, int], int], first: Any, row: list[int], rows: int
) -> Words:
    """For each item and colour the rows with this item in another colour, or in none.

    An item without a colour (0) clashes with every row that has it, alike ones included.
    """
    own = bits(len(clashes), rows, row, np.repeat(np.arange(rows), np.diff(first)))
    any_colour: dict[int, Words] = {}
    for (item, _), k in clashes.items():
        any_colour[item] = any_colour.get(item, np.zeros_like(own[k])) | own[k]
    out = np.zeros_like(own)
    for (item, colour), k in clashes.items():
        out[k] = any_colour[item] & ~own[k] if colour else any_colour[item]
    return out
