"""A bounded transposition table: buckets of two entries, the deeper and the newer.

One source serves the kernels and the plain-Python searches, so that both forget the same
entries and visit the same nodes. Tables are reused: the memory of one search serves the next, for
which entries of another age count as empty.

Threads that share a table take no lock. A thread may read an entry that another has half written.
So the key is stored combined with a digest of the other fields, and a torn entry matches no key
(Hyatt and Mann 2002, with a product instead of their XOR, in which parts of small values may cancel
out). `probe` returns a copy, since the entry may change after it was checked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from attrs import define

from dragon.bits import GOLDEN, msb, mul, u64
from dragon.compiler.kernel import kernel
from dragon.rules.rules import rule
from dragon.search.budget import FOREVER, MOST_MEGABYTES

ENTRY = np.dtype(
    [
        ("check", "u8"),
        ("value", "i8"),
        ("move", "i4"),
        ("depth", "i2"),
        ("mark", "u2"),
    ]
)
"""`check` is the mixed key under a digest of the others, `value` the mover's, `move` an index in
the list, `mark` bound and age."""
RECORD = np.dtype((np.record, ENTRY))
"""An entry with its fields as attributes, for plain Python."""
EXACT, LOWER, UPPER = 1, 2, 3
EXHAUSTED = 32000
"""The least depth of an entry whose subtree met no horizon, so that it holds for any depth."""


AGE_SHIFT = 2
"""The number of bits of a mark for the bound; the others are the age of the search."""
LAST_AGE = (1 << 16 - AGE_SHIFT) - 1
"""The number of searches after which a table is cleared, which takes as long as ten small searches,
and hundreds the first time, when most of its memory is new."""
FIRST_MEGABYTES = 1.0
"""The first size of a table that may grow. A small table fits into the processor's cache, where a
probe is much faster."""
GROWTH = 8
"""The factor by which the next table is larger, where that fits, else 2."""
LOAD = 4
"""The nodes visited for each entry of a table before it grows; until then, of two positions at one
place the one of more nodes stays. With a smaller number, proofs of 10,000 nodes and more take up to
1.4 times as long; with a larger one, they visit up to 1.13 times as many nodes."""
SECONDS_A_BYTE = 1e-9
"""The approximate seconds for each byte of a larger table to be filled: 0.36 to 0.93 s for 402
megabytes."""
SAMPLED = 2000
"""The number of entries by which the filled part of a table is estimated."""
KEPT, MOST_KEPT = 3, 64.0
"""The number of tables kept for later searches, and the most megabytes of one kept after it was
outgrown: the memory of a large one is not worth keeping."""


@define(eq=False)
class Table:
    """Entries, of which those of another age count as empty."""

    entries: Any
    """ENTRY[2**k]."""
    age: int = 0

    def renew(self) -> Table:
        """Empty the table and return it."""
        if self.age == LAST_AGE:
            self.entries["mark"] = 0
            self.age = 0
        self.age += 1
        return self


_free: list[Table] = []


def entries_in(megabytes: float) -> int:
    """The number of entries of the largest table that fits: a power of two, at least 4."""
    return 1 << max(4, int(megabytes * 1e6) // ENTRY.itemsize).bit_length() - 1


def borrow(megabytes: float) -> Table:
    """Return an empty table of 4 entries or more, the largest that fits in `megabytes`.

    A megabyte is 10**6 bytes. It is one that was given back, if there is one of that size.
    """
    count = entries_in(megabytes)
    for table in tuple(_free):
        if len(table.entries) == count:
            try:
                _free.remove(table)
            except ValueError:  # another thread was quicker
                continue
            return table.renew()
    return Table(np.zeros(count, ENTRY)).renew()


def give_back(table: Table | None) -> None:
    """Keep a table for later searches; the caller must not use it any more."""
    if table is not None:
        _free.append(table)
        del _free[:-KEPT]


@define(eq=False)
class Lease:
    """The table of a run: kept from move to move of a game, and given back at its end."""

    megabytes: float
    table: Table | None = None
    visited: int = 0
    """Nodes of searches that are over, since the table was empty; a run adds them at their end."""
    refused: bool = False
    """True if the machine had no memory for a larger table."""
    _of: Any = None

    def notes(self) -> dict[str, Any]:
        """Return a note for `extra` of a result if the table could not grow."""
        if not self.refused:
            return {}
        return {"memory": f"the table stayed at {self.megabytes:.3g} megabytes, as the machine has "
                          "no more memory"}  # fmt: skip

    def of(self, state: Any, first: float = MOST_MEGABYTES) -> Table:
        """Return the table with what is known of the state's game; an empty one for another game.

        first: the megabytes of a table that is to grow.
        """
        game = type(state), state.game
        if self.table is not None and game != self._of:
            self.close()
        if self.table is None:
            self.table, self._of = borrow(min(first, self.megabytes)), game
        return self.table

    def grows_at(self, load: int = LOAD) -> int:
        """Return after how many nodes of a search the table should grow; FOREVER: never."""
        if self.table is None or 2 * self.table.entries.nbytes > 1e6 * self.megabytes:
            return FOREVER
        return max(0, load * len(self.table.entries) - self.visited)

    def grows_in(self) -> float:
        """Estimate the seconds that growing takes."""
        assert self.table is not None
        size: int = self.table.entries.nbytes
        return SECONDS_A_BYTE * min(GROWTH * size, 1e6 * self.megabytes)

    def grow(self, transfer: Callable[..., Any], kind: Any = ENTRY) -> Table:
        """Return a larger table with the old one's entries, or the old one if memory has ended.

        transfer: the function below, compiled where a kernel is at work, or another one for
        entries of another kind.
        """
        assert self.table is not None
        old = self.table
        try:
            self.table = borrow(min(GROWTH * old.entries.nbytes / 1e6, self.megabytes))
        except MemoryError:  # the search continues with its present table
            self.megabytes = old.entries.nbytes / 1e6
            self.refused = True
            return old
        new = self.table.entries.view(kind)
        transfer(old.entries.view(kind), old.age, new, self.table.age)
        if old.entries.nbytes <= 1e6 * MOST_KEPT:
            give_back(old)
        return self.table

    def filled(self) -> float:
        """Estimate the part of all entries that may be had which the search has written."""
        table = self.table
        if table is None:
            return 0.0
        marks = table.entries["mark"][:SAMPLED]  # keys are mixed: any part is like all
        held = np.mean(marks >> AGE_SHIFT == table.age)
        return float(
            held * len(table.entries) / max(len(table.entries), entries_in(self.megabytes))
        )

    def close(self) -> None:
        """Give the table back."""
        give_back(self.table)
        self.table, self.visited = None, 0


@rule
def age_of(entry: Any) -> Any:
    """The age of the search that wrote an entry; 0 of an empty place."""
    return entry.mark >> AGE_SHIFT


@rule
def bound_of(entry: Any) -> Any:
    return entry.mark & ((1 << AGE_SHIFT) - 1)


@rule
def marked(bound: int, age: int) -> int:
    return bound | age << AGE_SHIFT


@rule
def digest(value: Any, move: Any, depth: Any, mark: Any) -> Any:
    """64 bits that depend on all that an entry says."""
    rest = int(move) ^ int(depth) << 32 ^ int(mark) << 48
    return mul(u64(value), u64(GOLDEN)) ^ u64(rest)


@rule
def key_of(entry: Any) -> Any:
    """The key of an entry; no key where it is torn."""
    return entry.check ^ digest(entry.value, entry.move, entry.depth, entry.mark)


@rule
def reach(depth: int, horizon: Any, nodes: int) -> int:
    """The depth of an entry: the plies searched, or EXHAUSTED where no horizon cut anything off.

    The more nodes that took, the deeper, so that a large proof does not give way to many small
    ones: TwoBig of D. Breuker, J. Uiterwijk and J. van den Herik, *Replacement Schemes for
    Transposition Tables*, ICCA Journal 17(4), 1994, with nodes in powers of two.
    """
    return min(depth, EXHAUSTED - 1) if horizon else EXHAUSTED + msb(nodes)


@rule
def probe(table: Any, age: int, key: Any) -> Any:
    """The entry of this age for a mixed `key`: its index, value, move, depth and bound.

    Where there is none, the index and the move are -1, and the others 0.
    """
    slot = np.int64(key & u64(len(table) - 1)) & ~1
    for i in range(slot, slot + 2):
        entry = table[i]
        value, move, depth, mark = entry.value, entry.move, entry.depth, entry.mark
        if entry.check ^ digest(value, move, depth, mark) == key and mark >> AGE_SHIFT == age:
            return i, int(value), int(move), int(depth), int(mark) & ((1 << AGE_SHIFT) - 1)
    return -1, 0, -1, 0, 0


@rule
def store(table: Any, age: int, key: Any, value: int, move: int, depth: int, bound: int) -> None:
    """Store an entry: first in its bucket if as deep as the entry there, else second."""
    slot = np.int64(key & u64(len(table) - 1)) & ~1
    first = table[slot]
    used = age_of(first) == age
    same = key_of(first) == key
    if not used or same or depth >= first.depth:
        if used and not same:
            table[slot + 1] = first
        place = slot
    else:
        place = slot + 1
    entry = table[place]
    mark = marked(bound, age)
    entry.check = key ^ digest(value, move, depth, mark)
    entry.value = value
    entry.move = move
    entry.depth = depth
    entry.mark = mark


@kernel
def transfer(old: Any, age: int, table: Any, new_age: int) -> None:
    """Copy the entries of an age into a larger table."""
    for i in range(len(old)):
        entry = old[i]
        if age_of(entry) == age:
            bound = bound_of(entry)
            store(table, new_age, key_of(entry), entry.value, entry.move, entry.depth, bound)
