"""A tuning, read from a TOML file, or all mistakes of the file, and run.

The file is a tournament's of one player, or of two, whose first has ranges among its settings; a
table `[tune]` says how much is played. A run of it goes by way of a folder: its trials, the test,
and the reports.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar

import attrs

from dragon.config import search as build_search
from dragon.core.spec import Setting
from dragon.core.spec import settings as settings_of
from dragon.errors import ConfigError
from dragon.files import replacing
from dragon.plugins import searches
from dragon_tournament.config.problems import Problems
from dragon_tournament.config.reading import parse, read_by
from dragon_tournament.config.tables import KEYS, PLAYER, SPRT_GAMES
from dragon_tournament.executors.executor import Executor
from dragon_tournament.formats.registry import installed
from dragon_tournament.pairing import Pairing
from dragon_tournament.records.record import Record
from dragon_tournament.runner import Observer, Outcome
from dragon_tournament.runner import run as run_games
from dragon_tournament.schedule import Schedule
from dragon_tournament.statistics.pairs import score
from dragon_tournament.statistics.sprt import Sprt, Trial
from dragon_tournament.tournament import Tournament
from dragon_tournament.tuning.outcome import (
    Candidate,
    TuningOutcome,
    candidates,
    to_json,
    to_svg,
    to_text,
)
from dragon_tournament.tuning.study import ABSENT, Study, TuningTrial, available
from dragon_tournament.tuning.tuning import (
    TEST,
    Choices,
    Dimension,
    Range,
    Tuning,
    TuningBudget,
    Whole,
)

V = TypeVar("V", bound=Range | Choices)

AT = "player[0]"
EXAMPLE = "{ low = 0.3, high = 2.0 }"
TUNED, DEFAULT, OPPONENT = "tuned", "default", "opponent"
USELESS = (
    "format", "pairing", "rating", "referee", "goal", "tolerance", "instance", "instances",
    "reference", "reference_seconds",
)  # fmt: skip
"""Keys of a tournament that a tuning does not use, beside those of formats."""
ONLY_TUNE = ("trial", "step", "sampler", "pruner")
"""Keys of the table `[tune]` that mean nothing outside of it, as `games` does."""


def read(path: Path) -> Tuning:
    """The tuning of a TOML file; raises ConfigError with every problem, file and address."""
    return read_by(parse_tuning, path)


def parse_tuning(table: Mapping[str, Any], stem: str, folder: Path) -> Tuning:
    """The tuning of a table read from TOML; `stem` is its name where it has none."""
    problems, own = Problems(), dict(table)
    if not available():
        problems.add(f"{ABSENT} @ tune")
    amount = problems.table(TuningBudget, own.pop("tune", None), "tune", "{ games = 1000 }")
    budget = amount or TuningBudget()
    test = problems.table(Sprt, own.pop("sprt", None), "sprt", "{ elo0 = 0, elo1 = 20 }") or TEST
    for key in (*USELESS, *installed(own, KEYS).every_key):
        if key in own:
            problems.add(f"dragon tune has no use for {key}; leave it out @ {key}")
            del own[key]
    for key in ONLY_TUNE:
        if key in own:
            problems.add(f"{key} is a key of the table [tune]; write it there @ {key}")
            del own[key]
    players = own.get("player")
    if not isinstance(players, list) or not players or not isinstance(players[0], dict):
        problems.add('no player; write [[player]] with search = "..." and a range @ player')
        raise ConfigError(problems.found)
    fixed = {k: v for k, v in players[0].items() if k == "search" or not _ranged(k, v)}
    search = {k: v for k, v in fixed.items() if k == "search" or k not in PLAYER}
    dimensions = dimensions_of(players[0], search, problems)
    own["player"] = _both(fixed, dimensions, players, problems)
    own.setdefault("games", SPRT_GAMES)
    base = None
    try:
        base = parse(own, stem, folder)
    except ConfigError as wrong:
        for sentence in wrong.problems:
            if len(players) > 1 or "@ player[1]" not in sentence:  # said of the first already
                problems.add(sentence)
    bare = None if base is None else Tuning(**_fields(base))
    for sentence in _mistakes(bare, budget, test) if bare is not None else ():
        problems.add(sentence)
    if bare is None or problems.found:
        raise ConfigError(problems.found)
    default = bare.default.search
    given = (attrs.evolve(d, default=getattr(default, d.name)) for d in dimensions)
    return attrs.evolve(
        bare, fixed=search, dimensions=tuple(given), budget=budget, test=test,
        games=budget.trial // len(bare.seatings), test_games=bare.games,
    )  # fmt: skip


def _fields(base: Tournament) -> dict[str, Any]:
    return {a.name: getattr(base, a.name) for a in attrs.fields(Tournament)}


def _ranged(key: str, value: Any) -> bool:
    """Return True if a setting is tuned; a table with a search is a search within a search."""
    return key not in PLAYER and isinstance(value, dict) and "search" not in value


def dimensions_of(
    table: Mapping[str, Any], search: Mapping[str, Any], problems: Problems
) -> list[Dimension]:
    """The dimensions that are tuned of a player; `search`: the table of its other settings."""
    ranges = {key: value for key, value in table.items() if _ranged(key, value)}
    if not ranges:
        problems.add(f"no setting is a range; write one, such as c = {EXAMPLE} @ {AT}")
    if "name" in table:
        problems.add(f"trials are called by their settings; leave it out @ {AT}.name")
    known = _known(table)
    found = []
    for key, given in ranges.items():
        values = _values(given, known.get(key), f"{AT}.{key}", problems)
        if values is None:
            continue
        for end in values.ends if key in known else ():
            problems.attempt(build_search, {**search, key: end}, AT, at=f"{AT}.{key}")
        found.append(Dimension(key, values))
    return found


def _known(table: Mapping[str, Any]) -> dict[str, Setting]:
    """The settings of a player's search; none if it is not installed."""
    cls = searches().get(str(table.get("search", "")).partition("(")[0].strip())
    return {setting.name: setting for setting in settings_of(cls)} if cls is not None else {}


