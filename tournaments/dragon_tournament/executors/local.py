"""The executors of one machine: worker processes, and this process."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator, Iterator
from typing import ClassVar

from attrs import field, frozen

from dragon.errors import TournamentError
from dragon.files import scratch
from dragon.process.spawn import cores
from dragon_tournament.executors.worker import open_game
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.event_log import Incident
from dragon_tournament.records.in_flight import InFlightLog
from dragon_tournament.records.record import Record
from dragon_tournament.tournament import Tournament


@frozen
class ProcessExecutor:
    """Worker processes, replaced when they die; a death or a stall costs one game."""

    name: ClassVar[str] = "process"
    workers: int = field(factory=cores)

    def map(
        self, tournament: Tournament, pairings: Iterator[Pairing]
    ) -> Generator[Record | Incident]:
        """Warm every player up, then yield records as games end."""
        from dragon_tournament.executors.supervisor import Supervisor

        with (
            scratch() as folder,
            contextlib.closing(Supervisor(tournament, self.workers, folder)) as supervisor,
        ):
            supervisor.begin()
            yield from supervisor.records(pairings)


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
