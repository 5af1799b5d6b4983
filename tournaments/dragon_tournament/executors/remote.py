"""The remote worker, which plays a batch of games in the worker of another executor.

It has a supervisor of its own, with a worker process for each thread that brings batches: a
player that dies, stalls or floods costs its game there, as it does on one machine, and never
the worker of the cluster. The supervisor stays for the next batch, until there is none for
a while.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import platform
import shutil
import signal
import threading
import time
import weakref
from collections.abc import Mapping
from importlib.metadata import version
from multiprocessing.util import Finalize
from pathlib import Path

from attrs import evolve, field, frozen

from dragon.errors import TournamentError
from dragon.files import temporary_folder
from dragon_tournament.executors.supervisor import Supervisor
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.event_log import Incident
from dragon_tournament.records.record import Record
from dragon_tournament.tournament import Tournament

IDLE = 20.0  # seconds without a batch after which the processes are ended
DISTRIBUTION = "dragon-search"


def place() -> str:
    """The machine and the process."""
    return f"{platform.node()}:{os.getpid()}"


def unread(where: str, wrong: BaseException) -> str:
    """Return the message for a worker that lacks a part of the tournament."""
    return (
        f"{where} cannot read the tournament ({wrong}); install the same dragon-search and the "
        f"same plugins there"
    )


@frozen
class Batch:
    """Games to be played together, and the run that they belong to."""

    run: str
    """The name of the run: a supervisor serves one."""
    pickled: bytes
    """The tournament; read here, so that a plugin that is missing is named in our words."""
    pairings: tuple[Pairing, ...]

    @property
    def tournament(self) -> Tournament:
        """The tournament of some jobs; raises TournamentError if a plugin is missing here."""
        try:
            found: Tournament = pickle.loads(self.pickled)
        except (ImportError, AttributeError) as wrong:
            raise TournamentError(unread(place(), wrong)) from None
        return found


@frozen
class Played:
    """The results of a batch."""

    records: tuple[Record, ...]
    seconds: float
    """Seconds of playing alone."""
    version: str
    """The version of dragon where it was played."""
    place: str
    """The machine and the process."""
    incidents: tuple[Incident, ...] = ()
    """The incidents there, beside the games."""
    sources: Mapping[str, str] = field(factory=dict)
    """Hashes of the code of game and searches there (`Tournament.sources`)."""


class RemoteWorker:
    """The supervisor of one thread, for one run at a time."""

    def __init__(self) -> None:
        self.run = ""
        self.supervisor: Supervisor | None = None
        self.sources: Mapping[str, str] = {}
        self._folder: Path | None = None
        self._lock = threading.Lock()
        self._alarm: threading.Timer | None = None

    def play(self, batch: Batch) -> Played:
        """The records of a batch; raises TournamentError where the run must end."""
        with self._lock:
            if batch.run in _dropped:
                raise TournamentError("the run was stopped")
            if self._alarm is not None:
                self._alarm.cancel()
            try:
                supervisor = self._ready(batch)
                start = time.perf_counter()
                found = list(supervisor.records(iter(batch.pairings)))
                seconds = time.perf_counter() - start
            except BaseException:
                self._end()
                raise
            self._alarm = threading.Timer(IDLE, self.close)
            self._alarm.daemon = True
            self._alarm.start()
        here = platform.node()
        return Played(
            tuple(evolve(one, host=here) for one in found if isinstance(one, Record)),
            seconds,
            version(DISTRIBUTION),
            place(),
            tuple(one for one in found if isinstance(one, Incident)),
            self.sources,
        )

    def _ready(self, batch: Batch) -> Supervisor:
        if self.supervisor is None or self.run != batch.run:
            self._end()
            process = multiprocessing.current_process()
            if process.daemon:  # as in many clusters; Python lets such a one start no processes
                process.daemon = False  # its parent keeps its own notes of that
            self._folder = temporary_folder()
            tournament = batch.tournament
            self.supervisor = Supervisor(tournament, 1, self._folder)
            self.sources = tournament.sources()
            self.run = batch.run
            if batch.run in _dropped:  # while plugins were imported, when `drop` met another run
                self.supervisor.halted = True
            self.supervisor.begin()
        return self.supervisor

    def drop(self, run: str) -> None:
        """End the games that are being played for a run; another thread calls this."""
        if self.run == run and (supervisor := self.supervisor) is not None:
            supervisor.halted = True

    def close(self) -> None:
        """End the processes."""
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self.supervisor is not None:
            self.supervisor.close()
            self.supervisor = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


_here = threading.local()
_workers: weakref.WeakSet[RemoteWorker] = weakref.WeakSet()
"""The remote workers of this process, for `drop`, which another thread calls."""
_lock = threading.Lock()
_dropped: set[str] = set()  # the runs that were stopped, of which no batch begins any more


def drop(run: str) -> None:
    """End the games of a run in this process."""
    with _lock:
        _dropped.add(run)
        workers = list(_workers)
    for worker in workers:
        worker.drop(run)


def play_batch(batch: Batch) -> Played:
    """Play a batch by the remote worker of this thread; all that it raises can be pickled.

    In a process of another pool Ctrl-C is left to the runner, which a terminal sends it to
    as well.
    """
    main = threading.current_thread() is threading.main_thread()
    if main and multiprocessing.parent_process() is not None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        if not hasattr(_here, "worker"):
            _here.worker = RemoteWorker()
            with _lock:
                _workers.add(_here.worker)
            # a process of a pool ends without any other clean-up
            Finalize(None, _here.worker.close, exitpriority=10)
        worker: RemoteWorker = _here.worker
        return worker.play(batch)
    except TournamentError as wrong:
        raise TournamentError(str(wrong)) from None
