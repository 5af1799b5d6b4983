"""A report as text for a terminal and as Markdown: its tables, and sentences beside them."""

from __future__ import annotations

from collections.abc import Iterator

from dragon.columns import filled
from dragon_tournament.formatting import identical_text
from dragon_tournament.records.record import Reason
from dragon_tournament.report import races, tables
from dragon_tournament.report.summary import Report
from dragon_tournament.report.table import Table, aligned, piped
from dragon_tournament.report.tables import staged_outcome
from dragon_tournament.statistics.contest import solved_means, verdict
from dragon_tournament.statistics.skill import ABSENT

FEW = 10
"""A terminal shows the first openings only, and the pairs of players if they are no more."""
SOME = 25  # instances of a race that a terminal shows


def to_text(report: Report) -> str:
    """Tables for a terminal, and sentences on everything else."""
    if not report.rows:
        return "\n".join([f"{report.name}: no games yet", *_incidents(report)]) + "\n"
    race = report.contest
    words = [] if race is None else [*verdict(race), "", solved_means(race)]
    shown = [aligned(table) for table in _tables(report, whole=False)]
    lines = filled([*words, *sentences(report)])
    return "\n\n".join([report.name, *shown, "\n".join(lines)]) + "\n"


def to_markdown(report: Report) -> str:
    """Render all tables in Markdown."""
    title, words, race = f"# {report.name}", " ".join(sentences(report)), report.contest
    if not report.rows:
        return f"{title}\n\n{' '.join(['No games yet.', *_incidents(report)])}\n"
    shown = [piped(table) for table in _tables(report, whole=True) if len(table)]
    if race is not None:
        parts = [title, " ".join(verdict(race)), *shown, f"{solved_means(race)} {words}"]
    else:
        note = "Elo is relative to the mean of the players, with its 95% interval."
        parts = [title, *shown, words, note]
    return "\n\n".join(parts) + "\n"


def _tables(report: Report, whole: bool) -> Iterator[Table]:
    """The tables that say something; not `whole`, without those that are long."""
    race, staged = report.contest, report.staged
    if race is not None:
        yield races.solvers(race)
        if whole or race.instances <= SOME:
            yield races.instances(race)
        if whole:
            yield races.profiles(race)
        return
    yield tables.seatings(report) if whole or not staged else tables.rounds(staged)
    yield tables.standings(report)
    if staged is not None:
        yield tables.places(staged)
        if whole:
            yield tables.rounds(staged)
    if report.meetings and (whole or len(report.meetings) <= FEW):
        yield tables.meetings(report)
    if report.regrets:
        yield tables.regrets(report)
    if report.openings:
        yield tables.openings(report, None if whole else FEW)


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
    yield from notes(report)
    if report.staged is not None:
        yield staged_outcome(report.staged)
    if report.verdict is not None:
        yield f"{report.verdict}."
    if report.about.get("rating") == "openskill" and not report.skills and report.played:
        yield f"There are no skills: {ABSENT}."
    yield from _incidents(report)


def notes(report: Report) -> Iterator[str]:
    """The sentences on draws, the first seat and repeated games."""
    if not report.solo and report.drawn:
        yield f"Draws: {report.drawn / report.played:.0%} of all games."
    if report.advantage is not None:
        edge = report.advantage
        within = "" if edge.error is None else f" ± {edge.error:.0f}"
        yield f"The first seat is worth {edge.elo + 0.0:+.0f}{within} Elo."
    if report.identical:
        yield f"{identical_text(report.identical, report.played)}."


def _incidents(report: Report) -> list[str]:
    """The incidents beside the games, a sentence for each kind."""
    return [summary.sentence for summary in report.incidents]
