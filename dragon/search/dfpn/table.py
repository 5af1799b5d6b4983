"""A bounded table of proof numbers: buckets of four entries, of which the least work is given up.

An entry says of a position what its mover can still get, whichever side asks: *at least*, or *at
most* so many units, or, while a question is open, how far it is from a proof and from a disproof.
The memory is that of `dragon.search.table`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from dragon.bits import u64
from dragon.compiler.kernel import kernel
from dragon.rules.rules import rule
from dragon.search.table import ENTRY, LOWER, UPPER, age_of, bound_of, marked

PROOF_ENTRY = np.dtype(
    [
        ("key", "u8"),  # mixed
        ("phi", "u4"),  # to prove that the mover gets `asked`
        ("delta", "u4"),  # to prove that it does not
        ("asked", "i4"),  # units from here on; of a LOWER or UPPER entry the bound itself
        ("work", "u2"),  # nodes visited below, as far as it counts
        ("mark", "u2"),  # bound and age, where the entries of other searches have theirs
    ]
)
"""The same size as an ENTRY, and `mark` in the same place, so that memory is lent to both."""
assert PROOF_ENTRY.itemsize == ENTRY.itemsize
assert PROOF_ENTRY.fields["mark"] == ENTRY.fields["mark"]  # type: ignore[index]

PROOF_RECORD = np.dtype((np.record, PROOF_ENTRY))
"""The same with its fields as attributes, for plain Python."""

OPEN = 0
"""The bound of an entry whose question is not answered."""
NEVER = (1 << 32) - 1
"""A proof number out of reach: the contrary is proven."""
BUCKET = 4
PROOF_LOAD = 8
"""Nodes for an entry after which a table grows: of the children that are looked at few are gone
into, and kept. With 16 proofs are as quick, but visit more nodes."""
MOST_WORK = (1 << 16) - 1


@rule
def bucket_of(table: Any, key: Any) -> Any:
    """The index of the first of the entries that a mixed `key` may have."""
    return np.int64(key & u64(len(table) - 1)) & ~(BUCKET - 1)


@rule
def consult(table: Any, age: int, key: Any, asked: int) -> int:
    """The index of an entry for a mixed `key` that answers the question, or is open, or -1.

    The question is whether the mover gets `asked` units from here on.
    """
    start = bucket_of(table, key)
    found = -1
    for i in range(start, start + BUCKET):
        entry = table[i]
        if entry.key == key and age_of(entry) == age:
            if bound_of(entry) == LOWER:
                if entry.asked >= asked:
                    return i
            elif bound_of(entry) == UPPER:
                if entry.asked < asked:
                    return i
            elif entry.asked == asked:
                found = i
    return found


@rule
def record(
    table: Any, age: int, key: Any, asked: int, phi: int, delta: int, worth: int, work: int
) -> None:
    """Keeps the numbers of a question; if one is 0, `worth` is the bound that was proven.

    It takes the place of what it makes needless, else an empty one, else that of least work.
    """
    bound = LOWER if phi == 0 else UPPER if delta == 0 else OPEN
    start = bucket_of(table, key)
    place = start
    least: Any = MOST_WORK + 1
    for i in range(start, start + BUCKET):
        entry = table[i]
        if age_of(entry) != age:
            if least >= 0:
                place, least = i, -1
        elif entry.key == key and (
            entry.asked == asked if bound_of(entry) == OPEN else bound_of(entry) == bound
        ):
            place, least = i, -2
        elif entry.work < least:
            place, least = i, np.int64(entry.work)
    entry = table[place]
    entry.key = key
    entry.phi = phi
    entry.delta = delta
    entry.asked = worth if bound != OPEN else asked
    entry.work = min(work, MOST_WORK)
    entry.mark = marked(bound, age)


@kernel
def transfer(old: Any, age: int, table: Any, new_age: int) -> None:
    """Puts the entries of an age into an empty table that is larger.

    All have a place there, as what shares a bucket has shared one before.
    """
    for i in range(len(old)):
        entry = old[i]
        if age_of(entry) == age:
            at = bucket_of(table, entry.key)
            while age_of(table[at]) == new_age:
                at += 1
            table[at] = entry
            table[at].mark = marked(bound_of(entry), new_age)
