"""Curves and error bars as HTML with SVG inside, legible at every width.

First how a chart is drawn, then the pictures of a report: results over time, and of a race the
performance profile, the cactus plot and the quality over time. Only lines are stretched with the
page; labels are HTML and keep their size. Colours are numbers, which the style sheet gives for
light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from attrs import frozen

from dragon_tournament.records.attempt import Sought
from dragon_tournament.report.summary import Report
from dragon_tournament.statistics.contest import Contest
from dragon_tournament.statistics.tally import Tally

COLOURS = 8  # curves that are told apart, by colour and by dashes
EDGE = 0.94  # labels further right than this end where others have their middle
POINTS = 200  # points of a curve of results over time
TIMES = "\N{MULTIPLICATION SIGN}"
ANYTIME = "Anytime curves"
LEAST_ERROR = 1e-9  # errors below this are drawn as none

Tick = tuple[float, str]
WHOLE: list[Tick] = [(0, "0%"), (0.25, "25%"), (0.5, "50%"), (0.75, "75%"), (1, "100%")]
"""The ticks of an axis of shares."""


@frozen
class Series:
    """A curve: its name and points, both coordinates from 0 to 1."""

    name: str
    points: Sequence[tuple[float, float]]
    steps: bool = False
    """True if each height holds until the next point, as counts do."""


def chart(label: str, series: Sequence[Series], across: Sequence[Tick], up: Sequence[Tick]) -> str:
    """Curves over a grid with labelled ticks, and a legend; `label` describes them in words."""
    grid = "".join(f'<path d="M0 {_y(at)}H1000"/>' for at, _ in up)
    grid += "".join(f'<path d="M{_x(at)} 0V1000"/>' for at, _ in across)
    curves = "".join(
        f'<path class="k{i % COLOURS}" d="{_path(s)}"/>' for i, s in enumerate(series) if s.points
    )
    left = "".join(f'<span style="bottom:{at:.2%}">{escape(text)}</span>' for at, text in up)
    below = "".join(
        f'<span{" class=end" if at > EDGE else ""} style="left:{at:.2%}">{escape(text)}</span>'
        for at, text in across
    )
    legend = "".join(
        f'<li><svg width="28" height="10" aria-hidden="true"><path class="k{i % COLOURS}" '
        f'd="M0 5H28"/></svg>{escape(s.name)}</li>'
        for i, s in enumerate(series)
    )
    return (
        f'<div class="chart"><div class="up" aria-hidden="true">{left}</div>'
        f'<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" role="img" '
        f'aria-label="{escape(label)}"><g class="grid">{grid}</g>{curves}</svg>'
        f'<div class="across" aria-hidden="true">{below}</div></div>'
        f'<ul class="legend">{legend}</ul>'
    )


def bar(low: float, middle: float, high: float, zero: float) -> str:
    """An estimate with its interval, all positions from 0 to 1; `zero` is drawn as a mark."""
    return (
        f'<svg class="bar" width="100%" height="26" aria-hidden="true">'
        f'<line class="zero" x1="{zero:.2%}" x2="{zero:.2%}" y1="0" y2="26"/>'
        f'<line class="whisker" x1="{low:.2%}" x2="{high:.2%}" y1="13" y2="13"/>'
        f'<line class="whisker" x1="{low:.2%}" x2="{low:.2%}" y1="8" y2="18"/>'
        f'<line class="whisker" x1="{high:.2%}" x2="{high:.2%}" y1="8" y2="18"/>'
        f'<circle cx="{middle:.2%}" cy="13" r="5"/></svg>'
    )


def _x(at: float) -> str:
    return f"{1000 * min(max(at, 0.0), 1.0):.0f}"


def _y(at: float) -> str:
    return f"{1000 * (1 - min(max(at, 0.0), 1.0)):.0f}"


def _path(series: Series) -> str:
    """The curve as the data of an SVG path, without points that fall on the one before.

    >>> _path(Series("a", [(0, 0), (0.5, 0.5), (0.50001, 0.5), (1, 1)], steps=True))
    'M0 1000H500V500H1000V0'
    """
    places = [(_x(x), _y(y)) for x, y in series.points]
    (x, y), *rest = [p for k, p in enumerate(places) if k == 0 or p != places[k - 1]]
    parts = [f"M{x} {y}"]
    parts += [f"H{x}V{y}" if series.steps else f"L{x} {y}" for x, y in rest]
    return "".join(parts)


def figure(content: str, caption: str, title: str = "") -> str:
    """A picture with its caption; `title` is its name, if the section has several."""
    name = f"<b>{escape(title)}.</b> " if title else ""
    text = f"<figcaption>{name}{escape(caption)}</figcaption>"
    return f'<figure class="card">{content}{text}</figure>'


def course(report: Report, tally: Tally) -> str:
    """The mean points (of a graded game the mean payoffs) of the best players after each game."""
    names = [p.name for p in report.players[:COLOURS]]
    points, played = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    curves: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    games = len(tally)
    stride = max(1, games // POINTS)
    for number, kind in enumerate(tally.played(), 1):
        gained = kind.scores if report.graded else kind.points
        for name, made in zip(kind.seats, gained, strict=True):
            if name in points:
                points[name] += made
                played[name] += 1
        if number % stride == 0 or number == games:
            for name in names:
                if played[name]:
                    curves[name].append((number / games, points[name] / played[name]))
    what = "payoff" if report.graded else "points"
    low, high, up = 0.0, 1.0, WHOLE
    if report.graded:
        means = [0.0, *(mean for curve in curves.values() for _, mean in curve)]
        low, high = min(means), max(means)
        high += low == high
        up = [((at - low) / (high - low), f"{at:.3g}") for at in sorted({low, 0.0, high})]
    series = [
        Series(name, [(x, (y - low) / (high - low)) for x, y in curves[name]]) for name in names
    ]
    across: list[Tick] = [(0, "0"), (0.5, f"{games // 2:,}"), (1, f"{games:,} games")]
    label = f"The mean {what} of each player so far, game after game."
    caption = f"{what.capitalize()} a game so far, in the order in which games ended."
    if len(report.players) > COLOURS:
        caption += f" The best {COLOURS} of {len(report.players)} players are drawn."
    return figure(chart(label, series, across, up), caption)


def profile(race: Contest) -> str:
    """The performance profile; empty if no instance was solved."""
    curves = {name: race.profile(name) for name in _names(race)}
    if not any(curves.values()):
        return ""
    top = max(x for curve in curves.values() for x, _ in curve)
    reach = max(1.0, math.log2(top) * 1.02)
    series = []
    for name, curve in curves.items():
        points = [(math.log2(x) / reach, y) for x, y in curve]
        ends = [(1.0, curve[-1][1])] if curve else []
        series.append(Series(name, [(0.0, 0.0), *points, *ends], steps=True))
    hop = math.ceil(reach / 4)
    across = [(k / reach, f"{2**k:,}{TIMES}") for k in range(0, math.floor(reach) + 1, hop)]
    label = "For each solver the share of instances solved within a multiple of the best time."
    caption = (
        "The share of the instances that each solver solved within a multiple of the quickest "
        "time. Left: the share on which it was the quickest. Right: the share that it solved."
    )
    return figure(chart(label, series, across, WHOLE), caption, "Performance profile")


def _names(race: Contest) -> list[str]:
    """The solvers that are drawn."""
    return [solver.name for solver in race.solvers[:COLOURS]]


def _scale(values: Iterable[float]) -> tuple[int, int] | None:
    """The powers of ten between which positive values lie; None if there are none."""
    positive = [value for value in values if value > 0]
    if not positive:
        return None
    low = math.floor(math.log10(min(positive)) + 1e-9)
    return low, max(low + 1, math.ceil(math.log10(max(positive)) - 1e-9))


def _at(value: float, scale: tuple[int, int]) -> float:
    """The place of a positive value on a logarithmic axis, from 0 to 1."""
    low, high = scale
    return (math.log10(value) - low) / (high - low)


def _seconds(power: int) -> str:
    """A power of ten of seconds, in the unit that suits it.

    >>> [_seconds(k) for k in (-6, -4, -1, 0, 3)]
    ['1 µs', '100 µs', '100 ms', '1 s', '1,000 s']
    """
    if power >= 0:
        return f"{10**power:,} s"
    return f"{10 ** (power + 3)} ms" if power >= -3 else f"{10.0 ** (power + 6):g} µs"


def _ticks(scale: tuple[int, int]) -> Sequence[tuple[float, int]]:
    """Powers of ten along an axis, few enough for a phone."""
    low, high = scale
    hop = math.ceil((high - low) / 5)
    return [((k - low) / (high - low), k) for k in range(low, high + 1, hop)]


def cactus(race: Contest) -> str:
    """Plot the number of instances that each solver has solved over time."""
    spent = {name: race.cactus(name) for name in _names(race)}
    scale = _scale(t for own in spent.values() for t in own)
    if scale is None:
        return ""
    most = max(len(own) for own in spent.values())
    series = [
        Series(name, [(k / most, _at(t, scale)) for k, t in enumerate(own, 1)])
        for name, own in spent.items()
    ]
    up = [(at, _seconds(k)) for at, k in _ticks(scale)]
    across: list[Tick] = [(0, "0"), (1, f"{most:,} solved")]
    label = "For each solver the time of each instance solved, ascending."
    caption = (
        "The time of each instance solved, the easiest first: further right and lower is better."
    )
    return figure(chart(label, series, across, up), caption, "Cactus plot")


def progress(race: Contest) -> str:
    """Plot the quality of the answers over time, the mean over all instances."""
    curves = {name: race.anytime.get(name, []) for name in _names(race)}
    scale = _scale(t for curve in curves.values() for t, _ in curve)
    if scale is None:
        return ""
    across = [(at, _seconds(k)) for at, k in _ticks(scale)]
    if race.sought is Sought.ESTIMATE:
        return _errors(curves, scale, across)
    series = []
    for name, curve in curves.items():
        points = [(_at(t, scale), y) for t, y in curve if t > 0]
        ends = [(1.0, curve[-1][1])] if curve else []
        series.append(Series(name, [(0.0, 0.0), *points, *ends], steps=True))
    if race.sought is Sought.LINE:
        caption = (
            "The quality of the best line after a time, as a share of the best known, on average "
            "over all instances."
        )
    else:
        caption = "The share of the instances whose value was right after a time, proven or not."
    return figure(chart(caption, series, across, WHOLE), caption, ANYTIME)


def _errors(
    curves: dict[str, list[tuple[float, float]]], scale: tuple[int, int], across: Sequence[Tick]
) -> str:
    """Plot mean errors on two logarithmic axes; an error of 0 is at the bottom."""
    errors = _scale(y for curve in curves.values() for _, y in curve if y > LEAST_ERROR) or (-1, 0)
    errors = (errors[0] - 1, errors[1])
    series = []
    for name, curve in curves.items():
        points = [
            (_at(t, scale), _at(y, errors) if y > LEAST_ERROR else 0.0) for t, y in curve if t > 0
        ]
        series.append(Series(name, [*points, *([(1.0, points[-1][1])] if points else [])], True))
    up = [(at, "none" if at == 0 else f"{10.0**k:g}") for at, k in _ticks(errors)]
    caption = (
        "The mean error after a time, from the moment when every instance has an answer: lower and "
        "further left is better."
    )
    return figure(chart(caption, series, across, up), caption, ANYTIME)
