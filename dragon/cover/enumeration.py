"""The iterator over the covers of a problem, which lists them, counts them, or gives the first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

from dragon.core import Bound, Limit
from dragon.cover.stream import Cover, Slices, Stream
from dragon.errors import ConfigError

if TYPE_CHECKING:
    from dragon.cover.problem import Problem

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


def check_size(size: int | None) -> None:
    """Raise ConfigError for a size below 0."""
    if size is not None and size < 0:
        raise ConfigError(f"size is {size}; write 0 or more")


def covers(
    problem: Problem, exact: bool = True, size: int | None = None, limit: Limit | None = None
) -> Covers:
    """Return the covers of at most `size` options, by dancing links.

    exact: as `dragon.cover.problem` defines them; otherwise overlapping covers without a redundant
    option.
    """
    check_size(size)
    from dragon.cover.exact import exact_stream
    from dragon.cover.minimal import minimal_stream

    stream = exact_stream(problem, size) if exact else minimal_stream(problem, size)
    return Covers(stream, limit)
