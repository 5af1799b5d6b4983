"""The covers of a problem, one after another: counted, listed, or the first few."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from dragon.core import Bound, Limit
from dragon.errors import ConfigError, SearchError
from dragon.search.budget import Pace

if TYPE_CHECKING:
    from dragon.cover.problem import Problem

Cover = tuple[int, ...]
"""The numbers of the chosen options, in the order in which they were chosen."""
FIRST_SLICE, SLICE = 1 << 6, 1 << 22
"""Nodes between two looks at the clock, at first and at most."""
TICK = 0.02
"""Seconds to wait for somebody else."""
BATCH = 1024
"""Covers taken at once."""


class Stream(Protocol):
    """An enumeration that can stop, and go on, anywhere."""

    @property
    def nodes(self) -> int:
        """Nodes of the search tree entered so far."""

    @property
    def updates(self) -> int:
        """Links or counters changed so far, on the way down."""

    @property
    def found(self) -> int:
        """Covers found so far."""

    @property
    def done(self) -> bool:
        """Whether all covers have been found."""

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for `nodes` nodes at most, or until `keep` covers are in hand; 0 only counts."""

    def fraction(self) -> float:
        """Knuth's estimate of the part of the tree that is done, from 0 to 1."""


class Events:
    """A stream made of a generator that yields at every node: a cover, or None."""

    def __init__(self, events: Iterator[Cover | None]) -> None:
        self._events = events
        self.nodes = self.found = 0
        self.done = False

    @property
    def updates(self) -> int:
        """None are counted, unless the generator's owner counts them."""
        return 0

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for `nodes` nodes at most, or until `keep` covers are in hand; 0 only counts."""
        kept: list[Cover] = []
        try:
            for event in islice(self._events, nodes):
                self.nodes += 1
                nodes -= 1
                if event is not None:
                    self.found += 1
                    if keep:
                        kept.append(event)
                        if len(kept) == keep:
                            return kept
        except RecursionError as deep:
            raise SearchError("the covers are too long for plain Python; take dlx") from deep
        self.done = nodes > 0
        return kept

    def fraction(self) -> float:
        """0 until the end: a generator does not tell."""
        return 0.0


class Covers(Iterator[Cover]):
    """The covers of a problem: an iterator that knows how far it has come.

    Take the next, some, or all of them, or go on with `count`; every way is the same
    search. Where the limit comes first it ends, and `verdict` says what is known.

    >>> from dragon.cover import Problem, covers
    >>> found = covers(Problem.of("abc", ["ab", "c", "bc", "a"]))
    >>> next(found), found.count(), found.verdict
    ((0, 1), 2, 'cover')
    """

    def __init__(self, stream: Stream, limit: Limit | None = None) -> None:
        self._stream = stream
        self._limit = limit or Limit()
        self._waiting: deque[Cover] = deque()
        self._pace = Pace(FIRST_SLICE, SLICE, timed=True)
        self.seconds = 0.0
        """Wall-clock seconds of the search alone."""

    def __iter__(self) -> Covers:
        return self

    def __next__(self) -> Cover:
        while not self._waiting:
            if self.over:
                raise StopIteration
            self.advance(min(BATCH, 1 + self.found))  # the first at once, later ones by the batch
        return self._waiting.popleft()

    def count(self) -> int:
        """Goes on to the end without listing; how many covers there are, or were found."""
        while not self.over:
            self.advance(0)
        return self.found

    def advance(self, keep: int) -> None:
        """Searches on for a moment, and keeps up to `keep` covers for `next`."""
        nodes = self._pace.steps
        if self._limit.nodes is not None:
            nodes = min(nodes, self._limit.nodes - self.nodes)
        start = time.perf_counter()
        self._waiting.extend(self._stream.advance(nodes, keep))
        spent = time.perf_counter() - start
        self.seconds += spent
        self._pace.took(spent)

    @property
    def nodes(self) -> int:
        """Nodes of the search tree so far, counted as Knuth's programs count them."""
        return self._stream.nodes

    @property
    def updates(self) -> int:
        """Links changed so far, on the way down."""
        return self._stream.updates

    @property
    def found(self) -> int:
        """Covers found so far, those not taken yet among them."""
        return self._stream.found

    @property
    def over(self) -> bool:
        """Whether all covers have been found, or the limit has been reached."""
        seconds, nodes = self._limit.seconds, self._limit.nodes
        return (
            self._stream.done
            or (seconds is not None and self.seconds >= seconds)
            or (nodes is not None and self.nodes >= nodes)
        )

    @property
    def bound(self) -> Bound:
        """EXACT when `found` is the number of all covers, LOWER before that."""
        return Bound.EXACT if self._stream.done else Bound.LOWER

    @property
    def verdict(self) -> str:
        """`cover`: there is one; `no cover`: there is none; `unknown`: neither is proven."""
        if self.found:
            return "cover"
        return "no cover" if self._stream.done else "unknown"

    def fraction(self) -> float:
        """Knuth's estimate of the part of the search that is done, from 0 to 1."""
        return 1.0 if self._stream.done else self._stream.fraction()


def check_size(size: int | None) -> None:
    """Raises ConfigError for a size below 0."""
    if size is not None and size < 0:
        raise ConfigError(f"size is {size}; a cover has 0 options at least")


def covers(
    problem: Problem,
    exact: bool = True,
    size: int | None = None,
    limit: Limit | None = None,
) -> Covers:
    """The covers of at most `size` options by dancing links.

    exact: as Knuth defines them; otherwise overlapping covers that can do without none of
    their options."""
    check_size(size)
    from dragon.cover.dlx import stream_of
    from dragon.cover.minimal import minimal_stream

    stream = stream_of(problem, size) if exact else minimal_stream(problem, size)
    return Covers(stream, limit)
