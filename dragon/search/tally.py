"""Tallies: what samples say of a move, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from attrs import define


@define
class Tally:
    """The values of a move's samples, playouts or worlds, for the seat to move."""

    move: Any = None
    """None at a CHANCE root."""
    count: int = 0
    total: float = 0
    squares: float = 0

    def add(self, count: int, total: float, squares: float) -> None:
        """Count more samples, by the sums of their values and of these squared."""
        self.count += count
        self.total += total
        self.squares += squares

    @property
    def mean(self) -> float:
        """The average value; 0 before the first sample."""
        return self.total / max(1, self.count)

    def error(self, largest: float) -> float:
        """The standard error of the mean; `largest`, the most it can be, before two samples."""
        if self.count < 2:
            return largest
        spread = max(0.0, self.squares - self.total * self.total / self.count)
        return math.sqrt(spread / (self.count - 1) / self.count)


def by_move(tallies: Iterable[Tally], unit: float = 1.0) -> dict[str, dict[str, Any]]:
    """Return the moves for `extra`; `unit` is the payoff of a value of 1."""
    return {
        str(tally.move): {"value": tally.mean * unit, "simulations": tally.count}
        for tally in tallies
        if tally.move is not None
    }
