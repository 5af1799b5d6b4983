"""A cover problem as arrays, the input of all kernels: compressed rows, and bit sets of them.

Bit sets give faster the options that cover an item, and those that exclude one another. They hold
the visible part of the problem, numbered without gaps: a column is a visible primary item that
counts, a row a visible option that can be chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np
from attrs import frozen

Numbers = np.ndarray[Any, np.dtype[np.int32]]
Ints = np.ndarray[Any, np.dtype[np.int64]]
Words = np.ndarray[Any, np.dtype[np.uint64]]
UNBOUNDED = 1 << 62
"""The upper bound of an item that may be covered any number of times."""


@frozen(eq=False)
class Arrays:
    """Options as compressed rows; items count from 0, the primary ones first.

    They include hidden items and options.
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
    """int64[entries]: the addition to the cost if this option covers the item."""
    cost: Ints
    """int64[options]: the addition to the cost if the option is chosen."""
    low: Numbers
    """int32[items]: the lower bound of an item; 0 for secondary ones."""
    high: Numbers
    """int32[items]: its upper bound; 1 for secondary ones."""

    @property
    def options(self) -> int:
        return len(self.start) - 1

    def rebound(self, bounds: Sequence[tuple[int, int]]) -> Arrays:
        """Return the arrays with other bounds of the primary items."""
        low, high = np.tile(np.array([[0], [1]], np.int32), self.items)
        if bounds:
            low[: self.primary], high[: self.primary] = zip(*bounds, strict=True)
        return attrs.evolve(self, low=low, high=high)


def arrays_of(
    place: Mapping[str, int], options: Sequence[Any], bounds: Sequence[tuple[int, int]]
) -> Arrays:
    """Return the arrays of a problem.

    place: the number of each item. options: the Options. bounds: those of each primary item.
    """
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
    """int64[rows]: the number of each row's option in the problem."""
    items: Ints
    """int64[columns]: the number of each column's item in the problem."""
    first: Ints
    """int64[rows + 1]: the entries of row o are first[o] to first[o + 1] - 1."""
    item: Ints
    """int64[entries]: the column of each entry, rising within a row."""
    weight: Ints
    """int64[entries]: the addition to the cost if this row covers the item."""
    cost: Ints
    """int64[rows]: the addition to the cost if the row is chosen."""
    low: Ints
    """int64[columns]: the lower bound of a column."""
    high: Ints
    """int64[columns]: its upper bound where covers are exact."""
    users: Words
    """uint64[columns, words]: the rows that cover a column."""
    clash: Words
    """uint64[clashes, words]: the rows that disagree with a colour of a secondary item."""
    clash_first: Ints
    """int64[rows + 1]: the clashes of row o are clash_first[o] to clash_first[o + 1] - 1."""
    clash_row: Ints
    """int64[any]: for each of them its index in `clash`."""

    @property
    def rows(self) -> int:
        return len(self.options)

    @property
    def columns(self) -> int:
        return len(self.items)

    def members(self) -> Words:
        """uint64[rows, words]: the columns that each row covers; at least one word."""
        rows = np.repeat(np.arange(self.rows), np.diff(self.first))
        return bits(self.rows, self.columns, rows, self.item)


def bits(rows: int, columns: int, row: Any, column: Any) -> Words:
    """Return uint64[rows, words] with bit `column` of set `row` set for each pair; words > 0."""
    out = np.zeros((rows, max(1, -(-columns // 64))), np.uint64)
    shift = np.asarray(column, np.uint64) & np.uint64(63)
    place = (np.asarray(row, np.int64), np.asarray(column, np.int64) >> 6)
    np.bitwise_or.at(out, place, np.uint64(1) << shift)
    return out


def first_bits(n: int) -> Words:
    """Return uint64[words] with bits 0 to n - 1 set; at least one word."""
    out: Words = bits(1, n, np.zeros(n, np.int64), np.arange(n))[0]
    return out


def idle_of(problem: Any) -> Any:
    """Return bool[options]: the visible options with a visible item, but without a primary one."""
    arrays = problem.arrays
    items, options = problem.visible
    owner = np.repeat(np.arange(arrays.options), np.diff(arrays.start))
    seen, primary = items[arrays.item], arrays.item < arrays.primary
    some, needed = np.zeros((2, arrays.options), bool)
    some[owner[seen]], needed[owner[seen & primary]] = True, True
    return options & some & ~needed


def bitsets_of(
    problem: Any,
    order: Sequence[int] | None = None,
    free_items: bool = True,
    idle: Any = None,
) -> BitSets:
    """Return the bit sets of a problem.

    order: the options in the order of the rows; the order of the problem if left out. free_items:
    whether items that need not be covered have a column. idle: bool[options], the options that have
    a row although they cover no column; none if left out.
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
        if not options[o] or not (covered or (idle is not None and idle[o])):
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
    """The rows, for each item and colour, that give the item another colour, or none.

    A row that gives it no colour (0) clashes with every row that has the item, itself included.
    """
    own = bits(len(clashes), rows, row, np.repeat(np.arange(rows), np.diff(first)))
    any_colour: dict[int, Words] = {}
    for (item, _), k in clashes.items():
        any_colour[item] = any_colour.get(item, np.zeros_like(own[k])) | own[k]
    out = np.zeros_like(own)
    for (item, colour), k in clashes.items():
        out[k] = any_colour[item] & ~own[k] if colour else any_colour[item]
    return out
