"""Rounds: what happened so far where who meets next depends on it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

from attrs import frozen

from dragon_tournament.statistics.pairs import Played


@frozen
class Bout:
    """Two players that met in a round, or one that sat it out, and the points they made."""

    players: tuple[str, ...]
    points: tuple[float, ...]


def bout_of(players: tuple[str, ...], played: Iterable[Played], games: int) -> Bout | None:
    """Return the result of an encounter of so many games; None while it goes on.

    Who sits out has the points of all of them.
    """
    if len(players) == 1:
        return Bout(players, (float(games),))
    ours = [record for record in played if set(record.seats) == set(players)]
    if len(ours) < games:
        return None
    return Bout(
        players, tuple(math.fsum(r.points[r.seats.index(name)] for r in ours) for name in players)
    )


def totals(history: Iterable[Sequence[Bout]]) -> defaultdict[str, float]:
    """The points of each player, over all rounds."""
    points: defaultdict[str, float] = defaultdict(float)
    for stage in history:
        for bout in stage:
            for name, made in zip(bout.players, bout.points, strict=True):
                points[name] += made
    return points
