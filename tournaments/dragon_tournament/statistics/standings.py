"""Standings: records become totals, for each player and for each seating. Pure functions."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from attrs import Factory, define, frozen

from dragon_tournament.records.record import Reason, Record


@frozen(kw_only=True)
class Standing:
    """What one player has made of its games; a game counts once for each seat it holds."""

    name: str
    points: float
    won: int
    drawn: int
    lost: int
    seconds: float
    """Wall-clock time of its searching."""
    nodes: int
    failures: dict[Reason, int]
    """How often it lost by a failure of its own."""

    @property
    def played(self) -> int:
        """Games."""
        return self.won + self.drawn + self.lost


@frozen(kw_only=True)
class Row:
    """A row of the crosstable: one seating."""

    seats: tuple[str, ...]
    played: int
    won: tuple[int, ...]
    """For each seat."""
    drawn: int
    """Games in which nobody took the whole point."""
    payoffs: tuple[float, ...]
    """What each seat was paid in all."""


@define
class _Tally:
    points: float = 0.0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    seconds: float = 0.0
    nodes: int = 0
    failures: Counter[Reason] = Factory(Counter)


def standings(records: Iterable[Record], names: Sequence[str] = ()) -> list[Standing]:
    """The totals of each player: those of `names` first, in that order, played or not."""
    tallies = {name: _Tally() for name in names}
    for record in records:
        for seat, name in enumerate(record.seats):
            tally, points = tallies.setdefault(name, _Tally()), record.points[seat]
            tally.points += points
            tally.won += points == 1
            tally.drawn += 0 < points < 1
            tally.lost += points == 0
            tally.seconds += record.seconds[seat]
            tally.nodes += record.nodes[seat]
            if seat in record.failed:
                tally.failures[record.reason] += 1
    return [
        Standing(
            name=name, points=t.points, won=t.won, drawn=t.drawn, lost=t.lost,
            seconds=t.seconds, nodes=t.nodes, failures=dict(t.failures),
        )
        for name, t in tallies.items()
    ]  # fmt: skip


def crosstable(records: Iterable[Record], order: Iterable[tuple[str, ...]] = ()) -> list[Row]:
    """The rows, in the given order of seatings; those without games are left out."""
    games: dict[tuple[str, ...], list[Record]] = {seats: [] for seats in order}
    for record in records:
        games.setdefault(record.seats, []).append(record)
    return [
        Row(
            seats=seats,
            played=len(played),
            won=tuple(sum(r.points[i] == 1 for r in played) for i in range(len(seats))),
            drawn=sum(max(r.points) < 1 for r in played),
            payoffs=tuple(math.fsum(r.scores[i] for r in played) for i in range(len(seats))),
        )
        for seats, played in games.items()
        if played
    ]
