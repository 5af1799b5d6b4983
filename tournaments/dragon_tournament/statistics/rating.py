"""Elo of all players and the advantage of the first seat, by maximum likelihood, with 95% errors.

The model is Bradley and Terry's with an advantage of the first of two seats (Davidson and Beaver
1977): a player whose Elo is d higher than its opponent's, d + s in the first seat, scores
1 / (1 + 10 ** (-d / 400)) a game on average. A draw is half a win and half a loss (Zermelo 1929;
Hunter 2004). Strengths and seat are fitted to all games at once. Each of them has one drawn game
more, players against an opponent of average strength. That keeps them finite after perfect scores.

Errors are those of a sandwich (White 1982; Liang and Zeger 1986): observations are independent of
one another, and the games of one are not. The sum of an observation's slopes of the log
likelihood is what varies. Information, the covariance of those sums, and information again make
the covariance of the fit. The quantile is Student's. Ratings are relative to the players' mean.

Matrices of very many players are applied and never held: only the pairs that met are kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from dragon_tournament.statistics.elo import ELO, EVEN, Z95, as_student
from dragon_tournament.statistics.pairs import Played, compare
from dragon_tournament.statistics.tally import Tally, codes, joined

Array = np.ndarray[Any, np.dtype[Any]]

PRIOR = 1.0
"""The number of drawn games that are added to each parameter, so that it stays finite."""
DOUBT = 3 * EVEN
"""The variance that is added: that of three even games."""
DENSE = 1500
"""The most players whose matrices are kept, of 8 bytes a cell; with more, errors are estimated."""
PROBES = 16
"""The number of random sums of observations by which they are estimated."""
EXACT = 8
"""The number of parameters whose errors are computed exactly nevertheless."""
ROUGH = 1e-3
"""The relative error with which they are solved."""
BLOCK = 4_000_000
"""The most cells of a temporary matrix."""


@frozen
class Rating:
    """Elo, and the half-width of its 95% interval."""

    elo: float
    error: float | None
    """None if there are too few observations."""


@frozen
class Ratings:
    """The ratings of a fit: an expected score follows from sums of these."""

    players: dict[str, Rating]
    """Relative to the mean of the players."""
    first_seat: Rating | None
    """The advantage of the first of two seats; None if it cannot be separated from strength."""


@frozen
class Comparisons:
    """The scores of pairs of players; arrays[m]. Players are numbers from 0."""

    unit: Array
    """The observation."""
    first: Array
    second: Array
    seat: Array
    """1 if `first` had the first of two seats, 0 for other numbers of seats."""
    weight: Array
    """Games; those of n seats give n - 1 to each seat, which make one game."""
    share: Array
    """The points of the first per game."""

    @property
    def seated(self) -> bool:
        """Return True if two players met in both seats, which separates seat from strength."""
        least = np.minimum(self.first, self.second)
        most = np.maximum(self.first, self.second)
        two = codes(least, most)[self.seat != 0]
        both = (self.first < self.second)[self.seat != 0]
        return not set(two[both].tolist()).isdisjoint(two[~both].tolist())


def ratings(tally: Tally, names: Sequence[str]) -> Ratings:
    """The rating of each player named, by the games of a tally."""
    return fit(comparisons(tally, names), names)


def comparisons(tally: Tally, names: Sequence[str]) -> Comparisons:
    """The scores of every two opponents of every game, without players that met themselves."""
    place = {name: i for i, name in enumerate(names)}
    found = [
        (number, *comparison)
        for number, kind in enumerate(tally.kinds)
        for comparison in _comparisons(kind, place)
    ]
    kind, first, second, seat, weight, share = np.array(found).reshape(-1, 6).T
    cells = tally.cells
    cell, row = joined(cells.kind, kind)
    return Comparisons(
        cells.unit[cell], first[row].astype(int), second[row].astype(int), seat[row],
        weight[row] * cells.count[cell], share[row],
    )  # fmt: skip


def _comparisons(
    game: Played, place: Mapping[str, int]
) -> Iterator[tuple[int, int, int, float, float]]:
    """Every two opponents: their numbers, the seat, the weight, and the share of the first."""
    weight, seat = 1 / max(len(game.seats) - 1, 1), int(len(game.seats) == 2)
    for j in range(len(game.seats)):
        for i in range(j):
            a, b = place[game.seats[i]], place[game.seats[j]]
            if a != b and game.teams[i] != game.teams[j]:
                yield a, b, seat, weight, compare(game, i, j)


def fit(found: Comparisons, names: Sequence[str]) -> Ratings:
    """Strengths and seat from comparisons."""
    n = len(names)
    if not n:
        return Ratings({}, None)
    seated = found.seated
    seat = found.seat * seated
    same = codes(found.first, found.second, seat.astype(int))
    _, at = np.unique(same, return_index=True)
    model = Model(n, found.first[at], found.second[at], seat[at], np.bincount(same, found.weight))
    values = model.climb(np.bincount(same, found.weight * found.share))
    rest = found.weight * (found.share - logistic(model.gaps(values))[same])
    slopes = Slopes(n, found.unit, found.first, found.second, seat, rest)
    errors = half_widths(model, values, slopes)
    fitted = [
        Rating(float(value), None if math.isnan(error) else float(error))
        for value, error in zip(ELO * values, ELO * errors, strict=True)
    ]
    mean = float(values[:n].mean()) * ELO
    players = {
        name: Rating(rating.elo - mean, rating.error)
        for name, rating in zip(names, fitted, strict=False)
    }
    return Ratings(players, fitted[n] if seated else None)


class Model:
    """The likelihood of n strengths and, last, the seat's advantage; arrays[m] of kinds of game.

    Matrices are applied, not held.
    """

    def __init__(self, n: int, first: Array, second: Array, seat: Array, games: Array) -> None:
        self.n, self.first, self.second, self.seat, self.games = n, first, second, seat, games

    def gaps(self, values: Array) -> Array:
        """The log odds of each kind of game."""
        return np.asarray(values[self.first] - values[self.second] + self.seat * values[self.n])

    def back(self, rest: Array) -> Array:
        """The transpose of `gaps`."""
        found = np.zeros(self.n + 1)
        found += np.bincount(self.first, rest, self.n + 1)
        found -= np.bincount(self.second, rest, self.n + 1)
        found[self.n] += (self.seat * rest).sum()
        return found

    def weights(self, values: Array) -> tuple[Array, Array]:
        """The Fisher information of each kind of game, and of the added games."""
        p, own = logistic(self.gaps(values)), logistic(values)
        return self.games * p * (1 - p), PRIOR * own * (1 - own)

    def diagonal(self, values: Array) -> Array:
        """The diagonal of `information`."""
        weight, found = self.weights(values)
        found += np.bincount(self.first, weight, self.n + 1)
        found += np.bincount(self.second, weight, self.n + 1)
        found[self.n] += (self.seat * weight).sum()
        return np.asarray(found)

    def information(self, values: Array) -> Array:
        """The Fisher information, float64[n + 1, n + 1]."""
        weight, _ = self.weights(values)
        found = np.zeros((self.n + 1, self.n + 1))
        np.add.at(found, (self.first, self.second), -weight)
        found += found.T
        found[self.n] = found[:, self.n] = self.back(self.seat * weight)
        np.fill_diagonal(found, self.diagonal(values))
        return found

    def solve(self, values: Array, right: Array, rough: float = 1e-7) -> Array:
        """The information's inverse times a vector, by conjugate gradients.

        `rough`: the error, as a share.
        """
        weight, own = self.weights(values)
        scale = self.diagonal(values)
        found = np.zeros(self.n + 1)
        rest = right.copy()
        way = near = rest / scale
        size = (rest * near).sum()
        aim = rough**2 * size
        for _ in range(10 * self.n + 100):
            if size <= aim:
                break
            image = self.back(weight * self.gaps(way)) + own * way
            step = size / (way * image).sum()
            found += step * way
            rest -= step * image
            near = rest / scale
            size, before = (rest * near).sum(), size
            way = near + size / before * way
        return found

    def climb(self, wins: Array) -> Array:
        """The most likely values, by Newton's method."""

        def height(values: Array) -> float:
            gap = self.gaps(values)
            data = wins * np.logaddexp(0, -gap) + (self.games - wins) * np.logaddexp(0, gap)
            prior = np.logaddexp(0, -values) + np.logaddexp(0, values)
            return float(-data.sum() - PRIOR / 2 * prior.sum())

        values = np.zeros(self.n + 1)
        for _ in range(200):
            slope = self.back(wins - self.games * logistic(self.gaps(values)))
            slope += PRIOR * (0.5 - logistic(values))
            step = self.solve(values, slope)
            step *= min(1.0, 2.0 / max(float(np.abs(step).max()), 1e-300))
            here = height(values)
            while height(values + step) < here and float(np.abs(step).max()) > 1e-12:
                step /= 2
            values = values + step
            if float(np.abs(step).max()) < 1e-10:
                break
        return values


