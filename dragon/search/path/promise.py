"""Upper bounds and places of states of one seat, for the kernels of path searches.

The promise of a state is an upper bound of its final payoff in units, by the rule `bounds` and by
pattern databases. A search does not expand a state whose promise is smaller than the value asked
for.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import numpy as np

from dragon.bits import mix, u64
from dragon.rules.layout import hash_words
from dragon.rules.template import (
    HAS_BANKED,
    HAS_BOUNDS,
    HAS_KEY,
    HAS_PLACE,
    LARGEST,
    banked,
    bounds,
    kernel,
    key,
    place,
)

NOTHING = -(1 << 60)
"""A number of units below any payoff: no state is left."""


@kernel
def placed(s, words):
    """Return the hashed place of a state, 0 to keep it nowhere; words: the record as uint64."""
    if HAS_PLACE:
        return mix(u64(place(s)))
    return mix(u64(key(s))) if HAS_KEY else mix(hash_words(words))


@kernel
def secured(s):
    """Return the units that are certain already, by which two states at a place can differ."""
    return banked(s) if HAS_BANKED else 0


def indexed(cells, steps):
    """Return the cells of the pieces of a group as an index of its table.

    cells: uint8[any], the piece of each cell; steps: int64[256], a power of the number of cells for
    each piece of the group, 0 for others.
    """
    index = 0
    for cell in range(len(cells)):
        index += np.int64(cell) * steps[cells[cell]]
    return index


@kernel
def promise(s, data, patterns):
    """Return the upper bound of seat 0's final units; data: uint8[any], the record's bytes."""
    least, most = bounds(s) if HAS_BOUNDS else (-LARGEST, LARGEST)
    most = min(most, LARGEST)
    if len(patterns.steps):
        cells, end = data[patterns.span[0] : patterns.span[1]], 0
        for partition in range(len(patterns.sizes)):
            left, begin, end = 0, end, end + patterns.sizes[partition]
            for group in range(begin, end):
                index = indexed(cells, patterns.steps[group])
                left += patterns.table[patterns.begin[group] + index]
            most = min(most, max(least, secured(s) - left))  # a line without the goal pays `least`
    return most
