"""The tables of a report, each made once for the terminal, Markdown, pages and JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

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
from dragon_tournament.report.summary import Report
from dragon_tournament.report.table import Cell, Column, Shown, Table, columns
from dragon_tournament.statistics.contest import (
    Contest,
    Solver,
    best_known,
    name_of,
    solved,
    solved_means,
)
from dragon_tournament.statistics.elo import elo
from dragon_tournament.statistics.pairs import Meeting
from dragon_tournament.statistics.standings import Payoff

TIMES = "\N{MULTIPLICATION SIGN}"
SQUARE = 50  # players of the crosstable


def page_tables(report: Report) -> Iterator[tuple[str, Table]]:
    """The tables that pages show, with their names."""
    if not report.rows:
        return
    race, staged = report.contest, report.staged
    if race is not None:
        yield "which", solvers(race)
        yield "instances", instances(race)
    yield "standings", standings(report, by_points=report.solo)
    if staged is not None:
        yield "places", places(staged)
        yield "rounds", rounds(staged)
    if len(report.players) > 1 and not report.solo:
        if report.graded:
            yield "payoffs", payoffs(report)
        yield "ratings", ratings(report)
        yield "crosstable", crosstable(report)
        yield "seatings", seatings(report)
    if report.openings:
        yield "openings", openings(report)


def seatings(report: Report) -> Table:
    """The results of each seating; of a graded game with the mean payoff of each seat."""
    rows = report.rows
    seats = max(len(row.seats) for row in rows)
    if all(len(row.seats) == 2 for row in rows):
        heads = ["first seat", "second seat", "games", "won", "drawn", "lost"]
        cells = [[*r.seats, f"{r.played:,}", *_counts(r.won[0], r.drawn, r.won[1])] for r in rows]
    else:
        numbers = range(1, seats + 1)
        heads = [*(f"seat {i}" for i in numbers), "games", *(f"won {i}" for i in numbers), "drawn"]
        cells = [
            [*_filled(r.seats, seats), f"{r.played:,}", *_filled(_counts(*r.won), seats)]
            + _counts(r.drawn)
            for r in rows
        ]
    if report.graded:
        heads += [f"payoff {i}" for i in range(1, seats + 1)]
        for row, own in zip(rows, cells, strict=True):
            own += _filled([payoff_text(paid / row.played) for paid in row.payoffs], seats)
    return Table("Seat by seat", columns(heads, cells, seats), rows="seatings")


def _counts(*numbers: int) -> list[str]:
    return [f"{number:,}" for number in numbers]


def _filled(texts: Sequence[str], length: int) -> list[str]:
    """The texts, and empty ones up to this length."""
    return [*texts, *[""] * (length - len(texts))]


def standings(report: Report, by_points: bool = False) -> Table:
    """The results and ratings of each player, the strongest first unless `by_points`.

    Those of a race by points, since its solvers have a table of their own.
    """
    players = sorted(report.players, key=lambda p: -p.points) if by_points else report.players
    paid = [report.payoffs.get((p.name,)) for p in players]
    rated = [report.ratings[p.name] for p in players]
    skills = [report.skills.get(p.name) for p in players]
    scores = [f"{p.points / p.played:.1%}" if p.played else "" for p in players]
    failures = [
        Cell(text=", ".join(f"{n} {why}" for why, n in fell.items()), value=fell, style="wrong")
        for fell in (p.failures for p in players)
    ]
    graded = Shown.EVERYWHERE if report.graded else Shown.VALUES
    skilled = Shown.EVERYWHERE if report.skills else Shown.VALUES
    matched = Shown.VALUES if report.solo else Shown.EVERYWHERE
    failed = Shown.PAGES if any(p.failures for p in players) else Shown.VALUES

    def own(key: str, text: Callable[[Any], str], digits: int | None = None) -> Column:
        return _figures(key, key, [getattr(p, key) for p in players], text, digits=digits)

    skill, error = ([getattr(s, key, None) for s in skills] for key in ("skill", "error"))
    return Table(
        "Points" if report.solo else "Standings",
        [
            Column("player", [p.name for p in players], "name", left=True),
            Column("payoff", [_mean(each) for each in paid], "payoff", shown=graded),
            Column("95%", [_half(each) for each in paid], "payoff_error", shown=graded),
            own("points", points_text),
            *(own(key, "{:,}".format) for key in ("played", "won", "drawn", "lost")),
            Column("score", scores, shown=Shown.PAGES),
            _figures("Elo", "elo", [r.elo for r in rated], elo_text, matched, 2),
            _figures("95%", "elo_error", [r.error for r in rated], half_text, matched, 2),
            _figures("skill", "skill", skill, "{:.1f}".format, skilled, 4),
            _figures("95%", "skill_error", error, "±{:.1f}".format, skilled, 4),
            own("seconds", "{:,.2f}".format, 6),
            own("nodes", "{:,}".format),
            Column("failures", failures, "failures", shown=failed),
        ],
        rows="players",
        numbered=True,
    )


NOTHING = Cell(text=NONE)


def _figures(
    head: str,
    key: str,
    found: Sequence[Any],
    text: Callable[[Any], str],
    shown: Shown = Shown.EVERYWHERE,
    digits: int | None = None,
) -> Column:
    """A column of figures with their texts, the values rounded to `digits` if they are given."""
    cells = [
        NOTHING if each is None
        else Cell(text=text(each), value=each if digits is None else finite(each, digits))
        for each in found
    ]  # fmt: skip
    return Column(head, cells, key, shown=shown)


def finite(value: float | None, digits: int = 2) -> float | None:
    """Round it; None if it is not known or infinite, which JSON cannot write."""
    return round(value, digits) if value is not None and math.isfinite(value) else None


def _mean(paid: Payoff | None) -> Cell:
    """A mean payoff, if it is known."""
    if paid is None:
        return NOTHING
    return Cell(text=payoff_text(paid.mean, paid.error), value=round(paid.mean, 6))


def _half(paid: Payoff | None) -> Cell:
    """The half-width of its 95% interval, if it is known."""
    if paid is None or paid.error is None:
        return NOTHING
    return Cell(text=error_text(paid.error), value=round(paid.error, 6))


def _within(middle: str, error: str) -> str:
    """An estimate with its error, if the error is known."""
    return middle if error == NONE else f"{middle} {error.replace('±', '± ')}"


def ratings(report: Report) -> Table:
    """Elo with error bars, the strongest first."""
    rated = [(p.name, report.ratings[p.name]) for p in report.players]
    return _barred("Ratings", "Elo", [
        (name, _within(elo_text(r.elo), half_text(r.error)), r.elo, r.error or 0.0)
        for name, r in rated
    ])  # fmt: skip


def payoffs(report: Report) -> Table:
    """Mean payoffs with error bars, the greatest first."""
    paid = [(p.name, report.payoffs[p.name,]) for p in report.players if p.played]
    return _barred("Mean payoffs", "payoff", [
        (name, _within(_mean(own).text, _half(own).text), own.mean, own.error or 0.0)
        for name, own in paid
    ])  # fmt: skip


def _barred(title: str, head: str, rows: Sequence[tuple[str, str, float, float]]) -> Table:
    """Estimates with their intervals on one scale: name, text, value, half of the interval."""
    low = min(0.0, *(value - error for _, _, value, error in rows))
    high = max(0.0, *(value + error for _, _, value, error in rows))
    span = high - low or 1.0

    def at(value: float) -> float:
        return round(0.02 + 0.96 * (value - low) / span, 4)

    bars = [
        Cell(bar=(at(value - error), at(value), at(value + error), at(0.0)))
        for _, _, value, error in rows
    ]
    return Table(
        title,
        [
            Column("player", [name for name, *_ in rows], left=True),
            Column(head, [text for _, text, _, _ in rows]),
            Column("95% interval", bars, left=True),
        ],
        rows="players",
    )


def crosstable(report: Report) -> Table:
    """The score of each player against each other; of a graded game its mean payoff."""
    order = [p.name for p in report.players[:SQUARE]]
    met: dict[tuple[str, str], tuple[Meeting, bool]] = {}
    for meeting in report.meetings:
        met[meeting.first, meeting.second] = meeting, False
        met[meeting.second, meeting.first] = meeting, True
    most = max((abs(paid.mean) for paid in report.payoffs.values()), default=0.0) or 1.0
    cells = [
        [_against(met.get(two), two[0] == two[1], report.payoffs.get(two), most)
         for two in product(order, [other])]
        for other in order
    ]  # fmt: skip
    note = (
        f"The {'mean payoff' if report.graded else 'score'} of the player in the row, and its "
        "games won, drawn, lost."
    )
    if len(report.players) > SQUARE:
        note += f" The best {SQUARE} of {len(report.players):,} players are shown."
    names = Column("row against column", order, left=True)
    others = [Column(str(number), own) for number, own in enumerate(cells, 1)]
    return Table("Crosstable", [names, *others], note, "players", numbered=True)


def _against(
    found: tuple[Meeting, bool] | None, same: bool, paid: Payoff | None, most: float
) -> Cell:
    """A player against another; of a graded game its payoff, as a part of the largest one."""
    if found is None:
        return Cell(text=NONE if same else "·", style="self")
    met, other = found
    won, lost = (met.lost, met.won) if other else (met.won, met.lost)
    score = (won + met.drawn / 2) / met.played
    lead, text, note = score - 0.5, f"{score:.0%}", f"+{won} ={met.drawn} -{lost}"
    if paid is not None:
        lead, text = paid.mean / 2 / most, _mean(paid).text
        note = note if paid.error is None else f"{error_text(paid.error)}, {note}"
    return Cell(text=text, note=note, shade=lead)


def meetings(report: Report) -> Table:
    """The results of every two players against each other, the stronger first."""
    rank = {p.name: i for i, p in enumerate(report.players)}
    heads = ["player", "player 2", "games", *(["payoff", "95%"] if report.graded else [])]
    heads += ["won", "drawn", "lost", "score", "Elo", "95%", "sure"]
    rows: list[list[Cell | str]] = []
    for met in report.meetings:
        found = elo(met.samples)
        if found is None:
            continue
        names, tally = (met.first, met.second), (met.won, met.drawn, met.lost)
        if rank[met.first] > rank[met.second]:
            names, tally, found = names[::-1], tally[::-1], found.turned
        paid = report.payoffs.get(names)
        rows.append(
            [
                *names, f"{met.played:,}",
                *([_mean(paid), _half(paid)] if report.graded else []), *_counts(*tally),
                f"{found.score:.1%}", elo_text(found.elo),
                f"{elo_text(found.low)} to {elo_text(found.high)}", sure_text(found.superiority),
            ]
        )  # fmt: skip
    rows.sort(key=lambda row: (rank[str(row[0])], rank[str(row[1])]))
    return Table("Pairs of players", columns(heads, rows, 2))


def openings(report: Report, most: int | None = None) -> Table:
    """The points that each opening was worth to each seat."""
    found = report.openings[:most]
    seats = max(len(opening.points) for opening in found)
    rows: list[list[Cell | str]] = []
    for o in found:
        fair = sum(o.points) / len(o.points)
        points = [
            Cell(text=points_text(p), note=f"{p / o.played:.0%}", shade=(p - fair) / o.played)
            for p in o.points
        ]
        blank = [""] * (seats - len(points))
        rows.append([" ".join(o.moves), f"{o.played:,}", *points, *blank, f"{o.drawn:,}"])
    heads = ["opening", "games", *(f"points {i}" for i in range(1, seats + 1)), "drawn"]
    note = (
        "The points that each seat took, over all players, and its share of a point a game; the "
        "most one-sided openings first."
    )
    return Table("Openings that decide", columns(heads, rows, 1), note, "openings")


def rounds(staged: StagedResult) -> Table:
    """The meetings of each complete round, and the points."""
    rows = []
    for title, stage in zip(staged.titles(), staged.rounds, strict=True):
        for bout in stage:
            alone = len(bout.players) == 1
            names = [*bout.players, "(sits out)"] if alone else [*bout.players]
            points = [f"{p:g}" for p in bout.points] + ([""] if alone else [])
            rows.append([title, *names, *points])
    heads = ["round", "player", "player 2", "points", "points 2"]
    return Table("Rounds", columns(heads, rows, 3), rows="encounters")


def places(staged: StagedResult) -> Table:
    """The place of each player."""

    def own(key: str, shown: Shown = Shown.EVERYWHERE) -> Column:
        return _figures(key, key, [getattr(p, key) for p in staged.places], "{:g}".format, shown)

    return Table(
        "Places",
        [
            own("place"),
            Column("player", [place.name for place in staged.places], "name", left=True),
            own("points"),
            own("rivals", Shown.EVERYWHERE if staged.format.rivals else Shown.VALUES),
        ],
        staged.format.note,
        "players",
    )


def staged_outcome(staged: StagedResult) -> str:
    """The winner, or the progress."""
    what = staged.format.title or staged.format.name
    if staged.winner is not None:
        return f"{staged.winner} wins the {what}."
    n = len(staged.rounds)
    rounds = "1 round is" if n == 1 else f"{n} rounds are"
    return f"The {what} goes on: {rounds} complete."


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
        # of several failures the record tells only the first, but for refuted claims
        wrong = record.attempts and record.attempts[seat].claim is Claim.WRONG
        return "false claim" if wrong else "failed"
    if not record.attempts:
        return seconds_text(record.seconds[seat])
    attempt = record.attempts[seat]
    if attempt.solved is not None:
        return seconds_text(solved(record, seat))
    return str(attempt.claim) or NONE
