"""The best bridges of a deck: the pairs that each monster of the pool adds, and the best sets.

Score(b) is the part of all ordered pairs of monsters, the bridge b included, of which the
first can search the second. M squared need not be computed again for each b. With R the
pairs of the deck alone and v the links of b, the pairs are R and those with both ends in v;
b searches i, and i searches b, where i has a neighbour in v; and b searches a second copy of
itself if it has a neighbour at all.

Pairs and triples are searched by branch and bound, larger sets greedily. Whatever comes is a
stream: ever better lists of sets, each with what is proven about the rest, so that a caller can
stop anywhere.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, frozen

from dragon.modes import jit_enabled
from dragon_small_world.links import linked as joined
from dragon_small_world.links import links_of, product
from dragon_small_world.score import bits_of
from dragon_small_world.words import QUESTIONS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from dragon_cards.card import Card
    from dragon_small_world.links import Bools, Links
    from dragon_small_world.pool import Deck

    Counts = NDArray[np.int64]
    Top = tuple[Counts, Counts, Counts]
    """For each listed set the numerator (-1: none), the ranks of its names, and its candidates."""


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


SLICE = 0.05
"""Seconds, about, between two looks at the clock."""
EXACT_SIZE = 3
"""The largest sets of bridges that are searched exhaustively; larger ones are only improved."""


# ---- the stream ---------------------------------------------------------------------------------


@frozen
class BridgeSet:
    """A set of bridges."""

    places: tuple[int, ...]
    """In the pool, by name."""
    numerator: int


@frozen
class Found:
    """The best sets so far."""

    sets: tuple[BridgeSet, ...]
    upper: int
    """No set has a higher numerator."""
    done: bool
    """True if the search is over. Up to EXACT_SIZE the list is then proven: no set that is
    missing comes before one that is listed."""
    part: float = 0.0
    """The part of the work that is done, 0 to 1, roughly."""
    tried: int = 0
    """Sets looked at closely."""

    @property
    def proven(self) -> bool:
        """True if the first set is as good as any."""
        return bool(self.sets) and self.sets[0].numerator >= self.upper


def best_sets(
    links: Links, k: int, count: int = 1, allowed: Bools | None = None, seconds: float | None = None
) -> Iterator[Found]:
    """Yield better and better lists of the `count` best sets of k bridges.

    Up to EXACT_SIZE the last list is proven, of larger sets it is the best that was found.
    allowed: bool[pool], which monsters may be bridges. seconds: how long the search may go on
    after the first list, before which kernels may be compiled. The list of triples holds one set.
    """
    until = None
    for found in _best_sets(links, k, count, allowed):
        yield found
        now = time.perf_counter()
        until = until or now + (np.inf if seconds is None else seconds)
        if now > until:
            return


def _best_sets(links: Links, k: int, count: int, allowed: Bools | None) -> Iterator[Found]:
    places = np.arange(len(links.table)) if allowed is None else np.flatnonzero(allowed)
    if len(places) < k:
        yield Found((), 0, True, 1.0)
        return
    among = Candidates(links, k, places)
    if k == 1:
        top = among.top(count)
        among.scan((), top)
        sets = among.listed(top)
        yield among.found(sets, sets[0].numerator, True, 1.0)
    elif k == 2:
        yield from _pairs(among, count)
    elif k <= EXACT_SIZE:
        yield from _triples(among)
    else:
        yield from _improved(among)


def _pairs(among: Candidates, count: int) -> Iterator[Found]:
    """Yield all pairs, the promising ones first."""
    top, begin, block, m = among.top(count), 0, 1, len(among)
    while begin < m - 1:
        started = time.perf_counter()
        begin = among.walk((), top, begin, min(m, begin + block))
        block = _next(block, time.perf_counter() - started)
        sets, done = among.listed(top), begin >= m - 1
        upper = sets[0].numerator if done else max(sets[0].numerator, among.promised(begin))
        yield among.found(sets, upper, done, begin / m)


def _next(block: int, seconds: float) -> int:
    """Return the size of the next block: larger after a quick one, smaller after a slow one."""
    if seconds < SLICE / 2:
        return 2 * block
    return max(1, block // 2) if seconds > 2 * SLICE else block


def _improved(among: Candidates) -> Iterator[Found]:
    """Add one best bridge after another, then exchange bridges while that helps."""
    chosen: list[int] = []
    full = among.k
    for among.k in range(1, full + 1):
        top = among.top(1)
        among.scan(chosen, top)
        chosen = top[2][0].tolist()
    best = int(top[0][0])
    yield among.found(among.listed(top), among.promised(0))
    better = True
    while better and best < among.cap:
        better = False
        for leave in range(full):
            others = chosen[:leave] + chosen[leave + 1 :]
            trial = among.top(1)
            among.scan(others, trial)
            if trial[0][0] > best:
                best, chosen, top, better = int(trial[0][0]), trial[2][0].tolist(), trial, True
                yield among.found(among.listed(top), among.promised(0))
    yield among.found(among.listed(top), among.promised(0), True, 1.0)


def _triples(among: Candidates) -> Iterator[Found]:
    """Yield the best triple: first improved, then all that promise more."""
    found = Found((), 0, False)
    for found in _improved(among):
        yield evolve(found, done=False, part=0.0)
    among.k = 3
    top, m = among.top(1), len(among)
    best = found.sets[0]
    top[0][0] = best.numerator
    first = 0
    while first < m - 2 and top[0][0] < among.promised(first):
        begin, block = first + 1, 64
        while begin < m - 1:
            started = time.perf_counter()
            begin = among.walk((first,), top, begin, min(m, begin + block), ties=False)
            block = _next(block, time.perf_counter() - started)
            if top[0][0] > best.numerator:
                best = among.listed(top)[0]
            yield among.found((best,), among.promised(first), False, first / m)
        first += 1
    yield among.found((best,), best.numerator, True, 1.0)


# ---- the arrays of the kernels -------------------------------------------------------------------


class Candidates:
    """The monsters that may be bridges, by falling promise, as the arrays that kernels work on."""

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
        reach = _words([bits.reach[i] for i in self.candidates.tolist()], words)
        table = np.ascontiguousarray(links.table[self.candidates])
        self.promise, self.ranks = promise[order], rank[order]
        self.tables = (
            self.masks, reach, table, own[order], reached[order], size[order], self.promise,
            self.ranks, _columns(links.pool[self.candidates]),
        )  # fmt: skip
        self.start = bits.start
        self.kernel = _kernel(words)
        self.chosen = np.zeros(k, np.int64)
        self.tried = np.zeros(1, np.int64)
        self.work = np.zeros(k, np.int64), np.zeros(n, np.int64), self.tried

    def __len__(self) -> int:
        return len(self.candidates)

    @property
    def cap(self) -> int:
        """The number of all pairs."""
        return (self.n + self.k) ** 2

    def top(self, count: int) -> Top:
        """Return an empty list of the best."""
        values, sets = np.full(count, -1, np.int64), np.zeros((count, self.k), np.int64)
        return values, sets, sets.copy()

    def joined(self, chosen: Sequence[int]) -> tuple[NDArray[np.uint64], int]:
        """Return the rows with these candidates, and the pairs in them."""
        rows, found = self.rows.copy(), self.start
        for c in chosen:
            found += self.kernel.gain_of(rows, self.masks, c)
            self.kernel.join(rows, self.masks, c)
        return rows, found

    def scan(self, prefix: Sequence[int], top: Top) -> None:
        """List the best candidates to come after k - 1 others."""
        rows, found = self.joined(prefix)
        self.chosen[: self.k - 1] = prefix
        self.kernel.scan(*self.tables, rows, found, self.chosen, self.k, 0, 1, *top, *self.work)

    def walk(self, prefix: Sequence[int], top: Top, begin: int, end: int, ties: bool = True) -> int:
        """List the best two candidates to come after k - 2 others; return where it stopped."""
        before, found = self.joined(prefix)
        self.chosen[: self.k - 2] = prefix
        stopped: int = self.kernel.walk(
            *self.tables, before, np.empty_like(before), found, self.chosen, self.k, begin, end,
            int(ties), *top, *self.work,
        )  # fmt: skip
        return stopped

    def listed(self, top: Top) -> tuple[BridgeSet, ...]:
        """Return the sets of a list, as places of the pool."""
        values, _, sets = top
        found = []
        for value, row in zip(values.tolist(), sets.tolist(), strict=True):
            if value >= 0:
                by_name = sorted(row, key=lambda c: int(self.ranks[c]))
                found.append(BridgeSet(tuple(int(self.candidates[c]) for c in by_name), value))
        return tuple(found)

    def found(
        self, sets: tuple[BridgeSet, ...], upper: int, done: bool = False, part: float = 0.0
    ) -> Found:
        """Return the best sets so far."""
        return Found(sets, upper, done, part, int(self.tried[0]))

    def promised(self, first: int) -> int:
        """Return a bound on the pairs of any set of candidates from `first` on."""
        best = int(self.promise[first : first + self.k].sum())
        return min(self.cap, self.start + best + self.k**2)


def _words(numbers: Sequence[int], words: int) -> NDArray[np.uint64]:
    """Return whole numbers as uint64[numbers, words], the lowest bits first."""
    data = b"".join(number.to_bytes(8 * words, "little") for number in numbers)
    return np.frombuffer(data, "<u8").astype(np.uint64).reshape(len(numbers), words)


def _columns(rows: Bools) -> NDArray[np.uint64]:
    """Return uint64[columns, rows / 64]: the rows in which each column is true."""
    padded = np.zeros((rows.shape[1], -(-len(rows) // 64) * 64), bool)
    padded[:, : len(rows)] = rows.T
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)


def _kernel(words: int) -> Any:
    """Return the kernels for bit sets of `words` words, interpreted if the compiler is off."""
    from dragon.compiler.specialise import Constants, specialise
    from dragon_small_world import score as template

    if jit_enabled():
        return specialise(template.__name__, Constants("sets of bridges", (("WORDS", words),)))
    spec = importlib.util.find_spec(template.__name__)
    assert spec is not None
    assert spec.loader is not None
    plain = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(plain)
    plain.WORDS = words  # type: ignore[attr-defined]
    return plain
