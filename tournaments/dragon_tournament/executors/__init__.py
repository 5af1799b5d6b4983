"""Executors: where games are played. Each turns pairings into records, in any order.

What befalls the games on the way is told between the records.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Protocol

from dragon_tournament.executors.inline import InlineExecutor
from dragon_tournament.executors.process import ProcessExecutor
from dragon_tournament.formats.schedule import Pairing
from dragon_tournament.records.diary import Incident
from dragon_tournament.records.record import Record
from dragon_tournament.tournament import Tournament

__all__ = ["Executor", "InlineExecutor", "ProcessExecutor"]


class Executor(Protocol):
    """A way to play games."""

    @property
    def name(self) -> str:
        """What `--executor` calls it."""

    def map(
        self, tournament: Tournament, pairings: Iterator[Pairing]
    ) -> Generator[Record | Incident]:
        """The record of every pairing, as games end. Closing it stops the games in progress.

        Incidents may stand between them: that a worker died, say, and a game is played again.
        `pairings` may end for a while and go on after records have come, where results decide
        who meets next; it is asked for more whenever there is room, and for good when nothing
        is in progress.
        """
