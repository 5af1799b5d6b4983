"""Forfeit: a game that a player loses by a failure of its own."""

from __future__ import annotations

import signal
import threading

from dragon.errors import PlayerCrashed
from dragon_tournament.records.record import Reason

LONGEST_DETAIL = 4000  # characters


class Forfeit(PlayerCrashed):
    """A seat loses its game: why, and what happened."""

    def __init__(self, seat: int, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.seat, self.reason, self.detail = seat, reason, detail[-LONGEST_DETAIL:]


class Pressed(KeyboardInterrupt):
    """Ctrl-C, as the runner of a tournament raises it."""


def pressed(wrong: BaseException) -> bool:
    """Whether an exception is Ctrl-C, and not a KeyboardInterrupt of a player's own.

    Python raises one for Ctrl-C in the main thread alone, and only while its own handler is in
    place: the runner has another one, and workers ignore the signal.
    """
    ours = threading.current_thread() is threading.main_thread() and (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    return isinstance(wrong, Pressed) or (isinstance(wrong, KeyboardInterrupt) and ours)
