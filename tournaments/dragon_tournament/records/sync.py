"""Sync: what was written to a file reaches the disk soon, without anybody waiting for it."""

from __future__ import annotations

import os
import threading

PAUSE = 0.1
"""Seconds between two times; what a failing machine may cost, and no more."""


class Sync:
    """A thread that calls fsync after something was written, at most every `PAUSE` seconds.

    A disk takes milliseconds for it, in which a fast game could be played.
    """

    def __init__(self, file: int) -> None:
        self.file = file
        self._wrong: OSError | None = None
        self._dirty = threading.Event()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def wanted(self) -> None:
        """Something was written; raises OSError if what was written before cannot be kept."""
        self._dirty.set()
        self._complain()

    def _complain(self) -> None:
        wrong, self._wrong = self._wrong, None
        if wrong is not None:
            raise wrong

    def _run(self) -> None:
        while not self._over.is_set():
            self._dirty.wait()
            self._dirty.clear()
            try:
                os.fsync(self.file)
            except OSError as wrong:  # told to whoever writes next
                self._wrong = wrong
            self._over.wait(PAUSE)

    def close(self) -> None:
        """Waits until everything is on the disk; raises OSError if it cannot be."""
        self._over.set()
        self._dirty.set()
        self._thread.join()
        try:
            os.fsync(self.file)
        except OSError as wrong:
            self._wrong = wrong
        self._complain()
