"""The results of players: points, crosstable, meetings of two, and mean payoffs. Pure functions.

If a game pays only 1, 0 and -1, wins and draws say as much as payoffs do. If payoffs have several
sizes, or two sides can gain together, the game is *graded*: the player that wins most games need
not gain most, and players are ranked by their mean payoff, with its 95% interval. All games of an
observation (`Tally.units`) depend on the same luck, so the sums of observations are what varies,
and the mean of a game is a ratio: the payoffs of all observations by their games (Cochran,
Sampling Techniques, 1977, section 6.3). Student's distribution has one degree of freedom less
than there are observations.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from attrs import frozen

from dragon_tournament.records.record import Reason
from dragon_tournament.statistics.elo import Z95, as_student
from dragon_tournament.statistics.pairs import Meeting, Played, sample, score
from dragon_tournament.statistics.tally import Kind, Tally, codes, joined

Array = np.ndarray[Any, np.dtype[Any]]

Payoffs = dict[tuple[str, ...], "Payoff"]
"""By `(name,)` for a player, by `(name, other)` for a player in its games against another."""
NOTHING = 1e-9  # errors below this, in payoffs, are rounding


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
    """The number of games it lost by each of its own failures."""

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
    """The sum of payoffs of each seat."""


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
    """The meetings of all players that have met, in the order of `names`."""
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


@frozen
class Payoff:
    """The mean payoff of a game."""

    mean: float
    error: float | None
    """The half-width of the 95% interval; None for one observation, or if all are equal."""
    observations: int


def graded(games: Iterable[Played]) -> bool:
    """Return True if equal points were paid differently, so that payoffs say more than points.

    It is called for records whose game is not known.
    """
    paid: dict[float, float] = {}
    return any(
        paid.setdefault(points, payoff) != payoff
        for game in games
        for points, payoff in zip(game.points, game.scores, strict=True)
    )


def payoffs(tally: Tally) -> Payoffs:
    """The mean payoffs of all players, and of every two that met."""
    shares: defaultdict[tuple[str, ...], list[tuple[int, float]]] = defaultdict(list)
    for number, kind in enumerate(tally.kinds):
        for label, payoff in _shares(kind):
            shares[label].append((number, payoff))
    cells = tally.cells
    order = np.argsort(cells.kind, kind="stable")
    kinds, unit, count = cells.kind[order], cells.unit[order], cells.count[order]
    found: Payoffs = {}
    for label, own in shares.items():
        numbers, paid = (np.array(column) for column in zip(*own, strict=True))
        row, cell = joined(numbers, kinds)
        found[label] = _mean(unit[cell], count[cell], paid[row])
    return found


def _mean(units: Array, games: Array, payoffs: Array) -> Payoff:
    """The mean of payoffs, from arrays[n] of observations, their games and the payoff of each."""
    _, cell = np.unique(units, return_inverse=True)
    played, paid = np.bincount(cell, games), np.bincount(cell, games * payoffs)
    total, observations = float(played.sum()), len(played)
    mean = float(paid.sum()) / total
    if observations < 2:
        return Payoff(mean, None, observations)
    spread = float(((paid - mean * played) ** 2).sum())
    error = math.sqrt(spread * observations / (observations - 1)) / total
    far = as_student(Z95, observations - 1)
    return Payoff(mean, far * error if error > NOTHING else None, observations)


def _shares(game: Played) -> Iterator[tuple[tuple[str, ...], float]]:
    """The payoffs of a game: of each seat's player, and of the player against each opponent."""
    for seat, name in enumerate(game.seats):
        yield (name,), game.scores[seat]
        across = zip(game.seats, game.teams, strict=True)
        for other in sorted({n for n, team in across if n != name and team != game.teams[seat]}):
            yield (name, other), game.scores[seat]
