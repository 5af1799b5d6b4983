"""The results of two players against each other, opening by opening.

A strong opening or a lucky deal helps the player in one seat, and another game from there adds
little information. So all games of an opening or of a deal, in all seatings and repetitions, are
one observation: the unit of all statistics.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from functools import lru_cache
from typing import Protocol

from attrs import frozen

from dragon_tournament.statistics.multinomial import Sample

TRINOMIAL = (0.0, 0.5, 1.0)
PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)


class Played(Protocol):
    """The part of a record that comparisons need, and what is shown while games are played."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the players."""

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each seat."""

    @property
    def points(self) -> tuple[float, ...]:
        """The points that the referee awarded."""

    @property
    def scores(self) -> tuple[float, ...]:
        """Payoffs."""

    @property
    def failed(self) -> tuple[int, ...]:
        """The seats whose player failed."""


def compare(record: Played, i: int, j: int) -> float:
    """1, 1/2 or 0 for seat i against seat j: points first, then scores among equals."""
    mine, other = (record.points[i], record.scores[i]), (record.points[j], record.scores[j])
    if 0 < mine[0] == other[0]:
        return 0.5
    return 0.5 if mine == other else float(mine > other)


def score(records: Iterable[Played], a: str, b: str) -> float | None:
    """The mean score of a against b, over all opposed seats that they hold; None without any."""
    found = [
        compare(record, i, j)
        for record in records
        for i, mine in enumerate(record.seats)
        if mine == a
        for j, other in enumerate(record.seats)
        if other == b and record.teams[i] != record.teams[j]
    ]
    return math.fsum(found) / len(found) if found else None


def observation(deal: int, opening: tuple[str, ...], position: str, dealt: bool) -> Hashable:
    """The common part of the games of one observation: their beginning, and their luck.

    `dealt`: True if the game has luck; without luck its deals are all the same.
    """
    return deal if dealt else 0, opening, position


@frozen
class Meeting:
    """The results of two players against each other."""

    first: str
    second: str
    samples: tuple[Sample, ...]
    """The mean scores of the first in observations, those of equally many games in one sample."""
    won: int
    """Games in which the first scored more."""
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        """Games in which the two were opposed."""
        return self.won + self.drawn + self.lost

    @property
    def observations(self) -> int:
        """The number of openings or deals from which they played."""
        return round(sum(sample.size for sample in self.samples))


def sample(counts: Mapping[float, int], games: int) -> Sample:
    """The counts of scores, each the mean of `games` games.

    One game has three scores, two have five, more their own.
    """
    return _sample(tuple(counts.items()), games)


@lru_cache(1024)  # in a large tournament most of them are alike
def _sample(items: tuple[tuple[float, int], ...], games: int) -> Sample:
    known = {1: TRINOMIAL, 2: PENTANOMIAL}.get(games, (0.0, 1.0))
    counts = dict(items)
    values = tuple(sorted({*known, *counts}))
    return Sample(values, [counts.get(x, 0) for x in values], games)
