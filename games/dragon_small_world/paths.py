"""Ways from one monster to another: reveal, bridge, target, and who is left out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from dragon_small_world.links import linking
from dragon_small_world.links import links as linked

if TYPE_CHECKING:
    from dragon_small_world.links import Links


@frozen
class Path:
    """A way of Small World: places in the pool, and what links them."""

    reveal: int
    first: str
    """The property that the revealed monster and the bridge share."""
    bridge: int
    second: str
    """The property that the bridge and the target share."""
    target: int
    in_deck: bool
    """True if the bridge is in the deck."""


def paths(links: Links, reveal: int, target: int | None = None) -> Iterator[Path]:
    """The ways from a monster of the pool, bridges of the deck first, then by name.

    To a target all bridges of the pool come; without one, the ways within the deck. A way
    from a monster to itself needs a second copy.
    """
    deck = links.deck
    names = [monster.name for monster in deck.pool.monsters]
    held = frozenset(deck.places)
    ends = sorted(deck.places, key=names.__getitem__) if target is None else [target]
    row = linked(links.table[[reveal]], links.table)[0]
    for end in ends:
        both = row & linked(links.table[[end]], links.table)[0]
        found = [b for b in np.flatnonzero(both).tolist() if target is not None or b in held]
        for bridge in sorted(found, key=lambda b: (b not in held, names[b])):
            first, second = linking(links, reveal, bridge), linking(links, bridge, end)
            assert first is not None
            assert second is not None
            yield Path(reveal, first, bridge, second, end, bridge in held)


@frozen
class Standing:
    """The connections of a monster of the deck."""

    place: int
    links: int
    """With how many of the deck it is linked."""
    reaches: int
    """The number of the deck that it can search, which is also the number that can search it.

    Itself, by a second copy, is one of them.
    """
    misses: tuple[int, ...]
    """The places of those that it cannot search, itself left out."""


def standings(links: Links) -> list[Standing]:
    """Each monster of the deck, the weakest first."""
    places, near = links.deck.places, links.adjacency
    reached = links.squared > 0
    found = []
    for i, place in enumerate(places):
        misses = tuple(places[j] for j in np.flatnonzero(~reached[i]).tolist() if j != i)
        found.append(Standing(place, int(near[i].sum()), int(reached[i].sum()), misses))
    return sorted(found, key=lambda s: (s.reaches, s.links, links.deck.pool.monsters[s.place].name))
