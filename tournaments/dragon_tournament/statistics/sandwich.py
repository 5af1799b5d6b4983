"""Sandwich: the errors of fitted parameters where whole observations vary, not games.

The sum of an observation's slopes, of the likelihood's logarithm, is what varies; whatever its
games have in common is in it. Information, what those sums vary by, and information again make
the covariance (White 1982; Liang and Zeger 1986).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from dragon_tournament.statistics.elo import EVEN, Z95, as_student
from dragon_tournament.statistics.model import Model
from dragon_tournament.statistics.tally import codes, joined

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

DOUBT = 3 * EVEN
"""The variance that is added, of three even games."""
DENSE = 1500
"""Players whose matrices are held, of 8 bytes a cell; the errors of more are estimated."""
PROBES = 16
"""Random sums of observations by which they are."""
EXACT = 8
"""Parameters whose errors are told exactly nevertheless."""
ROUGH = 1e-3
"""How exactly they are solved for."""
BLOCK = 4_000_000
"""Cells of a matrix that is held for a while."""


class Slopes:
    """The slopes of the likelihood, of each observation along each parameter it concerns.

    `rest`: what was scored less what was expected, of comparisons, arrays[m]; `unit`, their
    observations; `first`, `second` and `seat` as in `Comparisons`. The seat's parameter is the
    last one, after those of `n` players.
    """

    def __init__(
        self, n: int, unit: Array, first: Array, second: Array, seat: Array, rest: Array
    ) -> None:
        import numpy as np

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
        active = len(np.unique(self.column)) - 1  # only differences of strengths count
        self.results = int(results.max(initial=-1)) + 1
        self.spare = self.results - active

    @property
    def freedom(self) -> Array:
        """The degrees of freedom of each parameter.

        There are no more than observations that concern it, less one. Nor are there more than
        results of two players from one opening, less all parameters: three players that repeat
        themselves have three results, which any strengths and seat explain.
        """
        import numpy as np

        return np.minimum(np.bincount(self.column, minlength=self.columns) - 1, self.spare)

    @property
    def lost(self) -> float:
        """The factor of variances, since the fit has followed the results."""
        units, results = max(self.units - 1, 1), max(self.spare, 1)
        return max(self.units / units, self.results / results)

    def sum(self, signs: Array) -> Array:
        """The slopes of all observations, each with its sign, float64[n + 1]."""
        import numpy as np

        return np.bincount(self.column, self.value * signs[self.unit], self.columns)

    def products(self) -> Array:
        """Each observation's slopes times themselves, in all: float64[n + 1, n + 1]."""
        import numpy as np

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
    """Half of each 95% interval, float64[n + 1]: of strengths, relative to their mean, and seat.

    NaN where there are too few observations. What is seen to vary is never less than what
    DOUBT says, or than what games vary by of which there is less information.
    """
    import numpy as np

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

    First as if all other parameters were known. How much more they vary since the others are
    not is found by random sums of observations, and taken to be the same for all players but
    those of whom most is known, such as the first of a gauntlet, and the seat.
    """
    import numpy as np

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
