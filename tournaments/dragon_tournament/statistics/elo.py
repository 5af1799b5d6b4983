"""Elo of one player over another, by maximum likelihood from pairs, with what else is asked.

Logistic Elo says how many points a game are to be expected; normalised Elo measures the same in
standard deviations of a game's score, and so says how many games it takes to be seen. The 95%
interval holds every difference that the counts do not contradict (a likelihood ratio, held
against Student's distribution); it stays honest after few games and after perfect scores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

from attrs import frozen

from dragon_tournament.statistics.multinomial import EPSILON, Sample

Z95 = NormalDist().inv_cdf(0.975)
NORMALISED = 800 / math.log(10)
"""Normalised Elo of a mean score one standard deviation (of a game's score) above one half."""


@frozen
class Elo:
    """How much stronger the first of two players is than the second."""

    score: float
    """Points a game, from 0 to 1."""
    elo: float
    """Infinite after perfect scores."""
    low: float
    """The lower end of the 95% interval; infinite where it is open."""
    high: float
    normalised: float
    """Infinite where all scores are the same, but for a tie."""
    normalised_error: float
    """The half-width of its 95% interval."""
    superiority: float
    """The likelihood of superiority: how sure it is that the first is the stronger, from 0 to 1."""

    @property
    def error(self) -> float:
        """The half-width of the 95% interval of `elo`."""
        return (self.high - self.low) / 2


def expected(elo: float) -> float:
    """The points a game of a player that is `elo` stronger.

    >>> round(expected(400), 3)
    0.909
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The inverse of `expected`; infinite at 0 and 1."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def elo(samples: Sequence[Sample]) -> Elo | None:
    """The Elo of the player whose scores the samples hold; None without any games."""
    samples = [s for s in samples if s.size]
    if not samples:
        return None
    games = sum(s.size * s.games for s in samples)
    score = sum(s.mean * s.size * s.games for s in samples) / games
    regular = [s.regular() for s in samples]
    spread = sum(s.variance * s.size * s.games**2 for s in regular) / games
    far = as_student(Z95, _freedom(samples))
    return Elo(
        score=score,
        elo=elo_of(score),
        low=-math.inf if score <= 0 else elo_of(_edge(regular, 1.0, far)),
        high=math.inf if score >= 1 else elo_of(_edge(regular, -1.0, far)),
        normalised=_normalised(score, spread if any(s.variance for s in samples) else 0.0),
        normalised_error=Z95 * NORMALISED / math.sqrt(games),
        superiority=NormalDist().cdf(_as_normal(_lead(regular), _freedom(samples))),
    )


def _normalised(score: float, variance: float) -> float:
    if score == 0.5:
        return 0.0
    if variance == 0.0:
        return math.copysign(math.inf, score - 0.5)
    return (score - 0.5) / math.sqrt(variance) * NORMALISED


class _Tilted:
    """The distributions where a point more is less likely by some tilt than the counts say.

    Of all that have its mean score, each is the most likely one. The samples need not have that
    mean each: games without their return favour a seat, and say less of the players than pairs do.
    """

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.samples = samples
        self.games = sum(s.size * s.games for s in samples)
        self.spread = math.sqrt(sum(s.variance * s.size * s.games**2 for s in samples))
        """The standard deviation of all points together."""

    def mean(self, tilt: float) -> float:
        """The mean score of a game; it falls with the tilt."""
        found = [s.tilted(tilt * s.games)[0] * s.size * s.games for s in self.samples]
        return sum(found) / self.games

    def distance(self, tilt: float) -> float:
        """How far it is from the counts, in standard deviations: the root of the deviance."""
        return math.sqrt(sum(s.tilted(tilt * s.games)[1] for s in self.samples))


def _edge(samples: Sequence[Sample], side: float, far: float) -> float:
    """The lowest mean score that is less than `far` from the counts; with `side` -1 the highest.

    So few counts may contradict nothing at all: where less than EPSILON points of all would be
    left to a player, only the EPSILONs that stand for zeros hold the edge, and it is 0 or 1.
    """
    tilted = _Tilted(samples)
    tilt = _root(lambda tilt: tilted.distance(tilt) - far, side * far / tilted.spread)
    mean = tilted.mean(tilt)
    left = mean if side > 0 else 1 - mean
    return mean if left * tilted.games > EPSILON else (1 - side) / 2


def _lead(samples: Sequence[Sample]) -> float:
    """How far the counts are from those of equal players, below zero where they are behind."""
    tilted = _Tilted(samples)
    ahead = tilted.mean(0.0) - 0.5
    if not ahead:
        return 0.0
    side = math.copysign(1.0, ahead)
    near = ahead * tilted.games / tilted.spread**2
    return side * tilted.distance(_root(lambda tilt: side * (0.5 - tilted.mean(tilt)), near))


def _freedom(samples: Sequence[Sample]) -> float:
    """How well the spread of the counts is known: observations less one, and one at least."""
    return max(sum(s.size for s in samples) - 1, 1.0)


def as_student(z: float, freedom: float) -> float:
    """The quantile of Student's distribution where the normal one has z (Wallace 1959).

    Few observations tell little of how much they vary, so the distance that contradicts a
    hypothesis is greater (Owen 1988).
    """
    z *= (8 * freedom + 3) / (8 * freedom + 1)
    return math.copysign(math.sqrt(freedom * math.expm1(z * z / freedom)), z)


def _as_normal(t: float, freedom: float) -> float:
    """The inverse."""
    z = math.copysign(math.sqrt(freedom * math.log1p(t * t / freedom)), t)
    return z * (8 * freedom + 1) / (8 * freedom + 3)


def _root(function: Callable[[float], float], near: float) -> float:
    """Where a function that is below 0 at 0, and rises towards `near` and beyond, becomes 0.

    `near` is a guess of where that is. By false position, halving the value of an end that stays
    for long (Illinois).
    """
    near = math.copysign(min(abs(near), 1.0), near)  # far beyond the root nothing is exact
    inside, outside, below = 0.0, near, function(0.0)
    while (above := function(outside)) < 0 and abs(outside) < 1e8:
        inside, outside, below = outside, 4 * outside, above
    moved = 0  # which end was moved last: -1 the inner, 1 the outer
    for _ in range(100):
        if below >= 0 or abs(outside - inside) <= 1e-12 * abs(outside):
            break
        middle = (inside * above - outside * below) / (above - below)
        value = function(middle)
        if abs(value) < 1e-10:
            return middle
        if value < 0:
            above /= 2 if moved < 0 else 1
            inside, below, moved = middle, value, -1
        else:
            below /= 2 if moved > 0 else 1
            outside, above, moved = middle, value, 1
    return inside
