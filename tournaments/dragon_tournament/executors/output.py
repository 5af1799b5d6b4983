"""Output: what players print and log in their processes, passed on to stderr up to a bound."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path

from dragon.process.stderr import above_bars

MOST = 256 * 1024
"""Bytes that are passed on; more than this is a mistake, and too much to read."""
LONGEST = 8192
"""Bytes of a line that are waited for; what is longer is passed on in pieces."""
END = b"\0dragon\0"


class Output:
    """A named pipe that workers write to, and the thread that reads it.

    It is read by the supervisor and not by the worker: what a dying process printed last is
    not lost, and one that prints without end is not waited for. Whole lines are passed on, so
    that they do not run into the line that shows the progress.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.passed = 0
        self._line = b""  # the beginning of a line whose end has not come
        self._pipe: int | None = None
        self._reader: threading.Thread | None = None

    def open(self) -> None:
        """Makes the pipe, where the system has such; without one, workers print by themselves."""
        if not hasattr(os, "mkfifo"):
            return
        with suppress(OSError):  # some file systems have none
            os.mkfifo(self.path)
            self._pipe = os.open(self.path, os.O_RDWR)  # so that it never ends by itself
            reader = threading.Thread(target=self._read, args=(self._pipe,), daemon=True)
            reader.start()
            self._reader = reader  # now: after a Ctrl-C within `start` it cannot be waited for

    def _read(self, pipe: int) -> None:
        tail = b""
        while END not in tail:
            data = os.read(pipe, 65536)
            tail = (tail + data)[-max(len(data), 2 * len(END)) :]
            whole, newline, rest = (self._line + data).replace(END, b"").rpartition(b"\n")
            if len(rest) > LONGEST:
                whole, newline, rest = whole + newline + rest, b"\n", b""
            self._line = rest
            self._pass(whole + newline)
        if self._line:
            self._pass(self._line + b"\n")

    def _pass(self, data: bytes) -> None:
        """Writes whole lines, as many as the bound leaves room for."""
        if self.passed >= MOST or not data:
            return
        room = MOST - self.passed
        self.passed += len(data)
        if self.passed >= MOST:
            data = data[:room] + b"\n(the players print too much; the rest is dropped)\n"
        # The listener may be gone; and `os.write` may write a part.
        with suppress(OSError), above_bars(), open(2, "wb", closefd=False) as stderr:
            stderr.write(data)

    def close(self) -> None:
        """Passes on what is there, and ends."""
        if self._pipe is not None and self._reader is not None:
            os.write(self._pipe, END)
            self._reader.join()
            os.close(self._pipe)
            self._pipe = None
