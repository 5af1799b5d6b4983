"""Supervisor: a pool of worker processes, and what to do when one does not come back."""

from __future__ import annotations

import logging
import os
import pickle
import signal
import time
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define

from dragon.errors import TournamentError
from dragon_tournament.executors import session
from dragon_tournament.executors.death import alive, by_outsider, death_of
from dragon_tournament.executors.output import Output
from dragon_tournament.executors.pace import Pace
from dragon_tournament.executors.timekeeper import Timekeeper
from dragon_tournament.executors.worker import (
    OUTPUT,
    TOURNAMENT,
    get_ready,
    open_game_in,
    play,
    settle,
)
from dragon_tournament.formats.schedule import Pairing
from dragon_tournament.interrupts import postponed
from dragon_tournament.records.diary import Incident, What
from dragon_tournament.records.journal import (
    NOBODY,
    Casualty,
    Journal,
    casualty,
    process_of,
    story_of,
)
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.tournament import Tournament

if TYPE_CHECKING:
    from pebble import ProcessPool

    from dragon_tournament.executors.spawn import Spawn

POLL = 0.5  # seconds between looks at the processes
LOST = 2.0  # seconds after which a dead process's games are given up waiting for
STUCK = 60.0  # seconds without a game in progress after which the pool is replaced
BREAKS = 20  # of the pool as a whole before the run gives up
RETRIES = 2  # of a game whose process died, as far as can be seen by nobody's fault
BATCH = 0.2  # seconds that the games of a job should last together


@define
class _Job:
    batch: tuple[Pairing, ...]
    casualties: tuple[Casualty, ...] = ()
    deaths: int = 0
    """How often its process died by nobody's fault."""
    pool: ProcessPool | None = None
    missed: float | None = None
    """When its process was first seen to be gone."""


