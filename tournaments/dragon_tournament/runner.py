"""Runner: the pipeline from a Tournament to its report, by way of a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from dragon.errors import ConfigError, TournamentError
from dragon.plugins import why_no_start
from dragon_tournament.executors.executor import Executor
from dragon_tournament.formats.beginnings import repetitions
from dragon_tournament.formats.plan import Plan, Planned
from dragon_tournament.formatting import visible
from dragon_tournament.interrupts import Gate, Interrupts
from dragon_tournament.records.event_log import Incident, IncidentKind
from dragon_tournament.records.files import REPORT, SETTINGS
from dragon_tournament.records.record import Record
from dragon_tournament.records.replay import Unplayable, check_rules
from dragon_tournament.records.store import Store
from dragon_tournament.report.html import to_html
from dragon_tournament.report.schema import to_json
from dragon_tournament.report.summary import Report, report
from dragon_tournament.report.text import to_markdown
from dragon_tournament.sources import changes
from dragon_tournament.statistics.sprt import Trial
from dragon_tournament.tournament import Tournament


@frozen
class Outcome:
    """The outcome of a run."""

    report: Report
    missing: int
    """Games still to be played, because the run was interrupted."""


class Observer:
    """An observer of a run; this one is silent."""

    trial: Trial | None = None
    """The test that may end the tournament before all games are played."""

    graded: bool = False
    """Whether the game is graded: who leads is told by mean payoffs then, not by points."""

    def say(self, sentence: str) -> None:
        """A notice."""

    def begin(self, games: int, records: Sequence[Record]) -> None:
        """Begin with so many games in all, and those on record already."""

    def expect(self, games: int) -> None:
        """Expect so many games in all, as a round that has ended tells."""

    def record(self, record: Record) -> None:
        """A game has ended and is on record."""

    def end(self) -> None:
        """No more games."""


def run(
    tournament: Tournament,
    folder: Path,
    executor: Executor,
    restart: bool = False,
    observer: Observer | None = None,
    plan_of: Callable[[Tournament, Sequence[Record]], Planned] = Plan,
) -> Outcome:
    """Plays what is not on record yet, and writes the reports.

    `plan_of`: what makes the plan of the tournament, given the records so far.

    After a first Ctrl-C no game begins, and those in progress end; a second, or SIGTERM, drops
    them. What happens beside the games goes to the folder's event log, and into the report.

    Raises ConfigError for a folder of something else, and where the rules of the game have
    changed since its records were made; TournamentError when the folder
    cannot be used or games cannot be played; the report is of what is on record then.
    """
    import numpy as np  # noqa: F401 - now: half of it, after a Ctrl-C, would spoil the report

    observer = observer or Observer()
    with Store(folder) as store:
        aside = store.restart() if restart else None
        if aside is not None:
            observer.say(f"the old records are kept in {aside}")
        summary = tournament.summary()
        records = store.read()
        plan = plan_of(tournament, records)
        if not plan.foreign:
            _check_rules(records, tournament)
        if plan.left:
            _check_players(tournament)
        store.open(summary, plan.foreign)
        about = {**summary, "total": plan.total}  # for who looks on while games are played
        store.write(SETTINGS, _pretty(about))
        if records and plan.left:
            observer.say(f"{len(records)} of {plan.total} games are on record; going on")
            for sentence, detail in changes(store.before, summary):
                observer.say(sentence)
                store.note(Incident(IncidentKind.CHANGED, detail))
        for junk in store.junk:
            observer.say(f"note: {junk}")
        for sentence in (*tournament.caveats(), *repetitions(tournament)):
            observer.say(f"note: {sentence}")
        observer.trial, observer.graded = plan.trial, summary["graded"]
        observer.begin(plan.total, records)
        del records  # a long run holds none
        try:
            with _noted(store, plan):
                _play(tournament, plan, store, executor, observer, about)
        except TournamentError:
            with suppress(TournamentError):  # the first of them is told
                _write_report(tournament, plan, store, about)
            raise
        finally:
            observer.end()
        return Outcome(_write_report(tournament, plan, store, about), plan.left)


def _check_rules(records: Sequence[Record], tournament: Tournament) -> None:
    """Raises ConfigError for games of other rules than those that the others would be played by."""
    try:
        check_rules(records, tournament.by_spec)
    except Unplayable as changed:
        raise ConfigError(
            f"{changed}; --restart plays all games again and keeps the old records beside"
        ) from changed


def _check_players(tournament: Tournament) -> None:
    """Raise ConfigError for searches that cannot start, before any game."""
    found = {
        index: why_no_start(player.search, tournament.game)
        for index, player in enumerate(tournament.players)
    }
    if wrong := [f"{why} @ player[{index}]" for index, why in found.items() if why is not None]:
        raise ConfigError(wrong)


@contextmanager
def _noted(store: Store, plan: Planned) -> Iterator[None]:
    """Writes into the event log that a run begins, and how it ends; else it was killed.

    A run that has nothing to play is none.
    """
    if not plan.left:
        yield
        return
    store.note(Incident(IncidentKind.BEGAN))
    try:
        yield
    except BaseException as wrong:
        with suppress(TournamentError):  # a full disk, and that is what is raised
            store.note(Incident(IncidentKind.FAILED, str(wrong) or type(wrong).__name__))
        raise
    finally:
        with suppress(TournamentError):
            store.note(Incident(IncidentKind.ENDED))


def _play(
    tournament: Tournament, plan: Planned, store: Store, executor: Executor, observer: Observer,
    about: dict[str, Any],
) -> None:  # fmt: skip
    """Plays what is left, and writes every record down; Ctrl-C ends it early."""
    gate = Gate(iter(plan))
    try:
        with Interrupts(gate, observer.say) as interrupts:
            while plan.left and gate.open:  # again for an executor that stops after a round
                idle = True
                with closing(executor.map(tournament, gate)) as played:
                    for record in played:
                        if isinstance(record, Incident):
                            with interrupts.shield():
                                store.note(record)
                            observer.say(str(record))
                        elif record.id in gate.handed:  # nothing counts twice
                            gate.handed.discard(record.id)
                            idle = False
                            with interrupts.shield():
                                plan.add(record)
                                if plan.total != about["total"]:  # before who looks on sees it end
                                    about["total"] = plan.total
                                    store.write(SETTINGS, _pretty(about))
                                    observer.expect(plan.total)
                                store.append(record)
                            observer.record(record)
                if idle and gate.open:
                    raise TournamentError(f"{executor.name} plays nothing; take another --executor")
                gate.pairings = iter(plan)
                gate.handed.clear()
    except KeyboardInterrupt as pressed:
        observer.say("interrupted")
        store.note(Incident(IncidentKind.INTERRUPTED, str(pressed), sorted(gate.handed)))
    else:
        if not gate.open and plan.left:
            store.note(Incident(IncidentKind.INTERRUPTED))


def _pretty(table: dict[str, Any]) -> str:
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def _write_report(
    tournament: Tournament, plan: Planned, store: Store, about: dict[str, Any]
) -> Report:
    """The report of what is on record, and its files."""
    records = store.read()
    about = {**about, "total": plan.total}
    found = report(records, about, store.path, plan.seatings(), store.incidents())
    if plan.trial is not None:
        found = evolve(found, verdict=plan.trial.verdict)
    store.write(SETTINGS, _pretty(about))
    store.write("report.md", visible(to_markdown(found), kept="\n"))
    store.write(REPORT, _pretty(to_json(found)))
    store.write("report.html", to_html(found, records, typed=tournament.by_spec))
    return found
