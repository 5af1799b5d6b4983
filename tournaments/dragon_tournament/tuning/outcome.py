"""The outcome of a tuning: its best settings and the test, as a table, as JSON and as a picture."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any

import attrs
from attrs import frozen

from dragon.columns import filled
from dragon.core.spec import literal
from dragon_tournament.formatting import elo_text, points_text
from dragon_tournament.report.schema import to_json as report_json
from dragon_tournament.report.summary import Report
from dragon_tournament.report.table import Table, aligned, columns
from dragon_tournament.statistics.elo import Elo, elo, expected
from dragon_tournament.tuning.study import TuningTrial
from dragon_tournament.tuning.tuning import Dimension, Range, Tuning

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
        """The points a game against the opponent."""
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
    """The games of all trials."""
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
                name=met.second, settings=own[0].settings, games=met.played, elo=one.turned,
                trials=tuple(trial.number for trial in own), state=_state(own),
            )
        )  # fmt: skip
    return sorted(found, key=lambda c: (not c.complete, -round(c.score, 9), -c.games, c.name))


def _state(trials: Iterable[TuningTrial]) -> str:
    """The state of the trials of the same settings."""
    states = {"pruned" if t.pruned else "complete" if t.over else "in progress" for t in trials}
    return next(state for state in ("complete", "in progress", "pruned") if state in states)


def to_text(outcome: TuningOutcome) -> str:
    """The best settings in a table, and sentences."""
    tuning = outcome.tuning
    trials, pruned = len(outcome.trials), sum(trial.pruned for trial in outcome.trials)
    head = (
        f"{tuning.name}: {trials} trial{'' if trials == 1 else 's'}, {pruned} of them pruned, "
        f"{outcome.games:,} games against {_rival(tuning)}"
    )
    parts = ["\n".join(filled([head]))]
    if outcome.candidates:
        parts.append(aligned(_table(outcome), SHOWN, "tune.json"))
    return "\n\n".join([*parts, "\n".join(filled(sentences(outcome)))]) + "\n"


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


# ---- the picture --------------------------------------------------------------------------------


WIDTH, HEIGHT = 720, 300
"""The size of a panel, one for each setting."""
LEFT, RIGHT, TOP, BELOW = 64, 24, 46, 50
"""The room around the plot of a panel."""
BANDWIDTH = 0.12
"""The bandwidth of the trend, as a part of the axis."""
STEPS = 60  # points of the trend
COLOURS = {
    "paper": ("fill", "#fbf6ec", "#22201d"),
    "ink": ("fill", "#2f2a24", "#f0e9dc"),
    "soft": ("fill", "#6d6252", "#b3aa9a"),
    "grid": ("stroke", "#ddd3bf", "#45403a"),
    "even": ("stroke", "#8c8170", "#8c8170"),
    "default": ("stroke", "#c2773f", "#d99a66"),
    "bar": ("stroke", "#7fa3c7", "#54799e"),
    "trend": ("stroke", "#2d8a4e", "#6cc48a"),
    "try": ("fill", "#2f6db3", "#7fb2e6"),
    "cut": ("stroke", "#2f6db3", "#7fb2e6"),
    "best": ("fill", "#c4442f", "#f0806c"),
}
"""The coloured attribute of each class, and its colours by day and by night."""
STYLE = (
    ".tune text{font:13px 'Helvetica Neue',Helvetica,Arial,sans-serif;text-anchor:middle}"
    ".tune .title{font-weight:600;font-size:15px}.tune .start{text-anchor:start}"
    ".tune .end{text-anchor:end}.tune .trend{fill:none;stroke-width:2.5}.tune .cut{fill:none}"
    ".tune .default{stroke-width:1.5;stroke-dasharray:5 4}"
)


def to_svg(outcome: TuningOutcome) -> str:
    """The picture, a panel for each setting that was tuned."""
    dimensions = outcome.tuning.dimensions
    height = HEIGHT * len(dimensions)
    title = escape(f"What the settings of {outcome.tuning.name} do")
    rules = [
        "".join(f".tune .{name}{{{kind}:{pair[night]}}}" for name, (kind, *pair) in COLOURS.items())
        for night in (0, 1)
    ]
    panels = "".join(
        f'<g transform="translate(0 {HEIGHT * k})">{"".join(_panel(dimension, outcome))}</g>\n'
        for k, dimension in enumerate(dimensions)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="tune" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img"><title>{title}</title>'
        f"<style>{STYLE}{rules[0]}@media (prefers-color-scheme:dark){{{rules[1]}}}</style>\n"
        f'<rect class="paper" width="{WIDTH}" height="{height}" rx="12"/>\n{panels}</svg>\n'
    )


def _x(place: float) -> float:
    return LEFT + place * (WIDTH - LEFT - RIGHT)


def _y(score: float) -> float:
    return TOP + (1 - score) * (HEIGHT - TOP - BELOW)


def _panel(dimension: Dimension, outcome: TuningOutcome) -> Iterator[str]:
    """Draw axes, the default, the trend, and a point with its interval for every try."""
    yield f'<text class="ink title start" x="{LEFT}" y="24">{escape(dimension.name)}</text>'
    if dimension == outcome.tuning.dimensions[0]:
        about = (
            f"score against {outcome.tuning.opponent.name}, 95%; hollow: pruned; large: the best"
        )
        about += "; line: trend"
        yield f'<text class="soft end" x="{WIDTH - RIGHT}" y="24">{escape(about)}</text>'
    yield from _axes(dimension)
    yield from _default(dimension)
    yield from _trend(dimension, outcome.candidates)
    for found in reversed(outcome.candidates):  # the best on top
        yield from _try(dimension, found, found == outcome.best)


def _axes(dimension: Dimension) -> Iterator[str]:
    for score in (0.0, 0.25, 0.5, 0.75, 1.0):
        line = "even" if score == 0.5 else "grid"
        yield f'<path class="{line}" d="M{LEFT} {_y(score):.1f}H{WIDTH - RIGHT}"/>'
        yield f'<text class="soft end" x="{LEFT - 8}" y="{_y(score) + 4:.1f}">{score:.0%}</text>'
    for place, text in dimension.values.ticks():
        x, bottom = _x(place), HEIGHT - BELOW
        yield f'<path class="grid" d="M{x:.1f} {TOP}V{bottom}"/>'
        yield f'<text class="soft" x="{x:.1f}" y="{bottom + 20}">{escape(text)}</text>'


def _default(dimension: Dimension) -> Iterator[str]:
    """A mark where the default is, if it is among the values."""
    if dimension.default is None:
        return
    place = dimension.values.place(dimension.default)
    if 0 <= place <= 1:
        x = _x(place)
        yield f'<path class="default" d="M{x:.1f} {TOP}V{HEIGHT - BELOW}"/>'
        yield f'<text class="soft" x="{x:.1f}" y="{HEIGHT - 12}">default</text>'


def _trend(dimension: Dimension, candidates: Sequence[Candidate]) -> Iterator[str]:
    """The mean of all games, the nearer ones counting more (Nadaraya 1964, Watson 1964)."""
    if not isinstance(dimension.values, Range):
        return
    known = [
        (dimension.values.place(found.settings[dimension.name]), found) for found in candidates
    ]
    places = [place for place, _ in known]
    if len(set(places)) < 2:
        return
    first, last = min(places), max(places)
    points = []
    for k in range(STEPS + 1):
        at = first + (last - first) * k / STEPS
        weights = [math.exp(-(((p - at) / BANDWIDTH) ** 2) / 2) * c.games for p, c in known]
        mean = sum(w * c.score for w, (_, c) in zip(weights, known, strict=True)) / sum(weights)
        points.append(f"{_x(at):.1f} {_y(mean):.1f}")
    yield f'<path class="trend" d="M{"L".join(points)}"/>'


def _try(dimension: Dimension, found: Candidate, best: bool) -> Iterator[str]:
    place = dimension.values.place(found.settings[dimension.name])
    if not isinstance(dimension.values, Range):  # side by side, rather than on one another
        place += 0.5 * (found.trials[0] % 9 - 4) / 9 / len(dimension.values.choices)
    x, (low, high) = _x(place), found.interval
    label = f"{escape(found.name)}: {found.score:.1%} of {found.games} games"
    kind = "best" if best else "try" if found.complete else "cut"
    yield f'<path class="bar" d="M{x:.1f} {_y(low):.1f}V{_y(high):.1f}"/>'
    yield (
        f'<circle class="{kind}" cx="{x:.1f}" cy="{_y(found.score):.1f}" r="{6 if best else 4}">'
        f"<title>{label}</title></circle>\n"
    )
