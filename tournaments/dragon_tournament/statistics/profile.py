"""Profile: how soon, and how well, solvers solve the same instances. Pure functions of records.

The performance profile (Dolan and Moré 2002) says for each ratio how many of the instances a
solver has solved within so many times the time of the quickest. The cactus plot says how many
it has solved within each time.

The anytime curve says how good the answers were at each moment, over all instances. Of lines the
quality is what the best one so far pays, from 0 (none yet, or the worst that pays) to 1 (as much
as the best known). Of proofs it is 1 while the value is right, proven or not. Of estimates there
is an error instead, and it is the less the better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from dragon_tournament.records.attempt import Claim, Sought
from dragon_tournament.records.record import Reason, Record

LEAST = 1e-6  # seconds: the clock shows nothing shorter, so that no ratio is infinite
EPSILON = 1e-6  # values that differ by less are the same

Curve = list[tuple[float, float]]


def solved(record: Record, seat: int) -> float:
    """The seconds in which a seat has solved the instance; infinite if it did not.

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


def quality(record: Record) -> Callable[[float], float]:
    """Return the function that makes a quality of a value, or of the error of an estimate."""
    known = best_known(record)
    if record.sought is Sought.LINE:
        every = [value for attempt in record.attempts for _, value in attempt.curve]
        low = min([0.0, *every])
        span = (known or 0.0) - low
        return lambda value: (value - low) / span if span > 0 else 1.0
    if record.sought is Sought.ESTIMATE:
        return lambda value: abs(value - (known or 0.0))
    return lambda value: float(known is not None and abs(value - known) <= EPSILON)


def best_known(record: Record) -> float | None:
    """The instance's value as far as the record tells: given, paid by a line, or proven."""
    if record.sought is Sought.LINE:
        paid = [value for attempt in record.attempts for _, value in attempt.curve]
        return max(paid + ([] if record.truth is None else [record.truth]), default=None)
    if record.truth is not None:
        return record.truth
    sound = (Claim.CHECKED, Claim.UNCHECKED)
    return next((a.value for a in record.attempts if a.claim in sound), None)


def anytime(records: Iterable[Record], names: Sequence[str]) -> dict[str, Curve]:
    """For each player the mean quality over all instances, from each moment on.

    Of estimates the mean error, from the moment when it had an answer to every instance that
    it answered at all.
    """
    changes: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    begun: dict[str, float] = dict.fromkeys(names, 0.0)
    count: dict[str, int] = dict.fromkeys(names, 0)
    for record in records:
        errors = record.sought is Sought.ESTIMATE
        worth = quality(record)
        for name, attempt in zip(record.seats, record.attempts, strict=False):
            if errors and not attempt.curve:
                continue
            count[name] += 1
            here = 0.0
            for at, value in attempt.curve:
                now = worth(value)
                if now != here:
                    changes[name].append((at, now - here))
                here = now
            if not errors and not attempt.curve and attempt.solved is not None:
                changes[name].append((attempt.solved, 1.0))  # it has proven that there is none
            if errors:
                begun[name] = max(begun[name], attempt.curve[0][0])
    return {name: _means(changes[name], count[name], begun[name]) for name in names}


def _means(changes: list[tuple[float, float]], count: int, begun: float) -> Curve:
    """The running mean where it changes, not before `begun`."""
    curve: Curve = []
    total = 0.0
    for at, change in sorted(changes):
        total += change
        mean = max(total / count, 0.0) if total > 1e-12 * count else 0.0
        place = max(at, begun)
        if curve and curve[-1][0] == place:
            curve.pop()
        curve.append((place, mean))
    if not curve and count and math.isfinite(begun) and begun > 0:
        curve.append((begun, 0.0))
    return curve
