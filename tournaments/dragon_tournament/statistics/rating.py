"""Rating: Elo by maximum likelihood, and what the first seat is worth, with 95% errors.

The model is Bradley and Terry's with an advantage of the first of two seats (Davidson and Beaver
1977): a player whose Elo is d higher than its opponent's, d + s in the first seat, scores
1 / (1 + 10 ** (-d / 400)) a game on average. A draw is half a win and half a loss (Zermelo 1929;
Hunter 2004). Strengths and seat are fitted to all games at once. Each of them has one drawn game
more, players against an opponent of average strength. That keeps them finite after perfect scores.

Errors are those of a sandwich (White 1982; Liang and Zeger 1986): observations are independent of
one another, and the games of one are not. The quantile is Student's. Ratings
are relative to the mean of the players.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import frozen

from dragon_tournament.statistics.elo import ELO
from dragon_tournament.statistics.model import Model, logistic
from dragon_tournament.statistics.pairs import Played, compare
from dragon_tournament.statistics.sandwich import Slopes, half_widths
from dragon_tournament.statistics.tally import Tally, codes, joined

Array = np.ndarray[Any, np.dtype[Any]]


@frozen
class Rating:
    """Elo, and the half-width of its 95% interval."""

    elo: float
    error: float | None
    """None where there are too few observations to tell."""


@frozen
class Ratings:
    """The ratings of a fit: an expected score follows from sums of these."""

    players: dict[str, Rating]
    """Relative to the mean of the players."""
    first_seat: Rating | None
    """What the first of two seats is worth; None where it cannot be separated from strength."""


@frozen
class Comparisons:
    """The scores of pairs of players; arrays[m]. Players are numbers from 0."""

    unit: Array
    """The observation."""
    first: Array
    second: Array
    seat: Array
    """1 where `first` had the first of two seats, 0 where there are other than two."""
    weight: Array
    """Games; those of n seats give n - 1 to each seat, which make one game."""
    share: Array
    """What the first scored of each."""

    @property
    def seated(self) -> bool:
        """Return True if two players met in both seats, which separates seat from strength."""
        least = np.minimum(self.first, self.second)
        most = np.maximum(self.first, self.second)
        two = codes(least, most)[self.seat != 0]
        both = (self.first < self.second)[self.seat != 0]
        return bool(np.intersect1d(two[both], two[~both]).size)


def ratings(tally: Tally, names: Sequence[str]) -> Ratings:
    """The rating of each player named, of those in the tally."""
    return fit(comparisons(tally, names), names)


def comparisons(tally: Tally, names: Sequence[str]) -> Comparisons:
    """Every two opponents of every game.

    A player that met itself has shown nothing.
    """
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
