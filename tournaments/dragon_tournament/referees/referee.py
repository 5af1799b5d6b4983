"""Referee: what judges one pairing, whatever its players do, and leaves a record."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol

from dragon.core import Game
from dragon_tournament.formats.schedule import Pairing
from dragon_tournament.records.journal import Casualty, Journal
from dragon_tournament.records.record import Record
from dragon_tournament.tournament import Tournament


class Referee(Protocol):
    """What a tournament needs of a referee, a frozen value that can be pickled."""

    name: ClassVar[str]

    def suits(self, game: Game[Any]) -> bool:
        """Whether it can judge this game, by the game's traits."""

    def seats(self, game: Game[Any]) -> int | None:
        """How many players meet in one game; None: any number, each alone."""

    def play(
        self,
        tournament: Tournament,
        pairing: Pairing,
        journal: Journal,
        casualties: tuple[Casualty, ...] = (),
    ) -> Record:
        """Plays one game to its record, whatever the players do.

        `casualties` are players that already brought the process of this game down.
        """
