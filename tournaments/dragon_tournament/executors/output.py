"""Output: what players print in their processes, passed on to stderr up to a bound."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

MOST = 256 * 1024
"""Bytes that are passed on; who prints more has a mistake, and nobody reads it."""
END = b"\0dragon\0"


class Output:
    """A named pipe that workers write to, and the thread that reads it.

    It is read by the supervisor and not by the worker: what a dying process printed last is
    not lost, and one that prints without end is not waited for.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.passed = 0
        self._pipe: int | None = None
        self._reader: threading.Thread | None = None

    def open(self) -> None:
        """Makes the pipe, where the system has such; without one, workers print by themselves."""
        if not hasattr(os, "mkfifo"):
            return
        with suppress(OSError):  # some file systems have none
            os.mkfifo(self.path)
            self._pipe = os.open(self.path, os.O_RDWR)  # so that it never ends by itself
            self._reader = threading.Thread(target=self._read, args=(self._pipe,), daemon=True)
            self._reader.start()

    def _read(self, pipe: int) -> None:
        tail = b""
        while END not in tail:
            data = os.read(pipe, 65536)
            tail = (tail + data)[-max(len(data), 2 * len(END)) :]
            self._pass(data.replace(END, b""))

    def _pass(self, data: bytes) -> None:
        if self.passed >= MOST:
            return
        self.passed += len(data)
        with suppress(OSError):  # nobody listens
            os.write(2, data[: MOST - self.passed + len(data)])
            if self.passed >= MOST:
                os.write(2, b"\n(the players print too much; the rest is dropped)\n")

    def close(self) -> None:
        """Passes on what is there, and ends."""
        if self._pipe is not None and self._reader is not None:
            os.write(self._pipe, END)
            self._reader.join()
            os.close(self._pipe)
            self._pipe = None
