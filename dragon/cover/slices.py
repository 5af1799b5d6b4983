"""Slices: a search under a limit, and short looks at the clock between its steps."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import inf
from typing import TypeVar

from dragon.core import Limit
from dragon.search.budget import Pace

T = TypeVar("T")


class Slices:
    """What a search has spent of its limit, and how many nodes its next slice may have.

    The limit is one of nodes and of seconds; these are those of the slices alone.
    """

    def __init__(self, limit: Limit | None, first: int, most: int, timed: bool = True) -> None:
        """first, most: nodes of the first slice, and of any; timed: as in Pace."""
        self.limit = limit or Limit()
        self.seconds = 0.0
        """Wall-clock seconds so far."""
        self._pace = Pace(first, most, timed)

    def spent(self, nodes: int) -> bool:
        """Return True if the limit is reached after so many nodes."""
        seconds = self.limit.seconds
        late = seconds is not None and self.seconds >= seconds
        return late or (self.limit.nodes is not None and nodes >= self.limit.nodes)

    def next(self, nodes: int, work: Callable[[int], T]) -> T:
        """What `work` returns, which is given a number of nodes, after so many nodes."""
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
