"""The handling of Ctrl-C: the first waits for the games in progress, the second ends them, as
SIGTERM does."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from dragon_tournament.pairing import Pairing

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Pressed(KeyboardInterrupt):
    """A Ctrl-C, as the runner of a tournament raises it."""


def pressed(wrong: BaseException) -> bool:
    """Return True if an exception is Ctrl-C, and not a KeyboardInterrupt of a player's own.

    Python raises one for Ctrl-C in the main thread alone, and only while its own handler is in
    place: the runner has another one, and workers ignore the signal.
    """
    ours = threading.current_thread() is threading.main_thread() and (
        signal.getsignal(signal.SIGINT) is signal.default_int_handler
    )
    return isinstance(wrong, Pressed) or (isinstance(wrong, KeyboardInterrupt) and ours)


class Gate:
    """The pairings as they are handed out, until it is closed."""

    def __init__(self, pairings: Iterator[Pairing]) -> None:
        self.pairings = pairings
        self.open = True
        self.handed: set[str] = set()
        """The ids of games that were handed out and do not have a record."""

    def __iter__(self) -> Iterator[Pairing]:
        return self

    def __next__(self) -> Pairing:
        if not self.open:
            raise StopIteration
        pairing = next(self.pairings)
        self.handed.add(pairing.id)
        return pairing


Handlers = dict[signal.Signals, Any]


def _handled_by(handler: Callable[[int, FrameType | None], None]) -> Handlers:
    """Set a handler of SIGNALS, in the main thread alone; return the handlers before."""
    if threading.current_thread() is not threading.main_thread():
        return {}
    return {number: signal.signal(number, handler) for number in SIGNALS}


def _restore(before: Handlers) -> None:
    for number, handler in before.items():
        signal.signal(number, handler)


class Interrupts:
    """While it is entered, a first Ctrl-C closes the gate, and a second is a KeyboardInterrupt.

    So is a first one while no game is in progress, and SIGTERM at any time: its sender does
    not wait for long. In a thread that is not the main one it does nothing, for there no signal is
    handled.
    """

    def __init__(self, gate: Gate, say: Callable[[str], None]) -> None:
        self.gate, self.say = gate, say
        self._before: Handlers = {}
        self._shielded = False
        self._due: Pressed | None = None

    def __enter__(self) -> Interrupts:
        self._before = _handled_by(self._pressed)
        return self

    def __exit__(self, *_: object) -> None:
        _restore(self._before)

    def _pressed(self, number: int, frame: FrameType | None) -> None:
        games = len(self.gate.handed)
        pressed = Pressed(signal.SIGTERM.name) if number == signal.SIGTERM else Pressed()
        if self.gate.open and games and number == signal.SIGINT:
            self.gate.open = False
            plural = "game" if games == 1 else "games"
            sentence = f"finishing {games} {plural} in progress; Ctrl-C again drops them"
            # from another thread: this one may be writing to the same stream at this very moment
            threading.Thread(target=self.say, args=(sentence,)).start()
        elif self._shielded:
            self._due = pressed
        else:
            raise pressed

    @contextmanager
    def shield(self) -> Iterator[None]:
        """Hold back a KeyboardInterrupt until the block is done."""
        self._shielded = True
        try:
            yield
        finally:
            self._shielded = False
        if self._due is not None:
            raise self._due
