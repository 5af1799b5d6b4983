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

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon_tournament.records.record import Record
from dragon_tournament.statistics.elo import Z95, as_student
from dragon_tournament.statistics.pairs import Played, observation

if TYPE_CHECKING:
    import numpy as np

    Numbers = Sequence[int] | np.ndarray[Any, np.dtype[np.int64]]

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

    labels: dict[tuple[str, ...], int] = {}
    told = [
        (number, labels.setdefault(label, len(labels)), payoff)
        for number, kind in enumerate(kinds)
        for label, payoff in _shares(kind)
    ]
    if not told:
        return {}
    number, label, payoff = (np.array(column) for column in zip(*told, strict=True))
    # a row of `told` for each game and each of its shares
    each = np.bincount(number, minlength=len(kinds))[which]
    begin = np.searchsorted(number, which)
    row = np.repeat(begin - np.cumsum(each) + each, each) + np.arange(each.sum())
    _, unit = np.unique(np.repeat(units, each), return_inverse=True)
    cells, cell = np.unique(unit * len(labels) + label[row], return_inverse=True)
    owner, games, paid = cells % len(labels), np.bincount(cell), np.bincount(cell, payoff[row])
    observed = np.bincount(owner)
    played = np.bincount(owner, games)
    mean = np.bincount(owner, paid) / played
    spread = np.bincount(owner, (paid - mean[owner] * games) ** 2)
    return {
        name: Payoff(
            float(mean[i]), _error(spread[i], played[i], int(observed[i])), int(observed[i])
        )
        for name, i in labels.items()
    }


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


def _error(spread: float, games: float, observations: int) -> float | None:
    """The half-width from the squares of the residuals, added up."""
    if observations < 2:
        return None
    error = (spread * observations / (observations - 1)) ** 0.5 / games
    return float(as_student(Z95, observations - 1) * error) if error > NOTHING else None
