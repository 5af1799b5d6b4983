"""The best sets of bridges: pairs and triples by branch and bound, larger ones greedily.

Whatever comes is a stream: ever better lists of sets, each with what is proven about the rest,
so that a caller can stop anywhere.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve, frozen

from dragon_small_world.arena import Arena, Chosen

if TYPE_CHECKING:
    from dragon_small_world.links import Bools, Links

SLICE = 0.05
"""Seconds, about, between two looks at the clock."""
EXACT_SIZE = 3
"""Sets of so many bridges are searched through; larger ones are improved, not proven."""


@frozen
class Found:
    """The best sets so far."""

    sets: tuple[Chosen, ...]
    upper: int
    """No set has a higher numerator."""
    done: bool
    """Whether the search is over. Up to EXACT_SIZE the list is then proven: no set that is
    missing comes before one that is listed."""
    part: float = 0.0
    """How much of the work is done, 0 to 1, roughly."""
    tried: int = 0
    """Sets looked at closely."""

    @property
    def proven(self) -> bool:
        """Whether the first set is as good as any."""
        return bool(self.sets) and self.sets[0].numerator >= self.upper


def best_sets(
    links: Links, k: int, count: int = 1, allowed: Bools | None = None
) -> Iterator[Found]:
    """Ever better lists of the `count` best sets of k bridges, by numerator and then names.

    Up to EXACT_SIZE the last list is proven, of larger sets it is the best that was found.
    allowed: bool[pool], which monsters may be bridges. The list of triples holds one set.
    """
    places = np.arange(len(links.table)) if allowed is None else np.flatnonzero(allowed)
    if len(places) < k:
        yield Found((), 0, True, 1.0)
        return
    arena = Arena(links, k, places)
    if k == 1:
        top = arena.top(count)
        arena.scan((), top)
        sets = arena.listed(top)
        yield Found(sets, sets[0].numerator, True, 1.0, int(arena.tried[0]))
    elif k == 2:
        yield from _pairs(arena, count)
    elif k <= EXACT_SIZE:
        yield from _triples(arena)
    else:
        yield from _improved(arena)


def _pairs(arena: Arena, count: int) -> Iterator[Found]:
    """All pairs, the promising ones first."""
    top, begin, block, m = arena.top(count), 0, 1, len(arena)
    while begin < m - 1:
        started = time.perf_counter()
        begin = arena.walk((), top, begin, min(m, begin + block))
        block = _next(block, time.perf_counter() - started)
        sets, done = arena.listed(top), begin >= m - 1
        upper = sets[0].numerator if done else max(sets[0].numerator, arena.promised(begin))
        yield Found(sets, upper, done, begin / m, int(arena.tried[0]))


def _next(block: int, seconds: float) -> int:
    """A larger block after a quick one, a smaller one after a slow one."""
    if seconds < SLICE / 2:
        return 2 * block
    return max(1, block // 2) if seconds > 2 * SLICE else block


def _improved(arena: Arena) -> Iterator[Found]:
    """One bridge after another, the best first; then exchanges, as long as one helps."""
    chosen: list[int] = []
    full = arena.k
    for arena.k in range(1, full + 1):
        top = arena.top(1)
        arena.scan(chosen, top)
        chosen = top[2][0].tolist()
    best = int(top[0][0])
    yield Found(arena.listed(top), arena.promised(0), False, 0.0, int(arena.tried[0]))
    better = True
    while better and best < arena.cap:
        better = False
        for leave in range(full):
            others = chosen[:leave] + chosen[leave + 1 :]
            trial = arena.top(1)
            arena.scan(others, trial)
            if trial[0][0] > best:
                best, chosen, top, better = int(trial[0][0]), trial[2][0].tolist(), trial, True
                yield Found(arena.listed(top), arena.promised(0), False, 0.0, int(arena.tried[0]))
    yield Found(arena.listed(top), arena.promised(0), True, 1.0, int(arena.tried[0]))


def _triples(arena: Arena) -> Iterator[Found]:
    """The best triple: first improved, then all that promise more."""
    found = Found((), 0, False)
    for found in _improved(arena):
        yield evolve(found, done=False, part=0.0)
    arena.k = 3
    top, m = arena.top(1), len(arena)
    best = found.sets[0]
    top[0][0] = best.numerator
    first = 0
    while first < m - 2 and top[0][0] < arena.promised(first):
        begin, block = first + 1, 64
        while begin < m - 1:
            started = time.perf_counter()
            begin = arena.walk((first,), top, begin, min(m, begin + block), ties=False)
            block = _next(block, time.perf_counter() - started)
            if top[0][0] > best.numerator:
                best = arena.listed(top)[0]
            yield Found((best,), arena.promised(first), False, first / m, int(arena.tried[0]))
        first += 1
    yield Found((best,), best.numerator, True, 1.0, int(arena.tried[0]))
