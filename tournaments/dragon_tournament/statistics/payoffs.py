"""Payoffs: what games pay a player on the mean, with its 95% interval.

A game that pays 1, 0 and -1 is told by wins and draws. Where payoffs have several sizes, or two
sides can gain together, it is *graded*: who wins most games need not gain most, and players are
ranked by the mean.

All games of an observation (`pairs.observation`) depend on the same luck, whoever plays them. So
the sums of observations are what varies, and the mean of a game is a ratio: the payoffs of all
observations by their games (Cochran, Sampling Techniques, 1977, section 6.3). Their number less
one are the degrees of freedom of Student's distribution.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon_tournament.records.record import Record
from dragon_tournament.statistics.elo import Z95, as_student
from dragon_tournament.statistics.pairs import Played, observation

if TYPE_CHECKING:
    from array import array

    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]
    Numbers = Sequence[int] | array[int]

Payoffs = dict[tuple[str, ...], "Payoff"]
"""Of each player `(name,)`; of a player in its games against another `(name, other)`."""
NOTHING = 1e-9
"""Errors below this, in payoffs, are rounding."""


@frozen
class Payoff:
    """What a game paid on the mean."""

    mean: float
    error: float | None
    """The half-width of the 95% interval; None where observations are one, or all the same."""
    observations: int


def graded(games: Iterable[Played]) -> bool:
    """Whether payoffs tell more than points: of equal points not all were paid the same.

    It is asked of records whose game is not known.
    """
    paid: dict[float, float] = {}
    return any(
        paid.setdefault(points, payoff) != payoff
        for game in games
        for points, payoff in zip(game.points, game.scores, strict=True)
    )


def payoffs(records: Sequence[Record]) -> Payoffs:
    """The mean payoffs of all players, and of every two that met."""
    units = [hash(observation(r.deal, r.opening, r.position)) for r in records]
    return payoffs_of(records, range(len(records)), units)


def payoffs_of(kinds: Sequence[Played], which: Numbers, units: Numbers) -> Payoffs:
    """The same of games that are counted: of each the number of its kind, and its observation."""
    import numpy as np

    shares: defaultdict[tuple[str, ...], list[tuple[int, float]]] = defaultdict(list)
    for number, kind in enumerate(kinds):
        for label, payoff in _shares(kind):
            shares[label].append((number, payoff))
    size = np.bincount(which, minlength=len(kinds))
    ends = np.cumsum(size)
    sorted_units = np.asarray(units)[np.argsort(which, kind="stable")]
    of_kind = np.split(sorted_units, ends[:-1])
    return {
        label: _mean(
            np.concatenate([of_kind[number] for number, _ in own]),
            np.repeat([payoff for _, payoff in own], [size[number] for number, _ in own]),
        )
        for label, own in shares.items()
    }


def _mean(units: Array, payoffs: Array) -> Payoff:
    """The mean of payoffs, int64[n] and float64[n]: of each its observation, and what was paid."""
    import numpy as np

    _, cell = np.unique(units, return_inverse=True)
    games, paid = np.bincount(cell), np.bincount(cell, payoffs)
    mean, observations = float(payoffs.mean()), len(games)
    if observations < 2:
        return Payoff(mean, None, observations)
    spread = float(((paid - mean * games) ** 2).sum())
    error = math.sqrt(spread * observations / (observations - 1)) / len(payoffs)
    far = as_student(Z95, observations - 1)
    return Payoff(mean, far * error if error > NOTHING else None, observations)


def _shares(game: Played) -> Iterator[tuple[tuple[str, ...], float]]:
    """What a game tells: of each seat its player's payoff, and the same against each opponent."""
    for seat, name in enumerate(game.seats):
        yield (name,), game.scores[seat]
        others = {
            other
            for other, team in zip(game.seats, game.teams, strict=True)
            if other != name and team != game.teams[seat]
        }
        for other in sorted(others):
            yield (name, other), game.scores[seat]
