"""The comparison of the solvers of a race or an estimate, and the choice of the best.

The performance profile (Dolan and Moré 2002) gives for each ratio the share of the instances that a
solver has solved within that multiple of the quickest time. The cactus plot gives the number that
it has solved within each time.

The anytime curve gives the quality of the answers at each moment, over all instances. The quality
of lines is the payoff of the best one so far, from 0 (none yet, or the worst payoff) to 1 (as much
as the best known). That of proofs is 1 while the value is right, proven or not. Estimates have an
error instead, and a smaller one is better.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from attrs import frozen

from dragon_tournament.records.attempt import Attempt, Claim, Sought
from dragon_tournament.records.record import Reason, Record

NEAR = 2.0
"""A time up to this multiple of the quickest is nearly as good."""
ALIKE = 1.05
"""Times that differ by a smaller factor count as equal."""
DOUBT = 0.05
"""A lead that has this probability by chance alone is not significant."""
NAMES = 3
"""The most names that a sentence lists."""
LEAST = 1e-6  # seconds: the clock resolves no shorter times, so that no ratio is infinite
EPSILON = 1e-6  # values that differ by less are the same

Curve = list[tuple[float, float]]


@frozen(kw_only=True)
class Solver:
    """The results of one player on the instances."""

    name: str
    tried: int
    solved: int
    quickest: int
    """The number of instances on which no player was quicker."""
    near: int
    """The number of instances on which it took at most NEAR times the quickest time."""
    typical: float | None
    """The median ratio of its time to the quickest; None if it solved less than half."""
    first: float | None
    """The median seconds, as for `best` and `proof`; None if it got there on less than half."""
    best: float | None
    proof: float | None
    time: float | None
    """The median seconds to solve an instance."""
    wrong: int
    """Claims that were refuted."""
    disputed: int
    failed: int
    """Instances on which it failed otherwise: crashed, overran its time, broke the rules."""
    error: float | None
    """The mean error of its estimates; None if it has none."""
    cost: float
    """The mean logarithm of its ratios where it solved the instance; infinite if it solved none."""


@frozen(kw_only=True)
class Contest:
    """The results of a race or an estimate."""

    sought: Sought
    goal: str
    tolerance: float | None
    records: Sequence[Record]
    """A record for each instance."""
    unsolved: tuple[str, ...]
    """The instances that no player has solved."""
    solvers: tuple[Solver, ...]
    """The solvers, the best first."""
    lead: tuple[int, int]
    """The numbers of instances on which the first did better than the second, and worse."""
    ratios: Mapping[str, Sequence[float]]
    """The ratios of each player at each instance it tried, in the order of the records."""
    times: Mapping[str, Sequence[float]]
    anytime: Mapping[str, Curve]

    @property
    def instances(self) -> int:
        """The number of instances."""
        return len(self.records)

    def profile(self, name: str) -> Curve:
        """The performance profile of a player."""
        return profile(self.ratios[name])

    def cactus(self, name: str) -> list[float]:
        """The seconds of the instances that it has solved, ascending."""
        return cactus(self.times[name])


def contest(records: Sequence[Record], names: Sequence[str], about: Mapping[str, Any]) -> Contest:
    """The contest of a race's records, one at least; instances in the order of their file."""
    given = about.get("instances") or ()
    place = {i.get("name"): k for k, i in enumerate(given) if isinstance(i, dict)}
    records = sorted(records, key=lambda record: place.get(record.instance, len(place)))
    ratio, time = ratios(records, names), times(records, names)
    solvers = [_solver(name, records, ratio[name], time[name]) for name in names]
    solvers.sort(key=lambda s: (s.wrong > 0, -s.solved, s.cost, s.error or 0.0, s.name))
    unsolved = [name_of(record, i) for i, record in enumerate(records, 1) if not _won(record)]
    return Contest(
        sought=records[0].sought,
        goal=str(about.get("goal") or ""),
        tolerance=about.get("tolerance"),
        records=records,
        unsolved=tuple(unsolved),
        solvers=tuple(solvers),
        lead=_lead(records, *(solver.name for solver in solvers[:2])),
        ratios=ratio,
        times=time,
        anytime=anytime(records, names),
    )


def name_of(record: Record, number: int) -> str:
    """The title of an instance: its name, else its opening, its position, its number."""
    return record.instance or " ".join(record.opening) or record.position or f"game {number}"


def _won(record: Record) -> bool:
    """Return True if a player has solved it."""
    return any(math.isfinite(solved(record, seat)) for seat in range(len(record.seats)))


def _lead(records: Sequence[Record], first: str, second: str = "") -> tuple[int, int]:
    """Count the instances that both tried on which one did better than the other, and worse."""
    both = [
        tuple(solved(record, record.seats.index(name)) for name in (first, second))
        for record in records
        if {first, second} <= set(record.seats)
    ]
    return sum(a * ALIKE < b for a, b in both), sum(b * ALIKE < a for a, b in both)


def _solver(
    name: str, records: Sequence[Record], ratio: Sequence[float], time: Sequence[float]
) -> Solver:
    own = [
        (record, seat)
        for record in records
        for seat, holder in enumerate(record.seats)
        if holder == name and record.attempts
    ]
    attempts = [record.attempts[seat] for record, seat in own]
    finite = [r for r in ratio if math.isfinite(r)]
    wrong = sum(a.claim is Claim.WRONG for a in attempts)
    fell = sum(seat in record.failed for record, seat in own)
    errors = [
        abs(a.value - record.truth)
        for (record, _), a in zip(own, attempts, strict=True)
        if record.sought is Sought.ESTIMATE and a.value is not None and record.truth is not None
    ]
    return Solver(
        name=name,
        tried=len(ratio),
        solved=len(finite),
        quickest=sum(r == 1 for r in ratio),
        near=sum(r <= NEAR for r in ratio),
        typical=_median(ratio),
        first=_median([_time(_answer(a, a.first)) for a in attempts]),
        best=_median([_time(_answer(a, a.best)) for a in attempts]),
        proof=_median([_time(a.proof) for a in attempts if a.claim is not Claim.WRONG]),
        time=_median(time),
        wrong=wrong,
        disputed=sum(a.claim is Claim.DISPUTED for a in attempts),
        failed=fell - wrong,
        error=fmean(errors) if errors else None,
        cost=fmean(map(math.log, finite)) if finite else math.inf,
    )


