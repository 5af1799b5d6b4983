"""Model: strengths and the first seat's advantage, and how likely they make results.

The matrices of very many players are applied and never held: only who met whom is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

PRIOR = 1.0
"""Games drawn beforehand."""


class Model:
    """The kinds of game, arrays[m], and n strengths with the seat's advantage after them.

    Matrices are applied, not held.
    """

    def __init__(self, n: int, first: Array, second: Array, seat: Array, games: Array) -> None:
        self.n, self.first, self.second, self.seat, self.games = n, first, second, seat, games

    def gaps(self, values: Array) -> Array:
        """The log odds of each kind of game."""
        import numpy as np

        return np.asarray(values[self.first] - values[self.second] + self.seat * values[self.n])

    def back(self, rest: Array) -> Array:
        """The transpose of `gaps`."""
        import numpy as np

        found = np.zeros(self.n + 1)
        found += np.bincount(self.first, rest, self.n + 1)
        found -= np.bincount(self.second, rest, self.n + 1)
        found[self.n] += (self.seat * rest).sum()
        return found

    def weights(self, values: Array) -> tuple[Array, Array]:
        """The Fisher information of each kind of game, and of the games drawn beforehand."""
        p, own = logistic(self.gaps(values)), logistic(values)
        return self.games * p * (1 - p), PRIOR * own * (1 - own)

    def diagonal(self, values: Array) -> Array:
        """The diagonal of `information`."""
        import numpy as np

        weight, found = self.weights(values)
        found += np.bincount(self.first, weight, self.n + 1)
        found += np.bincount(self.second, weight, self.n + 1)
        found[self.n] += (self.seat * weight).sum()
        return np.asarray(found)

    def information(self, values: Array) -> Array:
        """The Fisher information, float64[n + 1, n + 1]."""
        import numpy as np

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
        import numpy as np

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
        import numpy as np

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
    import numpy as np

    return np.asarray(0.5 * (1 + np.tanh(x / 2)))
