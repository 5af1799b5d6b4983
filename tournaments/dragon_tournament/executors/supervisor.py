"""The supervisor of worker processes: it hands out games, and replaces processes that fail."""

from __future__ import annotations

import pickle
import time
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define

from dragon.errors import TournamentError
from dragon_tournament.executors import process_group
from dragon_tournament.executors.pool import Output, Pool, Timekeeper
from dragon_tournament.executors.process_group import alive, by_outsider, death_of
from dragon_tournament.executors.worker import OUTPUT, TOURNAMENT, get_ready, open_game_in, play
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.event_log import Incident, IncidentKind
from dragon_tournament.records.in_flight import (
    NOBODY,
    InFlightLog,
    ProcessDeath,
    in_flight_state,
    process_death,
    process_of,
)
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.tournament import Tournament

if TYPE_CHECKING:
    from pebble import ProcessPool

POLL = 0.5  # seconds between looks at the processes
LOST = 2.0  # seconds after which a dead process's games are given up waiting for
STUCK = 60.0  # seconds without a game in progress after which the pool is replaced
RETRIES = 2  # of a game whose process died, as far as can be seen by no player's fault
BATCH = 0.2  # seconds that the games of a job should last together


@define
class _Job:
    batch: tuple[Pairing, ...]
    deaths: tuple[ProcessDeath, ...] = ()
    restarts: int = 0
    """The number of deaths of its process by no player's fault."""
    processes: ProcessPool | None = None
    missed: float | None = None
    """The time at which its process was first seen to be gone."""


class Supervisor:
    """A player of games in worker processes; a context for `contextlib.closing`."""

    def __init__(self, tournament: Tournament, workers: int, folder: Path) -> None:
        self.tournament, self.workers, self.folder = tournament, workers, folder
        self.jobs: dict[Future[Any], _Job] = {}
        self.pool = Pool(workers, folder)
        self.output = Output(folder / OUTPUT)
        self.keeper = Timekeeper(folder)
        self.batches = BatchSize(BATCH)
        self.idle_since: float | None = None
        self.incidents: list[Incident] = []
        """Those that have not been given to the caller of `records`."""
        self.halted = False  # set by another thread, it ends `records` with a TournamentError

    def begin(self) -> None:
        """Make sure that the game can be played, and warm every player up."""
        try:
            (self.folder / TOURNAMENT).write_bytes(self.tournament.pickled())
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
        """Play all of them; a second job waits for each worker while jobs are short."""
        while True:
            while len(self.jobs) < self.workers * (2 if self.batches.hasty else 1):
                batch = tuple(islice(pairings, self.batches.size))
                if not batch:
                    break
                self._submit(_Job(batch))
            incidents, self.incidents = self.incidents, []
            yield from incidents
            if not self.jobs:
                return
            if self.halted:
                raise TournamentError("the run was stopped")
            done, _ = wait(self.jobs, timeout=POLL, return_when=FIRST_COMPLETED)
            for future in done or self._overdue():
                yield from self._collect(future)

    def close(self) -> None:
        """End the processes, with all that they have started, and the games in them."""
        self.jobs.clear()
        self.keeper.close()
        self.pool.stop()
        self.output.close()

    def _submit(self, job: _Job) -> None:
        self._notes_of(job).remove()
        future = self.pool.schedule(play, job.batch, self.folder, job.deaths)
        job.processes, job.missed = self.pool.processes, None
        self.jobs[future] = job

    def _notes_of(self, job: _Job) -> InFlightLog:
        return InFlightLog(self.folder, job.batch[0].id)

    def _open_game(self) -> None:
        """Make sure that the game can be played at all; raise TournamentError otherwise."""
        tournament, sentence = self.tournament, None
        for attempt in range(RETRIES + 1):
            future = self.pool.schedule(open_game_in, self.folder)
            try:
                sentence = future.result(timeout=tournament.warmup + LOST)
            except TimeoutError:
                sentence = (
                    f"{tournament.game} did not make its first move within {tournament.warmup:g} "
                    f"seconds; mend its rules, or raise warmup"
                )
            except Exception as wrong:  # its rules took the process along, or are not there
                if by_outsider(wrong) and attempt < RETRIES:
                    self.incidents.append(Incident(IncidentKind.DIED, death_of(wrong)))
                    if isinstance(wrong, BrokenProcessPool):
                        self.pool.replace(self.pool.processes)
                    continue
                sentence = _unfit(tournament, death_of(wrong))
            break
        if sentence:
            raise TournamentError(sentence)

    def _warm_up(self) -> None:
        """Compile, in a worker, what every player needs, so that the games only load it."""
        players = {str(p.search): i for i, p in enumerate(self.tournament.players)}
        futures = {self.pool.schedule(get_ready, self.folder, i): i for i in players.values()}
        for future, number in futures.items():
            try:
                future.result(timeout=self.tournament.warmup * len(players) + LOST)
            except TournamentError:
                raise
            except Exception as wrong:  # it died or stalled; in its games it will lose for it
                name = self.tournament.players[number].name
                detail = f"{name} could not get ready: {death_of(wrong)}"
                self.incidents.append(Incident(IncidentKind.UNREADY, detail))

    def _overdue(self) -> list[Future[Any]]:
        """Return the jobs whose process is gone unnoticed by the pool; raise when it is stuck."""
        now, lost, playing = time.monotonic(), [], False
        for future, job in self.jobs.items():
            pid = process_of(self._notes_of(job))
            if pid is None:
                job.missed = None
            elif alive(pid) and len(in_flight_state(self._notes_of(job)).records) < len(job.batch):
                playing, job.missed = True, None
            elif job.missed is None:
                job.missed = now
            elif now - job.missed > LOST:
                lost.append(future)
        if playing or lost:
            self.idle_since = None
        elif self.idle_since is None:
            self.idle_since = now
        elif now - self.idle_since > STUCK:  # a dead process held the lock that the others wait for
            self.incidents.append(Incident(IncidentKind.STUCK))
            self.idle_since = None
            jobs = list(self.jobs)
            self.pool.replace(self.pool.processes)
            return jobs
        return lost

    def _collect(self, future: Future[Any]) -> Generator[Record]:
        """Yield the records of a job that has come back; its other games go to the pool again."""
        job = self.jobs.pop(future)
        wrong = future.exception() if future.done() else ChildProcessError("its process is gone")
        if wrong is None:
            self._notes_of(job).remove()
            records, seconds = future.result()
            self.batches.took(len(records), seconds)
            yield from records
            return
        if isinstance(wrong, TournamentError):  # no game can be judged
            raise wrong
        counted = False  # with another job of the same processes
        if isinstance(wrong, BrokenProcessPool):
            counted = job.processes is not self.pool.processes
            self.pool.replace(job.processes)
        noted = in_flight_state(self._notes_of(job))
        if noted.pid is not None and not alive(noted.pid):
            process_group.end(noted.pid)  # whatever the dead one has started
        first, *others = job.batch[len(noted.records) :] or (None,)
        if noted.game and first is not None:
            stalled = noted.pid in self.keeper.ended
            self.keeper.ended -= {noted.pid}  # another process may get its number
            death = process_death(self._notes_of(job), len(first.seats), death_of(wrong), stalled)
            self._again(_Job((first,), job.deaths, job.restarts), death, wrong, counted)
        else:  # none was in progress
            if by_outsider(wrong) and not counted:
                self.incidents.append(Incident(IncidentKind.DIED, death_of(wrong)))
            others = [first, *others] if first is not None else []
        if others:
            self._submit(_Job(tuple(others)))
        yield from noted.records

    def _again(
        self, job: _Job, death: ProcessDeath, wrong: BaseException, counted: bool = False
    ) -> None:
        """Play a game again; give the referee the death if it was a player's fault.

        counted: the death is one that an incident tells of.
        """
        if death.seat == NOBODY and death.reason is Reason.TIMEOUT:  # the referee's own question
            asked, rules = f"reference {self.tournament.reference}", self.tournament.adjudication
            if self.tournament.reference is None:
                asked = f"check {rules and rules.check}"
            raise TournamentError(
                f"the {asked} {death.detail.splitlines()[0]} and "
                f"does not heed its limit; give another reference, or a smaller game"
            )
        if len(job.deaths) > len(job.batch[0].seats):  # it fails however it is picked up
            raise TournamentError(
                f"the game {job.batch[0].id} cannot be recorded: {death.detail.splitlines()[0]}; "
                f"with --workers 0 it shows why"
            )
        blameless = death.seat == NOBODY or (
            by_outsider(wrong) and death.reason is not Reason.TIMEOUT
        )
        if blameless and job.restarts < RETRIES:
            if not counted:
                games = (job.batch[0].id,)
                self.incidents.append(Incident(IncidentKind.DIED, death_of(wrong), games))
            job.restarts += 1
        else:
            job.deaths += (death,)
        self._submit(job)


