"""The tables of a race: who solves what, and how quickly."""

from __future__ import annotations

import math

from dragon_tournament.formatting import NONE, seconds_text
from dragon_tournament.records.attempt import Claim, Sought
from dragon_tournament.records.record import Record
from dragon_tournament.report.table import Cell, Column, Shown, Table
from dragon_tournament.statistics.contest import (
    Contest,
    Solver,
    best_known,
    name_of,
    solved,
    solved_means,
)

TIMES = "\N{MULTIPLICATION SIGN}"


def solvers(race: Contest) -> Table:
    """A row for each solver, the one to take first; columns without any figure are left out."""

    def times(head: str, key: str, shown: Shown = Shown.EVERYWHERE) -> Column:
        return Column(head, [seconds_text(getattr(s, key)) for s in race.solvers], shown=shown)

    near = [f"{s.near / s.tried:.0%}" if s.tried else NONE for s in race.solvers]
    found = [
        Column("solver", [s.name for s in race.solvers], left=True),
        Column("solved", [f"{s.solved:,}/{s.tried:,}" for s in race.solvers]),
        Column("quickest", [f"{s.quickest:,}" for s in race.solvers]),
        Column(f"within 2{TIMES}", near),
        Column("typically", [_ratio(s) for s in race.solvers]),
        times("solved in", "time", Shown.PAGES),
    ]
    if race.sought is Sought.ESTIMATE:
        errors = [NONE if s.error is None else f"{s.error:.2g}" for s in race.solvers]
        found += [Column("mean error", errors), times("near since", "best")]
    elif race.sought is Sought.PROOF:
        found += [times("right since", "best")]
    else:
        found += [times("first", "first"), times("best", "best")]
    found += [times("proof", "proof")]
    for head in ("wrong", "disputed", "failed"):
        counts = [getattr(solver, head) for solver in race.solvers]
        if any(counts):
            found.append(Column(head, [f"{n:,}" if n else "" for n in counts]))
    return Table(
        "Solvers",
        [column for column in found if set(column.cells) != {NONE}],
        f"{solved_means(race)} Times are medians over all instances, and are missing where fewer "
        "than half came so far.",
        "solvers",
    )


def _ratio(solver: Solver) -> str:
    if solver.typical is None:
        return NONE
    return f"{solver.typical:{',.0f' if solver.typical > 999 else '.3g'}}{TIMES}"


def instances(race: Contest) -> Table:
    """A row for each instance: its value, and the time in which each solver has solved it."""
    titles = [name_of(record, number) for number, record in enumerate(race.records, 1)]
    by_name = [{name: seat for seat, name in enumerate(r.seats)} for r in race.records]
    return Table(
        "Instances",
        [
            Column("instance", titles, left=True),
            Column("value", [_value(record) for record in race.records]),
            *(
                Column(solver.name, [
                    _attempt(record, seats[solver.name]) if solver.name in seats else ""
                    for record, seats in zip(race.records, by_name, strict=True)
                ])
                for solver in race.solvers
            ),
        ],
        "The time in which each has solved it; the quickest is marked. Where it has not solved "
        "it, or could only estimate, the value that it came to is under it.",
        "instances",
    )  # fmt: skip


def _attempt(record: Record, seat: int) -> Cell:
    """The time in which a seat has solved an instance, the quickest marked."""
    every = [solved(record, other) for other in range(len(record.seats))]
    own, text = every[seat], solved_text(record, seat)
    if seat in record.failed:
        return Cell(text=text, style="wrong")
    value = record.attempts[seat].value if record.attempts else record.scores[seat]
    known = value is None or (math.isfinite(own) and record.sought is not Sought.ESTIMATE)
    quickest = math.isfinite(own) and own == min(every)
    return Cell(text=text, note="" if known else f"{value:.4g}", style="best" * quickest)


def _value(record: Record) -> str:
    """The known value of an instance; none if it is proven that there is no solution."""
    found = best_known(record)
    if found is None:
        proven = any(a.solved is not None and not a.curve for a in record.attempts)
        return "none" if proven else NONE
    return f"{found:.4g}"


def profiles(race: Contest) -> Table:
    """The performance profile at powers of two: the share that each solved within a multiple."""
    found = {solver.name: race.profile(solver.name) for solver in race.solvers}
    top = max((x for curve in found.values() for x, _ in curve), default=1.0)
    steps = [2**k for k in range(max(0, math.ceil(math.log2(top) - 1e-12)) + 1)]
    shares = [
        Column(f"within {step:,}{TIMES}", [
            f"{max((y for x, y in curve if x <= step), default=0.0):.0%}"
            for curve in found.values()
        ])
        for step in steps
    ]  # fmt: skip
    return Table("Performance profile", [Column("solver", list(found), left=True), *shares])


def solved_text(record: Record, seat: int) -> str:
    """The time in which a seat has solved an instance, or the failure or claim instead."""
    if seat in record.failed:
        if record.failed == (seat,):
            return str(record.reason)
        # of several failures the record tells only the first, except for refuted claims
        wrong = record.attempts and record.attempts[seat].claim is Claim.WRONG
        return "false claim" if wrong else "failed"
    if not record.attempts:
        return seconds_text(record.seconds[seat])
    attempt = record.attempts[seat]
    if attempt.solved is not None:
        return seconds_text(solved(record, seat))
    return str(attempt.claim) or NONE
