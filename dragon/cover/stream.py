"""Streams: enumerations of covers that stop, and go on, anywhere, in slices under a limit.

`Covers` is the iterator over the covers of a problem, which lists them, counts them, or gives the
first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Protocol, TypeVar

from dragon.core import Bound, Limit
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
"""The fields of a kernel's run that a stream uses: its figures; the number of nodes or covers
at which it pauses, 0 covers if they are only counted; and how much of `out` is written."""


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
        """Return whether the budget is spent after this number of nodes."""
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


FIRST_SLICE, SLICE = 1 << 6, 1 << 22
"""Nodes between two looks at the clock, at first and at most."""
BATCH = 1024
"""The most covers that are taken from the stream at once."""


class Covers(Iterator[Cover]):
    """The covers of a problem: an iterator that knows its progress.

    Take some covers, or all, or go on with `count`: the search is the same. It ends when the limit
    is reached, and then `verdict` says what has been proven.

    >>> from dragon.cover import Problem, covers
    >>> found = covers(Problem.of("abc", ["ab", "c", "bc", "a"]))
    >>> next(found), found.count(), found.verdict
    ((0, 1), 2, 'cover')
    """

    def __init__(self, stream: Stream, limit: Limit | None = None) -> None:
        self._stream = stream
        self._waiting: deque[Cover] = deque()
        self._slices = Slices(limit, FIRST_SLICE, SLICE)

    def __iter__(self) -> Covers:
        return self

    def __next__(self) -> Cover:
        while not self._waiting:
            if self.over:
                raise StopIteration
            self.advance(min(BATCH, 1 + self.found))  # the first at once, later ones by the batch
        return self._waiting.popleft()

    def count(self) -> int:
        """Search to the end without listing; return the number of covers found."""
        while not self.over:
            self.advance(0)
        return self.found

    def advance(self, keep: int) -> None:
        """Search for one slice, and keep up to `keep` covers for `next`."""
        more = self._slices.next(self.nodes, lambda nodes: self._stream.advance(nodes, keep))
        self._waiting.extend(more)

    @property
    def seconds(self) -> float:
        """Wall-clock seconds of the search alone."""
        return self._slices.seconds

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
        """Covers found so far, including those that `next` has yet to give."""
        return self._stream.found

    @property
    def over(self) -> bool:
        """Return whether all covers have been found, or the limit has been reached."""
        return self._stream.done or self._slices.over(self.nodes)

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
