"""What a run may still spend: nodes and seconds, asked at every node of a plain-Python search."""

from __future__ import annotations

import time

from dragon.core import Limit

FOREVER = 1 << 62


def simulations_budget(own: int | None, limit: Limit, default: int) -> tuple[int, str]:
    """How many simulations a run may make, and who says so, in words.

    The smaller of the search's own number and the limit's; without either, as many as the
    seconds or nodes allow; without any limit, the default.
    """
    given = [n for n in (own, limit.simulations) if n is not None]
    if given:
        return min(given), f"{min(given)} simulations"
    if limit.seconds is not None or limit.nodes is not None:
        return FOREVER, "the limit"
    return default, f"{default} simulations (default)"


class OutOfBudget(Exception):
    """Raised inside a search when its limit is reached; never leaves it."""


class Budget:
    """Counts nodes and watches the clock of one run."""

    CLOCK_EVERY = 64
    """Nodes between two looks at the clock."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.nodes = 0
        self._start = time.perf_counter()

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return time.perf_counter() - self._start

    def late(self) -> bool:
        """Whether the seconds are over."""
        return self.limit.seconds is not None and self.seconds >= self.limit.seconds

    def spent(self) -> bool:
        """Whether the nodes or the seconds are over."""
        return self.late() or (self.limit.nodes is not None and self.nodes >= self.limit.nodes)

    def visit(self) -> None:
        """Counts one node; raises OutOfBudget instead if there is none left."""
        if self.limit.nodes is not None and self.nodes >= self.limit.nodes:
            raise OutOfBudget
        self.nodes += 1
        if self.nodes % self.CLOCK_EVERY == 0 and self.late():
            raise OutOfBudget
