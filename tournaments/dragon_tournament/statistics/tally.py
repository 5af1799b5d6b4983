"""The counts that statistics need of records, none of which is kept.

Very many games have few *kinds*, with different players, seats and results; those are counted.
Four numbers of each game are kept beside its kind, to find the games that began alike and those
that are identical move for move. All statistics of matches follow from these.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from attrs import Factory, define, frozen

from dragon_tournament.records.record import Reason, Record, check_outcome, is_broken
from dragon_tournament.statistics.pairs import observation

Array = np.ndarray[Any, np.dtype[Any]]

OPENINGS = 100_000
"""Openings, with what came of them, that are counted; of more each is played too rarely to tell."""
MOST = 1 << 62  # numbers up to here are sure to fit


@frozen
class Kind:
    """The fields of a game that statistics need."""

    seats: tuple[str, ...]
    teams: tuple[int, ...]
    scores: tuple[float, ...]
    points: tuple[float, ...]
    reason: Reason
    failed: tuple[int, ...]
    broken: bool = False
    """True if the game itself failed."""


@frozen
class Cells:
    """The number of games of each kind in each observation: int64[m] each."""

    unit: Array
    """The number of the observation."""
    kind: Array
    count: Array


def _numbers() -> array[int]:
    return array("q")


@define(slots=False)
class Tally:
    """The counts of the games, to be read when all of them have been added."""

    dealt: bool = True
    """True if the game has luck; without luck, deals do not differ."""
    kinds: list[Kind] = Factory(list)
    counts: list[int] = Factory(list)
    """The number of games of each kind."""
    spent: defaultdict[str, list[float]] = Factory(lambda: defaultdict(lambda: [0.0, 0]))
    """Seconds and nodes of each player."""
    begun: Counter[tuple[str, tuple[str, ...], int]] = Factory(Counter)
    """Games with an opening, by game, opening and kind."""
    which: array[int] = Factory(_numbers)
    """The kind of each game."""
    starts: array[int] = Factory(_numbers)
    """The hash of the beginning of each game."""
    turns: array[int] = Factory(_numbers)
    """The number of each game among those of its seats; if that is missing, its deal, below 0."""
    courses: array[int] = Factory(_numbers)
    """The hash of each game and its players, beginning and moves; equal of identical games."""
    solo: bool = False
    """True if the seats of a game worked alone, each on a line of its own."""
    blank: int = 0
    """The number of games without a move."""
    crowded: bool = False
    """True if there were too many openings to count the games of each."""
    given: bool = False
    """True if a game began with an opening or from a position of its own."""
    _known: dict[Any, int] = Factory(dict)
    _sound: set[Any] = Factory(set)
    """The results of kinds that have been checked."""

    @classmethod
    def of(cls, records: Iterable[Record], dealt: bool = True) -> Tally:
        """The tally of some records."""
        tally = cls(dealt)
        for record in records:
            tally.add_record(record)
        return tally

    def add_record(self, r: Record) -> None:
        """Count the game of a record."""
        self.add(
            (r.seats, r.teams, r.scores, r.points, r.reason, r.failed, r.broken),
            r.game, r.opening, (r.deal, r.position, r.index), r.seconds, r.nodes, r.moves,
        )  # fmt: skip
        self.solo = self.solo or bool(r.attempts)

    def reopen(self) -> None:
        """Forget what was computed of the games so far, so that more can be added."""
        for name in ("games", "different", "units", "cells"):
            vars(self).pop(name, None)

    def played(self) -> Iterator[Kind]:
        """The kind of each game, in the order of the records."""
        return (self.kinds[number] for number in self.which)

    def add_line(self, table: Mapping[str, Any]) -> None:
        """Count the record of a line of JSON; raises KeyError, TypeError or ValueError."""
        get, reason = table.get, table["reason"]
        broken = reason == Reason.ADJUDICATED and is_broken(Reason(reason), get("detail", ""))
        key = (
            tuple(table["seats"]), tuple(table["teams"]), tuple(table["scores"]),
            tuple(table["points"]), reason, tuple(get("failed", ())), broken,
        )  # fmt: skip
        of = (get("deal", 0), get("position", ""), get("index"))
        self.add(
            key, table["game"], tuple(table["opening"]), of,
            table["seconds"], table["nodes"], tuple(table["moves"]),
        )  # fmt: skip

    def add(
        self,
        key: tuple[Any, ...],
        game: str,
        opening: tuple[str, ...],
        deal: tuple[int, str, int | None],
        seconds: Sequence[float],
        nodes: Sequence[int],
        moves: tuple[Any, ...],
    ) -> None:
        """Count a game; `key` holds the fields of its Kind.

        `deal`: the seed, the position and the number of the game; None if the number is not known.
        """
        number = self._known.get(key)
        if number is None:
            number = self._new(key)
        self.counts[number] += 1
        start = observation(deal[0], opening, deal[1], self.dealt)
        seats: tuple[str, ...] = key[0]
        self.which.append(number)
        self.starts.append(hash(start))
        turn = ~deal[0] if deal[2] is None else deal[2]
        self.turns.append(max(-MOST, min(turn, MOST)))  # a file may hold any number
        self.courses.append(hash((game, seats, start, moves)))
        self.given = self.given or bool(opening or deal[1])
        for name, time, visited in zip(seats, seconds, nodes, strict=True):
            own = self.spent[name]
            own[0] += time
            own[1] += visited
        alone = len(seats) == 1 or any(isinstance(move, tuple) for move in moves)
        self.solo = self.solo or alone
        self.blank += not (opening or (any(moves) if alone else moves))
        if opening and not self.crowded:
            self.begun[game, opening, number] += 1
            if len(self.begun) > OPENINGS:
                self.begun.clear()
                self.crowded = True

    def _new(self, key: tuple[Any, ...]) -> int:
        seats, teams, scores, points, reason, failed, broken = key
        types = tuple(map(type, (*seats, *teams, *scores, *points, *failed)))  # as True equals 1
        outcome = (teams, scores, points, failed, types)
        if outcome not in self._sound:
            check_outcome(seats, teams, scores, points, failed)
            self._sound.add(outcome)
        kind = Kind(seats, teams, scores, points, Reason(reason), failed, broken)
        number = self._known[key] = len(self.kinds)
        self.kinds.append(kind)
        self.counts.append(0)
        return number

    def __len__(self) -> int:
        return len(self.which)

    def failed(self) -> Iterator[int]:
        """The numbers, from 0, of the games that a player lost by a failure of its own."""
        return (number for number, kind in enumerate(self.played()) if kind.failed)

    @cached_property
    def games(self) -> list[tuple[Kind, int]]:
        """Each kind, and how many games are of it."""
        return list(zip(self.kinds, self.counts, strict=True))

    def numbered(self) -> Iterator[tuple[int, Kind]]:
        """The games that have a number among those of their seats, with it."""
        games = zip(self.turns, self.which, strict=True)
        return ((turn, self.kinds[kind]) for turn, kind in games if turn >= 0)

    @property
    def names(self) -> list[str]:
        """The players, in the order in which they came up."""
        return list(dict.fromkeys(name for kind in self.kinds for name in kind.seats))

    @property
    def broken(self) -> int:
        """The number of games that failed by themselves."""
        return sum(count for kind, count in self.games if kind.broken)

    @property
    def reasons(self) -> dict[Reason, int]:
        """The number of games for each reason of their end, the most frequent first."""
        found: Counter[Reason] = Counter()
        for kind, count in self.games:
            found[kind.reason] += count
        return dict(found.most_common())

    @cached_property
    def different(self) -> Array:
        """The first of all games that are identical move for move and seat for seat, int64[m]."""
        return np.unique(np.asarray(self.courses), return_index=True)[1]

    @property
    def identical(self) -> int:
        """The number of games that are identical to an earlier one."""
        return len(self) - len(self.different)

    def repeated(self) -> list[list[int]]:
        """The numbers, from 1, of the games that are identical, by group."""
        groups: dict[int, list[int]] = {}
        for number, course in enumerate(self.courses, 1):
            groups.setdefault(course, []).append(number)
        return [group for group in groups.values() if len(group) > 1]

    @cached_property
    def units(self) -> Array:
        """int64[games]: the observation of each game, numbered from 0.

        Without openings and deals only the players' own choices vary. Then each pair of them, the
        games of one number, is an observation; players that repeated all of their games have one
        observation.
        """
        if self.dealt or self.given:
            return codes(self.starts)
        players = _places(tuple(sorted(kind.seats)) for kind in self.kinds)
        seatings = _places(kind.seats for kind in self.kinds)
        _, first = np.unique(seatings, return_index=True)
        of_game = players[np.asarray(self.which)]
        repeated = np.bincount(of_game[self.different]) <= np.bincount(players[first])
        return codes(of_game, np.where(repeated[of_game], -1, self.turns))

    @cached_property
    def cells(self) -> Cells:
        """The games by observation and kind."""
        kinds = max(len(self.kinds), 1)
        pairs, count = np.unique(self.units * kinds + np.asarray(self.which), return_counts=True)
        return Cells(pairs // kinds, pairs % kinds, count)


def codes(*columns: Array | array[int]) -> Array:
    """int64[n]: numbers from 0, equal for equal rows, of columns int64[n]."""
    found: Array = np.zeros(len(columns[0]), np.int64)
    for given in columns:
        column: Array = np.asarray(given)
        low, high = int(column.min(initial=0)), int(column.max(initial=0))
        if (int(found.max(initial=0)) + 1) * (high - low + 1) > MOST:
            found, column = (np.unique(one, return_inverse=True)[1] for one in (found, column))
            low, high = 0, int(column.max(initial=0))
        found = found * (high - low + 1) + (column - low)
    return np.unique(found, return_inverse=True)[1]


def joined(keys: Array, of: Array) -> tuple[Array, Array]:
    """Every match of an entry of `keys` with one of `of`, which is ascending: their places."""
    first = np.searchsorted(of, keys)
    many = np.searchsorted(of, keys, side="right") - first
    ends = np.cumsum(many)
    within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - many, many)
    return np.repeat(np.arange(len(keys)), many), np.repeat(first, many) + within


def _places(values: Iterable[Any]) -> Array:
    """Numbers from 0, equal for equal values."""
    known: dict[Any, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], np.int64)
