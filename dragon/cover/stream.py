"""Streams: enumerations of covers that stop, and go on, anywhere, in slices under a limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Protocol, TypeVar

from dragon.core import Limit
from dragon.errors import SearchError
from dragon.search.budget import DONE as DONE
from dragon.search.budget import GROW as GROW
from dragon.search.budget import PAUSED as PAUSED
from dragon.search.budget import Budget, Pace, now

T = TypeVar("T")

Cover = tuple[int, ...]
"""The numbers of the chosen options, in the order in which they were chosen."""
UNLIMITED = 1 << 62
"""No cover has more options, no search as many nodes or levels."""
HORIZON = 3
"""The status of a kernel that paused at its horizon; the others are those of all kernels."""
RUN_FIELDS = [(n, "i8") for n in ("nodes", "updates", "found", "stop", "keep", "written")]
"""The fields of a kernel's run that a stream uses: its figures; where to pause, at so many nodes or
after so many covers, 0 if they are only counted; and how much of `out` is written."""


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
        """Visit at most `nodes` nodes, and return at most `keep` covers; 0 only counts them."""

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
        """Visit at most `nodes` nodes, and return at most `keep` covers; 0 only counts them."""
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
        """Return 0 until the end: the progress of a generator is not known."""
        return 0.0


class Slices(Budget):
    """A budget of nodes and of seconds, which are those of the slices alone."""

    seconds = 0.0
    """Wall-clock seconds so far."""

    def __init__(self, limit: Limit | None, first: int, most: int, timed: bool = True) -> None:
        """first, most: nodes of the first slice, and of any; timed: as in Pace."""
        super().__init__(limit or Limit())
        self._pace = Pace(first, most, timed)

    def over(self, nodes: int) -> bool:
        """Return whether the budget is spent after so many nodes."""
        self.nodes = nodes
        return self.spent()

    def next(self, nodes: int, work: Callable[[int], T]) -> T:
        """Return the result of `work`, called with the nodes of the next slice."""
        steps = self._pace.steps
        if self.limit.nodes is not None:
            steps = min(steps, self.limit.nodes - nodes)
        start = now()
        result = work(steps)
        spent = now() - start
        self.seconds += spent
        self._pace.took(spent, self.left)
        return result
