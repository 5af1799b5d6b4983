"""Streams: enumerations of covers that stop, and go on, anywhere, in slices under a limit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from math import inf
from typing import Protocol, TypeVar

from dragon.core import Limit
from dragon.errors import SearchError
from dragon.search.budget import Pace

T = TypeVar("T")

Cover = tuple[int, ...]
"""The numbers of the chosen options, in the order in which they were chosen."""
UNLIMITED = 1 << 62
"""No cover has more options, no search as many nodes or levels."""
RUN_FIELDS = [(n, "i8") for n in ("nodes", "updates", "found", "done", "stop", "keep", "written")]
"""What a kernel's run has for a stream: its figures; where to pause, at so many nodes or after so
many covers, 0 if they are only counted; and how much of `out` is written."""


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
        """Return whether all covers have been found."""

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for `nodes` nodes at most, or until `keep` covers are in hand; 0 only counts."""

    def fraction(self) -> float:
        """Knuth's estimate of the part of the tree that is done, from 0 to 1."""


class Events:
    """A stream made of a generator that yields at every node: a cover, or None."""

    updates = 0
    """None are counted."""

    def __init__(self, events: Iterator[Cover | None]) -> None:
        self._events = events
        self.nodes = self.found = 0
        self.done = False

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
        """0 until the end: how far a generator has come is not known."""
        return 0.0


class Slices:
    """The part of its limit that a search has spent, and the nodes of its next slice.

    The limit is one of nodes and of seconds; these are those of the slices alone.
    """

    def __init__(self, limit: Limit | None, first: int, most: int, timed: bool = True) -> None:
        """first, most: nodes of the first slice, and of any; timed: as in Pace."""
        self.limit = limit or Limit()
        self.seconds = 0.0
        """Wall-clock seconds so far."""
        self._pace = Pace(first, most, timed)

    def spent(self, nodes: int) -> bool:
        """Return whether the limit is reached after so many nodes."""
        seconds = self.limit.seconds
        late = seconds is not None and self.seconds >= seconds
        return late or (self.limit.nodes is not None and nodes >= self.limit.nodes)

    def next(self, nodes: int, work: Callable[[int], T]) -> T:
        """Return the result of `work`, called with the nodes of the next slice."""
        steps = self._pace.steps
        if self.limit.nodes is not None:
            steps = min(steps, self.limit.nodes - nodes)
        start = time.perf_counter()
        result = work(steps)
        spent = time.perf_counter() - start
        self.seconds += spent
        limit = self.limit.seconds
        self._pace.took(spent, inf if limit is None else limit - self.seconds)
        return result
