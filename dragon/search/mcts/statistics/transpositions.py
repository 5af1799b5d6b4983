"""Transpositions: nodes of equal states share one mean, over the simulations through all of them.

The tree stays a tree, and the exploration term uses a node's own visits; its mean is that of its
`SHARED_VALUE`, and a proof of one node holds for all. This is UCT2 of Childs, Brodeur and Kocsis,
"Transpositions and Move Groups in Monte Carlo Tree Search" (2008).

Equal states are those of equal keys, by the game's rule `key` where it has one, that have as much
`banked`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from typing import Any

import numpy as np

from dragon.bits import GOLDEN, i64, mix, u64
from dragon.core import CHANCE
from dragon.rules.layout import hash_words
from dragon.rules.template import HAS_BANKED, HAS_KEY, LARGEST, TEAM, banked, kernel, key

UNPROVEN = -(1 << 62)
SHARED_VALUE = np.dtype(
    [
        ("key", "u8"),  # of the states; 0 of a free place
        ("total_seat0", "i8"),  # units for seat 0
        ("visits", "i8"),
        ("proof_seat0", "i8"),  # as of a node
    ],
    align=True,
)
SHORTEST = 1 << 17
"""The length of the first table, which grows as it fills: the first write to memory costs more than
a probe."""
PROBES = 32
"""The places that are probed for a key; a node that finds none free shares nothing."""
NOTHING = -1
"""The place of a node that shares nothing; others are counted from 1, as 0 is unknown."""


@kernel
def units_of(proof_seat0: Any, seat: Any) -> Any:
    """Return a proof from the side of `seat`."""
    return proof_seat0 if TEAM[seat] == TEAM[0] else -proof_seat0


@kernel
def single(number: Any) -> Any:
    """Return a number in single precision."""
    return np.float32(number)


@kernel
def find_shared(m, node, s, seat):
    """Give a node, into which a seat moved, the place of its SHARED_VALUE.

    The visits that the node has from a reused tree are added there.
    """
    wanted = mix(u64(key(s))) if HAS_KEY else mix(hash_words(m.words[1]))
    if HAS_BANKED and wanted != 0:  # which the key leaves out, as tables keep what is to come
        wanted = mix(wanted ^ mix(u64(banked(s))))
    if node.seat == CHANCE and wanted != 0:  # it may have the key of a seat's state
        wanted ^= u64(GOLDEN)
    mask = m.budget[0].shared - 1
    at = i64(wanted & u64(mask))
    tried = 0
    while m.shared[at].key != 0 and m.shared[at].key != wanted and tried < PROBES:
        at = (at + 1) & mask
        tried += 1
    found = m.shared[at]
    if wanted == 0 or tried == PROBES:
        node.shared = NOTHING
        return
    if found.key == 0:
        m.runs[0].shared += 1
        found.key = wanted
        found.proof_seat0 = UNPROVEN
    node.shared = at + 1
    found.visits += node.visits
    found.total_seat0 += units_of(node.total, seat)


@kernel
def lengthen_shared(old, new, places):
    """Put all values of a table into a longer one, which is empty.

    places: int64[len(old) + 2], zeros; written: the new place for each old one, both from 1 on.
    """
    mask = len(new) - 1
    for i in range(len(old)):
        if old[i].key != 0:
            at = i64(old[i].key & u64(mask))
            while new[at].key != 0:
                at = (at + 1) & mask
            new[at] = old[i]
            places[i + 1] = at + 1


@kernel
def known_elsewhere(m, node):
    """Take the proof of an equal state; return True if there is one, and it is new here."""
    if node.shared < 1 or node.proof_seat0 != UNPROVEN or not m.settings[0].solver:
        return False
    node.proof_seat0 = m.shared[node.shared - 1].proof_seat0
    return node.proof_seat0 != UNPROVEN


@kernel
def add_shared(m, node):
    """Add a simulation to what a node shares, and its proof if it has one."""
    if node.shared < 1:
        return
    found = m.shared[node.shared - 1]
    found.visits += 1
    found.total_seat0 += m.pay[0]
    if node.proof_seat0 != UNPROVEN:
        found.proof_seat0 = node.proof_seat0


@kernel
def shared_mean(m: Any, node: Any, seat: Any) -> Any:
    """Return the shared mean of a node, from 0 to 1, for the seat that moved there."""
    found = m.shared[node.shared - 1]
    units = units_of(found.total_seat0, seat)
    return (units / (found.visits * LARGEST) + 1.0) * 0.5


@kernel
def renew(m, node):
    """Write the shared means of a node's children into them, before one of them is selected."""
    for i in range(node.count):
        child = m.tree[node.first + i]
        if child.shared > 0 and child.proof_seat0 == UNPROVEN:
            child.own = single(shared_mean(m, child, node.seat))
