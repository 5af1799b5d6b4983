"""Solvers: what is told of a race or an estimate as cells of a table, for text and for the page."""

from __future__ import annotations

import math

from dragon_tournament.records.attempt import Sought
from dragon_tournament.records.record import Record
from dragon_tournament.statistics.anytime import best_known
from dragon_tournament.statistics.contest import Contest, Solver, name_of
from dragon_tournament.statistics.profile import solved
from dragon_tournament.units import NONE, seconds_text

Cells = list[list[str]]
TIMES = "\N{MULTIPLICATION SIGN}"


def solver_cells(told: Contest) -> Cells:
    """A row for each solver, the one to take first; columns that tell nothing are left out."""
    columns = [
        ("solver", [s.name for s in told.solvers]),
        ("solved", [f"{s.solved:,}/{s.tried:,}" for s in told.solvers]),
        ("quickest", [f"{s.quickest:,}" for s in told.solvers]),
        (f"within 2{TIMES}", [_share(s.near, s.tried) for s in told.solvers]),
        ("typically", [_ratio(s) for s in told.solvers]),
    ]
    if told.sought is Sought.ESTIMATE:
        errors = [NONE if s.error is None else f"{s.error:.2g}" for s in told.solvers]
        columns += [("mean error", errors), ("near since", _times(told, "best"))]
    elif told.sought is Sought.PROOF:
        columns += [("right since", _times(told, "best"))]
    else:
        columns += [("first", _times(told, "first")), ("best", _times(told, "best"))]
    columns += [("proof", _times(told, "proof"))]
    for head, counts in (
        ("wrong", [s.wrong for s in told.solvers]),
        ("disputed", [s.disputed for s in told.solvers]),
        ("failed", [s.failed for s in told.solvers]),
    ):
        if any(counts):
            columns.append((head, [f"{n:,}" if n else "" for n in counts]))
    kept = [(head, cells) for head, cells in columns if set(cells) != {NONE}]
    return [[head for head, _ in kept], *map(list, zip(*(c for _, c in kept), strict=True))]


def _share(count: int, total: int) -> str:
    return f"{count / total:.0%}" if total else NONE


def _ratio(solver: Solver) -> str:
    if solver.typical is None:
        return NONE
    return f"{solver.typical:{',.0f' if solver.typical > 999 else '.3g'}}{TIMES}"


def _times(told: Contest, key: str) -> list[str]:
    return [seconds_text(getattr(solver, key)) for solver in told.solvers]


def instance_cells(told: Contest, most: int | None = None) -> Cells:
    """A row for each instance: what is known of it, and how soon each has solved it."""
    names = [solver.name for solver in told.solvers]
    rows = []
    for number, record in enumerate(told.records[:most], 1):
        own = {name: outcome(record, seat) for seat, name in enumerate(record.seats)}
        rows.append([name_of(record, number), _value(record), *(own.get(n, "") for n in names)])
    return [["instance", "value", *names], *rows]


def _value(record: Record) -> str:
    """What is known of an instance; nothing where it is proven that there is no solution."""
    found = best_known(record)
    if found is None:
        proven = any(a.solved is not None and not a.curve for a in record.attempts)
        return "none" if proven else NONE
    return f"{found:.4g}"


def profile_cells(told: Contest) -> Cells:
    """The performance profile at powers of two: the share that each solved within so many times."""
    found = {solver.name: told.profile(solver.name) for solver in told.solvers}
    top = max((x for curve in found.values() for x, _ in curve), default=1.0)
    steps = [2**k for k in range(max(0, math.ceil(math.log2(top) - 1e-12)) + 1)]
    heads = [f"within {step:,}{TIMES}" for step in steps]
    rows = [
        [name, *(f"{max((y for x, y in curve if x <= step), default=0.0):.0%}" for step in steps)]
        for name, curve in found.items()
    ]
    return [["solver", *heads], *rows]


def outcome(record: Record, seat: int) -> str:
    """How soon a seat has solved it, or what came instead."""
    if seat in record.failed:
        return str(record.reason if record.failed == (seat,) else _reason(record, seat))
    if not record.attempts:
        return seconds_text(record.seconds[seat])
    attempt = record.attempts[seat]
    if attempt.solved is not None:
        return seconds_text(solved(record, seat))
    return str(attempt.claim) or NONE


def _reason(record: Record, seat: int) -> str:
    """Why one of several failed; the record tells only of the first, but for refuted claims."""
    wrong = record.attempts and str(record.attempts[seat].claim) == "wrong"
    return "false claim" if wrong else "failed"
