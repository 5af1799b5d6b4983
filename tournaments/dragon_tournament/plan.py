"""The plan of a run: the pairings that are left to play, while records come in."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import tee
from typing import Protocol

from dragon.errors import ConfigError
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.record import Record
from dragon_tournament.schedule import Schedule
from dragon_tournament.statistics.sprt import Trial
from dragon_tournament.tournament import Tournament


class Planned(Protocol):
    """A plan of a run: the pairings that are left, while records come in by `add`."""

    schedule: Schedule
    trial: Trial | None
    """The test that may end it."""
    foreign: int
    """The number of records that are not of a game of this tournament."""

    @property
    def total(self) -> int:
        """The number of games in all, as far as is known."""

    @property
    def left(self) -> int:
        """The number of games still to be played, as far as is known."""

    def add(self, record: Record) -> None:
        """Count a game that has been played."""

    def seatings(self) -> list[tuple[str, ...]]:
        """The players in each seat, in the order of play."""

    def __iter__(self) -> Iterator[Pairing]: ...

    def __next__(self) -> Pairing: ...


class Plan:
    """The pairings that are left, to be iterated over while records come in by `add`.

    It is exhausted when nothing can be begun now; after further records it may give more,
    where they decide who meets next. A test that has been decided leaves nothing to begin.
    Iterating again gives what was given before and does not have a record. Pairings are made
    lazily, so that a long schedule does not delay the first game. Where results decide nothing, a
    pairing is dropped with its record, so that memory does not grow. Raises ConfigError for a
    record whose players or opening are not those of the schedule.
    """

    def __init__(self, tournament: Tournament, records: Iterable[Record] = ()) -> None:
        self.tournament, self.schedule = tournament, Schedule(tournament)
        self.records: dict[str, Record] = {}
        """All of them, where results decide about anything; else none."""
        self.recorded = 0
        self.known: dict[str, Pairing] = {}
        """Every pairing made so far, by its id; where results decide nothing, those in progress."""
        self._keeps = tournament.staged or tournament.sprt is not None
        self.trial: Trial | None = None
        self._waiting: deque[Pairing] = deque()
        self._stale = False
        """True if records that may add to the schedule came in since it was made."""
        if self._keeps:
            self.records = {record.id: record for record in records}
        self._source = self.schedule.games(self.records.values())
        if tournament.sprt is not None:
            self._source, copy = tee(self.schedule.with_new_beginnings(self._source))
            first, second = self.schedule.names
            self.trial = Trial(tournament.sprt, first, second, copy, self.schedule.alike)
        self.foreign = self._find(self.records.values() if self._keeps else records)
        self._total = self.schedule.total(self.records.values())
        for record in self.records.values():
            if self.trial is not None:
                self.trial.add(record)

    def _find(self, records: Iterable[Record]) -> int:
        """Go through the schedule until every record has its pairing; count those without one.

        Records are nearly in the order of the schedule, so few pairings wait for theirs.
        """
        foreign = 0
        for record in records:
            self.recorded += 1
            while record.id not in self.known and (each := next(self._source, None)) is not None:
                self.known[each.id] = each
            pairing = self.known.get(record.id)
            if pairing is None:
                foreign += 1
                continue
            _hold_to(pairing, record)
            if not self._keeps:
                del self.known[record.id]
        return foreign

    def add(self, record: Record) -> None:
        """Count a game that has been played."""
        self.recorded += 1
        if not self._keeps:
            self.known.pop(record.id, None)
            return
        self.records[record.id] = record
        self._stale = self.tournament.staged
        if self._stale and len(self.records) >= len(self.known):  # a round has ended
            self._total = self.schedule.total(self.records.values())
        if self.trial is not None:
            self.trial.add(record)

    @property
    def decided(self) -> bool:
        """Return True if the test has ended the tournament."""
        return self.trial is not None and self.trial.verdict.over

    @property
    def total(self) -> int:
        """The number of games in all; of a knockout with replays, as far as is known."""
        return self._total

    @property
    def left(self) -> int:
        """The number of games still to be played."""
        return 0 if self.decided else self.total - self.recorded

    def seatings(self) -> list[tuple[str, ...]]:
        """The players in each seat, in the order of play, as far as is known."""
        if self.tournament.staged:
            return list(dict.fromkeys(pairing.seats for pairing in self.known.values()))
        return list(self.schedule.seatings)

    def __iter__(self) -> Iterator[Pairing]:
        self._waiting = deque(p for p in self.known.values() if p.id not in self.records)
        return self

    def __next__(self) -> Pairing:
        if self.decided:
            raise StopIteration
        if self._waiting:
            return self._waiting.popleft()
        while True:
            for pairing in self._source:
                if pairing.id not in self.known:
                    self.known[pairing.id] = pairing
                    return pairing
            if not self._goes_on():
                raise StopIteration

    def _goes_on(self) -> bool:
        """Make the schedule again if results may have changed it; return True if it was.

        They decide nothing before every game begun so far has ended.
        """
        if not self._stale or not self.records.keys() >= self.known.keys():
            return False
        self._source = self.schedule.games(self.records.values())
        self._stale = False
        return True


def _hold_to(pairing: Pairing, record: Record) -> None:
    """Raise ConfigError for a record that was edited: its id must follow from players and
    opening."""
    for name in ("seats", "opening"):
        played, recorded = getattr(pairing, name), getattr(record, name)
        if played != recorded:
            raise ConfigError(
                f"the record of game {record.id} has the {name} {' - '.join(recorded) or 'none'}, "
                f"and {' - '.join(played) or 'none'} were played; take its line out of the "
                f"records, and the game is played again"
            )
