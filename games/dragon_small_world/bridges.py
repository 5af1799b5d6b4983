"""The ranking of bridges: the pairs that each monster of the pool adds to a deck.

Score(b) is the part of all ordered pairs of monsters, the bridge b included, of which the
first can search the second. M squared need not be computed again for each b. With R the
pairs of the deck alone and v the links of b, the pairs are R and those with both ends in v;
b searches i, and i searches b, where i has a neighbour in v; and b searches a second copy of
itself if it has a neighbour at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from dragon_small_world.links import linked as joined
from dragon_small_world.links import links_of, product
from dragon_small_world.words import QUESTIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dragon_cards.card import Card
    from dragon_small_world.links import Bools, Links
    from dragon_small_world.pool import Deck

    Counts = NDArray[np.int64]


@frozen
class Bridge:
    """A monster as a bridge of a deck."""

    place: int
    """In the pool."""
    monster: Card
    numerator: int
    connections: int
    """The number of monsters of the deck that it is linked with."""
    in_deck: bool


def denominator(deck: Deck, bridges: int = 1) -> int:
    """Return the number of ordered pairs among a deck and its new bridges."""
    return (len(deck.places) + bridges) ** 2


def numerators(links: Links) -> Counts:
    """Return int64[pool]: the pairs that can be searched with each monster as a new vertex."""
    reached = links.squared > 0
    among = (product(links.pool, ~reached) * links.pool).sum(1)
    beside = (product(links.pool, links.adjacency) > 0).sum(1)
    itself = links.pool.any(1)
    found = reached.sum()
    counts: Counts = found + among.astype(np.int64) + 2 * beside + itself
    return counts


def squared_numerator(links: Links, bridges: Sequence[int]) -> int:
    """Return the pairs that can be searched with these monsters of the pool as new vertices.

    The whole matrix is squared: slow and obvious; the other forms are tested against it.
    """
    rows = links.table[[*links.deck.places, *bridges]]
    matrix = joined(rows, rows).astype(np.int64)
    return int(np.count_nonzero(matrix @ matrix))


def squared_numerators(links: Links) -> list[int]:
    """Return the numerators of each monster of the pool alone, one matrix after another."""
    return [squared_numerator(links, [place]) for place in range(len(links.table))]


def bridges(
    links: Links, required: Sequence[int] = (), allowed: Bools | None = None
) -> list[Bridge]:
    """Return the bridges of a deck, by score, connections (both falling) and name.

    required: places of monsters with which each must be linked. allowed: bool[pool], which
    may be bridges. A monster that is linked with none of the deck is not a bridge.
    """
    counts, connections = numerators(links), links.pool.sum(1)
    wanted = connections > 0
    if len(required):
        wanted &= joined(links.table, links.table[list(required)]).all(1)
    if allowed is not None:
        wanted &= allowed
    monsters, held = links.deck.pool.monsters, frozenset(links.deck.places)
    columns = (np.flatnonzero(wanted), counts[wanted], connections[wanted])
    rows = zip(*(column.tolist() for column in columns), strict=True)
    found = [Bridge(i, monsters[i], count, linked, i in held) for i, count, linked in rows]
    return sorted(found, key=lambda b: (-b.numerator, -b.connections, b.monster.name))


def disputed(links: Links, places: Sequence[int]) -> list[bool]:
    """Return for each monster whether its links with the deck depend on what `?` equals."""
    rows = [links_of(links.deck, question).pool[list(places)] for question in QUESTIONS]
    return [bool(any((row[k] != rows[0][k]).any() for row in rows)) for k in range(len(places))]
