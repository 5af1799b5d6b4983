"""TuningOutcome: what a tuning has come to, from its trials, its games and the test at its end."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs
from attrs import frozen

from dragon.core.spec import literal
from dragon_tournament.formatting import elo_text, points_text
from dragon_tournament.report.schema import to_json as report_json
from dragon_tournament.report.summary import Report
from dragon_tournament.report.table import Table, aligned, columns
from dragon_tournament.statistics.elo import Elo, elo, expected
from dragon_tournament.tuning.study import TuningTrial
from dragon_tournament.tuning.tuning import Tuning

SCHEMA = 1
"""The version of the JSON."""
SHOWN = 15  # rows of the table that a terminal shows


@frozen
class Candidate:
    """Settings that were tried, with all of their games against the opponent."""

    name: str
    """The spec of the search."""
    settings: Mapping[str, Any]
    games: int
    elo: Elo
    """Its strength against the opponent, of its own side."""
    trials: tuple[int, ...]
    """The numbers of the trials that had these settings."""
    state: str
    """`complete` where a trial of them was played to its end, else `pruned`, or `in progress`."""

    @property
    def complete(self) -> bool:
        """Return True if a trial of them was played to its end."""
        return self.state == "complete"

    @property
    def score(self) -> float:
        """Points a game, against the opponent."""
        return self.elo.score

    @property
    def points(self) -> float:
        """The points of its games."""
        return round(self.score * self.games, 6)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the score."""
        return expected(self.elo.low), expected(self.elo.high)


@frozen
class TuningOutcome:
    """The outcome of a tuning so far."""

    tuning: Tuning
    trials: tuple[TuningTrial, ...]
    candidates: tuple[Candidate, ...]
    """The best first; those of pruned trials, which have fewer games, after the others."""
    games: int
    """Of all trials."""
    missing: int
    """Games still to be played, because the run was interrupted."""
    failures: int = 0
    """Games that a player lost by a failure of its own."""
    test: Report | None = None
    """The test of the best settings against the default, as far as it was played."""
    picture: str = ""
    """The path of the picture."""

    @property
    def best(self) -> Candidate | None:
        """The best of those that were played to the end."""
        return next((found for found in self.candidates if found.complete), None)

    @property
    def nothing_better(self) -> bool:
        """Return True if the default itself came out as the best: there is nothing to test."""
        return self.best is not None and self.best.name == str(self.tuning.default.search)

    @property
    def stronger(self) -> bool | None:
        """Return True if the best is stronger than the default, by the test; None if it is open."""
        verdict = self.test and self.test.verdict
        if not verdict or not verdict.accepted:
            return None
        return verdict.accepted == "H1"


def candidates(tuning: Tuning, trials: Iterable[TuningTrial], played: Report) -> list[Candidate]:
    """The settings of the trials that have games, the best first."""
    tried: dict[str, list[TuningTrial]] = {}
    for trial in trials:
        tried.setdefault(trial.name, []).append(trial)
    found = []
    for met in played.meetings:  # the first is the opponent, whom the settings name
        one = elo(met.samples)
        assert one is not None  # a meeting has games
        own = tried[met.second]
        found.append(
            Candidate(
                name=met.second, settings=own[0].settings, games=met.played, elo=_turned(one),
                trials=tuple(trial.number for trial in own), state=_state(own),
            )
        )  # fmt: skip
    return sorted(found, key=lambda c: (not c.complete, -round(c.score, 9), -c.games, c.name))


def _state(trials: Iterable[TuningTrial]) -> str:
    """The state of the trials of the same settings."""
    states = {"pruned" if t.pruned else "complete" if t.over else "in progress" for t in trials}
    return next(state for state in ("complete", "in progress", "pruned") if state in states)


def _turned(one: Elo) -> Elo:
    """Turn a result to the other side."""
    sure = None if one.superiority is None else 1 - one.superiority
    return attrs.evolve(
        one, score=1 - one.score, elo=-one.elo, low=-one.high, high=-one.low,
        normalised=-one.normalised, superiority=sure,
    )  # fmt: skip


