"""Executors: where games are played. Each turns pairings into records, in any order."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from attrs import define, field, frozen

from dragon.core import TERMINAL
from dragon.errors import TournamentError
from dragon_tournament.journal import NOBODY, Casualty, Journal, casualty, process_of
from dragon_tournament.record import Reason, Record
from dragon_tournament.schedule import Pairing
from dragon_tournament.seat import Seat, warm_up
from dragon_tournament.tournament import Player, Tournament

if TYPE_CHECKING:
    from pebble import ProcessPool

log = logging.getLogger("dragon")
POLL = 0.5  # seconds between looks at the processes
LOST = 2.0  # seconds after which a dead process's game is given up waiting for
BREAKS = 20  # of the pool as a whole before the run gives up
RETRIES = 2  # of a game whose process died while no player was being asked


class Executor(Protocol):
    """A way to play games."""

    name: ClassVar[str]

    def map(self, tournament: Tournament, pairings: Iterator[Pairing]) -> Generator[Record]:
        """The record of every pairing, as games end. Closing it stops the games in progress."""


@frozen
class InlineExecutor:
    """One game after another in this process: for debuggers. A player that dies takes all along."""

    name: ClassVar[str] = "inline"
    workers: int = 0

    def map(self, tournament: Tournament, pairings: Iterator[Pairing]) -> Generator[Record]:
        """Records in the order of the schedule; raises TournamentError for a broken game."""
        with contextlib.redirect_stdout(sys.stderr):  # stdout is for the report
            sentence = open_game(tournament)
        if sentence:
            raise TournamentError(sentence)
        for pairing in pairings:
            with contextlib.redirect_stdout(sys.stderr):
                record = tournament.referee.play(tournament, pairing, Journal())
            yield record


@define
class _Job:
    pairing: Pairing
    casualties: tuple[Casualty, ...] = ()
    deaths: int = 0
    """How often its process died while no player was being asked."""
    pool: ProcessPool | None = None
    missed: float | None = None
    """When its process was first seen to be gone."""


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@frozen
class ProcessExecutor:
    """Worker processes, replaced when they die; a death or a stall costs one game."""

    name: ClassVar[str] = "process"
    workers: int = field(factory=_cores)

    def map(self, tournament: Tournament, pairings: Iterator[Pairing]) -> Generator[Record]:
        """Records as games end; warms every player up first."""
        with tempfile.TemporaryDirectory(prefix="dragon-") as folder:
            yield from _Run(tournament, self.workers, Path(folder)).records(pairings)


class _Run:
    """One run of a pool: the jobs in it, and what to do when one does not come back."""

    def __init__(self, tournament: Tournament, workers: int, folder: Path) -> None:
        self.tournament, self.workers, self.folder = tournament, workers, folder
        self.jobs: dict[Future[Any], _Job] = {}
        self.pool: ProcessPool | None = None
        self.breaks = 0

    def records(self, pairings: Iterator[Pairing]) -> Generator[Record]:
        """Plays all of them, two jobs a worker in the pool at any time."""
        try:
            self._warm_up()
            while True:
                while len(self.jobs) < 2 * self.workers:
                    pairing = next(pairings, None)
                    if pairing is None:
                        break
                    self._submit(_Job(pairing))
                if not self.jobs:
                    return
                done, _ = wait(self.jobs, timeout=POLL, return_when=FIRST_COMPLETED)
                for future in done or self._lost():
                    record = self._collect(future)
                    if record is not None:
                        yield record
        finally:
            self._stop()

    def _start(self) -> ProcessPool:
        """A new pool; its threads and processes never see Ctrl-C, which is for the runner."""
        from multiprocessing import get_context, resource_tracker

        from pebble import ProcessPool

        pool = ProcessPool(
            max_workers=self.workers,
            context=get_context("spawn"),  # forks and the compiler's threads do not go together
            initializer=_settle,
            initargs=(log.getEffectiveLevel(), self.folder),
        )
        resource_tracker.ensure_running()  # else it starts now, and lets Ctrl-C through again
        blocked = hasattr(signal, "pthread_sigmask")
        if blocked:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            pool.schedule(os.getpid)  # starts the threads and processes
        finally:
            if blocked:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        return pool

    def _schedule(self, function: Any, *args: Any) -> Future[Any]:
        if self.pool is None or not self.pool.active:
            self._stop()
            self.pool = self._start()
        future: Future[Any] = self.pool.schedule(function, args=args)
        return future

    def _submit(self, job: _Job) -> None:
        self._journal(job).remove()
        future = self._schedule(play, self.tournament, job.pairing, self.folder, job.casualties)
        job.pool, job.missed = self.pool, None
        self.jobs[future] = job

    def _journal(self, job: _Job) -> Journal:
        return Journal(self.folder, job.pairing.id)

    def _warm_up(self) -> None:
        """Compiles, in a worker, what every player needs, so that the games only load it."""
        players = {str(p.search): p for p in self.tournament.players}
        self._open_game()  # first, what all of them share
        futures = {
            self._schedule(get_ready, self.tournament, player, self.folder, number): player
            for number, player in enumerate(players.values())
        }
        for future, player in futures.items():
            try:
                future.result(timeout=self.tournament.warmup * len(players) + LOST)
            except Exception as wrong:  # it died or stalled; in its games it will lose for it
                log.warning("%s could not get ready: %s", player.name, _death(wrong))

    def _open_game(self) -> None:
        """Makes sure that the game can be played at all; raises TournamentError."""
        tournament = self.tournament
        future = self._schedule(open_game, tournament)
        try:
            sentence = future.result(timeout=tournament.warmup + LOST)
        except TimeoutError:
            sentence = (
                f"{tournament.game} did not make its first move within {tournament.warmup:g} "
                f"seconds; mend its rules, or raise warmup"
            )
        except Exception as wrong:  # its rules took the process along, or cannot be pickled
            sentence = (
                f"{tournament.game} cannot be played in a worker: {_death(wrong)}; "
                f"with --workers 0 it shows where"
            )
        if sentence:
            raise TournamentError(sentence)

    def _lost(self) -> list[Future[Any]]:
        """Jobs whose process is gone without the pool noticing."""
        now, lost = time.monotonic(), []
        for future, job in self.jobs.items():
            pid = process_of(self._journal(job))
            if pid is None or _alive(pid):
                job.missed = None
            elif job.missed is None:
                job.missed = now
            elif now - job.missed > LOST:
                lost.append(future)
        return lost

    def _collect(self, future: Future[Any]) -> Record | None:
        """The record of a job that has come back, or None if it goes to the pool again."""
        job = self.jobs.pop(future)
        wrong = future.exception() if future.done() else ChildProcessError("its process is gone")
        if wrong is None:
            self._journal(job).remove()
            record: Record = future.result()
            return record
        if isinstance(wrong, TournamentError):  # no game can be judged
            raise wrong
        if isinstance(wrong, BrokenProcessPool):
            self._replace(job.pool)
            if process_of(self._journal(job)) is None:  # it had not begun
                self._submit(job)
                return None
        fallen = casualty(self._journal(job), len(job.pairing.seats), _death(wrong))
        if fallen.seat == NOBODY and fallen.reason is Reason.TIMEOUT:  # the referee's own question
            raise TournamentError(
                f"the reference {self.tournament.reference} {fallen.detail.splitlines()[0]} and "
                f"does not heed its limit; give another reference, or a smaller game"
            )
        if fallen.seat == NOBODY and job.deaths < RETRIES:
            log.warning("a worker died between moves (%s); its game is played again", wrong)
            job.deaths += 1
        else:
            job.casualties += (fallen,)
        self._submit(job)
        return None

    def _replace(self, broken: ProcessPool | None) -> None:
        """Throws a broken pool away, unless that is done; the next job starts another."""
        if broken is not self.pool:
            return
        self.breaks += 1
        if self.breaks > BREAKS:
            raise TournamentError(
                "the worker processes keep breaking down; the same command goes on from here, "
                "and with --workers 0 it shows why"
            )
        self._stop()

    def _stop(self) -> None:
        if self.pool is not None:
            self.pool.stop()  # type: ignore[no-untyped-call]
            self.pool.join()
            self.pool = None


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _death(wrong: BaseException) -> str:
    """How a process died, as a sentence."""
    code = getattr(wrong, "exitcode", None)
    if code is None:
        return f"the process failed: {type(wrong).__name__}: {wrong}"
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"
        return f"the process was killed by {name}"
    return f"the process ended with exit code {code}"


def _settle(level: int, folder: Path) -> None:
    """In a new worker: stdout is the runner's alone, and a worker does not outlive it."""
    from multiprocessing import parent_process

    os.dup2(2, 1)
    handler = logging.StreamHandler(sys.stderr)
    log.addHandler(handler)
    log.setLevel(level)
    runner = parent_process()
    if runner is not None:

        def follow() -> None:
            runner.join()
            shutil.rmtree(folder, ignore_errors=True)  # the runner cannot any more
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()


