"""Payoffs: what games pay a player on the mean, with its 95% interval.

A game that pays 1, 0 and -1 is told by wins and draws. Where payoffs have several sizes, or two
sides can gain together, it is *graded*: who wins most games need not gain most, and players are
ranked by the mean.

All games of an observation (`Tally.units`) depend on the same luck. So
the sums of observations are what varies, and the mean of a game is a ratio: the payoffs of all
observations by their games (Cochran, Sampling Techniques, 1977, section 6.3). Their number less
one are the degrees of freedom of Student's distribution.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from attrs import frozen

from dragon_tournament.statistics.elo import Z95, as_student
from dragon_tournament.statistics.pairs import Played
from dragon_tournament.statistics.tally import Tally, joined

Array = np.ndarray[Any, np.dtype[Any]]

Payoffs = dict[tuple[str, ...], "Payoff"]
"""Of each player `(name,)`; of a player in its games against another `(name, other)`."""
NOTHING = 1e-9  # errors below this, in payoffs, are rounding


@frozen
class Payoff:
    """The mean payoff of a game."""

    mean: float
    error: float | None
    """The half-width of the 95% interval; None where observations are one, or all the same."""
    observations: int


def graded(games: Iterable[Played]) -> bool:
    """Return True if payoffs tell more than points: of equal points not all were paid the same.

    It is asked of records whose game is not known.
    """
    paid: dict[float, float] = {}
    return any(
        paid.setdefault(points, payoff) != payoff
        for game in games
        for points, payoff in zip(game.points, game.scores, strict=True)
    )


def payoffs(tally: Tally) -> Payoffs:
    """The mean payoffs of all players, and of every two that met."""
    shares: defaultdict[tuple[str, ...], list[tuple[int, float]]] = defaultdict(list)
    for number, kind in enumerate(tally.kinds):
        for label, payoff in _shares(kind):
            shares[label].append((number, payoff))
    cells = tally.cells
    order = np.argsort(cells.kind, kind="stable")
    kinds, unit, count = cells.kind[order], cells.unit[order], cells.count[order]
    found: Payoffs = {}
    for label, own in shares.items():
        numbers, paid = (np.array(column) for column in zip(*own, strict=True))
        row, cell = joined(numbers, kinds)
        found[label] = _mean(unit[cell], count[cell], paid[row])
    return found


def _mean(units: Array, games: Array, payoffs: Array) -> Payoff:
    """The mean of payoffs, arrays[n]: an observation, games of it, and what each was paid."""
    _, cell = np.unique(units, return_inverse=True)
    played, paid = np.bincount(cell, games), np.bincount(cell, games * payoffs)
    total, observations = float(played.sum()), len(played)
    mean = float(paid.sum()) / total
    if observations < 2:
        return Payoff(mean, None, observations)
    spread = float(((paid - mean * played) ** 2).sum())
    error = math.sqrt(spread * observations / (observations - 1)) / total
    far = as_student(Z95, observations - 1)
    return Payoff(mean, far * error if error > NOTHING else None, observations)


def _shares(game: Played) -> Iterator[tuple[tuple[str, ...], float]]:
    """The payoffs of a game: of each seat's player, and of the player against each opponent."""
    for seat, name in enumerate(game.seats):
        yield (name,), game.scores[seat]
        across = zip(game.seats, game.teams, strict=True)
        for other in sorted({n for n, team in across if n != name and team != game.teams[seat]}):
            yield (name, other), game.scores[seat]
