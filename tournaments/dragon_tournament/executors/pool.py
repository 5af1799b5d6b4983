"""The worker processes of a run: their pool, what players print in them, and stalled players.

The supervisor, which alone uses them, says what happens to the games; here is what happens to the
processes.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import define
from pebble import ProcessPool

from dragon.errors import TournamentError
from dragon.process import above_bars, spawn
from dragon_tournament.executors import process_group
from dragon_tournament.executors.process_group import QUIET
from dragon_tournament.executors.worker import settle
from dragon_tournament.interrupts import postponed
from dragon_tournament.records.in_flight import TRACE, question

BREAKS = 20  # of the pool as a whole before the run gives up


class Process(spawn.Process):
    """A worker process, which never ends by itself: its pool takes exit code 0 for a death, too."""

    @property
    def exitcode(self) -> int | None:
        """Return the exit code; `QUIET` for 0, which pebble would not report."""
        code = super().exitcode
        return QUIET if code == 0 else code


class Spawn(spawn.Spawn):
    """The way in which a pool starts its processes.

    A process that is still coming up when its pool closes would find no parent there and complain
    on stderr; so those are remembered, and killed first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.started: list[spawn.Process] = []

    def Process(self, *args: Any, **kwargs: Any) -> spawn.Process:  # type: ignore[override]  # noqa: N802 - its name there
        """Return a process, not yet started."""
        process = Process(*args, **kwargs)
        self.started = [p for p in self.started if p.exitcode is None] + [process]
        return process

    def kill(self) -> None:
        """End all processes that are there."""
        for process in self.started:
            with suppress(ValueError, AttributeError):  # never started, or closed
                process.kill()


class Pool:
    """Worker processes, as many as `workers`, that keep their notes in `folder`."""

    def __init__(self, workers: int, folder: Path) -> None:
        self.workers, self.folder = workers, folder
        self.processes: ProcessPool | None = None
        self.breaks = 0
        self._spawn = Spawn()

    def schedule(self, function: Any, *args: Any) -> Future[Any]:
        """Let a worker call a function, which is pickled by its module and name."""
        if self.processes is None or not self.processes.active:
            self.stop()
            with postponed():  # a pool that is half begun could not be stopped
                self._start()
        assert self.processes is not None
        future: Future[Any] = self.processes.schedule(function, args=args)
        return future

    def _start(self) -> None:
        """Start processes; neither they nor the pool's threads see Ctrl-C, which is for the runner.

        `stop` knows them before a Ctrl-C that was pressed meanwhile arrives.
        """
        self._spawn = Spawn()
        processes = ProcessPool(
            max_workers=self.workers,
            context=self._spawn,
            initializer=settle,
            initargs=(logging.getLogger("dragon").getEffectiveLevel(), self.folder),
        )
        with spawn.deaf():
            self.processes = processes
            processes.schedule(os.getpid)  # starts the threads and processes

    def replace(self, broken: ProcessPool | None) -> None:
        """Discard broken processes, if they are still there; the next job starts others."""
        if broken is not self.processes:
            return
        self.breaks += 1
        if self.breaks > BREAKS:
            raise TournamentError(
                "the worker processes keep breaking down; the same command goes on from here, "
                "and with --workers 0 it shows why"
            )
        self.stop()

    def stop(self) -> None:
        """End the processes, with all that they have started."""
        if self.processes is not None:
            self.processes.stop()  # type: ignore[no-untyped-call]
            for leader in process_group.all_in(self.folder):
                process_group.end(leader)
            self._spawn.kill()
            self.processes.join()
            self.processes = None


# ---- what players print -------------------------------------------------------------------------


MOST = 256 * 1024
"""Bytes that are passed on; more than this is a mistake, and too much to read."""
LONGEST = 8192
"""Bytes of a line that are waited for; a longer one is passed on in pieces."""
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
        """Make the pipe, if the system has named ones; otherwise workers print by themselves."""
        if not hasattr(os, "mkfifo"):
            return
        with suppress(OSError):  # some file systems have none
            os.mkfifo(self.path)
            self._pipe = os.open(self.path, os.O_RDWR)  # so that it never ends by itself
            reader = threading.Thread(target=self._read, args=(self._pipe,), daemon=True)
            reader.start()
            self._reader = reader  # after `start`: Ctrl-C may keep a thread from it

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
        """Write whole lines, as many as the bound allows."""
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
        """Pass on the rest of the output, and end."""
        if self._pipe is not None and self._reader is not None:
            os.write(self._pipe, END)
            self._reader.join()
            os.close(self._pipe)
            self._pipe = None


# ---- players that do not come back --------------------------------------------------------------


LOOK = 0.25  # seconds between two looks


@define
class _Open:
    """A question that has not been answered."""

    asked: float
    spared: float = 0.0
    """Seconds that do not count."""
    warned: bool = False
    """True if its process has been told to write down its place in the code."""


class Timekeeper(threading.Thread):
    """A thread that ends the worker processes whose player does not come back.

    It reads in their notes which questions are open. A timer within the worker would be a thread
    for every question, which takes longer than a quick game does. Time in which a worker is stopped
    (SIGSTOP), and time in which this process does not run itself, does not count.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(name="timekeeper", daemon=True)
        self.folder = folder
        self.ended: set[int] = set()
        """The processes that it has ended; readers remove those that they have dealt with."""
        self._open: dict[Path, _Open] = {}
        self._last = time.monotonic()
        self._closing = threading.Event()

    def run(self) -> None:
        while not self._closing.wait(LOOK):
            self.look(time.monotonic())

    def close(self) -> None:
        """End the thread."""
        self._closing.set()
        if self.is_alive():
            self.join()

    def look(self, now: float) -> None:
        """Look at all open questions; `now` is a time.monotonic()."""
        passed, self._last = now - self._last, now
        before, self._open = self._open, {}
        for path in self.folder.glob("*.jsonl"):
            if (found := question(path)) is None:
                continue
            pid, asked, patience = found
            held = before.get(path)
            if held is None or held.asked != asked:
                held = _Open(asked)
            self._open[path] = held
            state = process_group.state(pid)
            if state == "T":
                held.spared += passed
            elif passed > 4 * LOOK:
                held.spared += passed - LOOK
            if state == "Z":  # the process that waits for it will tell how it ended
                continue
            if held.warned:
                if process_group.alive(pid) and pid in process_group.all_in(self.folder):
                    self.ended.add(pid)  # first: its pool may report the death at once
                    process_group.end(pid)
            elif now > asked + patience + held.spared:
                held.warned = True
                with suppress(OSError):
                    os.kill(pid, TRACE or 0)
