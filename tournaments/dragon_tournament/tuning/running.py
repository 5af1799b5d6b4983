"""Running: a tuning from its file's values to its outcome, by way of a folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import attrs

from dragon.files import replacing
from dragon_tournament.executors.executor import Executor
from dragon_tournament.runner import Observer, Outcome
from dragon_tournament.runner import run as run_games
from dragon_tournament.tournament import Tournament
from dragon_tournament.tuning.outcome import Candidate, TuningOutcome, candidates, to_json, to_text
from dragon_tournament.tuning.picture import to_svg
from dragon_tournament.tuning.plan import TrialPlan
from dragon_tournament.tuning.study import Study
from dragon_tournament.tuning.tuning import Tuning

DEFAULT = "default"
PICTURE, JSON, TEXT = "settings.svg", "tune.json", "tune.txt"


def run(
    tuning: Tuning,
    folder: Path,
    executor: Callable[[], Executor],
    restart: bool = False,
    observer: Callable[[], Observer] = Observer,
) -> TuningOutcome:
    """Plays the trials and then the test, as far as they are not on record; writes the reports.

    A first Ctrl-C ends either after the games in progress; what is missing is played when it is
    run again. Raises what the runner of a tournament does.
    """
    plans: list[TrialPlan] = []

    def plan(_: Tournament, records: object) -> TrialPlan:
        plans.append(TrialPlan(tuning, records, Study(tuning, folder, restart)))  # type: ignore[arg-type]
        return plans[-1]

    played = run_games(tuning, folder, executor(), restart, observer(), plan)
    trials = tuple(plans[0].trials)
    found = TuningOutcome(
        tuning=tuning, trials=trials, games=played.report.played, missing=played.missing,
        candidates=tuple(candidates(tuning, trials, played.report)), picture=str(folder / PICTURE),
        failures=played.report.failures,
    )  # fmt: skip
    _write(found, folder)
    if found.best is not None and not found.missing and not found.nothing_better:
        tested = _tested(tuning, found.best, folder, executor(), restart, observer())
        found = attrs.evolve(found, test=tested.report, missing=tested.missing)
        found = attrs.evolve(found, failures=found.failures + tested.report.failures)
        _write(found, folder)
    return found


def test_of(tuning: Tuning, best: Candidate) -> Tournament:
    """The test of the best settings against the default.

    Its seed is another one: in the games of the trials the best had been lucky, too.
    """
    values = {a.name: getattr(tuning, a.name) for a in attrs.fields(Tournament)}
    default = attrs.evolve(tuning.default, name=DEFAULT)
    return Tournament(**{
        **values, "name": f"{tuning.name} test", "seed": tuning.seed + 1, "sprt": tuning.test,
        "players": (tuning.player(best.name), default), "games": tuning.test_games,
    })  # fmt: skip


def _tested(
    tuning: Tuning, best: Candidate, folder: Path, executor: Executor, restart: bool,
    observer: Observer,
) -> Outcome:  # fmt: skip
    """The test, in a folder that tells which trial it is of: more trials may bring another best."""
    place = folder / f"test-{best.trials[0]}"
    observer.say(f"the best, {best.name}, meets the default; records are in {place}")
    return run_games(test_of(tuning, best), place, executor, restart, observer)


def _write(outcome: TuningOutcome, folder: Path) -> None:
    """The picture and the report, beside the records."""
    table = json.dumps(to_json(outcome), indent=1, ensure_ascii=False) + "\n"
    texts = {PICTURE: to_svg(outcome), JSON: table, TEXT: to_text(outcome)}
    for name, text in texts.items():
        with replacing(folder / name) as file:
            file.write(text.encode())
