"""The nodes of path searches: upper bounds, places, and the memory of a search that keeps them all.

The promise of a state is an upper bound of its final payoff in units, by the rule `bounds` and by
pattern databases. A search does not expand a state whose promise is smaller than the value asked
for.

`Nodes` has states, the ways to them, and a hash table of places. A state at the place of another is
kept only if it has secured more. Nodes are not moved or removed: when there is no room for the
successors of a state, the search has to end.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dragon.bits import mix, u64
from dragon.rules.layout import hash_words
from dragon.rules.rules import Rules
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


PER_NODE = 64
"""Bytes of a node without its record: those in `Nodes`, and eight more."""
FULL = {"stopped": "the memory is full; give it more megabytes"}
"""The notes of a result when there was no room."""


class Nodes(NamedTuple):
    """Room for c nodes, the first of which is the root."""

    words: Any  # uint64[c, itemsize / 8]: the records
    data: Any  # uint8[c, itemsize]: the same memory
    parents: Any  # int64[c]
    codes: Any  # int64[c]: the move that led to each
    promises: Any  # int64[c]: units
    places: Any  # uint64[c]
    slots: Any  # int32[2**k >= 2c]: 1 + the node at a place, 0 for none


def room_of(rules: Rules, megabytes: float) -> tuple[Any, Nodes]:
    """Return the records and the empty nodes that fit in so many megabytes (10**6 bytes)."""
    c = max(4 * rules.width, int(megabytes * 1e6) // (rules.layout.itemsize + PER_NODE))
    c = min(c, 1 << 30)
    states = np.zeros(c, rules.layout)
    return states, Nodes(
        words=states.view(np.uint64).reshape(c, -1),
        data=states.view(np.uint8).reshape(c, -1),
        parents=np.zeros(c, np.int64),
        codes=np.zeros(c, np.int64),
        promises=np.zeros(c, np.int64),
        places=np.zeros(c, np.uint64),
        slots=np.zeros(1 << (2 * c - 1).bit_length(), np.int32),
    )


def codes_to(nodes: Nodes, node: int) -> list[int]:
    """Return the codes of the moves from the root to a node."""
    codes: list[int] = []
    while node:
        codes.append(int(nodes.codes[node]))
        node = int(nodes.parents[node])
    return codes[::-1]


@kernel
def slot_of(nodes, place):
    """Return the slot of a place, or the empty slot for it."""
    last = len(nodes.slots) - 1
    slot = np.int64(place & u64(last))
    while nodes.slots[slot] and nodes.places[nodes.slots[slot] - 1] != place:
        slot = (slot + 1) & last
    return slot


@kernel
def keep(states, nodes, node):
    """Enter a node at its place; return False if a node there has secured as much."""
    place = placed(states[node], nodes.words[node])
    nodes.places[node] = place
    if place == 0:
        return True
    slot = slot_of(nodes, place)
    if nodes.slots[slot] and secured(states[nodes.slots[slot] - 1]) >= secured(states[node]):
        return False
    nodes.slots[slot] = node + 1
    return True


@kernel
def outdone(nodes, node):
    """Return True if a later node at its place has secured more."""
    place = nodes.places[node]
    return place != 0 and nodes.slots[slot_of(nodes, place)] != node + 1
