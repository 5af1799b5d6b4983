"""The Elo of one player over another by maximum likelihood from observations, and its interval.

Logistic Elo gives the expected points per game. Normalised Elo measures the difference in standard
deviations of a game's score, which determines the number of games that show it. The 95% interval
holds every difference that the counts do not contradict (a likelihood ratio, compared with
Student's distribution); it is correct after few games and after perfect scores.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from statistics import NormalDist

from attrs import evolve, frozen

from dragon_tournament.statistics.multinomial import EPSILON, Sample, tilt

Z95 = NormalDist().inv_cdf(0.975)
NORMALISED = 800 / math.log(10)
"""Normalised Elo of a mean score one standard deviation (of a game's score) above one half."""
ELO = 400 / math.log(10)
"""Elo points in a unit of natural log odds."""
EVEN = 0.25
"""The variance of an even game, which is added: results that hardly varied may vary later."""
FEW = 2
"""This number of observations contradicts no difference."""
PRECISE = 1e-4
"""A difference in Elo that does not matter."""


@frozen
class Elo:
    """The strength of the first of two players relative to the second."""

    score: float
    """Points per game, from 0 to 1."""
    elo: float
    """Infinite after perfect scores."""
    low: float
    """The lower end of the 95% interval; infinite where it is open."""
    high: float
    superiority: float | None
    """The likelihood of superiority: the probability that the first is the stronger.

    None after one observation, which does not show how much observations vary.
    """

    @property
    def turned(self) -> Elo:
        """The strength of the second player relative to the first."""
        return evolve(
            self, score=1 - self.score, elo=-self.elo, low=-self.high, high=-self.low,
            superiority=None if self.superiority is None else 1 - self.superiority,
        )  # fmt: skip


def expected(elo: float) -> float:
    """The expected points per game of a player that is `elo` stronger.

    >>> round(expected(400), 3)
    0.909
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The inverse of `expected`; infinite at 0 and 1."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


@lru_cache(4096)  # text, page and JSON ask for the same; in a Swiss most meetings are alike
def elo(samples: tuple[Sample, ...]) -> Elo | None:
    """The Elo of the player whose scores the samples hold; None without any games."""
    found = _Ratio([s for s in samples if s.size])
    if not found.games:
        return None
    score, freedom = found.score, max(found.size - 1, 1.0)
    far = as_student(Z95, freedom)
    middle, low, high = elo_of(score), -math.inf, math.inf
    lead = math.copysign(found.distance(0.5), found.centre - 0.5)
    if found.size > FEW and found.games > 2 * found.size and 0 < score < 1:
        low, high, lead = *found.wilson(far), found.lead  # as means of many games are
    elif found.size > FEW:
        low = found.edge(-1, far) if score > 0 else low
        high = found.edge(1, far) if score < 1 else high
    return Elo(
        score=score,
        elo=middle,
        low=low,
        high=high,
        superiority=NormalDist().cdf(_as_normal(lead, freedom)) if found.size > 1 else None,
    )


class _Ratio:
    """Observations with any numbers of games, whose mean score is a ratio: points by games.

    Under a hypothesis about it each observation has a residual, its points less those that its
    games should bring, and the mean of the residuals is 0. Of all distributions over the
    observations for which that holds, one is the most likely (Owen 1988, 1990).
    """

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.size = sum(s.size for s in samples)
        self.games = sum(s.size * s.games for s in samples)
        if not self.games:
            return
        self.score = sum(s.mean * s.size * s.games for s in samples) / self.games
        rows: list[tuple[float, float, float]] = [  # mean scores, games and counts
            (x, s.games, n) for s in samples for x, n in zip(s.values, s.counts, strict=True) if n
        ]
        self.spread = sum(n * (m * (x - self.score)) ** 2 for x, m, n in rows) / self.games
        many = self.games / self.size
        made = {x for x, _, _ in rows}
        rows += [(x, many, EPSILON) for x in (0.0, 0.5, 1.0) if x not in made]
        self.rows = rows
        size = sum(n for _, _, n in rows)
        self.shares = [n / size for _, _, n in rows]
        self.counts = [n for _, _, n in rows]
        self.centre = sum(x * m * n for x, m, n in rows) / sum(m * n for _, m, n in rows)
        self.best = self._likelihood(self.centre)  # EPSILONs draw it beside the score

    def _likelihood(self, score: float) -> float:
        shares, _ = tilt(self.shares, [m * (x - score) for x, m, _ in self.rows])
        return sum(n * math.log(p) for n, p in zip(self.counts, shares, strict=True))

    def distance(self, score: float) -> float:
        """The distance of a score from the counts: the root of the deviance, in deviations."""
        return math.sqrt(max(2 * (self.best - self._likelihood(score)), 0.0))

    @property
    def even(self) -> float:
        """The variance that the mean score would have if the players were equal.

        An uneven score lowers the observed variance, so it is scaled to a score of one half, as the
        variance of a coin would be; EVEN is added. The variances are corrected for the mean score,
        which is estimated from the same observations.
        """
        varied = self.spread * self.size / max(self.size - 1, 1)
        coins = self.games * self.score * (1 - self.score) + varied
        return (self.games * varied + EVEN * coins / (coins + EVEN)) / (4 * self.games * coins)

    @property
    def lead(self) -> float:
        """The distance of the score from an even one, in standard deviations."""
        return (self.score - 0.5) / math.sqrt(self.even)

    def wilson(self, far: float) -> tuple[float, float]:
        """The Elo of the scores less than `far` from the counts (Wilson 1927, by `even`)."""
        wide = 4 * self.even * far**2
        middle = self.score + wide / 2
        half = math.sqrt(wide * self.score * (1 - self.score) + wide**2 / 4)
        return elo_of((middle - half) / (1 + wide)), elo_of((middle + half) / (1 + wide))

    def edge(self, side: int, far: float) -> float:
        """The lowest Elo that is less than `far` from the counts; with `side` 1 the highest.

        Few counts may contradict no strength: if a player would have less than EPSILON of all
        points, only the EPSILONs that stand for zeros bound the interval, and it is open.
        """
        most = elo_of(1 - EPSILON / self.games / 2)
        near = max(min(elo_of(self.score), most), -most)
        inside, outside = near, side * most
        if self.distance(expected(outside)) < far:
            return side * math.inf
        while abs(outside - inside) > PRECISE:
            middle = (inside + outside) / 2
            if self.distance(expected(middle)) < far:
                inside = middle
            else:
                outside = middle
        left = 1 - expected(outside) if side > 0 else expected(outside)
        return outside if left * self.games > EPSILON else side * math.inf


def as_student(z: float, freedom: float) -> float:
    """The quantile of Student's distribution where the normal one has z (Wallace 1959).

    The variance of few observations is uncertain, so the distance that contradicts a hypothesis is
    greater (Owen 1988).
    """
    z *= (8 * freedom + 3) / (8 * freedom + 1)
    return math.copysign(math.sqrt(freedom * math.expm1(z * z / freedom)), z)


def _as_normal(t: float, freedom: float) -> float:
    """The inverse of `as_student`."""
    z = math.copysign(math.sqrt(freedom * math.log1p(t * t / freedom)), t)
    return z * (8 * freedom + 1) / (8 * freedom + 3)
