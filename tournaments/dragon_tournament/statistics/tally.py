"""Tally: what statistics need of records, counted as they come by; none of them is kept.

Of a million games only so many differ in who sat where and what came of it: those *kinds* are
counted, and which of them stand together in pairs. Everything that `pairs`, `rating` and
`standings` tell of records follows from the counts.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from attrs import Factory, define, frozen

from dragon_tournament.records.record import Reason, Record, check_outcome, is_broken
from dragon_tournament.statistics.pairs import Meeting, observation, sample_of, score, seatings
from dragon_tournament.statistics.standings import Row, Standing

_ADJUDICATED = str(Reason.ADJUDICATED)


@frozen
class Kind:
    """A game as far as statistics are concerned."""

    seats: tuple[str, ...]
    teams: tuple[int, ...]
    scores: tuple[float, ...]
    points: tuple[float, ...]
    reason: Reason
    failed: tuple[int, ...]
    broken: bool = False
    """Whether the game itself failed."""

    def __attrs_post_init__(self) -> None:
        check_outcome(self.seats, self.teams, self.scores, self.points, self.failed)


@define
class Tally:
    """The counts of the games added so far.

    What is part of which pair follows from the deal, the opening and the number of a game. Where
    that is not enough, as in records of old without a number, `doubtful` says so.
    """

    kinds: list[Kind] = Factory(list)
    counts: list[int] = Factory(list)
    """How many games of each kind."""
    whole: Counter[tuple[int, ...]] = Factory(Counter)
    """Whole pairs, by the kinds of their games."""
    spent: defaultdict[str, list[float]] = Factory(lambda: defaultdict(lambda: [0.0, 0]))
    """Seconds and nodes of each player."""
    begun: Counter[tuple[str, tuple[str, ...], int]] = Factory(Counter)
    """Games with an opening, by game, opening and kind."""
    which: array[int] = Factory(lambda: array("q"))
    """Of each game its kind; only these two know of single games."""
    observed: array[int] = Factory(lambda: array("q"))
    """Of each game the hash of its observation."""
    doubtful: bool = False
    """Whether games could be paired in another way than they were."""
    _numbers: dict[Any, int] = Factory(dict)
    _orders: dict[tuple[str, ...], tuple[Any, int]] = Factory(dict)
    _deals: dict[int, dict[tuple[str, ...], list[int]]] = Factory(dict)
    """Of pairs that are not whole yet: the kinds of their games by seating."""
    _closed: set[int] = Factory(set)
    """The whole pairs of games without a number, which might come once more."""

    @classmethod
    def of(cls, records: Iterable[Record]) -> Tally:
        """The tally of some records."""
        tally = cls()
        for r in records:
            tally.add(
                (r.seats, r.teams, r.scores, r.points, r.reason, r.failed, r.broken),
                r.game, r.opening, (r.deal, r.position, r.index), r.seconds, r.nodes,
            )  # fmt: skip
        return tally

    def add_line(self, table: Mapping[str, Any]) -> None:
        """Counts the record of a line of JSON; raises KeyError, TypeError or ValueError."""
        get, reason = table.get, table["reason"]
        broken = reason == _ADJUDICATED and is_broken(Reason(reason), get("detail", ""))
        key = (
            tuple(table["seats"]), tuple(table["teams"]), tuple(table["scores"]),
            tuple(table["points"]), reason, tuple(get("failed", ())), broken,
        )  # fmt: skip
        of = (get("deal", 0), get("position", ""), get("index"))
        self.add(key, table["game"], tuple(table["opening"]), of, table["seconds"], table["nodes"])

    def add(
        self,
        key: tuple[Any, ...],
        game: str,
        opening: tuple[str, ...],
        deal: tuple[int, str, int | None],
        seconds: Sequence[float],
        nodes: Sequence[int],
    ) -> None:
        """Counts a game; `key` holds the fields of its Kind.

        `deal`: the seed, the position and the number of the game, None where that is not known.
        """
        number = self._numbers.get(key)
        if number is None:
            number = self._new(key)
        self.counts[number] += 1
        start = observation(deal[0], opening, deal[1])
        self.which.append(number)
        self.observed.append(hash(start))
        seats: tuple[str, ...] = key[0]
        for name, time, visited in zip(seats, seconds, nodes, strict=True):
            own = self.spent[name]
            own[0] += time
            own[1] += visited
        if opening:
            self.begun[game, opening, number] += 1
        players, wanted = self._orders[seats]
        if wanted > 1:
            of = hash((players, deal[2], start))
            if self._pair(of, seats, wanted, number) and deal[2] is None:
                self._closed.add(of)

    def _new(self, key: tuple[Any, ...]) -> int:
        seats, teams, scores, points, reason, failed, broken = key
        kind = Kind(seats, teams, scores, points, Reason(reason), failed, broken)
        number = self._numbers[key] = len(self.kinds)
        self.kinds.append(kind)
        self.counts.append(0)
        self._orders[kind.seats] = (tuple(sorted(kind.seats)), seatings(kind.seats))
        return number

    def _pair(self, deal: int, seats: tuple[str, ...], wanted: int, number: int) -> bool:
        """Whether a pair is whole now."""
        waiting = self._deals.setdefault(deal, {})
        self.doubtful = self.doubtful or seats in waiting or deal in self._closed
        waiting.setdefault(seats, []).append(number)
        if len(waiting) < wanted:
            return False
        self.whole[tuple(waiting[order].pop(0) for order in sorted(waiting))] += 1
        left = {order: kinds for order, kinds in waiting.items() if kinds}
        if left:
            self._deals[deal] = left
        else:
            del self._deals[deal]
        return True

    def __len__(self) -> int:
        return sum(self.counts)

    @property
    def games(self) -> list[tuple[Kind, int]]:
        """Each kind, and how many games are of it."""
        return list(zip(self.kinds, self.counts, strict=True))

    @property
    def single(self) -> list[tuple[Kind, int]]:
        """The same of games that are part of no whole pair."""
        left = list(self.counts)
        for pair, count in self.whole.items():
            for number in pair:
                left[number] -= count
        return [(kind, count) for kind, count in zip(self.kinds, left, strict=True) if count]

    @property
    def pairs(self) -> list[tuple[tuple[Kind, ...], int]]:
        """The whole pairs, each with how often it occurs."""
        return [(tuple(self.kinds[k] for k in pair), n) for pair, n in self.whole.items()]

    @property
    def names(self) -> list[str]:
        """The players, in the order in which they came up."""
        return list(dict.fromkeys(name for kind in self.kinds for name in kind.seats))

    @property
    def broken(self) -> int:
        """How many games failed by themselves."""
        return sum(count for kind, count in self.games if kind.broken)

    @property
    def units(self) -> list[tuple[tuple[Kind, ...], int]]:
        """Whole pairs and the games that are part of none, each with how often it occurs."""
        return [*self.pairs, *(((kind,), count) for kind, count in self.single)]

    @property
    def reasons(self) -> dict[Reason, int]:
        """Why the games ended, the most frequent first."""
        found: Counter[Reason] = Counter()
        for kind, count in self.games:
            found[kind.reason] += count
        return dict(found.most_common())


def standings_of(tally: Tally, names: Sequence[str] = ()) -> list[Standing]:
    """The totals of each player: those of `names` first, in that order, played or not."""
    order = list(dict.fromkeys([*names, *tally.names]))
    points: defaultdict[str, list[float]] = defaultdict(list)
    results: dict[str, Counter[str]] = {name: Counter() for name in order}
    failures: dict[str, Counter[Reason]] = {name: Counter() for name in order}
    for kind, count in tally.games:
        for seat, name in enumerate(kind.seats):
            made = kind.points[seat]
            points[name].append(made * count)
            which = "won" if made == 1 else "drawn" if 0 < made < 1 else "lost"
            results[name][which] += count
            if seat in kind.failed:
                failures[name][kind.reason] += count
    return [
        Standing(
            name=name, points=math.fsum(points[name]), won=results[name]["won"],
            drawn=results[name]["drawn"], lost=results[name]["lost"],
            seconds=tally.spent[name][0], nodes=int(tally.spent[name][1]),
            failures=dict(failures[name]),
        )
        for name in order
    ]  # fmt: skip


def crosstable_of(tally: Tally, order: Iterable[tuple[str, ...]] = ()) -> list[Row]:
    """The rows, in the given order of seatings; those without games are left out."""
    found: dict[tuple[str, ...], list[tuple[Kind, int]]] = {seats: [] for seats in order}
    for kind, count in tally.games:
        found.setdefault(kind.seats, []).append((kind, count))
    return [
        Row(
            seats=seats,
            played=sum(count for _, count in games),
            won=tuple(
                sum(count for kind, count in games if kind.points[seat] == 1)
                for seat in range(len(seats))
            ),
            drawn=sum(count for kind, count in games if max(kind.points) < 1),
            payoffs=tuple(
                math.fsum(kind.scores[seat] * count for kind, count in games)
                for seat in range(len(seats))
            ),
        )
        for seats, games in found.items()
        if games
    ]


def meetings_of(tally: Tally, names: Sequence[str]) -> list[Meeting]:
    """What every two players made of each other that have met, in the order of `names`."""
    place = {name: i for i, name in enumerate(names)}
    met = {
        two
        for kind in tally.kinds
        for two in combinations(sorted(set(kind.seats), key=place.__getitem__), 2)
    }
    ordered = sorted(met, key=lambda two: [place[name] for name in two])
    return [found for two in ordered if (found := _meeting(tally, *two)).played]


def _meeting(tally: Tally, first: str, second: str) -> Meeting:
    both = {first, second}
    ours = [(kind, n) for kind, n in tally.games if both <= set(kind.seats)]
    alone = [((kind,), n) for kind, n in tally.single if both <= set(kind.seats)]
    whole = [(pair, n) for pair, n in tally.pairs if both <= set(pair[0].seats)]
    scores = _scores([((kind,), n) for kind, n in ours], first, second)
    return Meeting(
        first,
        second,
        pairs=sample_of(
            _scores(whole, first, second), max((len(pair) for pair, _ in whole), default=2)
        ),
        games=sample_of(_scores(alone, first, second), 1),
        won=sum(n for made, n in scores.items() if made > 0.5),
        drawn=scores.get(0.5, 0),
        lost=sum(n for made, n in scores.items() if made < 0.5),
    )


def _scores(
    groups: Iterable[tuple[tuple[Kind, ...], int]], first: str, second: str
) -> Counter[float]:
    """How often each score of the first against the second was made in a group of games."""
    counts: Counter[float] = Counter()
    for group, count in groups:
        made = score(group, first, second)
        if made is not None:
            counts[round(made, 9)] += count
    return counts
