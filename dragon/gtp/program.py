"""Program: another program that reads and writes lines, ended with all processes that it started.

It leads a process group. A process that has left the group, as a daemon does, is recognised by a
variable of the environment, which it inherits from its parent; only on systems with /proc. The
protocol that the lines follow is not its concern: see `dragon.gtp.client`.
"""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import queue
import secrets
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from dragon.errors import SearchError
from dragon.process import given_environment
from dragon.process.spawn import how_ended

logger = logging.getLogger("dragon")
CHUNK = 65536
"""Bytes of a read, and of the longest line; longer ones are cut into several."""
WAITING = 16
"""Chunks that may wait to be read; when there are more, the program has to wait."""
TAIL = 20
"""Lines of its stderr that are kept, for the message when it dies."""
FAREWELL = 1.0
"""The seconds in which it may end by itself when it is closed."""
ROUNDS = 5
"""Searches for its descendants: one may start another during a search."""


class Program:
    """A process with pipes to its stdin, stdout and stderr; it does not see Ctrl-C.

    Raises SearchError when it ends, closes a pipe or does not answer in time.
    """

    def __init__(self, command: tuple[str, ...], log: str = "") -> None:
        """log: a file to which each line is added, with its time, process and direction."""
        self.command = command
        self._log = _opened(log) if log else None
        self.mark = f"DRAGON_PROGRAM_{secrets.token_hex(8)}"
        group: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**given_environment(), self.mark: "1"},
                **group,
            )
        except OSError as wrong:
            raise SearchError(f"cannot start {command[0]}: {wrong.strerror or wrong}") from None
        self._chunks: queue.Queue[bytes] = queue.Queue(WAITING)
        self._lines: deque[bytes] = deque()
        self._rest = b""
        self._said: deque[bytes] = deque(maxlen=TAIL)
        self._over = False
        self.late = False  # True once it did not answer in time
        out, err = self.process.stdout, self.process.stderr
        threads = [
            threading.Thread(target=read, args=(pipe,), daemon=True)
            for read, pipe in ((self._hear, out), (self._overhear, err))
        ]
        for thread in threads:
            thread.start()
        self._listener = threads[1]
        _running.add(self)

    def _hear(self, pipe: IO[bytes]) -> None:
        chunk = b"?"
        while chunk and not self._over:
            with contextlib.suppress(OSError, ValueError):  # closed from this side
                chunk = os.read(pipe.fileno(), CHUNK)
            while not self._over:
                with contextlib.suppress(queue.Full):
                    self._chunks.put(chunk, timeout=0.2)
                    break

    def _overhear(self, pipe: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := pipe.readline(CHUNK):
                self._said.append(line[:300])
                self._note("!", line.decode(errors="replace").rstrip())

    def _note(self, direction: str, line: str) -> None:
        """Add a line to the log, at once: other processes may write to the same file."""
        if self._log is not None:
            at = datetime.now().isoformat(timespec="milliseconds")
            try:
                self._log.write(f"{at} {self.process.pid} {direction} {line}\n".encode())
            except OSError as wrong:  # the game goes on
                logger.warning("%s ends here: %s", self._log.name, wrong.strerror or wrong)
                self._log = None

    def write(self, line: str) -> None:
        assert self.process.stdin is not None
        self._note(">", line)
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise SearchError(self._ended("input")) from None

    def read(self, deadline: float | None) -> str:
        """The next line without its end; `deadline` is a time.monotonic().

        Raises SearchError at the deadline, and where the program has ended.
        """
        while not self._lines:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            try:
                chunk = self._chunks.get(timeout=left)
            except queue.Empty:
                self.late = True
                raise SearchError(f"{self.command[0]} did not answer in time") from None
            if not chunk:
                self._chunks.put(chunk)  # for a further request
                raise SearchError(self._ended())
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            self._lines.extend(lines)
            if len(self._rest) > CHUNK:
                self._lines.append(self._rest)
                self._rest = b""
        line = self._lines.popleft().decode(errors="replace").rstrip("\r")
        self._note("<", line)
        return line

    def _ended(self, closed: str = "output") -> str:
        """Describe its end, with its last output; otherwise name the pipe that it has closed."""
        try:
            code = self.process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            return f"{self.command[0]} closed its {closed}"
        self._listener.join(FAREWELL)  # its last output may not have been read yet
        last = [text for said in self._said if (text := said.decode(errors="replace").strip())]
        ended = f"{self.command[0]} ended with {how_ended(code)}"
        return f"{ended}: {last[-1]}" if last else ended

    def close(self, farewell: str = "") -> None:
        """End it: after the line `farewell` it may end by itself; then its descendants are
        killed."""
        if self._over:
            return
        self._over = True
        _running.discard(self)
        if farewell:
            self._note(">", farewell)
        with contextlib.suppress(OSError, ValueError):
            assert self.process.stdin is not None
            if farewell:
                self.process.stdin.write(farewell.encode() + b"\n")
            self.process.stdin.close()
        if farewell:
            self._wait(time.monotonic() + FAREWELL)
        if os.name == "posix":
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        for _ in range(ROUNDS):
            for pid in (left := list(_bearers(self.mark))):
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            if not left:
                break

    def _wait(self, deadline: float) -> None:
        """Wait for its end, but do not reap it: its number is that of its process group."""
        if not hasattr(os, "waitid"):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(max(0.0, deadline - time.monotonic()))
            return
        with contextlib.suppress(ChildProcessError):
            while time.monotonic() < deadline:
                if os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                    return
                time.sleep(0.005)


def _bearers(mark: str) -> Iterator[int]:
    """Yield the processes that have the variable in their environment."""
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):  # another user's, or it has just ended
            if f"{mark}=".encode() in path.read_bytes():
                yield int(path.parent.name)


def _opened(log: str) -> IO[bytes]:
    """Open a log to add to; raise SearchError."""
    try:
        return open(log, "ab", buffering=0)
    except OSError as wrong:
        raise SearchError(f"cannot write the log {log}: {wrong.strerror or wrong}") from None


_running: set[Program] = set()


@atexit.register
def _close_all() -> None:
    for program in list(_running):
        program.close()
