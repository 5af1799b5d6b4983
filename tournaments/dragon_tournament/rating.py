"""Rating: Elo by maximum likelihood, with 95% errors.

The model is Bradley and Terry's: of two players whose Elo differs by d, the first scores
1 / (1 + 10 ** (-d / 400)) a game on average. A draw is half a win and half a loss
(Zermelo 1929; Hunter 2004). Every player has drawn one more game, against nobody in
particular: a player of average strength. That keeps ratings finite after perfect
scores, and weighs no more than one game. Errors come from the Fisher information, as if
games were independent; they are too small where a player repeats itself and a little too
large where draws are many. Ratings are relative to the mean of the players.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon_tournament.record import Record

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]

ELO = 400 / math.log(10)
"""Elo points in a unit of natural log odds."""
PRIOR = 1.0
"""Games drawn beforehand against a player of average strength."""
Z95 = 1.959964


@frozen
class Rating:
    """Elo relative to the mean of the players, and the half-width of its 95% interval."""

    elo: float
    error: float


def ratings(records: Iterable[Record], names: Sequence[str]) -> dict[str, Rating]:
    """The rating of each player named."""
    return fit(names, results(records, names))


def results(records: Iterable[Record], names: Sequence[str]) -> Array:
    """float64[n, n]: what each player has scored against each other.

    In a game of more than two seats, every two opponents are compared, with a weight
    that gives each seat one game in all. A player that met itself has shown nothing.
    """
    import numpy as np

    place = {name: i for i, name in enumerate(names)}
    score = np.zeros((len(names), len(names)))
    for record in records:
        weight = 1 / max(len(record.seats) - 1, 1)
        for i in range(len(record.seats)):
            for j in range(i):
                a, b = place[record.seats[i]], place[record.seats[j]]
                if a != b and record.teams[i] != record.teams[j]:
                    share = _compare(record, i, j)
                    score[a, b] += weight * share
                    score[b, a] += weight * (1 - share)
    return score


def _compare(record: Record, i: int, j: int) -> float:
    """1, 1/2 or 0 for seat i against seat j: points first, then scores among equals."""
    mine, other = (record.points[i], record.scores[i]), (record.points[j], record.scores[j])
    if 0 < mine[0] == other[0]:
        return 0.5
    return 0.5 if mine == other else float(mine > other)


def fit(names: Sequence[str], score: Array) -> dict[str, Rating]:
    """Ratings from the matrix of `results`, by Newton's method."""
    import numpy as np

    n = len(names)
    if n == 0:
        return {}
    games = score + score.T
    theta = np.zeros(n)

    def climb(theta: Array) -> float:
        gap = theta[:, None] - theta[None, :]
        data = -(score * np.logaddexp(0, -gap)).sum()
        prior = -PRIOR / 2 * (np.logaddexp(0, -theta) + np.logaddexp(0, theta)).sum()
        return float(data + prior)

    for _ in range(200):
        slope, information = _derivatives(theta, score, games)
        step = np.linalg.solve(information, slope)
        step *= min(1.0, 2.0 / max(float(np.abs(step).max(initial=0.0)), 1e-300))
        here = climb(theta)
        while climb(theta + step) < here and float(np.abs(step).max(initial=0.0)) > 1e-12:
            step /= 2
        theta = theta + step
        if float(np.abs(step).max(initial=0.0)) < 1e-10:
            break
    _, information = _derivatives(theta, score, games)
    centre = np.eye(n) - 1 / n
    spread = centre @ np.linalg.inv(information) @ centre
    elo, error = ELO * (theta - theta.mean()), Z95 * ELO * np.sqrt(np.diag(spread).clip(0))
    return {name: Rating(float(elo[i]), float(error[i])) for i, name in enumerate(names)}


def _derivatives(theta: Array, score: Array, games: Array) -> tuple[Array, Array]:
    """The gradient, float64[n], and the Fisher information, float64[n, n], prior included."""
    import numpy as np

    def expected(x: Array) -> Array:
        return np.asarray(0.5 * (1 + np.tanh(x / 2)))  # the logistic function, without overflow

    p = expected(theta[:, None] - theta[None, :])
    own = expected(theta)
    slope = (score - games * p).sum(axis=1) + PRIOR * (0.5 - own)
    curve = games * p * (1 - p)
    information = np.diag(curve.sum(axis=1) + PRIOR * own * (1 - own)) - curve
    return slope, information
