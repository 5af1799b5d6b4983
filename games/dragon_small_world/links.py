"""Links between monsters, which have exactly one property in common, and ways over a bridge.

The properties of a pool become whole numbers, one column for each, so that links of many
monsters are a few comparisons of arrays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from dragon.errors import ConfigError
from dragon_cards.card import PROPERTIES, UNKNOWN
from dragon_small_world.pool import allowed
from dragon_small_world.words import NEVER, ZERO

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dragon_cards.card import Card
    from dragon_small_world.pool import Deck, Pool

    Bools = NDArray[np.bool_]
    Numbers = NDArray[np.int32]


def properties(monsters: Sequence[Card], question: str) -> Numbers:
    """Return int32[monsters, 5]: equal numbers in a column are equal properties.

    question: what `?` equals, one of QUESTIONS. With `never` each gets a number of its own.
    """
    codes: dict[str, int] = defaultdict(count().__next__)
    rows = [(codes[m.type], codes[m.attribute], m.level, m.atk, m.defence) for m in monsters]
    table = np.array(rows, np.int32).reshape(len(monsters), len(PROPERTIES))
    if question == ZERO:
        table[table == UNKNOWN] = 0
    elif question == NEVER:
        own = -2 - np.arange(len(monsters), dtype=np.int32)
        for column in (3, 4):
            asked = table[:, column] == UNKNOWN
            table[asked, column] = own[asked]
    return table


def linked(some: Numbers, others: Numbers) -> Bools:
    """Return bool[some, others]: True where exactly one property is equal."""
    same = np.zeros((len(some), len(others)), np.uint8)
    for column in range(some.shape[1]):
        same += some[:, column, None] == others[None, :, column]
    joined: Bools = same == 1
    return joined


ALONE = 1 << 18
"""Multiplications that the linear algebra behind numpy does without calling more threads."""


def product(rows: Bools, square: Bools) -> NDArray[np.float32]:
    """Return float32[m, n], the product of bool[m, n] and bool[n, n]; whole numbers, exact.

    A few rows at a time: threads that are called for so little take longer to wake than to
    work, on a busy machine thirty times as long.
    """
    found = np.empty(rows.shape, np.float32)
    right = square.astype(np.float32)
    step = max(1, ALONE // max(1, square.size))
    for at in range(0, len(rows), step):
        found[at : at + step] = rows[at : at + step].astype(np.float32) @ right
    return found


@frozen(eq=False)
class Links:
    """A deck among its pool: who is linked with whom."""

    deck: Deck
    question: str
    table: Numbers
    """int32[pool, 5], as `properties` gives it."""
    pool: Bools
    """bool[pool, n]: each monster of the pool with each of the deck."""

    @property
    def adjacency(self) -> Bools:
        """bool[n, n]: the monsters of the deck among themselves."""
        return self.pool[list(self.deck.places)]

    @property
    def squared(self) -> NDArray[np.int64]:
        """int64[n, n]: how many bridges of the deck lead from one monster to another."""
        adjacency = self.adjacency.astype(np.int64)
        return adjacency @ adjacency


def links_of(deck: Deck, question: str) -> Links:
    """Return the links of a deck's monsters with the whole pool."""
    table = properties(deck.pool.monsters, question)
    return Links(deck, question, table, linked(table, table[np.array(deck.places, np.intp)]))


def linking(links: Links, first: int, second: int) -> str | None:
    """Return the property that links two monsters of the pool; None where they are not linked."""
    same = links.table[first] == links.table[second]
    return PROPERTIES[int(same.argmax())] if same.sum() == 1 else None


def edges(links: Links) -> Iterator[tuple[int, int, str]]:
    """Yield the linked pairs of the deck, as places in it, with the property that links them."""
    for a, b in np.argwhere(np.triu(links.adjacency)).tolist():
        word = linking(links, links.deck.places[a], links.deck.places[b])
        assert word is not None
        yield a, b, word


def matrix(links: Links, squared: bool) -> list[list[int]]:
    """Return the links between monsters of the deck, or the bridges from one to another."""
    table: list[list[int]] = (links.squared if squared else links.adjacency.astype(int)).tolist()
    return table


def label(pool: Pool, place: int, word: str) -> str:
    """Return a property in a few letters: `level 4`, `ATK 1500`, `DARK`, `Cyberse`."""
    text = pool.monsters[place].printed(word)
    shown = {"atk": "ATK ", "def": "DEF ", "level": "level "}
    return shown.get(word, "") + text


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
    """Yield the ways from a monster of the pool, bridges of the deck first, then by name.

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
    """Return each monster of the deck, the weakest first."""
    places, near = links.deck.places, links.adjacency
    reached = links.squared > 0
    found = []
    for i, place in enumerate(places):
        misses = tuple(places[j] for j in np.flatnonzero(~reached[i]).tolist() if j != i)
        found.append(Standing(place, int(near[i].sum()), int(reached[i].sum()), misses))
    return sorted(found, key=lambda s: (s.reaches, s.links, links.deck.pool.monsters[s.place].name))


def fit(links: Links, filters: Sequence[str], no_deck: bool) -> Bools | None:
    """Return bool[pool], the possible bridges; None for all. Raise ConfigError where there is none.

    no_deck: leave out the monsters of the deck.
    """
    if not filters and not no_deck:
        return None
    found = allowed(links.deck.pool, filters)
    if no_deck:
        found[list(links.deck.places)] = False
    if not found.any():
        asked = ", ".join([*filters, *["--exclude-deck"] * no_deck])
        raise ConfigError(f"no monster may be a bridge under {asked}; loosen the filters")
    return found