def _values(
    given: dict[str, Any], setting: Setting | None, at: str, problems: Problems
) -> Range | Choices | None:
    """The values of a range, or None with its mistakes noted."""
    if "choices" in given:
        others = [key for key in given if key != "choices"]
        if others:
            keys = " and ".join(others)
            problems.add(f"choices and {keys} exclude each other; leave one out @ {at}")
            return None
        if not isinstance(given["choices"], list):
            problems.add(f"choices must be a list, not {given['choices']!r} @ {at}")
            return None
        return _sound(Choices(tuple(given["choices"])), at, problems)
    kinds = setting.type.split(" or ") if setting is not None else ["number"]
    whole = "whole number" in kinds
    if "number" not in kinds and not whole:
        sentence = f"{setting and setting.name} is {setting and setting.type}, and no number"
        problems.add(f"{sentence}; give choices = [...] instead of low and high @ {at}")
        return None
    values = problems.table(Whole if whole else Range, given, at, EXAMPLE)
    return None if values is None else _sound(values, at, problems)


def _sound(values: V, at: str, problems: Problems) -> V | None:
    """The values, or None with their mistakes noted."""
    wrong = list(values.mistakes())
    for sentence in wrong:
        problems.add(f"{sentence} @ {at}")
    return None if wrong else values


def _both(
    fixed: dict[str, Any], dimensions: list[Dimension], players: list[Any], problems: Problems
) -> list[Any]:
    """The tables of the player with its defaults, and of the opponent, by default that player.

    Settings that the search does not have stay, for the error when it is built.
    """
    start = {key: value for key, value in fixed.items() if key != "name"}
    known = _known(fixed)
    for dimension in dimensions:
        setting = known.get(dimension.name)
        if setting is None or setting.required:
            start[dimension.name] = dimension.values.ends[0]
        if setting is not None and setting.required:
            problems.add(
                f"{dimension.name} has no default that the best value could be held against; give "
                f"it a value @ {AT}.{dimension.name}"
            )
    tuned = {**start, "name": TUNED}
    if len(players) == 1:
        return [tuned, {**start, "name": DEFAULT}]
    if len(players) > 2:
        sentence = f"trials have one opponent, and here are {len(players) - 1}"
        problems.add(f"{sentence}; leave the others out @ player")
    other = players[1]
    if isinstance(other, dict):
        name = other.get("name")
        if isinstance(name, str) and name.partition("(")[0].strip() in {*searches(), TUNED}:
            problems.add(
                f"trials are called by specs such as {name!r}; give another name @ player[1].name"
            )
        other = {"name": OPPONENT, **other}
    return [tuned, other]


def _mistakes(base: Tuning, budget: TuningBudget, test: Sprt) -> list[str]:
    """The objections to the file as a whole."""
    if base.referee.seats(base.game) is None:
        return [f"{base.game} is played alone, and a trial needs an opponent @ game"]
    if base.graded:
        return [
            f"trials are held against each other by who wins, and {base.game} pays more for some "
            f"wins than for others; take another game @ game"
        ]
    size = len(base.seatings)
    found = [f"{sentence} @ tune.{key}" for key, sentence in budget.mistakes(size)]
    return found + [f"{sentence} @ sprt.{key}" for key, sentence in test.objections(size)]


PICTURE, JSON, TEXT = "settings.svg", "tune.json", "tune.txt"


def run(
    tuning: Tuning,
    folder: Path,
    executor: Callable[[], Executor],
    restart: bool = False,
    observer: Callable[[], Observer] = Observer,
) -> TuningOutcome:
    """Play the trials and then the test, as far as they are not on record; write the reports.

    A first Ctrl-C ends either after the games in progress; missing games are played when it is run
    again. Raises what the runner of a tournament does.
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
    default = attrs.evolve(tuning.default, name=DEFAULT)
    return Tournament(**{
        **_fields(tuning), "name": f"{tuning.name} test", "seed": tuning.seed + 1,
        "players": (tuning.player(best.name), default), "games": tuning.test_games,
        "sprt": tuning.test,
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
        self.tuning, self.study, self.schedule = tuning, study, Schedule(tuning)
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
        """Add the games of a trial with this number of openings."""
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
