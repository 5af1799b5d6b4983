"""TrialPlan: what a tuning still has to play, as its study and the records so far determine it."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator
from statistics import fmean

from dragon_tournament.pairing import Pairing
from dragon_tournament.records.record import Record
from dragon_tournament.statistics.pairs import score
from dragon_tournament.statistics.sprt import Trial
from dragon_tournament.tuning.study import Study, TuningTrial
from dragon_tournament.tuning.tuning import Tuning


class TrialPlan:
    """Stands in for a Plan: one trial at a time, in steps between which the study decides.

    What a trial has played is known from the records, what it was judged by from the study, so
    that a run may be cut off anywhere: games without a record are played, a trial that was not
    been judged by what it has played is judged then. What comes next depends on scores alone, not
    on which game ended first. A trial that is not pruned has all of its games: none begins for
    which the budget is too small.
    """

    trial: Trial | None = None
    """No test ends it."""

    def __init__(self, tuning: Tuning, records: Iterable[Record], study: Study) -> None:
        self.tuning, self.study = tuning, study
        self.size = len(tuning.seatings)
        """Games of an opening."""
        self.scores: dict[str, float] = {}
        """Of the games on record, by id: what the trial's player made of the opponent."""
        self.pending: dict[str, Pairing] = {}
        """The games of the trials so far that have no record."""
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
        """How many records are of no game of this tuning."""
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
        """Adds the games of a trial, those of so many openings."""
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
        """A game has been played."""
        self._note(record)
        self._advance()

    def _advance(self) -> None:
        """Judges the trial in progress when its step is played, and begins what comes next."""
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
        """Games of all trials so far."""
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
