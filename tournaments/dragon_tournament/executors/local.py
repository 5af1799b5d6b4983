"""The executors of one machine: worker processes, and this process."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator, Iterator
from typing import ClassVar

from attrs import frozen

from dragon.errors import TournamentError
from dragon.files import scratch
from dragon.process.spawn import cores
from dragon_tournament.executors.worker import open_game
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.event_log import Incident, IncidentKind
from dragon_tournament.records.in_flight import InFlightLog
from dragon_tournament.records.record import Record
from dragon_tournament.tournament import Tournament


@frozen
class ProcessExecutor:
    """Worker processes, replaced when they die; a death or a stall costs one game."""

    name: ClassVar[str] = "process"
    workers: int | None = None
    """Their number; by default one for the cores that the threads of a player take."""

    def map(
        self, tournament: Tournament, pairings: Iterator[Pairing]
    ) -> Generator[Record | Incident]:
        """Warm every player up, then yield records as games end."""
        from dragon_tournament.executors.supervisor import Supervisor

        here, threads = cores(), tournament.threads
        workers = self.workers or max(1, here // threads)
        if workers * threads > here and any(player.timed for player in tournament.players):
            yield Incident(IncidentKind.CROWDED, crowded(workers, threads, here))
        with (
            scratch() as folder,
            contextlib.closing(Supervisor(tournament, workers, folder)) as supervisor,
        ):
            supervisor.begin()
            yield from supervisor.records(pairings)


def crowded(workers: int, threads: int, here: int) -> str:
    """Return a warning for players that think by the clock where there are too few cores.

    >>> crowded(16, 1, 2)
    '16 workers share 2 cores, so that a player with a limit in seconds does about 12% of what it \
does alone; --workers 2 gives it a core'
    """
    asked = f"{workers} worker{'s' * (workers > 1)}" + (
        f" of {threads} threads" if threads > 1 else ""
    )
    shared = "1 core" if here == 1 else f"{here} cores"
    verb = "share" if workers > 1 else "has"
    fit = here // threads
    remedy = f"--workers {fit} gives it a core" + (" a thread" if threads > 1 else "")
    if fit == 0:
        remedy = f"give it {here} threads" if here > 1 else "give it one thread"
    share = here / (workers * threads)
    return (
        f"{asked} {verb} {shared}, so that a player with a limit in seconds does about {share:.0%} "
        f"of what it does alone; {remedy}"
    )


@frozen
class InlineExecutor:
    """This process, for debuggers: one game after another. A player that dies ends all of it."""

    name: ClassVar[str] = "inline"
    workers: int = 0

    def map(self, tournament: Tournament, pairings: Iterator[Pairing]) -> Generator[Record]:
        """Yield records in the order of the schedule; raise TournamentError for a broken game."""
        with contextlib.redirect_stdout(sys.stderr):  # stdout is for the report
            sentence = open_game(tournament)
        if sentence:
            raise TournamentError(sentence)
        for pairing in pairings:
            with contextlib.redirect_stdout(sys.stderr):
                record = tournament.referee.play(tournament, pairing, InFlightLog())
            yield record
