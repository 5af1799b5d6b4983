"""Tables: what is said of a tournament as cells of text, for terminal, Markdown and page."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dragon_tournament.formats.staged import StagedResult
from dragon_tournament.formatting import (
    NONE,
    elo_text,
    error_text,
    half_text,
    payoff_text,
    points_text,
    seconds_text,
    sure_text,
)
from dragon_tournament.records.attempt import Claim, Sought
from dragon_tournament.records.record import Record
from dragon_tournament.report.summary import Opening, Report
from dragon_tournament.statistics.contest import Contest, Solver, name_of
from dragon_tournament.statistics.elo import elo
from dragon_tournament.statistics.profile import best_known, solved
from dragon_tournament.statistics.standings import Row

Cells = list[list[str]]
"""Tables: what is said of a tournament as cells of text, for terminal, Markdown and page."""
TIMES = "\N{MULTIPLICATION SIGN}"


def cross_cells(rows: Sequence[Row], graded: bool) -> Cells:
    """The crosstable: for two seats in its classical form, for more with the wins of each.

    Where the game is graded, with the mean payoff of each seat.
    """
    most = max(len(row.seats) for row in rows)
    numbers = range(1, most + 1)
    paid = [f"payoff {i}" for i in numbers] if graded else []
    if all(len(row.seats) == 2 for row in rows):
        head = ["first seat", "second seat", "games", "won", "drawn", "lost"]
        cells = [
            [*row.seats, str(row.played), str(row.won[0]), str(row.drawn), str(row.won[1])]
            for row in rows
        ]
    else:
        head = [*(f"seat {i}" for i in numbers), "games", *(f"won {i}" for i in numbers), "drawn"]
        cells = []
        for row in rows:
            blank = [""] * (most - len(row.seats))
            won = [str(n) for n in row.won]
            cells.append([*row.seats, *blank, str(row.played), *won, *blank, str(row.drawn)])
    for row, own in zip(rows, cells, strict=True) if graded else ():
        own += [payoff_text(payoff / row.played) for payoff in row.payoffs]
        own += [""] * (most - len(row.seats))
    return [[*head, *paid], *cells]


def player_cells(report: Report) -> Cells:
    skill = ["skill", "95%"] if report.skills else []
    paid = ["payoff", "95%"] if report.graded else []
    head = ["player", *paid, "points", "played", "won", "drawn", "lost", "Elo", "95%", *skill]
    cells = [[*head, "seconds", "nodes"]]
    for p in report.players:
        rated = report.ratings[p.name]
        skilled = [report.skills[p.name]] if report.skills else []
        cells.append(
            [
                p.name, *_payoff_cells(report, p.name), points_text(p.points), str(p.played),
                str(p.won), str(p.drawn), str(p.lost),
                f"{rated.elo + 0.0:+.0f}", half_text(rated.error),
                *(text for s in skilled for text in (f"{s.skill:.1f}", f"±{s.error:.1f}")),
                f"{p.seconds:.2f}", f"{p.nodes:,}",
            ]
        )  # fmt: skip
    return cells


def _payoff_cells(report: Report, *of: str) -> list[str]:
    """The mean payoff of a player, in all or against another, and its interval, if it is graded."""
    if not report.graded:
        return []
    paid = report.payoffs.get(of)
    if paid is None:
        return [NONE, NONE]
    return [payoff_text(paid.mean, paid.error), error_text(paid.error)]


def meeting_cells(report: Report) -> Cells:
    """The results of every two players against each other, the stronger first."""
    rank = {p.name: i for i, p in enumerate(report.players)}
    paid = ["payoff", "95%"] if report.graded else []
    head = ["player", "player 2", "games", *paid]
    head += ["won", "drawn", "lost", "score", "Elo", "95%", "sure"]
    rows = []
    for met in report.meetings:
        found = elo(met.samples)
        if found is None:
            continue
        names, tally = (met.first, met.second), (met.won, met.drawn, met.lost)
        score, mid, low, high = found.score, found.elo, found.low, found.high
        sure = found.superiority
        if rank[met.first] > rank[met.second]:
            names, tally, score = names[::-1], tally[::-1], 1 - score
            sure = None if sure is None else 1 - sure
            mid, low, high = -mid, -high, -low
        rows.append(
            [
                *names, str(met.played), *_payoff_cells(report, *names), *map(str, tally),
                f"{score:.1%}", elo_text(mid),
                f"{elo_text(low)} to {elo_text(high)}", sure_text(sure),
            ]
        )  # fmt: skip
    rows.sort(key=lambda row: (rank[row[0]], rank[row[1]]))
    return [head, *rows]


def opening_cells(openings: Sequence[Opening]) -> Cells:
    """The openings and what they were worth to each seat."""
    seats = max(len(opening.points) for opening in openings)
    cells = [["opening", "games"] + [f"points {i}" for i in range(1, seats + 1)] + ["drawn"]]
    for opening in openings:
        points = [points_text(p) for p in opening.points] + [""] * (seats - len(opening.points))
        cells.append([" ".join(opening.moves), str(opening.played), *points, str(opening.drawn)])
    return cells


def round_cells(staged: StagedResult) -> Cells:
    """The meetings of each complete round, and the points."""
    cells = [["round", "player", "player 2", "points", "points 2"]]
    for title, stage in zip(staged.titles(), staged.rounds, strict=True):
        for bout in stage:
            alone = len(bout.players) == 1
            names = [*bout.players, "(sits out)"] if alone else [*bout.players]
            points = [f"{p:g}" for p in bout.points] + ([""] if alone else [])
            cells.append([title, *names, *points])
    return cells


def place_cells(staged: StagedResult) -> Cells:
    """The place of each player."""
    head = ["place", "player", "points"]
    cells = [[str(p.place), p.name, f"{p.points:g}"] for p in staged.places]
    if not staged.format.rivals:
        return [head, *cells]
    rivals = [f"{place.rivals:g}" for place in staged.places]
    return [[*head, "rivals"], *([*row, r] for row, r in zip(cells, rivals, strict=True))]


def staged_outcome(staged: StagedResult) -> str:
    """The winner, or the progress."""
    what = staged.format.title or staged.format.name
    if staged.winner is not None:
        return f"{staged.winner} wins the {what}."
    n = len(staged.rounds)
    rounds = "1 round is" if n == 1 else f"{n} rounds are"
    return f"The {what} goes on: {rounds} complete."


def solver_cells(race: Contest) -> Cells:
    """A row for each solver, the one to take first; columns that tell nothing are left out."""

    def times(key: str) -> list[str]:
        return [seconds_text(getattr(solver, key)) for solver in race.solvers]

    columns = [
        ("solver", [s.name for s in race.solvers]),
        ("solved", [f"{s.solved:,}/{s.tried:,}" for s in race.solvers]),
        ("quickest", [f"{s.quickest:,}" for s in race.solvers]),
        (
            f"within 2{TIMES}",
            [f"{s.near / s.tried:.0%}" if s.tried else NONE for s in race.solvers],
        ),
        ("typically", [_ratio(s) for s in race.solvers]),
    ]
    if race.sought is Sought.ESTIMATE:
        errors = [NONE if s.error is None else f"{s.error:.2g}" for s in race.solvers]
        columns += [("mean error", errors), ("near since", times("best"))]
    elif race.sought is Sought.PROOF:
        columns += [("right since", times("best"))]
    else:
        columns += [("first", times("first")), ("best", times("best"))]
    columns += [("proof", times("proof"))]
    for head in ("wrong", "disputed", "failed"):
        counts = [getattr(solver, head) for solver in race.solvers]
        if any(counts):
            columns.append((head, [f"{n:,}" if n else "" for n in counts]))
    kept = [(head, cells) for head, cells in columns if set(cells) != {NONE}]
    return [[head for head, _ in kept], *map(list, zip(*(c for _, c in kept), strict=True))]


def _ratio(solver: Solver) -> str:
    if solver.typical is None:
        return NONE
    return f"{solver.typical:{',.0f' if solver.typical > 999 else '.3g'}}{TIMES}"


def instance_cells(race: Contest, most: int | None = None) -> Cells:
    """A row for each instance: what is known of it, and how soon each has solved it."""
    names = [solver.name for solver in race.solvers]
    rows = []
    for number, record in enumerate(race.records[:most], 1):
        own = {name: solved_text(record, seat) for seat, name in enumerate(record.seats)}
        rows.append([name_of(record, number), _value(record), *(own.get(n, "") for n in names)])
    return [["instance", "value", *names], *rows]


def _value(record: Record) -> str:
    """The known value of an instance; nothing if it is proven that there is no solution."""
    found = best_known(record)
    if found is None:
        proven = any(a.solved is not None and not a.curve for a in record.attempts)
        return "none" if proven else NONE
    return f"{found:.4g}"


def profile_cells(race: Contest) -> Cells:
    """The performance profile at powers of two: the share that each solved within so many times."""
    found = {solver.name: race.profile(solver.name) for solver in race.solvers}
    top = max((x for curve in found.values() for x, _ in curve), default=1.0)
    steps = [2**k for k in range(max(0, math.ceil(math.log2(top) - 1e-12)) + 1)]
    heads = [f"within {step:,}{TIMES}" for step in steps]
    rows = [
        [name, *(f"{max((y for x, y in curve if x <= step), default=0.0):.0%}" for step in steps)]
        for name, curve in found.items()
    ]
    return [["solver", *heads], *rows]


def solved_text(record: Record, seat: int) -> str:
    """The time in which a seat has solved it, or what came instead."""
    if seat in record.failed:
        if record.failed == (seat,):
            return str(record.reason)
        # of several failures the record tells only the first, but for refuted claims
        wrong = record.attempts and record.attempts[seat].claim is Claim.WRONG
        return "false claim" if wrong else "failed"
    if not record.attempts:
        return seconds_text(record.seconds[seat])
    attempt = record.attempts[seat]
    if attempt.solved is not None:
        return seconds_text(solved(record, seat))
    return str(attempt.claim) or NONE
