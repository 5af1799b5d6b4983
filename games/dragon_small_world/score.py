"""The score of a set of bridges, on bit sets: the plain form of the kernel.

A set S of bridges is joined to the deck, and bridges may be linked with one another. What can
be searched is (1) among the deck: what could before, and each pair of which both ends are
linked with one bridge; (2) between a bridge a and the deck, both ways: the neighbours of a's
neighbours, those that are bridges included; (3) among bridges: the pairs that have a common
neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import eq
from typing import TYPE_CHECKING

from attrs import frozen

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


def bit_sets(rows: Bools) -> tuple[int, ...]:
    """Return each row of truth values as a whole number, the first value its lowest bit."""
    import numpy as np

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


def numerator(bits: Bits, bridges: Sequence[int]) -> int:
    """Return how many pairs can be searched with these monsters of the pool as new vertices."""
    masks = [bits.masks[b] for b in bridges]
    printed = [bits.table[b] for b in bridges]
    near = [
        {b for b, other in enumerate(printed) if b != a and sum(map(eq, row, other)) == 1}
        for a, row in enumerate(printed)
    ]
    pairs = sum(row.bit_count() for row in joined(bits, bridges))
    for a, bridge in enumerate(bridges):
        reached = bits.reach[bridge]
        for b in near[a]:
            reached |= masks[b]
        pairs += 2 * reached.bit_count()
        pairs += sum(bool(masks[a] & masks[b] or near[a] & near[b]) for b in range(len(bridges)))
    return pairs
