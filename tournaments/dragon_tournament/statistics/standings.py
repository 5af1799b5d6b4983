"""Standings: games become totals, for each player, seating and two that met. Pure functions."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np
from attrs import frozen

from dragon_tournament.records.record import Reason
from dragon_tournament.statistics.pairs import Meeting, sample, score
from dragon_tournament.statistics.tally import Kind, Tally, codes, joined


@frozen(kw_only=True)
class Standing:
    """The results of one player; a game counts once for each seat it holds."""

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
    """Games in which no player took the whole point."""
    payoffs: tuple[float, ...]
    """What each seat was paid in all."""


def standings(tally: Tally, names: Sequence[str] = ()) -> list[Standing]:
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


def crosstable(tally: Tally, order: Iterable[tuple[str, ...]] = ()) -> list[Row]:
    """The rows, in the given order of seatings; those without games are left out."""
    found: dict[tuple[str, ...], list[tuple[Kind, int]]] = {seats: [] for seats in order}
    for kind, count in tally.games:
        found.setdefault(kind.seats, []).append((kind, count))
    return [_row(seats, games) for seats, games in found.items() if games]


def _row(seats: tuple[str, ...], games: Sequence[tuple[Kind, int]]) -> Row:
    drawn, won = 0, [0] * len(seats)
    paid: list[list[float]] = [[] for _ in seats]
    for kind, count in games:
        drawn += count * (max(kind.points) < 1)
        for seat, points in enumerate(kind.points):
            won[seat] += count * (points == 1)
            paid[seat].append(kind.scores[seat] * count)
    return Row(
        seats=seats, played=sum(count for _, count in games), won=tuple(won), drawn=drawn,
        payoffs=tuple(map(math.fsum, paid)),
    )  # fmt: skip


def meetings(tally: Tally, names: Sequence[str]) -> list[Meeting]:
    """All of them, in the order of `names`; nothing is kept of players that have not met."""
    place = {name: i for i, name in enumerate(names)}
    results: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    found: list[tuple[int, int, int, float]] = []
    for number, (kind, count) in enumerate(tally.games):
        for i, j in combinations(sorted({place[name] for name in kind.seats}), 2):
            made = score((kind,), names[i], names[j])
            if made is not None:
                results[i, j][(made >= 0.5) + (made > 0.5)] += count
                found.append((number, i, j, made))
    if not found:
        return []
    kinds, first, second, scores = (np.array(column) for column in zip(*found, strict=True))
    cells = tally.cells
    cell, row = joined(cells.kind, kinds)
    two = first[row] * len(names) + second[row]
    observed = codes(two, cells.unit[cell])
    _, at = np.unique(observed, return_index=True)
    games = np.bincount(observed, cells.count[cell]).astype(int)
    means = np.bincount(observed, cells.count[cell] * scores[row]) / games
    counted: defaultdict[tuple[int, int], defaultdict[int, Counter[float]]]
    counted = defaultdict(lambda: defaultdict(Counter))
    for key, many, mean in zip(two[at].tolist(), games.tolist(), means.tolist(), strict=True):
        counted[divmod(key, len(names))][many][round(mean, 9)] += 1
    return [
        Meeting(
            names[i],
            names[j],
            tuple(sample(counts, many) for many, counts in sorted(counted[i, j].items())),
            won=won,
            drawn=drawn,
            lost=lost,
        )
        for (i, j), (lost, drawn, won) in sorted(results.items())
    ]
