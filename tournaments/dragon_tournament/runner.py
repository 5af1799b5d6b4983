"""Runner: the pipeline from a Tournament to its report, by way of a folder."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from attrs import frozen

from dragon.errors import UnknownName
from dragon.plugins import manager
from dragon_tournament.executor import Executor
from dragon_tournament.record import Record
from dragon_tournament.report import Report, report, to_json, to_markdown
from dragon_tournament.schedule import schedule, seatings_of
from dragon_tournament.store import Store
from dragon_tournament.tournament import Tournament


@frozen
class Outcome:
    """What a run has come to."""

    report: Report
    missing: int
    """Games still to be played, because the run was interrupted."""


class Watch:
    """What a run tells while it goes on; this one is silent."""

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
    """Plays what is not on record yet, and writes the reports; Ctrl-C ends it early.

    Raises ConfigError for a folder of something else, TournamentError when the folder
    cannot be used.
    """
    watch = watch or Watch()
    pairings = list(schedule(tournament))
    with Store(folder) as store:
        aside = store.restart() if restart else None
        if aside is not None:
            watch.say(f"the old records are kept in {aside}")
        summary = tournament.summary()
        store.open({p.id for p in pairings}, summary)
        known = {record.id for record in store.records}
        todo = [p for p in pairings if p.id not in known]
        if known and todo:
            watch.say(f"{len(known)} of {len(pairings)} games are on record; going on from there")
            if store.version not in ("", summary["version"]):
                watch.say(
                    f"they were played by dragon {store.version}, the others will be by "
                    f"{summary['version']}; --restart plays all of them by one"
                )
        for sentence in tournament.caveats():
            watch.say(f"note: {sentence}")
        try:
            watch.begin(len(pairings), store.records)
            if todo:
                with closing(executor.map(tournament, iter(todo))) as played:
                    for record in played:
                        with _undisturbed():
                            store.append(record)
                        watch.record(record)
        except KeyboardInterrupt:
            watch.say("interrupted")
        finally:
            watch.end()
        told = report(
            tournament.name,
            store.records,
            [p.name for p in tournament.players],
            dict.fromkeys(seats for seats, _ in seatings_of(tournament)),
            str(store.path),
        )
        store.write("report.md", to_markdown(told))
        store.write("report.json", json.dumps(to_json(told), indent=1, ensure_ascii=False) + "\n")
        return Outcome(told, len(pairings) - len(store.records))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Holds a Ctrl-C back until the block is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt


def executor_of(name: str, workers: int | None) -> Executor:
    """The installed executor of that name; no workers mean this very process."""
    known: dict[str, Any] = {
        factory.name: factory for group in manager().hook.dragon_executors() for factory in group
    }
    wanted = "inline" if workers == 0 else name
    if wanted not in known:
        raise UnknownName("executor", wanted, known)
    made: Executor = known[wanted]() if not workers else known[wanted](workers=workers)
    return made
