"""The tables of a report, each made once for the terminal, Markdown, pages and JSON."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from attrs import evolve

from dragon_tournament.formats.staged import StagedResult
from dragon_tournament.formatting import (
    NONE,
    elo_text,
    error_text,
    half_text,
    payoff_text,
    points_text,
    sure_text,
)
from dragon_tournament.report.races import instances, solvers
from dragon_tournament.report.summary import Report
from dragon_tournament.report.table import Cell, Column, Shown, Table, columns
from dragon_tournament.statistics.elo import elo
from dragon_tournament.statistics.pairs import Meeting
from dragon_tournament.statistics.standings import Payoff

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
    if report.regrets:
        yield "regret", regrets(report)
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
    exploited = report.exploited
    lost = Shown.EVERYWHERE if exploited else Shown.VALUES
    graded = Shown.EVERYWHERE if report.graded else Shown.VALUES
    skilled = Shown.EVERYWHERE if report.skills else Shown.VALUES
    matched = Shown.VALUES if report.solo else Shown.EVERYWHERE
    failed = Shown.PAGES if any(p.failures for p in players) else Shown.VALUES

    def own(
        key: str, text: Callable[[Any], str], digits: int | None = None,
        shown: Shown = Shown.EVERYWHERE,
    ) -> Column:  # fmt: skip
        return _figures(key, key, [getattr(p, key) for p in players], text, shown, digits)

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
            _figures(
                "exploitability",
                "exploitability",
                [exploited.get(p.name) for p in players],
                "{:.4f}".format,
                lost,
                9,
            ),
            own("seconds", "{:,.2f}".format, 6, Shown.ROOMY),
            own("nodes", "{:,}".format),
            Column("failures", failures, "failures", shown=failed),
        ],
        rows="players",
        numbered=True,
    )


def regrets(report: Report) -> Table:
    """The moves of each player that were judged after the games, fewest losses first."""
    players = sorted(report.regrets.items(), key=lambda item: (item[1]["mean_loss"], item[0]))

    def own(head: str, key: str, text: Callable[[Any], str]) -> Column:
        return _figures(head, key, [found.get(key) for _, found in players], text, digits=9)

    return Table(
        "Regret by move",
        [
            Column("player", [name for name, _ in players], "name", left=True),
            own("moves", "moves", "{:,}".format),
            own("kept the value", "kept", "{:.1%}".format),
            own("95%", "kept_error", "±{:.1%}".format),
            own("mean loss", "mean_loss", "{:.4f}".format),
            own("95%", "mean_loss_error", "±{:.4f}".format),
        ],
        rows="players",
        note="Moves whose values before and after are known; a loss is in units of payoff.",
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
    counts = ("won", "drawn", "lost")  # the score says as much in one column
    listed = [
        evolve(each, shown=Shown.ROOMY if each.head in counts else each.shown)
        for each in columns(heads, rows, 2)
    ]
    return Table("Pairs of players", listed)


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