def _answer(attempt: Attempt, seconds: float | None) -> float | None:
    """The seconds until an answer; or until the proof that there is none."""
    if seconds is None and attempt.value is None:
        return attempt.solved
    return seconds


def _time(seconds: float | None) -> float:
    return math.inf if seconds is None else seconds


def _median(values: Sequence[float]) -> float | None:
    """The median; None if it is infinite or there are no values."""
    found = median(values) if values else math.inf
    return found if math.isfinite(found) else None


def solved_means(race: Contest) -> str:
    """Say in a sentence when an instance counts as solved."""
    within = f" within {race.tolerance:g} of" if race.tolerance else ""
    if race.sought is Sought.ESTIMATE:
        if race.goal == "proof":
            return "Solved: the value is proven."
        return f"Solved: the estimate came{within or ' near'} the truth, and stayed there."
    if race.goal == "first":
        return "Solved: any solution is found, and its line replayed."
    if race.goal == "best":
        if race.sought is Sought.PROOF:
            right = f"within {race.tolerance:g} of the truth" if race.tolerance else "right"
            return f"Solved: the value is {right}, from then to the end."
        return f"Solved: a line is found{within or ' as good as'} the best known, and replayed."
    return "Solved: the value is proven, and no player refutes it."


def verdict(race: Contest) -> Iterator[str]:
    """Recommend a solver in a few sentences, each of which the records support."""
    best, *rest = race.solvers
    n = race.instances
    if not best.solved:
        yield f"No player has solved {_of(0, n)}, so none can be recommended."
    elif not rest:
        yield f"{best.name} solved {_of(best.solved, n)}."
    else:
        how = (
            "and was the quickest on every one"
            if best.quickest == n
            else f"was the quickest on {best.quickest:,}, and within twice the quickest's time on "
            f"{best.near:,} ({best.near / n:.0%})"
        )
        yield f"Take {best.name}: it solved {_of(best.solved, n)}, {how}."
        yield from _doubts(race, best, rest)
    for solver in race.solvers:
        if solver.wrong:
            were = "was" if solver.wrong == 1 else "were"
            yield f"Beware of {solver.name}: {solver.wrong:,} of its claims {were} wrong."
    if best.solved and race.unsolved:
        listed = ", ".join(race.unsolved[:NAMES]) + (", ..." if len(race.unsolved) > NAMES else "")
        yield f"No player solved {len(race.unsolved):,}: {listed}."


def _of(count: int, total: int) -> str:
    if count == total:
        return "the only instance" if total == 1 else f"all {total:,} instances"
    return f"any of the {total:,} instances" if not count else f"{count:,} of {total:,} instances"


def _doubts(race: Contest, best: Solver, rest: Sequence[Solver]) -> Iterator[str]:
    """Yield the doubts about the first."""
    second = rest[0]
    ahead, behind = race.lead
    if second.solved and chance(ahead, behind) > DOUBT:
        yield (
            f"That it is ahead of {second.name} may be chance: it did better on {ahead:,} "
            f"instances, and worse on {behind:,}."
        )
    quick = max(rest, key=lambda solver: solver.quickest)
    if quick.quickest > best.quickest:
        left = quick.tried - quick.solved
        but = f", but leaves {left:,} unsolved" if left else ""
        yield f"{quick.name} was the quickest more often, on {quick.quickest:,}{but}."


def chance(ahead: int, behind: int) -> float:
    """The probability that two equals differ so much or more (sign test, two-sided).

    >>> chance(9, 1), chance(0, 0)
    (0.021484375, 1.0)
    """
    total, ways, tail = ahead + behind, 1, 1  # ways: how often k of them are behind, of 2**total
    for k in range(min(ahead, behind)):
        ways = ways * (total - k) // (k + 1)
        tail += ways
    return min(1.0, 2 * tail / (1 << total))


def solved(record: Record, seat: int) -> float:
    """The seconds in which a seat has solved the instance; infinite if it did not.

    In a record without attempts, the seats with the best score have solved it.
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
    """The ratios of each player's times to the quickest at the same instance, or infinity."""
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
    """The finite times, ascending."""
    return sorted(filter(math.isfinite, spent))


def quality(record: Record) -> Callable[[float], float]:
    """Return the function from a value to its quality, or to the error of an estimate."""
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
    """The value of the instance, if the record has it: given, paid by a line, or proven."""
    if record.sought is Sought.LINE:
        paid = [value for attempt in record.attempts for _, value in attempt.curve]
        return max(paid + ([] if record.truth is None else [record.truth]), default=None)
    if record.truth is not None:
        return record.truth
    sound = (Claim.CHECKED, Claim.UNCHECKED)
    return next((a.value for a in record.attempts if a.claim in sound), None)


def anytime(records: Iterable[Record], names: Sequence[str]) -> dict[str, Curve]:
    """The mean quality of each player over all instances, from each moment on.

    For estimates the mean error, from the moment when the player had an answer to every instance
    that it answered.
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
