"""Runner: the pipeline from a Tournament to its report, by way of a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from attrs import frozen

from dragon.errors import TournamentError
from dragon_tournament.executors import Executor
from dragon_tournament.formats.fresh import repetitions
from dragon_tournament.formats.plan import Plan
from dragon_tournament.interrupts import Gate, Interrupts
from dragon_tournament.records.diary import Incident, What
from dragon_tournament.records.record import Record
from dragon_tournament.records.store import Store
from dragon_tournament.report import Report, report, to_html, to_json, to_markdown
from dragon_tournament.statistics.sprt import Trial
from dragon_tournament.tournament import Tournament
from dragon_tournament.units import visible


@frozen
class Outcome:
    """What a run has come to."""

    report: Report
    missing: int
    """Games still to be played, because the run was interrupted."""


class Watch:
    """What a run tells while it goes on; this one is silent."""

    trial: Trial | None = None
    """The test that may end the tournament before all games are played."""

    graded: bool = False
    """Whether the game is graded: who leads is told by mean payoffs then, not by points."""

    def say(self, sentence: str) -> None:
        """A notice."""

    def begin(self, games: int, records: Sequence[Record]) -> None:
        """So many games in all; these are on record already."""

    def record(self, record: Record) -> None:
        """A game has ended and is on record."""

    def end(self) -> None:
        """No more games."""


def run(
    tournament: Tournament,
    folder: Path,
    executor: Executor,
    restart: bool = False,
    watch: Watch | None = None,
) -> Outcome:
    """Plays what is not on record yet, and writes the reports.

    After a first Ctrl-C no game begins, and those in progress end; a second, or SIGTERM, drops
    them. What
    befell the run goes to the folder's diary, and into the report.

    Raises ConfigError for a folder of something else, TournamentError when the folder
    cannot be used or games cannot be played; the report is of what is on record then.
    """
    import numpy as np  # noqa: F401 - now: half of it, after a Ctrl-C, would spoil the report

    watch = watch or Watch()
    with Store(folder) as store:
        aside = store.restart() if restart else None
        if aside is not None:
            watch.say(f"the old records are kept in {aside}")
        summary = tournament.summary()
        records = store.read()
        plan = Plan(tournament, records)
        store.open(summary, plan.foreign)
        about = {**summary, "total": plan.total}  # for who looks on while games are played
        store.write("tournament.json", _pretty(about))
        if records and plan.left:
            watch.say(f"{len(records)} of {plan.total} games are on record; going on")
            if store.version not in ("", summary["version"]):
                watch.say(
                    f"they were played by dragon {store.version}, the others will be by "
                    f"{summary['version']}; --restart plays all of them by one"
                )
                store.note(Incident(What.CHANGED, f"{store.version}, then {summary['version']}"))
        for junk in store.junk:
            watch.say(f"note: {junk}")
        for sentence in (*tournament.caveats(), *repetitions(tournament)):
            watch.say(f"note: {sentence}")
        watch.trial, watch.graded = plan.trial, summary["graded"]
        watch.begin(plan.total, records)
        del records  # a long run holds none
        try:
            with _noted(store, plan):
                _play(tournament, plan, store, executor, watch)
        except TournamentError:
            with suppress(TournamentError):  # the first of them is told
                _write_report(tournament, plan, store, about)
            raise
        finally:
            watch.end()
        return Outcome(_write_report(tournament, plan, store, about), plan.left)


@contextmanager
def _noted(store: Store, plan: Plan) -> Iterator[None]:
    """Writes into the diary that a run begins, and how it ends; without the former it was killed.

    A run that has nothing to play is none.
    """
    if not plan.left:
        yield
        return
    store.note(Incident(What.BEGAN))
    try:
        yield
    except BaseException as wrong:
        with suppress(TournamentError):  # a full disk, and that is what is raised
            store.note(Incident(What.FAILED, str(wrong) or type(wrong).__name__))
        raise
    finally:
        with suppress(TournamentError):
            store.note(Incident(What.ENDED))


def _play(
    tournament: Tournament, plan: Plan, store: Store, executor: Executor, watch: Watch
) -> None:
    """Plays what is left, and writes every record down; Ctrl-C ends it early."""
    gate = Gate(iter(plan))
    try:
        _record(tournament, plan, store, executor, watch, gate)
    except KeyboardInterrupt as pressed:
        watch.say("interrupted")
        store.note(Incident(What.INTERRUPTED, str(pressed), sorted(gate.handed)))
    else:
        if not gate.open and plan.left:
            store.note(Incident(What.INTERRUPTED))


def _record(
    tournament: Tournament, plan: Plan, store: Store, executor: Executor, watch: Watch, gate: Gate
) -> None:
    """Writes down what comes of the games that the gate lets through."""
    with Interrupts(gate, watch.say) as interrupts:
        while plan.left and gate.open:  # again for an executor that stops at the end of a round
            before = plan.left
            with closing(executor.map(tournament, gate)) as played:
                for record in played:
                    if isinstance(record, Incident):
                        with interrupts.shield():
                            store.note(record)
                        watch.say(str(record))
                        continue
                    if record.id not in gate.handed:  # nothing counts twice, whoever played it
                        continue
                    gate.handed.discard(record.id)
                    with interrupts.shield():
                        store.append(record)
                        plan.add(record)
                    watch.record(record)
            if plan.left == before and gate.open:
                raise TournamentError(f"{executor.name} plays nothing; take another --executor")
            gate.pairings = iter(plan)
            gate.handed.clear()


def _pretty(table: dict[str, Any]) -> str:
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def _write_report(
    tournament: Tournament, plan: Plan, store: Store, about: dict[str, Any]
) -> Report:
    """The report of what is on record, and its files."""
    records = store.read()
    told = report(
        tournament.name,
        records,
        [player.name for player in tournament.players],
        plan.seatings(),
        str(store.path),
        verdict=None if plan.trial is None else plan.trial.verdict,
        planned=plan.total,
        about=about,
        incidents=store.diary(),
    )
    store.write("tournament.json", _pretty({**about, "total": plan.total}))
    store.write("report.md", visible(to_markdown(told), kept="\n"))
    store.write("report.json", _pretty(to_json(told)))
    store.write("report.html", to_html(told, records))
    return told
