"""Text: a report's tables for a terminal and in Markdown. Pure functions."""

from __future__ import annotations

from collections.abc import Iterator

from dragon_tournament.formatting import identical_text, visible
from dragon_tournament.records.record import Reason
from dragon_tournament.report.summary import Report
from dragon_tournament.report.tables import (
    Cells,
    cross_cells,
    instance_cells,
    meeting_cells,
    opening_cells,
    place_cells,
    player_cells,
    profile_cells,
    round_cells,
    solver_cells,
    staged_outcome,
)
from dragon_tournament.statistics.contest import solved_means, verdict
from dragon_tournament.statistics.skill import ABSENT

FEW = 10
"""Of longer tables a terminal shows nothing, or only so many rows; Markdown has them whole."""
SOME = 25  # instances of a race that a terminal shows
FOLD = 100  # rows of any other table that it shows
LONG = 1000  # rows of a table in Markdown


def to_text(report: Report) -> str:
    """Tables for a terminal, and a sentence for whatever else there is to say."""
    if not report.rows:
        return "\n".join([f"{report.name}: no games yet", *_incidents(report)]) + "\n"
    race = report.contest
    words = [] if race is None else [*verdict(race), "", solved_means(race)]
    tables = [aligned(cells) for cells in _tables(report, whole=False)]
    return "\n\n".join([report.name, *tables, "\n".join([*words, *sentences(report)])]) + "\n"


def to_markdown(report: Report) -> str:
    """Render all tables in Markdown."""
    title, words, race = f"# {report.name}", " ".join(sentences(report)), report.contest
    if not report.rows:
        return f"{title}\n\n{' '.join(['No games yet.', *_incidents(report)])}\n"
    tables = [_piped(cells) for cells in _tables(report, whole=True) if len(cells) > 1]
    if race is not None:
        parts = [title, " ".join(verdict(race)), *tables, f"{solved_means(race)} {words}"]
    else:
        note = "Elo is relative to the mean of the players, with its 95% interval."
        parts = [title, *tables, words, note]
    return "\n\n".join(parts) + "\n"


def _tables(report: Report, whole: bool) -> Iterator[Cells]:
    """The tables that say something; not `whole`, without those that are long."""
    race, staged = report.contest, report.staged
    if race is not None:
        yield solver_cells(race)
        if whole or race.instances <= SOME:
            yield instance_cells(race)
        if whole:
            yield profile_cells(race)
        return
    yield cross_cells(report.rows, report.graded) if whole or not staged else round_cells(staged)
    yield player_cells(report)
    if staged is not None:
        yield place_cells(staged)
        if whole:
            yield round_cells(staged)
    if report.meetings and (whole or len(report.meetings) <= FEW):
        yield meeting_cells(report)
    if report.openings:
        yield opening_cells(report.openings[: None if whole else FEW])


def sentences(report: Report) -> Iterator[str]:
    """The sentences beside the tables: progress, draws, the first seat, the test, incidents."""
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
    if report.staged is not None:
        yield staged_outcome(report.staged)
    if report.verdict is not None:
        yield f"{report.verdict}."
    if report.about.get("rating") == "openskill" and not report.skills and report.played:
        yield f"No skill is told: {ABSENT}."
    yield from _incidents(report)


def _incidents(report: Report) -> list[str]:
    """The incidents beside the games, a sentence for each kind."""
    return [summary.sentence for summary in report.incidents]


def _texts(cells: Cells) -> list[bool]:
    """Which columns hold names, and are set flush left."""
    names = ("seat ", "player", "opening", "solver", "instance", "round")
    return [head.endswith("seat") or head.startswith(names) for head in cells[0]]


def _folded(cells: Cells, most: int) -> tuple[Cells, str]:
    """The first rows of a table, and a word on those that are left out."""
    left = len(cells) - 1 - most
    return (cells[: most + 1], f"({left:,} more are in report.json)") if left > 0 else (cells, "")


def aligned(cells: Cells) -> str:
    """A table for a terminal, its first row the heads of the columns."""
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