def logistic(x: Array) -> Array:
    """The share of points at these log odds, without overflow."""
    return np.asarray(0.5 * (1 + np.tanh(x / 2)))


class Slopes:
    """The slopes of the likelihood, of each observation along each parameter it concerns.

    `rest`: what was scored less what was expected, of comparisons, arrays[m]; `unit`, their
    observations; `first`, `second` and `seat` as in `Comparisons`. The seat's parameter is the
    last one, after those of `n` players.
    """

    def __init__(
        self, n: int, unit: Array, first: Array, second: Array, seat: Array, rest: Array
    ) -> None:
        seated = seat != 0
        column = np.concatenate([first, second, np.full(seated.sum(), n)])
        value = np.concatenate([rest, -rest, (seat * rest)[seated]])
        every = np.concatenate([unit, unit, unit[seated]])
        key, same = np.unique(every * (n + 1) + column, return_inverse=True)
        self.value = np.bincount(same, value)
        self.column, self.columns = key % (n + 1), n + 1
        self.unit = np.cumsum(np.diff(key // (n + 1), prepend=key[:1] // (n + 1)) > 0)
        self.units = int(self.unit.max(initial=-1)) + 1
        results = codes(unit, np.minimum(first, second), np.maximum(first, second))
        active = int((np.bincount(self.column) > 0).sum()) - 1  # differences of strengths count
        self.results = int(results.max(initial=-1)) + 1
        self.spare = self.results - active

    @property
    def freedom(self) -> Array:
        """The degrees of freedom of each parameter.

        There are no more than observations that concern it, less one. Nor are there more than
        results of two players from one opening, less all parameters: three players that repeat
        themselves have three results, which any strengths and seat explain.
        """
        return np.minimum(np.bincount(self.column, minlength=self.columns) - 1, self.spare)

    @property
    def lost(self) -> float:
        """The factor that corrects variances, because the fit follows the results."""
        units, results = max(self.units - 1, 1), max(self.spare, 1)
        return max(self.units / units, self.results / results)

    def sum(self, signs: Array) -> Array:
        """The slopes of all observations, each with its sign, float64[n + 1]."""
        return np.bincount(self.column, self.value * signs[self.unit], self.columns)

    def products(self) -> Array:
        """The sum of the outer products of each observation's slopes: float64[n + 1, n + 1]."""
        size = self.columns
        many = (np.bincount(self.unit) ** 2).sum()
        if many < BLOCK:
            one, other = joined(self.unit, self.unit)
            place = self.column[one] * size + self.column[other]
            cells = np.bincount(place, self.value[one] * self.value[other], size * size)
            return np.asarray(cells.reshape(size, size))
        found = np.zeros((size, size))
        rows = max(BLOCK // size, 1)
        for begin in range(0, self.units, rows):
            low, high = np.searchsorted(self.unit, (begin, begin + rows))
            block = np.zeros((min(rows, self.units - begin), size))
            block[self.unit[low:high] - begin, self.column[low:high]] = self.value[low:high]
            found += block.T @ block
        return found


def half_widths(model: Model, values: Array, slopes: Slopes) -> Array:
    """The half-widths of 95% intervals, float64[n + 1]: strengths relative to their mean, and seat.

    NaN if there are too few observations. The observed variance is increased by DOUBT, or by the
    variance of the games if they have less information.
    """
    if model.n <= DENSE:
        information = model.information(values)
        bread = np.linalg.inv(information)
        bread[:-1] -= bread[:-1].mean(axis=0)
        doubt = DOUBT * information @ np.linalg.inv(information + DOUBT * np.eye(len(bread)))
        filling = slopes.lost * slopes.products() + doubt
        spread = ((bread @ filling) * bread).sum(axis=1)
    else:
        spread = _estimated(model, values, slopes)
    far = [as_student(Z95, one) if one > 0 else math.nan for one in slopes.freedom.tolist()]
    return np.asarray(np.array(far) * np.sqrt(spread.clip(0)))


def _estimated(model: Model, values: Array, slopes: Slopes) -> Array:
    """The variances of very many parameters, float64[n + 1].

    First they are computed as if all other parameters were known. Random sums of observations
    estimate the factor by which they are larger, since the others are not known. It is the same
    for all players, except the EXACT parameters with most information, such as the first player
    of a gauntlet, and the seat, which are computed exactly.
    """
    own = model.diagonal(values)
    alone = np.bincount(slopes.column, slopes.value**2, slopes.columns) / own**2
    rng, found = np.random.default_rng(0), np.zeros(slopes.columns)
    for _ in range(PROBES):
        signs = rng.choice((-1.0, 1.0), slopes.units)
        moved = model.solve(values, slopes.sum(signs), ROUGH)
        moved[:-1] -= moved[:-1].mean()
        found += moved**2 / PROBES
    spread = alone * (found[:-1].sum() / alone[:-1].sum())
    for number in np.argsort(own)[-EXACT:]:
        row = np.where(np.arange(len(own)) < model.n, (number < model.n) / -model.n, 0.0)
        row[number] += 1
        moved = model.solve(values, row, ROUGH)[slopes.column]
        spread[number] = (np.bincount(slopes.unit, slopes.value * moved) ** 2).sum()
    return np.asarray(slopes.lost * spread + DOUBT / (own * (own + DOUBT)))
