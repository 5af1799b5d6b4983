"""Pairs: the games of one deal in all its seatings, which are the unit of statistics.

A strong opening, or a lucky deal, helps whoever sits on its good side. Two games of it with the
seats swapped are therefore anything but independent, and counting them apart makes errors too
large or too small; the pair as a whole is what varies. With more seats a *pair* is the deal
in every order of the same players. Pure functions over records.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Protocol

from attrs import frozen

from dragon_tournament.records.record import Record
from dragon_tournament.statistics.multinomial import Sample

TRINOMIAL = (0.0, 0.5, 1.0)
PENTANOMIAL = (0.0, 0.25, 0.5, 0.75, 1.0)


class Played(Protocol):
    """What a comparison needs of a record."""

    @property
    def seats(self) -> tuple[str, ...]:
        """The names of the players."""

    @property
    def teams(self) -> tuple[int, ...]:
        """The team of each seat."""

    @property
    def points(self) -> tuple[float, ...]:
        """What the referee awarded."""

    @property
    def scores(self) -> tuple[float, ...]:
        """Payoffs."""


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
        for i in range(len(record.seats))
        for j in range(len(record.seats))
        if record.seats[i] == a and record.seats[j] == b and record.teams[i] != record.teams[j]
    ]
    return math.fsum(found) / len(found) if found else None


def seatings(players: Collection[str]) -> int:
    """How many orders of the players there are; equal names are not told apart.

    >>> seatings(["a", "b"]), seatings(["a", "a", "b"])
    (2, 3)
    """
    same = Counter(players).values()
    return math.factorial(len(players)) // math.prod(math.factorial(n) for n in same)


def observation(deal: int, opening: tuple[str, ...], position: str) -> Hashable:
    """What the games of one observation have in common: how they began, and their luck."""
    return deal, opening, position


def pairs(records: Iterable[Record]) -> tuple[list[tuple[Record, ...]], list[Record]]:
    """The whole pairs, and the single games that are part of none.

    A game that stands alone by its nature (of one player, or of one against itself) is single.
    Where a deal is played more than once, its number says what belongs together; of records
    without one the order of ids.
    """
    games: defaultdict[object, dict[tuple[str, ...], list[Record]]] = defaultdict(dict)
    for record in records:
        start = observation(record.deal, record.opening, record.position)
        key = (tuple(sorted(record.seats)), record.index, start)
        games[key].setdefault(record.seats, []).append(record)
    whole: list[tuple[Record, ...]] = []
    single: list[Record] = []
    for by_seats in games.values():
        wanted = seatings(next(iter(by_seats)))
        complete = min(map(len, by_seats.values())) if len(by_seats) == wanted > 1 else 0
        orders = [sorted(by_seats[seats], key=lambda r: r.id) for seats in sorted(by_seats)]
        whole += list(zip(*(same[:complete] for same in orders), strict=True))
        single += [record for same in orders for record in same[complete:]]
    return whole, single


@frozen
class Meeting:
    """What two players made of each other: whole pairs and the games outside them."""

    first: str
    second: str
    pairs: Sample
    """Of the first player's scores in whole pairs: pentanomial where there are two seats."""
    games: Sample
    """Of its scores in single games that are part of no pair."""
    won: int
    """Games, those of pairs included, in which the first scored more."""
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        """Games in which the two were opposed."""
        return self.won + self.drawn + self.lost

    @property
    def every(self) -> Sample:
        """Every game by itself, those of pairs included."""
        return Sample(TRINOMIAL, (self.lost, self.drawn, self.won))

    @property
    def samples(self) -> tuple[Sample, ...]:
        """Those that are not empty."""
        return tuple(s for s in (self.pairs, self.games) if s.size)


def meetings(records: Iterable[Record], names: Sequence[str]) -> list[Meeting]:
    """What every two players made of each other that have met, in the order of `names`."""
    place = {name: i for i, name in enumerate(names)}
    met: defaultdict[tuple[str, ...], list[Record]] = defaultdict(list)
    for record in records:
        for two in combinations(sorted(set(record.seats), key=place.__getitem__), 2):
            met[two].append(record)
    return [
        found
        for two in sorted(met, key=lambda two: [place[name] for name in two])
        if (found := meeting(met[two], *two)).played
    ]


def meeting(records: Sequence[Record], first: str, second: str) -> Meeting:
    """What two players made of each other in those records, all of them theirs."""
    scores = [s for r in records if (s := score((r,), first, second)) is not None]
    whole, single = pairs(records)
    paired = [s for pair in whole if (s := score(pair, first, second)) is not None]
    alone = [s for r in single if (s := score((r,), first, second)) is not None]
    return Meeting(
        first,
        second,
        pairs=sample(paired, max((len(pair) for pair in whole), default=2)),
        games=sample(alone),
        won=sum(s > 0.5 for s in scores),
        drawn=sum(s == 0.5 for s in scores),
        lost=sum(s < 0.5 for s in scores),
    )


def sample(scores: Iterable[float], games: int = 1) -> Sample:
    """The counts of scores, each the mean of so many games."""
    return sample_of(Counter(round(s, 9) for s in scores), games)


def sample_of(counts: Mapping[float, int], games: int) -> Sample:
    """The same, counted already. One game has three scores, two have five, more their own."""
    known = {1: TRINOMIAL, 2: PENTANOMIAL}.get(games, (0.0, 1.0))
    values = tuple(sorted({*known, *counts}))
    return Sample(values, [counts.get(x, 0) for x in values], games)