def play(
    tournament: Tournament, pairing: Pairing, folder: Path, casualties: tuple[Casualty, ...]
) -> Record:
    """One game in a worker. Whatever it raises can be pickled: a player's own error may not be.

    Raises TournamentError where the run must end, RuntimeError for anything else.
    """
    journal = Journal(folder, pairing.id)
    try:
        journal.open()
        record: Record = tournament.referee.play(tournament, pairing, journal, casualties)
    except TournamentError as wrong:
        raise TournamentError(str(wrong)) from None
    except BaseException as wrong:
        raise RuntimeError(f"{type(wrong).__name__} while playing {pairing.id}") from wrong
    finally:
        journal.close()
    return record


def open_game(tournament: Tournament) -> str | None:
    """Compiles the game itself in a worker; what is wrong with the game, if anything."""
    try:
        state = tournament.game.start(0)
        if state.turn != TERMINAL:
            state.after(state.moves()[0])
    except Exception as wrong:  # told to the runner, for it may not be fit to be pickled
        return (
            f"{tournament.game} cannot make its first move ({type(wrong).__name__}: {wrong}); "
            f"mend its rules, `dragon laws` helps"
        )
    return None


def get_ready(tournament: Tournament, player: Player, folder: Path, number: int) -> None:
    """Warms a player up in a worker, within the time it has for that."""
    journal = Journal(folder, f"warmup-{number}")
    journal.open()
    try:
        warm_up(Seat(0, player, tournament, journal), tournament.game)
    finally:
        journal.close()