def to_text(outcome: TuningOutcome) -> str:
    """The best settings in a table, and sentences."""
    tuning = outcome.tuning
    trials, pruned = len(outcome.trials), sum(trial.pruned for trial in outcome.trials)
    head = (
        f"{tuning.name}: {trials} trial{'' if trials == 1 else 's'}, {pruned} of them pruned, "
        f"{outcome.games:,} games against {_rival(tuning)}"
    )
    parts = [head]
    if outcome.candidates:
        parts.append(aligned(_table(outcome), SHOWN, "tune.json"))
    return "\n\n".join([*parts, "\n".join(sentences(outcome))]) + "\n"


def _rival(tuning: Tuning) -> str:
    """The opponent by its name and search."""
    name, search = tuning.opponent.name, str(tuning.opponent.search)
    return name if name == search else f"{name}, {search}"


def _table(outcome: TuningOutcome) -> Table:
    names = [dimension.name for dimension in outcome.tuning.dimensions]
    heads = [*names, "points", "games", "score", "Elo", "95%", "trial"]
    rows = []
    for found in outcome.candidates:
        low, high = elo_text(found.elo.low), elo_text(found.elo.high)
        trials = ", ".join(str(number) for number in found.trials)
        rows.append([
            *(literal(found.settings[name]) for name in names), points_text(found.points),
            str(found.games), f"{found.score:.1%}", elo_text(found.elo.elo), f"{low} to {high}",
            trials if found.complete else f"{trials} {found.state}",
        ])  # fmt: skip
    return Table("Settings", columns(heads, rows, names=0))


def sentences(outcome: TuningOutcome) -> Iterator[str]:
    """The result: the best settings, and a test against the default."""
    best, default = outcome.best, outcome.tuning.default.search
    if best is None:
        yield "No trial has been played to its end."
        return
    yield f"The best: {best.name}, {best.score:.1%} of {best.games} games."
    if outcome.nothing_better:
        yield "That is the default, so there is nothing to test."
    test = outcome.test
    if test is None or test.verdict is None or not test.meetings:
        return
    one = elo(test.meetings[0].samples)
    assert one is not None  # a meeting has games
    strength = f"{elo_text(one.elo)} Elo (95%: {elo_text(one.low)} to {elo_text(one.high)})"
    made = f"{strength} in {test.played:,} games"
    if outcome.stronger is None:
        yield f"Whether it is stronger than {default} is not decided: {made}."
    else:
        yield f"It is {'' if outcome.stronger else 'not '}stronger than {default}: {made}."
    yield f"{test.verdict}."


def to_json(outcome: TuningOutcome) -> dict[str, Any]:
    """The outcome as plain data; nothing infinite."""
    tuning, best = outcome.tuning, outcome.best
    return {
        "schema": SCHEMA,
        "name": tuning.name,
        "game": str(tuning.game),
        "opponent": {"name": tuning.opponent.name, "search": str(tuning.opponent.search)},
        "default": str(tuning.default.search),
        "settings": [dimension.table() for dimension in tuning.dimensions],
        "games": outcome.games,
        "missing": outcome.missing,
        "trials": [attrs.asdict(trial, recurse=False) for trial in outcome.trials],
        "candidates": [_plain(found) for found in outcome.candidates],
        "best": None if best is None else best.name,
        "stronger": outcome.stronger,
        "test": None if outcome.test is None else report_json(outcome.test),
        "picture": outcome.picture,
    }


def _plain(found: Candidate) -> dict[str, Any]:
    own = ("name", "settings", "games", "points", "trials", "state", "score")
    numbers = {"elo": found.elo.elo, "elo_low": found.elo.low, "elo_high": found.elo.high}
    finite = {key: round(n, 2) if math.isfinite(n) else None for key, n in numbers.items()}
    return {key: getattr(found, key) for key in own} | finite
