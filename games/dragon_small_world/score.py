"""The score of a set of bridges on bit sets, and the kernel that finds the best sets.

A set S of bridges is joined to the deck, and bridges may be linked with one another. What can
be searched is (1) among the deck: what could before, and each pair of which both ends are
linked with one bridge; (2) between a bridge a and the deck, both ways: the neighbours of a's
neighbours, those that are bridges included; (3) among bridges: the pairs that have a common
neighbour.

The kernel is branch and bound. Monsters come in an order of falling promise: `own + 2 reached + 2
(k - 1) size`. Of a set of k bridges no more can be searched than `start` (the deck alone), the
promises, and k^2 pairs of bridges.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import eq
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from dragon.bits import ctz, popcount
from dragon.rules.template import kernel

if TYPE_CHECKING:
    from dragon_small_world.links import Bools, Links


KEPT = 20_000
"""The most bit sets whose members are remembered."""


@frozen(eq=False)
class Bits:
    """The links of a deck as whole numbers, a bit for each of its n monsters."""

    table: tuple[tuple[int, ...], ...]
    """The properties of each monster of the pool, as numbers."""
    rows: tuple[int, ...]
    """The monsters that each monster of the deck can search without new bridges."""
    masks: tuple[int, ...]
    """With whom of the deck each monster of the pool is linked."""
    reach: tuple[int, ...]
    """The neighbours, in the deck, of those."""

    @property
    def start(self) -> int:
        """The pairs that can be searched in the deck alone."""
        return sum(row.bit_count() for row in self.rows)

    def numerator(self, bridges: Sequence[int]) -> int:
        """Return how many pairs can be searched with these monsters of the pool as new vertices."""
        masks = [self.masks[b] for b in bridges]
        printed = [self.table[b] for b in bridges]
        near = [
            {b for b, other in enumerate(printed) if b != a and sum(map(eq, row, other)) == 1}
            for a, row in enumerate(printed)
        ]
        pairs = sum(row.bit_count() for row in joined(self, bridges))
        for a, bridge in enumerate(bridges):
            reached = self.reach[bridge]
            for b in near[a]:
                reached |= masks[b]
            pairs += 2 * reached.bit_count()
            pairs += sum(
                bool(masks[a] & masks[b] or near[a] & near[b]) for b in range(len(bridges))
            )
        return pairs


def bit_sets(rows: Bools) -> tuple[int, ...]:
    """Return each row of truth values as a whole number, the first value its lowest bit."""
    data = np.packbits(rows, axis=1, bitorder="little")
    return tuple(int.from_bytes(row.tobytes(), "little") for row in data)


def bits_of(links: Links) -> Bits:
    """Return the links of a deck and its pool on bit sets."""
    from dragon_small_world.links import product

    near = product(links.pool, links.adjacency) > 0
    return Bits(
        tuple(map(tuple, links.table.tolist())),
        bit_sets(links.squared > 0),
        bit_sets(links.pool),
        bit_sets(near),
    )


@lru_cache(maxsize=KEPT)
def members(numbers: int) -> tuple[int, ...]:
    """Return the members of a bit set, the smallest first."""
    return tuple(i for i in range(numbers.bit_length()) if numbers >> i & 1)


def joined(bits: Bits, bridges: Sequence[int]) -> list[int]:
    """Return the monsters that each monster of the deck can search with these bridges."""
    rows = list(bits.rows)
    for bridge in bridges:
        mask = bits.masks[bridge]
        for i in members(mask):
            rows[i] |= mask
    return rows


WORDS = 1
"""uint64 words that a set of monsters of the deck takes."""
NONE = np.uint64(0)
ONE = np.uint64(1)


@kernel
def gain_of(rows, masks, c):
    """Return how many more pairs of the deck can be searched with c; rows: uint64[n, WORDS]."""
    gain = 0
    for w in range(WORDS):
        left = masks[c, w]
        while left != NONE:
            i = 64 * w + ctz(left)
            left &= left - ONE
            for x in range(WORDS):
                gain += popcount(masks[c, x] & ~rows[i, x])
    return gain


@kernel
def join(rows, masks, c):
    """Add c's links to the rows of what each monster of the deck can search."""
    for w in range(WORDS):
        left = masks[c, w]
        while left != NONE:
            i = 64 * w + ctz(left)
            left &= left - ONE
            for x in range(WORDS):
                rows[i, x] |= masks[c, x]


@kernel
def linked(table, a, b):
    """Return True if two bridges are linked."""
    same = 0
    for column in range(table.shape[1]):
        if table[a, column] == table[b, column]:
            same += 1
    return same == 1


@kernel
def beside(masks, reach, table, chosen, k):
    """Return the pairs that have a bridge in them; chosen: int64[any], the first k count."""
    pairs = 0
    for a in range(k):
        near = 0
        for w in range(WORDS):
            reached = reach[chosen[a], w]
            for b in range(k):
                if b != a and linked(table, chosen[a], chosen[b]):
                    reached |= masks[chosen[b], w]
                    near |= 1 << b
            pairs += 2 * popcount(reached)
        for b in range(k):
            common = False
            for w in range(WORDS):
                if masks[chosen[a], w] & masks[chosen[b], w] != NONE:
                    common = True
            for c in range(k):
                if (
                    not common
                    and near & (1 << c)
                    and (b == a or (b != c and linked(table, chosen[b], chosen[c])))
                ):
                    common = True
            if common:
                pairs += 1
    return pairs


