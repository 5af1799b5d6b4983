"""Clock: the time a player has for a whole game, and what it may spend on the next move."""

from __future__ import annotations

import math
from typing import Any

from attrs import evolve, field, frozen
from attrs.validators import ge, gt, le

from dragon.core import Limit

LONGEST = 1e7
"""Seconds; no timer takes more, and nobody waits that long."""
SHORTEST = 0.001
"""Seconds for a move when nothing is left; the margin bears them."""


def _number(instance: object, attribute: Any, value: float) -> None:
    if not math.isfinite(value):
        raise ValueError(f"{attribute.name} must be a finite number, not {value!r}")


@frozen
class Clock:
    """Seconds for the whole game, and what every move adds to them."""

    seconds: float = field(validator=[_number, gt(0.0), le(LONGEST)])
    """What is on the clock when the game begins."""
    increment: float = field(default=0.0, validator=[_number, ge(0.0), le(LONGEST)])
    """Seconds added after each of its moves."""
    horizon: int = field(default=30, validator=ge(1))
    """How many more moves the time must last for, whenever it is shared out."""

    def share(self, remaining: float) -> float:
        """Seconds for the next move when so many remain.

        An even share of them for each move of the horizon, and three quarters of the increment;
        but never more than half of what remains.

        >>> Clock(60, increment=1).share(60)
        2.75
        """
        wanted = remaining / self.horizon + 0.75 * self.increment
        return max(min(wanted, remaining / 2), SHORTEST)

    def limit(self, limit: Limit, remaining: float) -> Limit:
        """The limit of the next move: the player's own, and its share of the clock."""
        share = self.share(remaining)
        return evolve(limit, seconds=share if limit.seconds is None else min(share, limit.seconds))

    def __str__(self) -> str:
        return f"{self.seconds:g}+{self.increment:g}"
