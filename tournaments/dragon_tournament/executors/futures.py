"""An executor that plays over any `concurrent.futures.Executor`, on any number of machines.

A batch in progress cannot be taken back from an executor of futures. So when a run is stopped,
the remote workers end what they play: those of this process, and where the executor knows how to
reach them, those of the others.
"""

from __future__ import annotations

import concurrent.futures as cf
import logging
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from importlib.metadata import version
from itertools import islice

from attrs import define

from dragon.errors import TournamentError
from dragon.process.spawn import cores
from dragon_tournament.executors.remote import DISTRIBUTION, Batch, Played, drop, play_batch, unread
from dragon_tournament.executors.supervisor import BatchSize
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.event_log import Incident, IncidentKind
from dragon_tournament.records.record import Record
from dragon_tournament.referees.guard import causes
from dragon_tournament.tournament import Tournament

log = logging.getLogger("dragon")
BATCH = 2.0
"""Seconds that the games of a batch should last together, so that its own cost is negligible."""
RETRIES = 3  # how often the games of a batch that was lost are played again
ROUNDS = 4
"""The times that a game that was always lost is tried again when the others have ended.

Where machines come and go, a long game may be lost more than four times: one game in five, if it
lasts as long as two or three machines.
"""
POLL = 1.0  # seconds between looks at how many workers there are


@define
class _Job:
    pairings: tuple[Pairing, ...]
    losses: int = 0
    """The number of workers that it was given to and that never came back."""
    rounds: int = 0
    """The times that the game was set aside, to be tried when all others had ended."""


class FuturesExecutor:
    """Batches of games over an executor of futures; one that is lost is played again.

    A game that is lost four times with its workers is postponed until all others have ended. If it
    is lost then, too, it is reported and does not have a record.

    The games of a batch are supervised where they are played (`RemoteWorker`), so that a batch is
    lost only with its machine, or when the worker there is killed. Nothing is recorded
    twice: a batch that was lost has given no record.
    """

    def __init__(
        self,
        pool: cf.Executor,
        workers: int | None = None,
        name: str = "futures",
        count: Callable[[], int] | None = None,
        reach: Callable[[str], None] | None = None,
        news: Callable[[], Iterable[Incident]] = tuple,
    ) -> None:
        self.pool, self.name, self.workers = pool, name, workers
        self.reach = reach
        """End the games of a run wherever they are played, as far as possible."""
        self.news = news  # what has happened to the workers since it was last asked for
        self.why = ""  # how the last batch was lost
        self.given_up = False
        """True if the cluster gave it to other workers by itself, until it gave up."""
        self.count = count or (lambda: int(getattr(pool, "_max_workers", 0)) or cores())
        self.batches = BatchSize(BATCH)

    def map(
        self, tournament: Tournament, pairings: Iterator[Pairing]
    ) -> Generator[Record | Incident]:
        """Yield records as batches end; closing it gives up the batches in progress."""
        run, pickled, here = uuid.uuid4().hex, tournament.pickled(), tournament.sources()
        jobs: dict[Future[Played], _Job] = {}
        aside: list[_Job] = []

        def submit(job: _Job) -> None:
            try:
                future = self.pool.submit(play_batch, Batch(run, pickled, job.pairings))
            except RuntimeError as wrong:  # BrokenExecutor is one
                raise self._broken(wrong) from None
            jobs[future] = job

        try:
            while True:
                while len(jobs) < self._room():
                    batch = tuple(islice(pairings, self.batches.size))
                    if not batch:
                        break
                    submit(_Job(batch))
                yield from self.news()
                if not jobs:
                    if not aside:
                        return
                    for job in aside:
                        submit(job)
                    aside.clear()
                done, _ = wait(jobs, timeout=POLL, return_when=FIRST_COMPLETED)
                for future in done:
                    job = jobs.pop(future)
                    played = self._played(future, here)
                    if played is not None:
                        yield from played.incidents
                        yield from played.records
                        continue
                    yield Incident(
                        IncidentKind.LOST, self.why, [pairing.id for pairing in job.pairings]
                    )
                    for pairing in job.pairings:  # alone: one of them may kill its worker
                        if not self._hopeless(job):
                            submit(_Job((pairing,), job.losses + 1, job.rounds))
                        elif job.rounds < ROUNDS:
                            aside.append(_Job((pairing,), rounds=job.rounds + 1))
                        else:
                            seats = " - ".join(pairing.seats)
                            detail = f"the game {pairing.id} ({seats}) was lost with its workers"
                            yield Incident(IncidentKind.ASIDE, detail, [pairing.id])
        finally:
            self._stop(run, [future for future in jobs if not future.done()])

    def _stop(self, run: str, pending: Sequence[Future[Played]]) -> None:
        """Give batches up, and end the games of those that are being played."""
        processes = list((getattr(self.pool, "_processes", None) or {}).values())
        for future in pending:
            future.cancel()
        self.pool.shutdown(wait=False)
        if not pending:
            return
        drop(run)
        if self.reach is not None:
            self.reach(run)
        elif isinstance(self.pool, cf.ProcessPoolExecutor):
            for process in processes:  # else Python would wait at its end for their games
                process.terminate()
        elif not isinstance(self.pool, cf.ThreadPoolExecutor):
            log.warning(
                "%s may play on for a while what its workers have begun, and finish it in vain",
                self.name,
            )

    def _room(self) -> int:
        """The number of batches in progress: one for each worker, two while they are short."""
        workers = min(self.count(), self.workers or 10_000) or 1
        return workers * (2 if self.batches.hasty else 1)

    def _played(self, future: Future[Played], sources: Mapping[str, str]) -> Played | None:
        """Return the results of a batch, or None if it was lost; raises TournamentError.

        sources: hashes of the code here.
        """
        try:
            played = future.result()
        except TournamentError:
            raise
        except cf.BrokenExecutor as wrong:  # it will never take another batch
            raise self._broken(wrong) from None
        except (Exception, cf.CancelledError) as wrong:
            for cause in causes(wrong):
                if isinstance(cause, ImportError | AttributeError):  # a module is missing there
                    raise TournamentError(unread(f"a worker of {self.name}", cause)) from None
            self.given_up = type(wrong).__name__ == "KilledWorker"
            self.why = f"{type(wrong).__name__}: {wrong}".removesuffix(": ")
            return None
        here = version(DISTRIBUTION)
        if played.version != here:
            raise TournamentError(
                f"{played.place} has dragon {played.version}, and here is {here}; "
                f"install the same there"
            )
        others = [name for name, source in played.sources.items()
                  if sources.get(name, source) != source]  # fmt: skip
        if others:
            raise TournamentError(
                f"the code of {', '.join(others)} is not the same at {played.place} as here; "
                f"install the same plugins there"
            )
        self.batches.took(len(played.records), played.seconds)
        return played

    def _hopeless(self, job: _Job) -> bool:
        """Return True if a game that was lost is not to be tried again with the others."""
        return job.losses >= RETRIES or (self.given_up and len(job.pairings) == 1)

    def _broken(self, wrong: BaseException) -> TournamentError:
        return TournamentError(
            f"the executor {self.name} takes no more games ({type(wrong).__name__}: {wrong}); what "
            f"was recorded is kept, and the same command goes on from there"
        )
