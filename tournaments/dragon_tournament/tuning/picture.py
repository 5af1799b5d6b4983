"""Picture: what each setting does, as an SVG: the score of every try over the setting's values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from dragon_tournament.tuning.dimension import Dimension, Range
from dragon_tournament.tuning.outcome import Candidate, TuningOutcome

WIDTH, HEIGHT = 720, 300
"""Of a panel, one for each setting."""
LEFT, RIGHT, TOP, BELOW = 64, 24, 46, 50
"""The room around the plot of a panel."""
BANDWIDTH = 0.12
"""Of the trend, as a part of the axis: how far a try counts."""
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
"""Of each class: what is coloured, and how by day and by night."""
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
    """Axes, the default, the trend, and a point with its interval for every try."""
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