@kernel
def by_name(ranks, chosen, k, work):
    """Write the ranks of the names of a set, the first name first; work: int64[k]."""
    for a in range(k):
        work[a] = ranks[chosen[a]]
    for a in range(1, k):
        held, b = work[a], a
        while b > 0 and work[b - 1] > held:
            work[b] = work[b - 1]
            b -= 1
        work[b] = held


@kernel
def better(ranks, chosen, k, row, work):
    """Return True if a set comes before a listed one of equal worth: by the order of its names."""
    by_name(ranks, chosen, k, work)
    for a in range(k):
        if work[a] != row[a]:
            return work[a] < row[a]
    return False


@kernel
def enter(top_value, top_rank, top_set, ranks, chosen, k, value, work):
    """Put a set into the list of the best, if it belongs there."""
    last = top_value.shape[0] - 1
    at = last + 1
    while at > 0 and (
        top_value[at - 1] < value
        or (top_value[at - 1] == value and better(ranks, chosen, k, top_rank[at - 1], work))
    ):
        at -= 1
    if at > last:
        return
    for j in range(last, at, -1):
        top_value[j] = top_value[j - 1]
        for a in range(k):
            top_rank[j, a] = top_rank[j - 1, a]
            top_set[j, a] = top_set[j - 1, a]
    by_name(ranks, chosen, k, work)
    top_value[at] = value
    for a in range(k):
        top_set[at, a] = chosen[a]
        top_rank[at, a] = work[a]


@kernel
def needed(rows, spare, must):
    """Write the monsters that a last bridge must be linked with; return their number.

    A monster that misses more than `spare` of the deck is joined with them by its bridge or
    by none. must: int64[n].
    """
    count = 0
    for i in range(rows.shape[0]):
        missing = rows.shape[0]
        for w in range(WORDS):
            missing -= popcount(rows[i, w])
        if missing > spare:
            must[count] = i
            count += 1
    return count


@kernel
def most_with(c, own, reached, size, found, missing, sizes, chosen, k, n):
    """Return a bound on the pairs of sets whose last bridge is c; sizes: of those before."""
    most = found + min(own[c], missing) + k * k + 2 * min(n, reached[c] + sizes)
    for a in range(k - 1):
        most += 2 * min(n, reached[chosen[a]] + sizes - size[chosen[a]] + size[c])
        if chosen[a] == c:
            return -2  # less than anything that is asked for
    return most


@kernel
def scan(
    masks, reach, table, own, reached, size, promise, ranks, holders, rows, found, chosen, k,
    begin, ties, top_value, top_rank, top_set, work, must, tried,
):  # fmt: skip
    """Try each monster from `begin` on as the last of a set; k - 1 are chosen.

    rows: uint64[n, WORDS], what the deck can search with those, `found` pairs in all.
    holders: uint64[n, monsters / 64], who is linked with each of the deck. ties: 0 or 1,
    whether a set as good as the worst listed may displace it. Counts in tried[0].
    """
    n, m = rows.shape[0], promise.shape[0]
    if begin >= m:
        return
    last = top_value.shape[0] - 1
    sizes, missing = 0, n * n - found
    bound = found + k * k
    for a in range(k - 1):
        sizes += size[chosen[a]]
        bound += 2 * reached[chosen[a]] + 2 * (k - 2) * size[chosen[a]]
    least = top_value[last] + 1 - ties
    count = needed(rows, (n + k) * (n + k) - least, must)
    for word in range(begin // 64, holders.shape[1]):
        here = ~NONE
        for j in range(count):
            here &= holders[must[j], word]
            if here == NONE:
                break
        least = top_value[last] + 1 - ties
        if bound + promise[max(begin, 64 * word)] + 2 * sizes < least:
            return
        while here != NONE:
            c = 64 * word + ctz(here)
            here &= here - ONE
            if c < begin:
                continue
            if c >= m:
                return
            least = top_value[last] + 1 - ties
            if most_with(c, own, reached, size, found, missing, sizes, chosen, k, n) < least:
                continue
            chosen[k - 1] = c
            tried[0] += 1
            others = beside(masks, reach, table, chosen, k)
            if found + min(own[c], missing) + others >= least:
                value = found + others + gain_of(rows, masks, c)
                if value >= least:
                    enter(top_value, top_rank, top_set, ranks, chosen, k, value, work)


@kernel
def walk(
    masks, reach, table, own, reached, size, promise, ranks, holders, before, rows, found, chosen,
    k, begin, end, ties, top_value, top_rank, top_set, work, must, tried,
):  # fmt: skip
    """Try each monster of [begin, end) as the last but one, and those after it as the last.

    before: uint64[n, WORDS], with k - 2 chosen; rows: the same shape, memory to work in.
    Gives where it stopped: `end`, or where nothing that comes can be listed any more.
    """
    last = top_value.shape[0] - 1
    for i in range(begin, end):
        bound = found + k * k + 2 * promise[i]
        for a in range(k - 2):
            bound += 2 * reached[chosen[a]] + 2 * (k - 1) * size[chosen[a]]
        if bound < top_value[last] + 1 - ties:
            return len(promise)
        for r in range(before.shape[0]):
            for w in range(WORDS):
                rows[r, w] = before[r, w]
        more = gain_of(rows, masks, i)
        join(rows, masks, i)
        chosen[k - 2] = i
        scan(
            masks, reach, table, own, reached, size, promise, ranks, holders, rows, found + more,
            chosen, k, i + 1, ties, top_value, top_rank, top_set, work, must, tried,
        )  # fmt: skip
    return end
