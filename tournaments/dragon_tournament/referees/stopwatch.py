"""A stopwatch that does not count the time in which this process was stopped (SIGSTOP).

A thread notes the time again and again. Where a SIGCONT has come, the gaps in its notes are the
time in which the process did not run. Without one a gap is the player's own: code that keeps the
interpreter to itself for long makes gaps too.

When a stop ends, the system gives the signal to whichever thread runs first, and on a busy machine
the main thread may be done with a move before that one has told Python of it. So the notes' own
thread takes no SIGCONT, and a gap that nothing explains yet is waited for a moment.
"""

from __future__ import annotations

import signal
import threading
import time

from attrs import Factory, define, field

PERIOD = 0.05
"""Seconds between two notes, and the most of every stop that is charged."""
LONG = 4 * PERIOD
"""Seconds of gaps for which a signal may still have to come."""


class _Pulse(threading.Thread):
    """A thread that adds up the gaps between its notes."""

    def __init__(self) -> None:
        super().__init__(name="pulse", daemon=True)
        self.lock = threading.Lock()
        self.last = time.perf_counter()
        self.gaps = self.total = 0.0
        self.continued = False
        """True if a SIGCONT has come since the gaps were last looked at."""

    def run(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCONT})
        while True:
            time.sleep(PERIOD)
            self.note()

    def note(self) -> None:
        with self.lock:
            now = time.perf_counter()
            self.gaps += max(0.0, now - self.last - PERIOD)
            self.last = now

    def seconds(self) -> float:
        self.note()
        if self.gaps > LONG and not self.continued:
            time.sleep(PERIOD)
            self.note()
        with self.lock:
            if self.continued:
                self.total += self.gaps
            self.gaps, self.continued = 0.0, False
            return self.total

    def hear(self, *_: object) -> None:
        self.continued = True


_pulse: list[_Pulse] = []


def begin() -> None:
    """Begin to note stops; the main thread of a worker calls this once."""
    if hasattr(signal, "SIGCONT") and not _pulse:
        _pulse.append(_Pulse())
        signal.signal(signal.SIGCONT, _pulse[0].hear)
        _pulse[0].start()


def seconds() -> float:
    """The seconds for which this process has been stopped since `begin`; 0 before that."""
    return _pulse[0].seconds() if _pulse else 0.0


@define
class Stopwatch:
    """A clock of the seconds in which the process was not stopped."""

    stopped: float = Factory(seconds)
    start: float = field(init=False, factory=lambda: time.perf_counter())

    def read(self) -> float:
        """The seconds since it was made."""
        passed = time.perf_counter() - self.start
        return max(0.0, passed - (seconds() - self.stopped))
