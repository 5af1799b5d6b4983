"""The arrays on which sets of bridges are searched, and the kernels that do it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from dragon.modes import jit_enabled
from dragon.specialise import Constants, specialise
from dragon_small_world.links import product
from dragon_small_world.score import bits_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dragon_small_world.links import Bools, Links


@frozen
class Chosen:
    """A set of bridges."""

    places: tuple[int, ...]
    """In the pool, by name."""
    numerator: int


class Arena:
    """The arrays on which the kernels work, for one deck and size of set."""

    def __init__(self, links: Links, k: int, candidates: NDArray[np.int64]) -> None:
        bits = bits_of(links)
        n = len(links.deck.places)
        words = max(1, -(-n // 64))
        self.k, self.n = k, n
        self.rows = _words(bits.rows, words)
        masks = _words([bits.masks[i] for i in candidates.tolist()], words)
        joined = links.pool[candidates]
        own = (product(joined, links.squared == 0) * joined).sum(1).astype(np.int64)
        size = links.pool[candidates].sum(1).astype(np.int64)
        reached = np.array([bits.reach[i].bit_count() for i in candidates.tolist()], np.int64)
        promise = own + 2 * reached + 2 * (k - 1) * size
        names = [links.deck.pool.monsters[i].name for i in candidates.tolist()]
        rank = np.empty(len(names), np.int64)
        rank[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
        order = np.lexsort((rank, -promise))
        self.candidates = candidates[order]
        self.masks = masks[order]
        self.reach = _words([bits.reach[i] for i in self.candidates.tolist()], words)
        self.holders = _columns(links.pool[self.candidates])
        self.table = np.ascontiguousarray(links.table[self.candidates])
        self.own, self.reached, self.size = own[order], reached[order], size[order]
        self.promise, self.ranks = promise[order], rank[order]
        self.start = bits.start
        self.kernel = _kernel(words)
        self.chosen = np.zeros(k, np.int64)
        self.work = np.zeros(k, np.int64)
        self.must = np.zeros(n, np.int64)
        self.tried = np.zeros(1, np.int64)

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def cap(self) -> int:
        """All pairs there are."""
        return (self.n + self.k) ** 2

    def top(self, count: int) -> Top:
        """An empty list of the best."""
        values, sets = np.full(count, -1, np.int64), np.zeros((count, self.k), np.int64)
        return values, sets, sets.copy()

    def joined(self, chosen: Sequence[int]) -> tuple[NDArray[np.uint64], int]:
        """The rows with these candidates, and the pairs in them."""
        rows, found = self.rows.copy(), self.start
        for c in chosen:
            found += self.kernel.gain_of(rows, self.masks, c)
            self.kernel.join(rows, self.masks, c)
        return rows, found

    def scan(self, prefix: Sequence[int], top: Top, begin: int = 0, ties: bool = True) -> None:
        """Lists the best candidates to come after k - 1 others, from `begin` on."""
        rows, found = self.joined(prefix)
        self.chosen[: self.k - 1] = prefix
        self.kernel.scan(
            *self._tables(), rows, found, self.chosen, self.k, begin,
            int(ties), *top, self.work, self.must, self.tried,
        )  # fmt: skip

    def walk(self, prefix: Sequence[int], top: Top, begin: int, end: int, ties: bool = True) -> int:
        """Lists the best two candidates to come after k - 2 others; where it stopped."""
        before, found = self.joined(prefix)
        self.chosen[: self.k - 2] = prefix
        stopped: int = self.kernel.walk(
            *self._tables(), before, np.empty_like(before), found, self.chosen, self.k, begin, end,
            int(ties), *top, self.work, self.must, self.tried,
        )  # fmt: skip
        return stopped

    def _tables(self) -> tuple[Any, ...]:
        return (
            self.masks, self.reach, self.table, self.own, self.reached, self.size, self.promise,
            self.ranks, self.holders,
        )  # fmt: skip

    def listed(self, top: Top) -> tuple[Chosen, ...]:
        """The sets of a list, as places of the pool."""
        values, _, sets = top
        found = []
        for value, row in zip(values.tolist(), sets.tolist(), strict=True):
            if value >= 0:
                by_name = sorted(row, key=lambda c: int(self.ranks[c]))
                found.append(Chosen(tuple(int(self.candidates[c]) for c in by_name), value))
        return tuple(found)

    def promised(self, first: int) -> int:
        """No set of candidates from `first` on has more."""
        best = int(self.promise[first : first + self.k].sum())
        return min(self.cap, self.start + best + self.k**2)


Top = tuple["NDArray[np.int64]", "NDArray[np.int64]", "NDArray[np.int64]"]
"""Of each listed set the numerator (-1: none), the ranks of its names, and its candidates."""


def _words(numbers: Sequence[int], words: int) -> NDArray[np.uint64]:
    """uint64[numbers, words] of whole numbers, the lowest bits first."""
    data = b"".join(number.to_bytes(8 * words, "little") for number in numbers)
    return np.frombuffer(data, "<u8").astype(np.uint64).reshape(len(numbers), words)


def _columns(rows: Bools) -> NDArray[np.uint64]:
    """uint64[columns, rows / 64]: the rows in which each column is true."""
    whole = np.zeros((rows.shape[1], -(-len(rows) // 64) * 64), bool)
    whole[:, : len(rows)] = rows.T
    return np.packbits(whole, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def _kernel(words: int) -> Any:
    """The kernels for bit sets of so many words; in plain Python where the compiler is off."""
    from dragon_small_world.kernels import sets as template

    if jit_enabled():
        return specialise(template.__name__, Constants("sets of bridges", (("WORDS", words),)))
    import importlib.util

    spec = importlib.util.find_spec(template.__name__)
    assert spec is not None
    assert spec.loader is not None
    plain = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plain)
    plain.WORDS = words  # type: ignore[attr-defined]
    return plain
