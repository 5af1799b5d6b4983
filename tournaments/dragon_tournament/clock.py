"""The clock of a player: its time for a game or a number of moves, and for the next move."""

from __future__ import annotations

import math
from typing import Any

from attrs import evolve, field, frozen
from attrs.validators import ge, gt, le, optional

from dragon.core import HORIZON, Limit, move_time

LONGEST = 1e7
"""The most seconds that a timer takes."""
SHORTEST = 0.001
"""Seconds for a move when nothing is left; the margin covers them."""


def finite(instance: object, attribute: Any, value: float) -> None:
    """A validator: a number, and not infinite."""
    if not math.isfinite(value):
        raise ValueError(f"{attribute.name} must be a finite number, not {value!r}")


@frozen
class Clock:
    """The seconds for a whole game, or for every `moves` moves, and the increment of every move."""

    seconds: float = field(validator=[finite, gt(0.0), le(LONGEST)])
    """The seconds on the clock when the game begins."""
    increment: float = field(default=0.0, validator=[finite, ge(0.0), le(LONGEST)])
    """Seconds added after each of its moves."""
    horizon: int = field(default=HORIZON, validator=ge(1))
    """The number of moves for which the time must last, whenever it is shared out."""
    moves: int | None = field(default=None, validator=optional(ge(1)))
    """The number of its moves after which the seconds are added again; None: never."""

    def left(self, made: int) -> int | None:
        """The number of moves that the rest of the time is for; None: for all.

        >>> Clock(60, moves=40).left(0), Clock(60, moves=40).left(39), Clock(60).left(39)
        (40, 1, None)
        """
        return None if self.moves is None else self.moves - made % self.moves

    def share(self, remaining: float, made: int = 0) -> float:
        """The seconds for the next move when so many remain and so many moves are made.

        >>> Clock(60, increment=1).share(60), Clock(60, moves=20).share(60, made=45)
        (2.75, 4.0)
        """
        return max(move_time(remaining, self.left(made), self.increment, self.horizon), SHORTEST)

    def gain(self, made: int) -> float:
        """The seconds added after the move with this number, the first being 1.

        >>> Clock(60, increment=1, moves=40).gain(39), Clock(60, increment=1, moves=40).gain(40)
        (1, 61)
        """
        return self.increment + (self.seconds if self.moves and made % self.moves == 0 else 0)

    def limit(self, limit: Limit, remaining: float, made: int = 0) -> Limit:
        """The limit of the next move: the player's own, and its share of the clock."""
        share = self.share(remaining, made)
        return evolve(limit, seconds=share if limit.seconds is None else min(share, limit.seconds))

    def __str__(self) -> str:
        moves = "" if self.moves is None else f"{self.moves}/"
        return f"{moves}{self.seconds:g}+{self.increment:g}"
