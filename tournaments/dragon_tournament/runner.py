"""A run of a tournament: what is left to play, the games, the reports, by way of a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from dragon.errors import ConfigError, DragonError, TournamentError
from dragon.plugins import why_no_start
from dragon_tournament.executors.executor import Executor
from dragon_tournament.formatting import visible
from dragon_tournament.interrupts import Gate, Interrupts
from dragon_tournament.plan import Plan, Planned
from dragon_tournament.records.event_log import Incident, IncidentKind
from dragon_tournament.records.files import REPORT, SETTINGS
from dragon_tournament.records.record import Record
from dragon_tournament.records.replay import Unplayable, check_rules
from dragon_tournament.records.store import Store
from dragon_tournament.regret import Regret, regrets
from dragon_tournament.report.html import to_html
from dragon_tournament.report.schema import to_json
from dragon_tournament.report.summary import Report, report
from dragon_tournament.report.text import to_markdown
from dragon_tournament.sources import changes, moved_bounds
from dragon_tournament.statistics.pairs import Played
from dragon_tournament.statistics.sprt import Trial
from dragon_tournament.statistics.tally import Tally
from dragon_tournament.tournament import Tournament

ASKED = 60.0
"""Seconds that a player may take to be asked at all information sets of a game."""


@frozen
class Outcome:
    """The outcome of a run."""

    report: Report
    missing: int
    """Games still to be played, because the run was interrupted or some were set aside."""
    aside: int = 0
    """Games that were lost with their workers whenever they were tried."""


class Observer:
    """An observer of a run; this one is silent."""

    trial: Trial | None = None
    """The test that may end the tournament before all games are played."""

    graded: bool = False
    """True if the game is graded: mean payoffs order the players then, not points."""

    def say(self, sentence: str) -> None:
        """Show a notice."""

    def begin(self, games: int, records: Iterable[Played]) -> None:
        """Begin with the number of games in all, and those on record already."""

    def expect(self, games: int) -> None:
        """Expect this number of games in all, as is known after a round."""

    def record(self, record: Record) -> None:
        """Show a game that has ended and is on record."""

    def end(self) -> None:
        """End: there are no more games."""


def run(
    tournament: Tournament,
    folder: Path,
    executor: Executor,
    restart: bool = False,
    observer: Observer | None = None,
    plan_of: Callable[[Tournament, Sequence[Record]], Planned] = Plan,
) -> Outcome:
    """Play the games not on record yet, and write the reports.

    `plan_of`: the maker of the plan of the tournament, given the records so far.

    After a first Ctrl-C no game begins, and those in progress end; a second, or SIGTERM, drops
    them. Incidents beside the games go to the folder's event log, and into the report.

    Raises ConfigError for a folder of something else, and where the rules of the game have
    changed since its records were made; TournamentError when the folder
    cannot be used or games cannot be played; the report is of the games on record then.
    """
    import numpy as np  # noqa: F401 - now: half of it, after a Ctrl-C, would spoil the report

    observer = observer or Observer()
    with Store(folder) as store:
        aside = store.restart() if restart else None
        if aside is not None:
            observer.say(f"the old records are kept in {aside}")
        summary = tournament.summary()
        tally = Tally(summary["dealt"])
        records = store.read(tally.add_record)
        plan = plan_of(tournament, records)
        if not plan.foreign:
            _check_rules(records, tournament)
        if plan.left:
            _check_players(tournament)
        store.open(summary, plan.foreign)
        about = {**summary, "total": plan.total}  # for readers of the folder while games are played
        store.write(SETTINGS, _pretty(about))
        if records and plan.left:
            observer.say(f"{len(records)} of {plan.total} games are on record; going on")
            for sentence, detail in changes(store.before, summary):
                observer.say(sentence)
                store.note(Incident(IncidentKind.CHANGED, detail))
        for sentence, detail in moved_bounds(store.before, summary) if records else ():
            observer.say(sentence)
            store.note(Incident(IncidentKind.MOVED, detail))
        for junk in store.junk:
            observer.say(f"note: {junk}")
        for sentence in (*tournament.caveats(), *plan.schedule.repetitions()):
            observer.say(f"note: {sentence}")
        observer.trial, observer.graded = plan.trial, summary["graded"]
        if tournament.exploitability:
            about["exploited"] = _exploited(tournament, observer)
            store.write(SETTINGS, _pretty(about))
        observer.begin(plan.total, tally.played())
        del records  # a long run holds none
        try:
            with _noted(store, plan):
                lost = _play(tournament, plan, store, executor, observer, about, tally)
        except (TournamentError, ConfigError):  # the latter of an opening whose turn has come
            with suppress(TournamentError):  # only the first of them is reported
                _write_report(tournament, plan, store, about, tally)
            raise
        finally:
            observer.end()
        if tournament.regret is not None and not plan.left:
            try:
                about["regrets"] = _regretted(tournament, tournament.regret, store, observer)
            except KeyboardInterrupt:
                _write_report(tournament, plan, store, about, tally)
                raise
        return Outcome(_write_report(tournament, plan, store, about, tally), plan.left, len(lost))


def _exploited(tournament: Tournament, observer: Observer) -> dict[str, float]:
    """Return the exploitability of each player where that takes no more than ASKED seconds.

    The observer is notified of the others.
    """
    from dragon.search.equilibrium.exploit import exploitation

    found: dict[str, float] = {}
    game, seed = tournament.game, tournament.seed
    for player in tournament.players:
        try:
            loss = exploitation(game, player.search, player.limit, seed, ASKED)
            found[player.name] = loss.exploitability
        except DragonError as unfit:
            observer.say(f"note: no exploitability of {player.name}: {unfit}")
    return found


def _regretted(
    tournament: Tournament, rules: Regret, store: Store, observer: Observer
) -> dict[str, Any]:
    """Judge the moves on record; return the figures of each player."""
    records, judge = store.records()[: rules.games], rules.judge(tournament.game)
    observer.say(f"judging the moves of {len(records):,} games by {judge}")
    try:
        return regrets(rules, tournament.game, records, tournament.by_spec)
    except DragonError as unfit:
        observer.say(f"note: moves are not judged: {unfit}")
        return {}


def _check_rules(records: Sequence[Record], tournament: Tournament) -> None:
    """Raise ConfigError for games on record of other rules than those of the games to come."""
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
    """Write into the event log that a run begins, and how it ends; else it was killed.

    A run that has nothing to play is not noted.
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
    about: dict[str, Any], tally: Tally,
) -> set[str]:  # fmt: skip
    """Play the remaining games, and write every record; Ctrl-C ends it early.

    Return the ids of games that were set aside, since they were always lost.
    """
    gate, aside = Gate(iter(plan)), set[str]()
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
                            if record.what is IncidentKind.ASIDE:
                                aside.update(record.games)
                        elif record.id in gate.handed:  # nothing counts twice
                            gate.handed.discard(record.id)
                            idle = False
                            with interrupts.shield():
                                try:
                                    plan.add(record)
                                except TournamentError:  # of a format; the game is kept
                                    store.append(record)
                                    tally.add_record(record)
                                    raise
                                if (
                                    plan.total != about["total"]
                                ):  # before readers of the folder see it end
                                    about["total"] = plan.total
                                    store.write(SETTINGS, _pretty(about))
                                    observer.expect(plan.total)
                                store.append(record)
                                tally.add_record(record)
                            observer.record(record)
                if idle and aside:
                    break
                if idle and gate.open:
                    raise TournamentError(f"{executor.name} plays nothing; take another --executor")
                gate.pairings = filter(lambda each: each.id not in aside, iter(plan))
                gate.handed.clear()
    except KeyboardInterrupt as pressed:
        observer.say("interrupted")
        store.note(Incident(IncidentKind.INTERRUPTED, str(pressed), sorted(gate.handed)))
    else:
        if not gate.open and plan.left:
            store.note(Incident(IncidentKind.INTERRUPTED))
    return aside


def _pretty(table: dict[str, Any]) -> str:
    return json.dumps(table, indent=1, ensure_ascii=False) + "\n"


def _write_report(
    tournament: Tournament, plan: Planned, store: Store, about: dict[str, Any], tally: Tally
) -> Report:
    """The report of the games on record, and its files."""
    records = store.records()
    about = {**about, "total": plan.total}
    found = report(tally, about, store.path, plan.seatings(), store.incidents(), records)
    if plan.trial is not None:
        found = evolve(found, verdict=plan.trial.verdict)
    store.write(SETTINGS, _pretty(about))
    store.write("report.md", visible(to_markdown(found), kept="\n"))
    store.write(REPORT, _pretty(to_json(found)))
    store.write("report.html", to_html(found, records, tally, typed=tournament.by_spec))
    return found
