"""Rating: Elo by maximum likelihood, with 95% errors, and the advantage of the first seat.

The model is Bradley and Terry's: of two players whose Elo differs by d, the first scores
1 / (1 + 10 ** (-d / 400)) a game on average. A draw is half a win and half a loss
(Zermelo 1929; Hunter 2004). Every player has drawn one more game, against nobody in
particular: a player of average strength. That keeps ratings finite after perfect
scores, and weighs no more than one game.

Errors come from the Fisher information, corrected for what games really vary by (a sandwich,
White 1982): where pairs are whole, their scores are what varies, and where games stand alone,
draws make them vary less than coins do. With more than two seats a game compares several
players at once, so there whole pairs are taken together, whomever they compare. Ratings are
relative to the mean of the players.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon_tournament.records.record import Record
from dragon_tournament.statistics.elo import Z95
from dragon_tournament.statistics.multinomial import Sample
from dragon_tournament.statistics.pairs import Meeting, Played, compare, pairs, sample

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]
    Meat = Callable[[Array, Array], Array]

ELO = 400 / math.log(10)
"""Elo points in a unit of natural log odds."""
PRIOR = 1.0
"""Games drawn beforehand against a player of average strength."""
DOUBT = 0.5
"""The variance of so much play, two even games, is taken for that of coins beforehand."""


@frozen
class Rating:
    """Elo relative to the mean of the players, and the half-width of its 95% interval."""

    elo: float
    error: float


def ratings(
    records: Iterable[Record], names: Sequence[str], meetings: Iterable[Meeting] = ()
) -> dict[str, Rating]:
    """The rating of each player named; errors take account of pairs where `meetings` are given."""
    found = tuple(records)
    if any(len(record.seats) > 2 for record in found):
        whole, single = pairs(found)
        units: list[tuple[tuple[Played, ...], int]] = [(pair, 1) for pair in whole]
        units += [((record,), 1) for record in single]
        return rated_by_units(names, results(found, names), units)
    return rated(names, results(found, names), meetings)


def rated_by_units(
    names: Sequence[str], score: Array, units: Collection[tuple[tuple[Played, ...], int]]
) -> dict[str, Rating]:
    """The same from the matrix of `results`, where games have more than two seats.

    `units`: whole pairs and games that stand alone, each with how often it occurred.
    """
    place = {name: i for i, name in enumerate(names)}
    return fit(names, score, meat=_Units(units, place).meat)


def rated(names: Sequence[str], score: Array, meetings: Iterable[Meeting]) -> dict[str, Rating]:
    """The same from the matrix of `results`, where no game has more than two seats."""
    import numpy as np

    place = {name: i for i, name in enumerate(names)}
    ratio = np.ones((len(names), len(names)))
    for met in meetings:
        i, j = place[met.first], place[met.second]
        ratio[i, j] = ratio[j, i] = ratio_of(met.samples)
    return fit(names, score, ratio)


def results(records: Iterable[Record], names: Sequence[str]) -> Array:
    """The same as `scored`, of records."""
    return scored(((record, 1) for record in records), names)


def scored(games: Iterable[tuple[Played, int]], names: Sequence[str]) -> Array:
    """float64[n, n]: what each player has scored against each other; games with their number.

    In a game of more than two seats, every two opponents are compared, with a weight
    that gives each seat one game in all. A player that met itself has shown nothing.
    """
    import numpy as np

    place = {name: i for i, name in enumerate(names)}
    score = np.zeros((len(names), len(names)))
    for game, count in games:
        for a, b, weight, share in _comparisons(game, place):
            score[a, b] += count * weight * share
            score[b, a] += count * weight * (1 - share)
    return score


def _comparisons(
    record: Played, place: Mapping[str, int]
) -> Iterator[tuple[int, int, float, float]]:
    """Every two opponents: their numbers, the weight, and the share of the first."""
    weight = 1 / max(len(record.seats) - 1, 1)
    for i in range(len(record.seats)):
        for j in range(i):
            a, b = place[record.seats[i]], place[record.seats[j]]
            if a != b and record.teams[i] != record.teams[j]:
                yield a, b, weight, compare(record, i, j)


class _Units:
    """The comparisons of games that are counted together: whole pairs, and games that stand alone.

    Their number is that of the deals, so to speak; it takes the place of the number of games.
    """

    def __init__(
        self, units: Collection[tuple[tuple[Played, ...], int]], place: Mapping[str, int]
    ) -> None:
        import numpy as np

        found = [
            (number, *comparison)
            for number, (unit, _) in enumerate(units)
            for game in unit
            for comparison in _comparisons(game, place)
        ]
        columns = np.array(found).T if found else np.zeros((5, 0))
        self.unit, self.first, self.second = columns[:3].astype(int)
        self.weight, self.share = columns[3:]
        self.count = np.array([count for _, count in units], dtype=float)
        self.players = len(place)

    def meat(self, theta: Array, information: Array) -> Array:
        """What the slopes of the likelihood vary by, float64[n, n]: those of units are independent.

        To few units one more is added, that varies as coins do.
        """
        import numpy as np

        rest = self.weight * (self.share - _expected(theta[self.first] - theta[self.second]))
        slopes = np.zeros((len(self.count), self.players))
        np.add.at(slopes, (self.unit, self.first), rest)
        np.add.at(slopes, (self.unit, self.second), -rest)
        size = max(float(self.count.sum()), 1.0)
        spread = slopes.T @ (self.count[:, None] * slopes)
        return np.asarray(spread * size / max(size - 1, 1.0) + information / size)


def ratio_of(samples: Collection[Sample]) -> float:
    """How the variance of the scores compares with that of as many independent coins."""
    games = sum(s.size * s.games for s in samples)
    if not games:
        return 1.0
    mean = sum(s.mean * s.size * s.games for s in samples) / games
    found = sum(s.variance * s.size * s.games**2 for s in samples)
    return (found + DOUBT) / (games * mean * (1 - mean) + DOUBT)


def fit(
    names: Sequence[str],
    score: Array,
    ratio: Array | None = None,
    meat: Meat | None = None,
) -> dict[str, Rating]:
    """Ratings from the matrix of `results`.

    `ratio`: float64[n, n], the variance of what two players score against each other in that
    of independent wins and losses; ones by default. `meat` replaces it where comparisons are
    not independent of one another.
    """
    import numpy as np

    n = len(names)
    if n == 0:
        return {}
    first, second = np.triu_indices(n, 1)
    design = np.eye(n)[first] - np.eye(n)[second]
    wins = score[first, second]
    excess = np.ones(len(first)) if ratio is None else ratio[first, second]
    theta, spread = _climb(design, wins, wins + score[second, first], excess, meat)
    centre = np.eye(n) - 1 / n
    elo = ELO * (theta - theta.mean())
    error = Z95 * ELO * np.sqrt(np.diag(centre @ spread @ centre).clip(0))
    return {name: Rating(float(elo[i]), float(error[i])) for i, name in enumerate(names)}


def advantage(records: Iterable[Record], names: Sequence[str]) -> Rating | None:
    """What the first of two seats is worth, fitted together with the players' strengths.

    None where it cannot be told from them: nobody has met the same player in both seats.
    """
    import numpy as np

    place = {name: i for i, name in enumerate(names)}
    ours = [r for r in records if len(r.seats) == 2 and r.seats[0] != r.seats[1]]
    whole, single = pairs(ours)
    if not whole:
        return None
    n = len(names)
    wins, games = np.zeros((n, n)), np.zeros((n, n))
    for record in ours:
        a, b = (place[name] for name in record.seats)
        wins[a, b] += compare(record, 0, 1)
        games[a, b] += 1
    units = [sample([sum(compare(r, 0, 1) for r in pair) / 2 for pair in whole], 2)]
    units += [sample([compare(r, 0, 1) for r in single])] if single else []
    return lead(wins, games, units)


def lead(wins: Array, games: Array, units: Collection[Sample]) -> Rating:
    """The same from counts: float64[n, n] what the row has won as first seat, of how many games.

    `units`: the first seat's scores in pairs, and in games that stand alone.
    """
    import numpy as np

    n = len(games)
    first, second = np.nonzero(games)
    design = np.hstack([np.eye(n)[first] - np.eye(n)[second], np.ones((len(first), 1))])
    excess = np.full(len(first), ratio_of(units))
    theta, spread = _climb(design, wins[first, second], games[first, second], excess)
    return Rating(float(ELO * theta[n]), float(Z95 * ELO * math.sqrt(max(spread[n, n], 0.0))))


def _climb(
    design: Array, wins: Array, games: Array, excess: Array, meat: Meat | None = None
) -> tuple[Array, Array]:
    """The most likely parameters, float64[k], by Newton's method, and their covariance.

    `design`: float64[m, k], how much of each parameter is in the log odds of a win in each of
    m kinds of game; `wins`, `games`, `excess`: float64[m].
    """
    import numpy as np

    theta = np.zeros(design.shape[1])

    def climb(theta: Array) -> float:
        gap = design @ theta
        data = -(wins * np.logaddexp(0, -gap) + (games - wins) * np.logaddexp(0, gap)).sum()
        prior = -PRIOR / 2 * (np.logaddexp(0, -theta) + np.logaddexp(0, theta)).sum()
        return float(data + prior)

    for _ in range(200):
        p, own = _expected(design @ theta), _expected(theta)
        slope = design.T @ (wins - games * p) + PRIOR * (0.5 - own)
        step = np.linalg.solve(_information(design, games, p, own), slope)
        step *= min(1.0, 2.0 / max(float(np.abs(step).max(initial=0.0)), 1e-300))
        here = climb(theta)
        while climb(theta + step) < here and float(np.abs(step).max(initial=0.0)) > 1e-12:
            step /= 2
        theta = theta + step
        if float(np.abs(step).max(initial=0.0)) < 1e-10:
            break
    p, own = _expected(design @ theta), _expected(theta)
    information = _information(design, games, p, own)
    bread = np.linalg.inv(information)
    filling = (
        _information(design, games * excess, p, own) if meat is None else meat(theta, information)
    )
    return theta, bread @ filling @ bread


def _expected(x: Array) -> Array:
    """The logistic function, without overflow."""
    import numpy as np

    return np.asarray(0.5 * (1 + np.tanh(x / 2)))


def _information(design: Array, games: Array, p: Array, own: Array) -> Array:
    """The Fisher information, float64[k, k], prior included."""
    import numpy as np

    curve = games * p * (1 - p)
    return np.asarray(design.T @ (curve[:, None] * design) + np.diag(PRIOR * own * (1 - own)))
