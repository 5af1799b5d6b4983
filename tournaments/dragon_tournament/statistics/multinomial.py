"""Counts of scores, and their likelihood under a hypothesis.

The likelihood is profiled: of all distributions over the possible scores that agree with the
hypothesis, the one most likely to give the counts is found. Two kinds of hypothesis are known:
a mean score, and a mean score in standard deviations above one half (a *t value*). Sources of
the method: M. Van den Bergh, "Comments on normalized Elo" and "Comparing the approximations
for the generalized log likelihood ratio of a multinomial distribution".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from attrs import field, frozen

EPSILON = 1e-3  # stands for a count of zero, so that no hypothesis is impossible
LARGE_T = 0.5  # beyond it there may be two such distributions, of which the rounds find either
LARGEST_T = 0.82  # beyond it `Sample.given_t` may go astray
CLOSE = 1e-7  # how near the rounds of `Sample.given_t` must come to the t that is wanted
GRID = 128  # deviations in a unit that are looked at where they do not


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
    """The number of games of one observation, whose score is their mean."""

    @property
    def size(self) -> float:
        """Observations."""
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The mean score."""
        return sum(n * x for n, x in zip(self.counts, self.values, strict=True)) / self.size

    def regular(self) -> Sample:
        """Replace every count of zero by EPSILON."""
        return Sample(self.values, [n or EPSILON for n in self.counts], self.games)

    def given_mean(self, mean: float) -> float:
        """The log-likelihood of the counts if the mean score were `mean`, in (0, 1)."""
        shares = _shares(self)
        tilted, _ = tilt(shares, [x - mean for x in self.values])
        return self._likelihood(tilted)

    def given_t(self, t: float) -> float:
        """The log-likelihood if the mean score were `t` standard deviations above one half.

        Raises ValueError for a t beyond LARGEST_T either way.
        """
        if not abs(t) <= LARGEST_T:
            raise ValueError(f"t must be within {LARGEST_T} of 0, not {t:g}")
        if t == 0:
            return self.given_mean(0.5)
        found = self._followed(t)
        mean, sigma = _moments(self.values, found)
        close = abs((mean - 0.5) / sigma - t) <= CLOSE
        if not close or abs(t) > LARGE_T:
            sought = self._sought(t)
            if sought and not (close and self._likelihood(sought) < self._likelihood(found)):
                found = sought
        return self._likelihood(found)

    def _followed(self, t: float) -> list[float]:
        """The distribution with that t, by rounds that nearly always converge, and quickly.

        Each round linearises the standard deviation around the distribution found last, as in
        section 4.1 of "Comments on normalized Elo". It begins with equal shares: from counts that
        hardly vary it would not converge.
        """
        shares = _shares(self)
        found, start = [1 / len(shares)] * len(shares), 0.0
        for _ in range(60):
            mean, sigma = _moments(self.values, found)
            before = found
            found, start = tilt(shares, _slopes(self.values, t, mean, sigma), start)
            if max(abs(p - q) for p, q in zip(found, before, strict=True)) < 1e-9:
                break
        return found

    def _sought(self, t: float) -> list[float] | None:
        """The most likely distribution with that t, by a search through all deviations."""
        shares = _shares(self)

        def tilted(sigma: float) -> tuple[list[float], float] | None:
            """The distribution, and how far its mean is from the one that belongs to sigma."""
            mean = 0.5 + t * sigma
            slopes = _slopes(self.values, t, mean, sigma)
            if not min(slopes) < 0 < max(slopes):
                return None
            found, _ = tilt(shares, slopes)
            return found, _moments(self.values, found)[0] - mean

        best: list[float] | None = None
        grid = [k / GRID for k in range(1, GRID // 2 + 1)]
        for low, high in pairwise(grid):
            here, there = tilted(low), tilted(high)
            if here is None or there is None or (here[1] > 0) == (there[1] > 0):
                continue
            for _ in range(60):
                middle = tilted((low + high) / 2)
                if middle is None:
                    break
                if (middle[1] > 0) == (here[1] > 0):
                    low, here = (low + high) / 2, middle
                else:
                    high = (low + high) / 2
            if best is None or self._likelihood(here[0]) > self._likelihood(best):
                best = here[0]
        return best

    def _likelihood(self, shares: Sequence[float]) -> float:
        return sum(n * math.log(p) for n, p in zip(self.counts, shares, strict=True) if n)


def _shares(sample: Sample) -> list[float]:
    size = sample.size
    return [n / size for n in sample.counts]


def _moments(values: Sequence[float], shares: Sequence[float]) -> tuple[float, float]:
    """The mean and the standard deviation of a distribution."""
    mean = sum(p * x for p, x in zip(shares, values, strict=True))
    spread = sum(p * (x - mean) ** 2 for p, x in zip(shares, values, strict=True))
    return mean, max(math.sqrt(spread), 1e-12)


def _slopes(values: Sequence[float], t: float, mean: float, sigma: float) -> list[float]:
    """The slopes of mean - 1/2 - t sigma by each share, around that mean and sigma."""
    return [x - 0.5 - 0.5 * t * sigma * (1 + ((mean - x) / sigma) ** 2) for x in values]


def tilt(
    shares: Sequence[float], slopes: Sequence[float], start: float = 0.0
) -> tuple[list[float], float]:
    """The distribution p = shares / (1 + k slopes) under which the mean of `slopes` is 0, and k.

    That is the most likely one (Owen 1988). k is the root of a falling function between two
    poles. Where a score was never made the root is so near to one of them that not k but its
    distance from the pole is sought, by Newton's method, kept in bounds. Where all slopes have one
    sign there is no such distribution, and the shares themselves are given back.
    """
    least, most = min(slopes), max(slopes)
    if not least < 0 < most:
        return list(shares), 0.0
    low, high = -1 / most, -1 / least
    middle = (low + high) / 2
    value = sum(p * h / (1 + middle * h) for p, h in zip(shares, slopes, strict=True))
    pole, steepest, sign = (high, least, -1.0) if value > 0 else (low, most, 1.0)
    terms = [(p, h, 1 - h / steepest, sign * h) for p, h in zip(shares, slopes, strict=True)]
    near, far = 0.0, (high - low) / 2
    distance = sign * (start - pole)
    if not 0 < distance < far:
        distance = far / 2
    for _ in range(200):
        value = fall = 0.0
        for p, h, base, slope in terms:
            tilted = h / (base + distance * slope)
            value += p * tilted
            fall += p * tilted * tilted
        near, far = (distance, far) if sign * value > 0 else (near, distance)
        step = distance + sign * value / fall
        if not near < step < far:
            step = math.sqrt(near * far) if near else far / 8
        if abs(step - distance) <= 1e-15 * distance:
            break
        distance = step
    found = [p / (base + distance * slope) for p, h, base, slope in terms]
    return found, pole + sign * distance
