"""Links between monsters: two are linked by exactly one property in common.

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

from dragon_cards.card import PROPERTIES, UNKNOWN
from dragon_small_world.words import NEVER, ZERO

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dragon_cards.card import Card
    from dragon_small_world.deck import Deck
    from dragon_small_world.pool import Pool

    Bools = NDArray[np.bool_]
    Numbers = NDArray[np.int32]


def properties(monsters: Sequence[Card], question: str) -> Numbers:
    """int32[monsters, 5]: equal numbers in a column are what counts as equal.

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


def links(some: Numbers, others: Numbers) -> Bools:
    """bool[some, others]: whether exactly one property is equal."""
    same = np.zeros((len(some), len(others)), np.uint8)
    for column in range(some.shape[1]):
        same += some[:, column, None] == others[None, :, column]
    joined: Bools = same == 1
    return joined


ALONE = 1 << 18
"""Multiplications that the linear algebra behind numpy does without calling more threads."""


def product(rows: Bools, square: Bools) -> NDArray[np.float32]:
    """float32[m, n], the product of bool[m, n] and bool[n, n]; whole numbers, exact.

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
    """The links of a deck's monsters with the whole pool."""
    table = properties(deck.pool.monsters, question)
    return Links(deck, question, table, links(table, table[np.array(deck.places, np.intp)]))


def linking(links: Links, first: int, second: int) -> str | None:
    """The property that links two monsters of the pool; None where they are not linked."""
    same = links.table[first] == links.table[second]
    return PROPERTIES[int(same.argmax())] if same.sum() == 1 else None


def edges(links: Links) -> Iterator[tuple[int, int, str]]:
    """The linked pairs of the deck, as places in it, with the property that links them."""
    for a, b in np.argwhere(np.triu(links.adjacency)).tolist():
        word = linking(links, links.deck.places[a], links.deck.places[b])
        assert word is not None
        yield a, b, word


def matrix(links: Links, squared: bool) -> list[list[int]]:
    """Return the links between monsters of the deck, or the bridges from one to another."""
    table: list[list[int]] = (links.squared if squared else links.adjacency.astype(int)).tolist()
    return table


def label(pool: Pool, place: int, word: str) -> str:
    """A property in a few letters: `level 4`, `ATK 1500`, `DARK`, `Cyberse`."""
    text = pool.monsters[place].printed(word)
    shown = {"atk": "ATK ", "def": "DEF ", "level": "level "}
    return shown.get(word, "") + text
