"""Pool: the worker processes of a run, started when there is work and replaced when they break."""

from __future__ import annotations

import logging
import os
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

from pebble import ProcessPool

from dragon.errors import TournamentError
from dragon.process import spawn
from dragon_tournament.executors import process_group
from dragon_tournament.executors.worker import settle
from dragon_tournament.interrupts import postponed

BREAKS = 20  # of the pool as a whole before the run gives up


class Spawn(spawn.Spawn):
    """The way in which a pool starts its processes.

    A process that is still coming up when its pool closes would find no parent there and complain
    on stderr; so those are remembered, and killed first.
    """

    def __init__(self) -> None:
        super().__init__()
        self.started: list[spawn.Process] = []

    def Process(self, *args: Any, **kwargs: Any) -> spawn.Process:  # type: ignore[override]  # noqa: N802 - its name there
        """A process, not yet started."""
        process = spawn.Process(*args, **kwargs)
        self.started = [p for p in self.started if p.exitcode is None] + [process]
        return process

    def kill(self) -> None:
        """Ends all that are there."""
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
        """Has a worker call a function, which comes with its module's name."""
        if self.processes is None or not self.processes.active:
            self.stop()
            with postponed():  # a pool that is half begun could not be stopped
                self._start()
        assert self.processes is not None
        future: Future[Any] = self.processes.schedule(function, args=args)
        return future

    def _start(self) -> None:
        """New processes; neither they nor the pool's threads see Ctrl-C, which is for the runner.

        They are known to `stop` before a Ctrl-C of the meantime comes through.
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
        """Throws broken processes away, unless that is done; the next job starts others."""
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
        """Ends the processes, with whatever they have started."""
        if self.processes is not None:
            self.processes.stop()  # type: ignore[no-untyped-call]
            for leader in process_group.all_in(self.folder):
                process_group.end(leader)
            self._spawn.kill()
            self.processes.join()
            self.processes = None
