"""A bounded transposition table: buckets of two entries, the deeper and the newer.

One source serves the kernels and the plain-Python searches, so that both forget the same
entries and visit the same nodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dragon.bits import GOLDEN, add, mix, mul, u64
from dragon.rules import rule

ENTRY = np.dtype(
    [("key", "u8"), ("value", "i8"), ("move", "i4"), ("depth", "i2"), ("bound", "u1"), ("_", "u1")]
)
"""`key` is mixed, `value` the mover's, `move` an index in the list, `bound` 0 where empty."""
EXACT, LOWER, UPPER = 1, 2, 3
EXHAUSTED = 32000
"""Depth of an entry below which nothing was cut off by a horizon: good for any depth."""


def new_table(megabytes: float) -> Any:
    """ENTRY[2**k]: the largest that fits in `megabytes` (10**6 bytes), at least 4 entries."""
    count = max(4, int(megabytes * 1e6) // ENTRY.itemsize)
    return np.zeros(1 << (count.bit_length() - 1), ENTRY)


@rule
def hash_words(words: Any) -> Any:
    """The default key of a record: its uint64 words mixed one after another; not injective."""
    h = u64(GOLDEN)
    for i in range(len(words)):
        h = mix(add(mul(h, u64(GOLDEN)), words[i]))
    return h


@rule
def probe(table: Any, key: Any) -> int:
    """The index of the entry for a mixed `key`, or -1."""
    slot = np.int64(key & u64(len(table) - 1)) & ~1
    for i in range(slot, slot + 2):
        if table[i].bound != 0 and table[i].key == key:
            return i
    return -1


@rule
def store(table: Any, key: Any, value: int, move: int, depth: int, bound: int) -> None:
    """Keeps an entry: first in its bucket if as deep as what is there, else second."""
    slot = np.int64(key & u64(len(table) - 1)) & ~1
    first = table[slot]
    if first.bound == 0 or first.key == key or depth >= first.depth:
        if first.bound != 0 and first.key != key:
            table[slot + 1] = first
        place = slot
    else:
        place = slot + 1
    entry = table[place]
    entry.key = key
    entry.value = value
    entry.move = move
    entry.depth = depth
    entry.bound = bound


RULES = (hash_words, probe, store)
