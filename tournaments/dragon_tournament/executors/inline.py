"""Inline: games in the runner's own process, one after another."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Generator, Iterator
from typing import ClassVar

from attrs import frozen

from dragon.errors import TournamentError
from dragon_tournament.executors.worker import open_game
from dragon_tournament.formats.schedule import Pairing
from dragon_tournament.records.journal import Journal
from dragon_tournament.records.record import Record
from dragon_tournament.tournament import Tournament


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