class Supervisor:
    """Plays games in worker processes; a context for `contextlib.closing`."""

    def __init__(self, tournament: Tournament, workers: int, folder: Path) -> None:
        self.tournament, self.workers, self.folder = tournament, workers, folder
        self.jobs: dict[Future[Any], _Job] = {}
        self.pool: ProcessPool | None = None
        self.spawn: Spawn | None = None
        self.output = Output(folder / OUTPUT)
        self.keeper = Timekeeper(folder)
        self.pace = Pace(BATCH)
        self.breaks = 0
        self.idle_since: float | None = None
        self.incidents: list[Incident] = []
        """What befell, as far as it has not been told."""
        self.halted = False

    def begin(self) -> None:
        """Makes sure that the game can be played, and warms every player up."""
        try:
            (self.folder / TOURNAMENT).write_bytes(pickle.dumps(self.tournament))
        except (TypeError, AttributeError, pickle.PicklingError) as wrong:
            raise TournamentError(_unfit(self.tournament, str(wrong))) from None
        except OSError as wrong:
            raise TournamentError(
                f"notes cannot be kept in {self.folder}: {wrong.strerror or wrong}; make room "
                f"there, or set TMPDIR to another folder"
            ) from None
        self.output.open()
        self.keeper.start()
        self._open_game()  # first, what all of the players share
        self._warm_up()

    def records(self, pairings: Iterator[Pairing]) -> Generator[Record | Incident]:
        """Plays all of them; a second job waits for each worker while jobs are short."""
        while True:
            while len(self.jobs) < self.workers * (2 if self.pace.hasty else 1):
                batch = tuple(islice(pairings, self.pace.size))
                if not batch:
                    break
                self._submit(_Job(batch))
            told, self.incidents = self.incidents, []
            yield from told
            if not self.jobs:
                return
            if self.halted:
                raise TournamentError("the run was stopped")
            done, _ = wait(self.jobs, timeout=POLL, return_when=FIRST_COMPLETED)
            for future in done or self._overdue():
                yield from self._collect(future)

    def halt(self) -> None:
        """Has `records` raise a TournamentError very soon; for another thread."""
        self.halted = True

    def close(self) -> None:
        """Ends the processes, with whatever they have started, and the games in them."""
        self.jobs.clear()
        self.keeper.close()
        self._stop()
        self.output.close()

    def _start(self) -> ProcessPool:
        """A new pool; its threads and processes never see Ctrl-C, which is for the runner.

        It is known to `_stop` before a Ctrl-C of the meantime comes through.
        """
        from pebble import ProcessPool

        from dragon_tournament.executors.spawn import Spawn

        pool = ProcessPool(
            max_workers=self.workers,
            context=(spawn := Spawn()),
            initializer=settle,
            initargs=(logging.getLogger("dragon").getEffectiveLevel(), self.folder),
        )
        self.spawn = spawn
        blocked = hasattr(signal, "pthread_sigmask")
        if blocked:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self.pool = pool
            pool.schedule(os.getpid)  # starts the threads and processes
        finally:
            if blocked:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        return pool

    def _schedule(self, function: Any, *args: Any) -> Future[Any]:
        if self.pool is None or not self.pool.active:
            self._stop()
            with postponed():  # a pool that is half begun could not be stopped
                self.pool = self._start()
        future: Future[Any] = self.pool.schedule(function, args=args)
        return future

    def _submit(self, job: _Job) -> None:
        self._journal(job).remove()
        future = self._schedule(play, job.batch, self.folder, job.casualties)
        job.pool, job.missed = self.pool, None
        self.jobs[future] = job

    def _journal(self, job: _Job) -> Journal:
        return Journal(self.folder, job.batch[0].id)

    def _open_game(self) -> None:
        """Makes sure that the game can be played at all; raises TournamentError."""
        tournament, sentence = self.tournament, None
        for attempt in range(RETRIES + 1):
            future = self._schedule(open_game_in, self.folder)
            try:
                sentence = future.result(timeout=tournament.warmup + LOST)
            except TimeoutError:
                sentence = (
                    f"{tournament.game} did not make its first move within {tournament.warmup:g} "
                    f"seconds; mend its rules, or raise warmup"
                )
            except Exception as wrong:  # its rules took the process along, or are not there
                if by_outsider(wrong) and attempt < RETRIES:
                    self.incidents.append(Incident(What.DIED, death_of(wrong)))
                    self._replace(self.pool if isinstance(wrong, BrokenProcessPool) else None)
                    continue
                sentence = _unfit(tournament, death_of(wrong))
            break
        if sentence:
            raise TournamentError(sentence)

    def _warm_up(self) -> None:
        """Compiles, in a worker, what every player needs, so that the games only load it."""
        players = {str(p.search): i for i, p in enumerate(self.tournament.players)}
        futures = {self._schedule(get_ready, self.folder, i): i for i in players.values()}
        for future, number in futures.items():
            try:
                future.result(timeout=self.tournament.warmup * len(players) + LOST)
            except TournamentError:
                raise
            except Exception as wrong:  # it died or stalled; in its games it will lose for it
                name = self.tournament.players[number].name
                detail = f"{name} could not get ready: {death_of(wrong)}"
                self.incidents.append(Incident(What.UNREADY, detail))

    def _overdue(self) -> list[Future[Any]]:
        """Jobs whose process is gone without the pool noticing; raises when it is stuck."""
        now, lost, playing = time.monotonic(), [], False
        for future, job in self.jobs.items():
            pid = process_of(self._journal(job))
            if pid is None:
                job.missed = None
            elif alive(pid) and len(story_of(self._journal(job)).records) < len(job.batch):
                playing, job.missed = True, None
            elif job.missed is None:
                job.missed = now
            elif now - job.missed > LOST:
                lost.append(future)
        if playing or lost:
            self.idle_since = None
        elif self.idle_since is None:
            self.idle_since = now
        elif now - self.idle_since > STUCK:  # who died held the lock that the others wait for
            self.incidents.append(Incident(What.STUCK))
            self.idle_since = None
            jobs = list(self.jobs)
            self._replace(self.pool)
            return jobs
        return lost

    def _collect(self, future: Future[Any]) -> Generator[Record]:
        """The records of a job that has come back; what is left of it goes to the pool again."""
        job = self.jobs.pop(future)
        wrong = future.exception() if future.done() else ChildProcessError("its process is gone")
        if wrong is None:
            self._journal(job).remove()
            records, seconds = future.result()
            self.pace.took(len(records), seconds)
            yield from records
            return
        if isinstance(wrong, TournamentError):  # no game can be judged
            raise wrong
        if isinstance(wrong, BrokenProcessPool):
            self._replace(job.pool)
        story = story_of(self._journal(job))
        if story.pid is not None and not alive(story.pid):
            session.end(story.pid)  # whatever the dead one has started
        first, *others = job.batch[len(story.records) :] or (None,)
        if story.game and first is not None:
            stalled = story.pid in self.keeper.ended
            fallen = casualty(self._journal(job), len(first.seats), death_of(wrong), stalled)
            self._again(_Job((first,), job.casualties, job.deaths), fallen, wrong)
        else:  # none was in progress
            if by_outsider(wrong):
                self.incidents.append(Incident(What.DIED, death_of(wrong)))
            others = [first, *others] if first is not None else []
        if others:
            self._submit(_Job(tuple(others)))
        yield from story.records

    def _again(self, job: _Job, fallen: Casualty, wrong: BaseException) -> None:
        """Has a game played once more, and the casualty known if it was a player's fault."""
        if fallen.seat == NOBODY and fallen.reason is Reason.TIMEOUT:  # the referee's own question
            raise TournamentError(
                f"{_asked_beside(self.tournament)} {fallen.detail.splitlines()[0]} and "
                f"does not heed its limit; give another reference, or a smaller game"
            )
        if len(job.casualties) > len(job.batch[0].seats):  # it fails however it is picked up
            raise TournamentError(
                f"the game {job.batch[0].id} cannot be recorded: {fallen.detail.splitlines()[0]}; "
                f"with --workers 0 it shows why"
            )
        blameless = fallen.seat == NOBODY or (
            by_outsider(wrong) and fallen.reason is not Reason.TIMEOUT
        )
        if blameless and job.deaths < RETRIES:
            games = (job.batch[0].id,)
            self.incidents.append(Incident(What.DIED, death_of(wrong), games))
            job.deaths += 1
        else:
            job.casualties += (fallen,)
        self._submit(job)

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
            for leader in session.all_in(self.folder):
                session.end(leader)
            if self.spawn is not None:
                self.spawn.kill()
            self.pool.join()
            self.pool = None


def _unfit(tournament: Tournament, reason: str) -> str:
    return (
        f"{tournament.game} cannot be played in a worker: {reason}; with --workers 0 it shows where"
    )


def _asked_beside(tournament: Tournament) -> str:
    """The search that the referee itself asks."""
    if tournament.reference is not None:
        return f"the reference {tournament.reference}"
    return f"the check {tournament.adjudication.check if tournament.adjudication else None}"
