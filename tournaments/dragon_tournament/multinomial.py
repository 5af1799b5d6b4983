"""Multinomial: how often each score was made, and how likely the counts are under a hypothesis.

The likelihood is profiled: of all distributions over the possible scores that agree with the
hypothesis, the one most likely to give the counts is found. Two kinds of hypothesis are known:
a mean score, and a mean score in standard deviations above one half (a *t value*). Sources of
the method: M. Van den Bergh, "Comments on normalized Elo" and "Comparing the approximations
for the generalized log likelihood ratio of a multinomial distribution".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from attrs import field, frozen

EPSILON = 1e-3
"""Stands for a count of zero, so that no hypothesis is impossible."""
LARGEST_T = 0.82
"""Beyond it the rounds of `Sample.given_t` may go astray."""


def _scores(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


@frozen
class Sample:
    """Counts of the scores that observations had.

    >>> sample = Sample((0.0, 0.5, 1.0), (20, 30, 50))
    >>> sample.size, sample.mean
    (100.0, 0.65)
    """

    values: tuple[float, ...] = field(converter=_scores)
    """The possible scores, ascending, from 0 to 1."""
    counts: tuple[float, ...] = field(converter=_scores)
    games: int = 1
    """How many games make one observation, whose score is their mean."""

    @property
    def size(self) -> float:
        """Observations."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The mean score."""
        return sum(n * x for n, x in zip(self.counts, self.values, strict=True)) / self.size

    @property
    def variance(self) -> float:
        """Of one observation's score."""
        mean = self.mean
        squares = ((x - mean) ** 2 for x in self.values)
        return sum(n * s for n, s in zip(self.counts, squares, strict=True)) / self.size

    def regular(self) -> Sample:
        """The same, with EPSILON for every count of zero."""
        return Sample(self.values, [n or EPSILON for n in self.counts], self.games)

    def given_mean(self, mean: float) -> float:
        """The log-likelihood of the counts if the mean score were `mean`, in (0, 1)."""
        shares = _shares(self)
        tilted, _ = _tilt(shares, [x - mean for x in self.values])
        return self._likelihood(tilted)

    def tilted(self, tilt: float) -> tuple[float, float]:
        """The mean score of a tilted distribution, and its deviance: how ill it suits the counts.

        It is the most likely one of all that have its mean (Owen 1988): the shares of the counts,
        each divided by 1 + c + tilt * score, where c makes them sum to 1. The deviance is twice
        the logarithm of the likelihood ratio. No count may be zero.
        """
        shares = _shares(self)
        steep = [tilt * x for x in self.values]
        low = max(p - h for p, h in zip(shares, steep, strict=True)) - 1
        high = -min(steep)
        c = -sum(p * h for p, h in zip(shares, steep, strict=True))
        for _ in range(100):
            if not low <= c <= high:
                c = (low + high) / 2
            least = [p / (1 + c + h) for p, h in zip(shares, steep, strict=True)]
            lack = sum(q * (c + h) for q, h in zip(least, steep, strict=True))  # of sum 1
            low, high = (c, high) if lack < 0 else (low, c)
            step = lack / sum(q / (1 + c + h) for q, h in zip(least, steep, strict=True))
            c -= step
            if abs(step) <= 1e-15 * abs(tilt):
                break
        mean = sum(q * x for q, x in zip(least, self.values, strict=True)) / sum(least)
        ratio = sum(n * math.log1p(c + h) for n, h in zip(self.counts, steep, strict=True))
        return mean, max(2 * ratio, 0.0)

    def given_t(self, t: float) -> float:
        """The log-likelihood if the mean score were `t` standard deviations above one half.

        Raises ValueError for a t beyond LARGEST_T either way.

        Each round linearises the standard deviation around the distribution found last, as in
        section 4.1 of "Comments on normalized Elo". It begins with equal shares: from counts that
        hardly vary it would go astray.
        """
        if not abs(t) <= LARGEST_T:
            raise ValueError(f"t must be within {LARGEST_T} of 0, not {t:g}")
        shares = _shares(self)
        found, start = [1 / len(shares)] * len(shares), 0.0
        for _ in range(60):
            mean = sum(p * x for p, x in zip(found, self.values, strict=True))
            spread = sum(p * (x - mean) ** 2 for p, x in zip(found, self.values, strict=True))
            sigma = max(math.sqrt(spread), 1e-12)
            slopes = [
                x - 0.5 - 0.5 * t * sigma * (1 + ((mean - x) / sigma) ** 2) for x in self.values
            ]
            before, (found, start) = found, _tilt(shares, slopes, start)
            if max(abs(p - q) for p, q in zip(found, before, strict=True)) < 1e-9:
                break
        return self._likelihood(found)

    def _likelihood(self, shares: Sequence[float]) -> float:
        return sum(n * math.log(p) for n, p in zip(self.counts, shares, strict=True) if n)


def _shares(sample: Sample) -> list[float]:
    size = sample.size
    return [n / size for n in sample.counts]


def _tilt(
    shares: Sequence[float], slopes: Sequence[float], start: float = 0.0
) -> tuple[list[float], float]:
    """The distribution p = shares / (1 + k slopes) under which the mean of `slopes` is 0, and k.

    That is the most likely one (Owen 1988). k is the root of a falling function between two
    poles, found by Newton's method, kept in by bisection. Where all slopes have one sign
    there is no such distribution, and the shares themselves are given back.
    """
    least, most = min(slopes), max(slopes)
    if not least < 0 < most:
        return list(shares), 0.0
    low, high = -1 / most, -1 / least
    exact = 1e-13 * (high - low)
    pairs = list(zip(shares, slopes, strict=True))
    k = start if low < start < high else 0.0
    for _ in range(100):
        value = fall = 0.0
        for p, h in pairs:
            tilted = h / (1 + k * h)
            value += p * tilted
            fall += p * tilted * tilted
        low, high = (k, high) if value > 0 else (low, k)
        step = k + value / fall if fall > 0 else low
        if not low < step < high:
            step = (low + high) / 2
        if abs(step - k) <= exact:
            break
        k = step
    return [p / (1 + k * h) for p, h in pairs], k
