"""Probabilities: exact, as fractions of the hands that there are, or estimates with an error."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import Any

from attrs import evolve, frozen

from dragon.percent import percent


@frozen
class Probability:
    """A probability: exact, as a fraction too, or an estimate with its standard error."""

    p: float
    numerator: int | None = None
    denominator: int | None = None
    error: float = 0.0
    hands: int | None = None
    """The number of hands drawn for an estimate."""
    interval: tuple[float, float] | None = None
    """The 95% confidence interval of an estimate."""

    @classmethod
    def of(cls, value: Fraction, total: int) -> Probability:
        """Return an exact probability, out of `total` if that divides, else in lowest terms."""
        scaled = value * total
        if scaled.denominator == 1:
            return cls(float(value), int(scaled), total)
        return cls(float(value), value.numerator, value.denominator)

    @classmethod
    def estimated(cls, hits: int, n: int) -> Probability:
        """Return an estimate from the successes among n hands drawn independently.

        For its error one success and one failure are added, so that 0 of n hands are never
        a certainty; the interval is that of Wilson 1927.
        """
        p, rough, z = hits / n, (hits + 1) / (n + 2), 1.959964
        middle = p + z * z / (2 * n)
        half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
        error = sqrt(rough * (1 - rough) / n)
        return cls(p, error=error, hands=n, interval=(max(0.0, low), min(1.0, high)))

    @property
    def exact(self) -> bool:
        """True unless the probability is an estimate."""
        return self.hands is None

    @property
    def fraction(self) -> Fraction:
        """The value of an exact probability; raises ValueError for an estimate."""
        if self.numerator is None or self.denominator is None:
            raise ValueError("an estimate is not a fraction; look at p, error and interval")
        return Fraction(self.numerator, self.denominator)

    def plain(self) -> dict[str, Any]:
        """Return the documented object."""
        found: dict[str, Any] = {
            "p": self.p,
            "numerator": self.numerator,
            "denominator": self.denominator,
            "error": self.error,
            "exact": self.exact,
        }
        if not self.exact:
            found |= {"hands": self.hands, "interval": self.interval}
        return found

    def less(self) -> Probability:
        """Return the probability of the complement."""
        if self.numerator is not None and self.denominator is not None:
            return Probability.of(1 - self.fraction, self.denominator)
        ends = self.interval and (1 - self.interval[1], 1 - self.interval[0])
        return evolve(self, p=1 - self.p, interval=ends)

    @property
    def percent(self) -> str:
        """The probability as people read it: 34.33%, and >99.99% or <0.01% at the ends."""
        return percent(self.p if self.numerator is None else self.fraction)


@frozen
class Kept:
    """The probability that a hand is kept after this number of mulligans."""

    mulligans: int
    cards: int
    share: Probability

    def plain(self) -> dict[str, Any]:
        """Return the documented object."""
        return {"mulligans": self.mulligans, "cards": self.cards, **self.share.plain()}


@frozen
class Found:
    """The probabilities of each formula, any and all; of keeping, and of the condition given."""

    shares: list[Probability]
    kept: tuple[Kept, ...] = ()
    given: Probability | None = None
