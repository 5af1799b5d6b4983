"""A probability from tries, with its interval (Wilson 1927)."""

from __future__ import annotations

from typing import Any

from attrs import frozen

Z = 1.959964
"""Standard deviations on either side of a 95 % interval."""


@frozen
class Estimate:
    """How often something happened in so many tries."""

    made: int
    samples: int

    @property
    def share(self) -> float:
        """The share of tries; 0.5 before the first."""
        return self.made / self.samples if self.samples else 0.5

    def interval(self, z: float = Z) -> tuple[float, float]:
        """Wilson's interval for the probability, 95 % by default; (0, 1) before the first try.

        >>> low, high = Estimate(10, 10).interval()
        >>> round(low, 3), round(high, 3)
        (0.722, 1.0)
        """
        low, high = wilson(self.made, self.samples, z)
        return float(low), float(high)


def wilson(made: Any, samples: Any, z: float) -> tuple[Any, Any]:
    """Both ends of Wilson's interval of z standard deviations, of numbers or whole arrays."""
    import numpy as np

    n = np.maximum(samples, 1)
    middle = (made + z * z / 2) / (n + z * z)
    half = z / (n + z * z) * np.sqrt(made * (n - made) / n + z * z / 4)
    low = np.where(made == 0, 0.0, middle - half)
    high = np.where(made == samples, 1.0, middle + half)
    return low, high
