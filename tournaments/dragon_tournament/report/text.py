"""Text: a report's tables for a terminal and in Markdown. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from dragon_tournament.records.record import Reason
from dragon_tournament.report.rounds import outcome, place_cells, round_cells
from dragon_tournament.report.solvers import instance_cells, profile_cells, solver_cells
from dragon_tournament.report.summary import Opening, Report
from dragon_tournament.statistics.contest import Contest, solved_means, verdict
from dragon_tournament.statistics.elo import elo
from dragon_tournament.statistics.skill import ABSENT
from dragon_tournament.statistics.standings import Row
from dragon_tournament.units import NONE, error_text, payoff_text, visible

Cells = list[list[str]]
FEW = 10
"""Of longer tables a terminal shows nothing, or only so many rows; Markdown has them whole."""
SOME = 25
"""Instances of a race that a terminal shows."""
FOLD = 100
"""Rows of any other table that it shows."""
LONG = 1000
"""Rows of a table in Markdown."""


def _cross_cells(rows: Sequence[Row], graded: bool) -> Cells:
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


def _player_cells(report: Report) -> Cells:
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


def half_text(error: float | None) -> str:
    """The half-width of an interval in Elo, if it is known.

    >>> half_text(20.6), half_text(None)
    ('±21', '—')
    """
    return NONE if error is None else f"±{error:.0f}"


def points_text(points: float) -> str:
    """Points with as many decimals as they need, two at most.

    >>> points_text(3.0), points_text(2.5)
    ('3', '2.5')
    """
    return f"{points:.2f}".rstrip("0").rstrip(".")


def identical_text(identical: int, played: int) -> str:
    """How many games repeat others.

    >>> identical_text(1, 20)[:35]
    '1 of 20 games is identical move for'
    """
    return (
        f"{identical:,} of {played:,} games {'is' if identical == 1 else 'are'} identical move for "
        f"move to an earlier one of the same players in the same seats"
    )


def _payoff_cells(report: Report, *of: str) -> list[str]:
    """The mean payoff of a player, in all or against another, and its interval, if it is graded."""
    if not report.graded:
        return []
    paid = report.payoffs.get(of)
    if paid is None:
        return [NONE, NONE]
    return [payoff_text(paid.mean, paid.error), error_text(paid.error)]


def to_text(report: Report) -> str:
    """Tables for a terminal, and a sentence for whatever else there is to say."""
    if not report.rows:
        return "\n".join([f"{report.name}: no games yet", *mishaps(report)]) + "\n"
    if report.contest is not None:
        return _contest_text(report, report.contest)
    staged = report.event
    first = round_cells(staged) if staged else _cross_cells(report.rows, report.graded)
    tables = [_aligned(first), _aligned(_player_cells(report))]
    if report.event is not None:
        tables.append(_aligned(place_cells(report.event)))
    if 1 <= len(report.meetings) <= FEW:
        tables.append(_aligned(_meeting_cells(report)))
    if report.openings:
        tables.append(_aligned(_opening_cells(report.openings[:FEW])))
    told = "\n".join(sentences(report))
    return f"{report.name}\n\n" + "\n\n".join(tables) + f"\n\n{told}\n"


def to_markdown(report: Report) -> str:
    """The same tables in Markdown, whole."""
    if not report.rows:
        return f"# {report.name}\n\n{' '.join(['No games yet.', *mishaps(report)])}\n"
    if report.contest is not None:
        return _contest_markdown(report, report.contest)
    tables = [_piped(_cross_cells(report.rows, report.graded)), _piped(_player_cells(report))]
    if report.event is not None:
        tables += [_piped(place_cells(report.event)), _piped(round_cells(report.event))]
    if report.meetings:
        tables.append(_piped(_meeting_cells(report)))
    if report.openings:
        tables.append(_piped(_opening_cells(report.openings)))
    told = " ".join(sentences(report))
    note = "Elo is relative to the mean of the players, with its 95% interval."
    return f"# {report.name}\n\n" + "\n\n".join(tables) + f"\n\n{told}\n\n{note}\n"


def _contest_text(report: Report, told: Contest) -> str:
    """Of a race which solver to use, then the instances, if they are few."""
    tables = [_aligned(solver_cells(told))]
    if told.instances <= SOME:
        tables.append(_aligned(instance_cells(told)))
    words = "\n".join([*verdict(told), "", solved_means(told), *sentences(report)])
    return f"{report.name}\n\n" + "\n\n".join(tables) + f"\n\n{words}\n"


def _contest_markdown(report: Report, told: Contest) -> str:
    """The same in Markdown, with every instance, and the steps of the performance profile."""
    tables = [solver_cells(told), instance_cells(told), profile_cells(told)]
    words = "\n\n".join(_piped(cells) for cells in tables if len(cells) > 1)
    return (
        f"# {report.name}\n\n{' '.join(verdict(told))}\n\n{words}\n\n{solved_means(told)} "
        f"{' '.join(sentences(report))}\n"
    )


def sentences(report: Report) -> Iterator[str]:
    """What is said beside the tables: progress, draws, the first seat, the test, mishaps."""
    played, planned = report.played, report.planned
    if report.verdict is not None and report.verdict.over:
        planned = None  # the rest need not be played
    count = f"{played:,}" + (f" of {planned:,}" if planned and planned > played else "")
    early = ", ".join(f"{n:,} {r}" for r, n in report.reasons.items() if r is not Reason.TERMINAL)
    what = "game" if report.contest is None else "instance"
    what += "" if count == "1" else "s"
    yield f"{count} {what} on record" + (f" ({early})." if early else ".")
    if not report.solo and report.drawn:
        yield f"Draws: {report.drawn / played:.0%} of all games."
    if report.advantage is not None:
        edge = report.advantage
        within = "" if edge.error is None else f" ± {edge.error:.0f}"
        yield f"The first seat is worth {edge.elo + 0.0:+.0f}{within} Elo."
    if report.identical:
        yield f"{identical_text(report.identical, played)}."
    if report.event is not None:
        yield outcome(report.event)
    if report.verdict is not None:
        yield f"{report.verdict}."
    if report.about.get("rating") == "openskill" and not report.skills and report.played:
        yield f"No skill is told: {ABSENT}."
    yield from mishaps(report)


def mishaps(report: Report) -> list[str]:
    """What befell the tournament on the way, a sentence for each kind."""
    return [happening.told for happening in report.happenings]


def elo_text(value: float) -> str:
    """Elo with its sign; nothing bounds it after perfect scores.

    >>> elo_text(34.6), elo_text(-0.2), elo_text(float("inf"))
    ('+35', '+0', '+∞')
    """
    if math.isinf(value):
        return "+∞" if value > 0 else "-∞"
    return f"{round(value) + 0:+d}"


def sure_text(superiority: float | None) -> str:
    """A likelihood of superiority, if it is known; nothing is wholly sure.

    >>> sure_text(0.9731), sure_text(0.99999), sure_text(None)
    ('97.3%', '>99.9%', '—')
    """
    if superiority is None:
        return NONE
    if superiority > 0.999:
        return ">99.9%"
    return "<0.1%" if superiority < 0.001 else f"{superiority:.1%}"


def _meeting_cells(report: Report) -> Cells:
    """What every two players made of each other, the stronger first."""
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


def _opening_cells(openings: Sequence[Opening]) -> Cells:
    """The openings and what they were worth to each seat."""
    seats = max(len(opening.points) for opening in openings)
    cells = [["opening", "games"] + [f"points {i}" for i in range(1, seats + 1)] + ["drawn"]]
    for opening in openings:
        points = [points_text(p) for p in opening.points] + [""] * (seats - len(opening.points))
        cells.append([" ".join(opening.moves), str(opening.played), *points, str(opening.drawn)])
    return cells


def _texts(cells: Cells) -> list[bool]:
    """Which columns hold names, and are set flush left."""
    names = ("seat ", "player", "opening", "solver", "instance", "round")
    return [head.endswith("seat") or head.startswith(names) for head in cells[0]]


def _folded(cells: Cells, most: int) -> tuple[Cells, str]:
    """The first rows of a table, and a word on those that are left out."""
    left = len(cells) - 1 - most
    return (cells[: most + 1], f"({left:,} more are in report.json)") if left > 0 else (cells, "")


def _aligned(cells: Cells) -> str:
    cells, more = _folded(cells, FOLD)
    cells = [[visible(cell) for cell in row] for row in cells]
    left = _texts(cells)
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    lines = [
        "  ".join(
            c.ljust(w) if flush else c.rjust(w)
            for c, w, flush in zip(row, widths, left, strict=True)
        ).rstrip()
        for row in cells
    ]
    rows = lines[1:] + [more] * bool(more)
    return "\n".join([lines[0], "  ".join("-" * w for w in widths), *rows])


def _piped(cells: Cells) -> str:
    cells, more = _folded(cells, LONG)
    left = _texts(cells)
    rule = ["---" if flush else "---:" for flush in left]
    rows = [cells[0], rule, *([visible(c).replace("|", "\\|") for c in row] for row in cells[1:])]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows) + (more and f"\n\n{more}")
