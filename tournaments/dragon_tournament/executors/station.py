"""Station: what plays a batch of games wherever some other executor's worker is.

It has a supervisor of its own, with a worker process for each thread that brings batches: a
player that dies, stalls or floods costs its game there, as it does on one machine, and never
the worker of the cluster. The supervisor stays for the next batch, until there is none for
a while.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import platform
import tempfile
import threading
import time
from importlib.metadata import version
from pathlib import Path

from attrs import frozen

from dragon.errors import TournamentError
from dragon_tournament.executors.supervisor import Supervisor
from dragon_tournament.formats.schedule import Pairing
from dragon_tournament.records.record import Record
from dragon_tournament.tournament import Tournament

log = logging.getLogger("dragon")
IDLE = 20.0
"""Seconds without a batch after which the processes are ended."""
DISTRIBUTION = "dragon-search"


@frozen
class Batch:
    """Games to be played together, and what they belong to."""

    run: str
    """Names the run: a supervisor serves one."""
    tournament: Tournament
    pairings: tuple[Pairing, ...]


@frozen
class Played:
    """What came of a batch."""

    records: tuple[Record, ...]
    seconds: float
    """Of playing alone."""
    version: str
    """Of dragon, where it was played."""
    place: str
    """Machine and process."""


class Station:
    """The supervisor of one thread, for one run at a time."""

    def __init__(self) -> None:
        self.run = ""
        self.supervisor: Supervisor | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._lock = threading.Lock()
        self._alarm: threading.Timer | None = None

    def play(self, batch: Batch) -> Played:
        """The records of a batch; raises TournamentError where the run must end."""
        with self._lock:
            if self._alarm is not None:
                self._alarm.cancel()
            try:
                supervisor = self._ready(batch)
                start = time.perf_counter()
                records = tuple(supervisor.records(iter(batch.pairings)))
                seconds = time.perf_counter() - start
            except BaseException:
                self._end()
                raise
            self._alarm = threading.Timer(IDLE, self.close)
            self._alarm.daemon = True
            self._alarm.start()
        return Played(records, seconds, version(DISTRIBUTION), f"{platform.node()}:{os.getpid()}")

    def _ready(self, batch: Batch) -> Supervisor:
        if self.supervisor is None or self.run != batch.run:
            self._end()
            _may_have_children()
            self._folder = tempfile.TemporaryDirectory(prefix="dragon-", ignore_cleanup_errors=True)
            self.supervisor = Supervisor(batch.tournament, 1, Path(self._folder.name))
            self.run = batch.run
            self.supervisor.begin()
        return self.supervisor

    def close(self) -> None:
        """Ends the processes."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self.supervisor is not None:
            self.supervisor.close()
            self.supervisor = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


_here = threading.local()


def play_batch(batch: Batch) -> Played:
    """Plays a batch at the station of this thread; whatever it raises can be pickled."""
    try:
        if not hasattr(_here, "station"):
            _here.station = Station()
        station: Station = _here.station
        return station.play(batch)
    except TournamentError as wrong:
        raise TournamentError(str(wrong)) from None


def _may_have_children() -> None:
    """Workers of clusters are often daemons, which Python does not let start processes."""
    process = multiprocessing.current_process()
    if process.daemon:
        process.daemon = False  # whoever started it keeps its own notes of that
