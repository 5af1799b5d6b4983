"""Forfeit: a game that a player loses by a failure of its own."""

from __future__ import annotations

from dragon.errors import PlayerCrashed
from dragon_tournament.records.record import Reason

LONGEST_DETAIL = 4000  # characters


class Forfeit(PlayerCrashed):
    """A seat loses its game: why, and what happened."""

    def __init__(self, seat: int, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.seat, self.reason, self.detail = seat, reason, detail[-LONGEST_DETAIL:]
