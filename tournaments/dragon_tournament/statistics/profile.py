"""Profile: how soon solvers solve the same instances, whatever the scale of their times.

The performance profile (Dolan and Moré 2002) says for each ratio how many of the instances a
solver has solved within so many times the time of the quickest. The cactus plot says how many
it has solved within each time. Pure functions over the records of a race.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from dragon_tournament.records.record import Reason, Record

LEAST = 1e-6
"""Seconds: the clock shows nothing shorter, so that no ratio is infinite."""

Curve = list[tuple[float, float]]


def solved(record: Record, seat: int) -> float:
    """The seconds in which a seat has solved the instance; infinite where it has not.

    Where a record does not say, who has found the best that anybody found has solved it.
    """
    if record.attempts:
        own = record.attempts[seat].solved
        return math.inf if own is None else max(own, LEAST)
    if seat in record.failed or record.reason is Reason.ADJUDICATED:
        return math.inf
    best = max(s for i, s in enumerate(record.scores) if i not in record.failed)
    return max(record.seconds[seat], LEAST) if record.scores[seat] == best else math.inf


def times(records: Iterable[Record], names: Sequence[str]) -> dict[str, list[float]]:
    """The seconds of each player at each instance that it has tried."""
    found: dict[str, list[float]] = {name: [] for name in names}
    for record in records:
        for seat, name in enumerate(record.seats):
            found.setdefault(name, []).append(solved(record, seat))
    return found


def ratios(records: Iterable[Record], names: Sequence[str]) -> dict[str, list[float]]:
    """The times of each player by that of the quickest at the same instance; infinite likewise."""
    found: dict[str, list[float]] = {name: [] for name in names}
    for record in records:
        spent = [solved(record, seat) for seat in range(len(record.seats))]
        quickest = min(spent)
        for name, seconds in zip(record.seats, spent, strict=True):
            ratio = seconds / quickest if math.isfinite(seconds) else math.inf
            found.setdefault(name, []).append(ratio)
    return found


def profile(found: Sequence[float]) -> Curve:
    """The steps of a performance profile: each ratio, and the share of instances within it."""
    curve: Curve = []
    for count, value in enumerate(sorted(filter(math.isfinite, found)), 1):
        if curve and curve[-1][0] == value:
            curve.pop()
        curve.append((value, count / len(found)))
    return curve


def cactus(spent: Sequence[float]) -> list[float]:
    """The seconds of what was solved, ascending."""
    return sorted(filter(math.isfinite, spent))
