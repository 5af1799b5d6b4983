"""A run of a tuning, by way of a folder: its trials, the test, and the reports."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from statistics import fmean

import attrs

from dragon.files import replacing
from dragon_tournament.executors.executor import Executor
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.record import Record
from dragon_tournament.runner import Observer, Outcome
from dragon_tournament.runner import run as run_games
from dragon_tournament.statistics.pairs import score
from dragon_tournament.statistics.sprt import Trial
from dragon_tournament.tournament import Tournament
from dragon_tournament.tuning.outcome import (
    Candidate,
    TuningOutcome,
    candidates,
    to_json,
    to_svg,
    to_text,
)
from dragon_tournament.tuning.study import Study, TuningTrial
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
    """Play the trials and then the test, as far as they are not on record; write the reports.

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

    It has another seed, since the best was lucky in the games of the trials.
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
    """Run the test, in a folder with the trial's number: the best may change with more trials."""
    place = folder / f"test-{best.trials[0]}"
    observer.say(f"the best, {best.name}, meets the default; records are in {place}")
    return run_games(test_of(tuning, best), place, executor, restart, observer)


def _write(outcome: TuningOutcome, folder: Path) -> None:
    """Write the picture and the report, beside the records."""
    table = json.dumps(to_json(outcome), indent=1, ensure_ascii=False) + "\n"
    texts = {PICTURE: to_svg(outcome), JSON: table, TEXT: to_text(outcome)}
    for name, text in texts.items():
        with replacing(folder / name) as file:
            file.write(text.encode())


# ---- what is left to play -----------------------------------------------------------------------


class TrialPlan:
    """The plan of a tuning: one trial at a time, in steps between which the study decides.

    What a trial has played is known from the records, what it was judged by from the study, so
    that a run may be cut off anywhere: games without a record are played, and a trial that was
    not judged by all that it has played is judged then. The next step depends on scores alone,
    not on the order in which games end. A trial that is not pruned has all of its games: none
    begins for which the budget is too small.
    """

    trial: Trial | None = None
    """No test ends it."""

    def __init__(self, tuning: Tuning, records: Iterable[Record], study: Study) -> None:
        self.tuning, self.study = tuning, study
        self.size = len(tuning.seatings)
        """Games of an opening."""
        self.scores: dict[str, float] = {}
        """The score of the trial's player in each game on record, by the game's id."""
        self.pending: dict[str, Pairing] = {}
        """The games of the trials so far that do not have a record."""
        self.over = False
        self._waiting: deque[Pairing] = deque()
        self._step: list[str] = []
        """The games that the trial in progress is to be judged by next."""
        self.trials = study.trials()
        known = {record.id: record for record in records}
        for trial in self.trials:
            self._open(trial, self._reached(trial, known))
        for identity in list(self.pending):
            if identity in known:
                self._note(known.pop(identity))
        self.foreign = len(known)
        """The number of records that are not of a game of this tuning."""
        if not self.foreign:
            self._advance()

    def _reached(self, trial: TuningTrial, known: Collection[str]) -> int:
        """The number of openings that a trial had begun, by the records of the games `known`.

        One that had been judged, and of whose next step there is nothing, is judged again: a run
        may have been cut off before the pruner's answer was kept.
        """
        if trial.over:
            return trial.openings
        first, last = trial.first + trial.openings, trial.first + self._next(trial)
        begun = any(game.id in known for game in self.tuning.pairings(trial.name, first, last))
        return self._next(trial) if begun or not trial.openings else trial.openings

    def _next(self, trial: TuningTrial) -> int:
        """The number of openings that the trial is to be judged by next."""
        budget = self.tuning.budget
        return min(trial.openings + budget.step // self.size, budget.trial // self.size)

    def _open(self, trial: TuningTrial, openings: int) -> None:
        """Add the games of a trial, those of so many openings."""
        games = self.tuning.pairings(trial.name, trial.first, trial.first + openings)
        self._step = []
        for pairing in games:
            self._step.append(pairing.id)
            if pairing.id not in self.scores and pairing.id not in self.pending:
                self.pending[pairing.id] = pairing
                self._waiting.append(pairing)

    def _note(self, record: Record) -> None:
        pairing = self.pending.pop(record.id)
        rival = self.tuning.opponent.name
        own = next(name for name in pairing.seats if name != rival)
        made = score([record], own, rival)
        self.scores[record.id] = 0.5 if made is None else made

    def add(self, record: Record) -> None:
        """Count a game that has been played."""
        self._note(record)
        self._advance()

    def _advance(self) -> None:
        """Judge the trial in progress when its step is played, and begin the next one."""
        while not self.pending and not self.over:
            trial = self.trials[-1] if self.trials else None
            if trial is not None and not trial.over:
                trial = self._judge(trial)
            if trial is None or trial.over:
                if self._spent() + self.tuning.budget.trial > self.tuning.budget.games:
                    self.over = True
                    return
                trial = self.study.ask()
                self.trials.append(trial)
            self._open(trial, self._next(trial))

    def _judge(self, trial: TuningTrial) -> TuningTrial:
        """Judge the trial whose step is played."""
        openings = len(self._step) // self.size
        made = fmean(self.scores[game] for game in self._step)
        last = openings * self.size >= self.tuning.budget.trial
        judged = self.study.judge(trial.number, openings, made, last)
        self.trials[-1] = judged
        return judged

    def _spent(self) -> int:
        """The number of games of all trials so far."""
        return sum(trial.openings for trial in self.trials) * self.size

    @property
    def total(self) -> int:
        """The number of games in all: the budget, until it turns out to be fewer."""
        return len(self.scores) if self.over else self.tuning.budget.games

    @property
    def left(self) -> int:
        """The number of games still to be played, at most."""
        return self.total - len(self.scores)

    def seatings(self) -> list[tuple[str, ...]]:
        """The players in each seat, in the order of play, as far as is known."""
        names = dict.fromkeys(trial.name for trial in self.trials)
        return [seats for name in names for seats in self.tuning.seats_of(name)]

    def __iter__(self) -> Iterator[Pairing]:
        self._waiting = deque(self.pending.values())
        return self

    def __next__(self) -> Pairing:
        while self._waiting:
            pairing = self._waiting.popleft()
            if pairing.id in self.pending:
                return pairing
        raise StopIteration
