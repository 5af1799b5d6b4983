"""Ratings for games of three and more seats, by the package openskill (extra `rating`).

Elo compares every two opponents; here a game is one ranking of its sides, under the model of
Plackett and Luce (Weng and Lin 2011). A player's skill is a bell curve, which every game moves and
makes narrower. Games are taken in the order of their ids, so that it does not matter which of
them ended first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any

from attrs import frozen

from dragon_tournament.records.record import Record
from dragon_tournament.statistics.elo import Z95

ABSENT = "openskill is not installed here: pip install 'dragon-search[rating]'"


@frozen
class Skill:
    """The middle of a player's curve, and the half-width of its 95% interval."""

    skill: float
    """25 before any game."""
    error: float


def available() -> bool:
    """Return True if openskill is installed."""
    return find_spec("openskill") is not None


def skills(records: Iterable[Record], names: Sequence[str]) -> dict[str, Skill]:
    """The skill of each player named; raises ImportError if openskill is not installed.

    A game in which a player sits on two sides says nothing about it, and is left out.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    known: dict[str, Any] = {name: model.rating(name=name) for name in names}
    for record in sorted(records, key=lambda r: r.id):
        seats = sides_of(record)
        sides = [sorted({record.seats[seat] for seat in side}) for side in seats]
        if len(sides) < 2 or len({name for side in sides for name in side}) < sum(map(len, sides)):
            continue
        before = [[known[name] for name in side] for side in sides]
        merits = [_merit(record, side) for side in seats]
        # 1 for the best; equal ones share a rank
        ranks = [1.0 + sum(other > merit for other in merits) for merit in merits]
        for side, after in zip(sides, model.rate(before, ranks=ranks), strict=True):
            known.update(zip(side, after, strict=True))
    return {name: Skill(known[name].mu, Z95 * known[name].sigma) for name in names}


def sides_of(record: Record) -> list[list[int]]:
    """The seats of each side."""
    seats: dict[int, list[int]] = {}
    for seat, team in enumerate(record.teams):
        seats.setdefault(team, []).append(seat)
    return list(seats.values())


def _merit(record: Record, seats: Sequence[int]) -> tuple[float, float]:
    """The merit of a side: points first; without points the mean score."""
    points = max(record.points[seat] for seat in seats)
    mean = math.fsum(record.scores[seat] for seat in seats) / len(seats)
    return points, 0.0 if points else mean
