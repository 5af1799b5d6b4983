"""The guard around a question to a player: the actions that are forbidden, and their cost.

Watched are its memory, that no second process comes back with an answer, and that the state it
was given is left as it was.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from dragon.core import State
from dragon.errors import PlayerCrashed
from dragon_tournament.records.in_flight import InFlightLog
from dragon_tournament.records.record import Reason
from dragon_tournament.tournament import Player, Tournament

LONGEST_DETAIL = 4000  # characters
STATM = Path("/proc/self/statm")
MEGABYTE = 1 << 20
OVERDRAWN = 86  # the exit code of a worker whose player took too much memory

_held: dict[str, int] = {}
"""The growth of this process, in bytes, by questions to each player, by its name."""


class Forfeit(PlayerCrashed):
    """A seat that loses its game by a failure of its own, with the reason and the details."""

    def __init__(self, seat: int, reason: Reason, detail: str) -> None:
        super().__init__(detail)
        self.seat, self.reason, self.detail = seat, reason, detail[-LONGEST_DETAIL:]


class Guarded(Protocol):
    """The state of the player that is asked."""

    number: int
    player: Player
    tournament: Tournament
    notes: InFlightLog


@contextmanager
def guarded(seat: Guarded, state: State[Any]) -> Iterator[None]:
    """Guard a question; raise Forfeit for what a player must not do.

    A player that forks comes back twice: the second process is ended here, and only the one
    that the game began in goes on.
    """
    process, before = os.getpid(), _mark(state)
    with capped(seat):
        try:
            yield
        finally:
            if os.getpid() != process:
                os._exit(0)
    if _mark(state) != before:
        detail = f"{seat.player.name} has changed the state it was given, which is now {state}"
        raise Forfeit(seat.number, Reason.ILLEGAL, detail)


def _mark(state: State[Any]) -> Any:
    """The mark that tells two states apart, or that this one cannot be told."""
    try:
        return hash(state)
    except Exception as wrong:  # a state's own mistake, or a player's
        return type(wrong)


def measurable() -> bool:
    """Return True if this system can bound the memory of a player."""
    try:
        from resource import RLIMIT_DATA  # noqa: F401
    except ImportError:
        return False
    return STATM.exists()


def used() -> int:
    """The bytes of this process that are its own: the heap and private memory, touched or not."""
    from resource import getpagesize

    return int(STATM.read_text().split()[5]) * getpagesize()


@contextmanager
def capped(seat: Guarded) -> Iterator[None]:
    """Bound what the player may make this process grow by, as the tournament says.

    The system refuses more (RLIMIT_DATA), to the player and to the processes that it starts
    meanwhile. What it keeps counts in its next question too. Overdrawn, it loses the game; the
    process ends with what it holds, where another process watches it.
    """
    megabytes, name = seat.tournament.memory, seat.player.name
    if megabytes is None:
        yield
        return
    import resource

    import numpy  # noqa: F401 - which every search needs, and none is charged for

    before = used()
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    room = max(0, megabytes * MEGABYTE - _held.get(name, 0))
    most = before + room
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))
    overdrawn = ""
    try:
        yield
    except BaseException as wrong:
        if not any(isinstance(cause, MemoryError) for cause in causes(wrong)):
            raise
        overdrawn = traceback.format_exc(limit=-4)
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
        _held[name] = max(0, _held.get(name, 0) + used() - before)
    if overdrawn:
        detail = f"took more than {megabytes} megabytes of memory\n{overdrawn}"
        if seat.notes.supervised:
            seat.notes.doomed(detail)
            os._exit(OVERDRAWN)
        raise Forfeit(seat.number, Reason.CRASH, detail)


def causes(wrong: BaseException | None) -> Iterator[BaseException]:
    """Yield an error, and all errors that it comes from."""
    while wrong is not None:
        yield wrong
        wrong = wrong.__cause__ or wrong.__context__
