"""The nodes of a search that keeps them all: states, the ways to them, and a hash table of places.

A state at the place of another is kept only if it has secured more. Nodes are not moved or removed:
when there is no room for the successors of a state, the search has to end.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from dragon.bits import u64
from dragon.rules.rules import Rules
from dragon.rules.template import kernel
from dragon.search.path.promise import placed, secured

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