def _unfit(tournament: Tournament, reason: str) -> str:
    return (
        f"{tournament.game} cannot be played in a worker: {reason}; with --workers 0 it shows where"
    )


# ---- the size of a job --------------------------------------------------------------------------


SMOOTH = 0.5  # the weight of the last job in the mean


@define
class BatchSize:
    """The number of games in a job of about `target` seconds, so that handing it out is cheap.

    >>> batches = BatchSize(1.0)
    >>> batches.size
    1
    >>> batches.took(1, 0.01)
    >>> batches.size
    8
    """

    target: float
    most: int = 1000
    """Games in a job at most."""
    growth: int = 8
    """The factor by which a job may have more games than the largest that has ended."""
    mean: float | None = None
    """Seconds a game; None before the first has ended."""
    seen: int = 0
    """Games in the largest job that has ended."""

    def took(self, games: int, seconds: float) -> None:
        """Take in that a job of so many games has taken so many seconds."""
        if games:
            each = seconds / games
            self.mean = each if self.mean is None else self.mean + SMOOTH * (each - self.mean)
            self.seen = max(self.seen, games)

    @property
    def size(self) -> int:
        """Games in the next job."""
        if self.mean is None:
            return 1
        fit = self.most if self.mean <= 0 else int(self.target / self.mean)
        return max(1, min(fit, self.growth * self.seen, self.most))

    @property
    def hasty(self) -> bool:
        """Return True if jobs are so short that a worker should find its next one waiting."""
        return self.mean is not None and self.mean * self.size < 1.0
