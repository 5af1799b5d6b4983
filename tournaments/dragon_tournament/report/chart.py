"""Chart: curves and error bars as HTML with SVG inside, legible at every width.

Only lines are stretched with the page; labels are HTML and keep their size. Colours are
those of the page's style, by number, so that light and dark are its affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from attrs import frozen

COLOURS = 8  # curves that are told apart, by colour and by dashes

EDGE = 0.94  # labels further right than this end where others have their middle

Tick = tuple[float, str]
WHOLE: list[Tick] = [(0, "0%"), (0.25, "25%"), (0.5, "50%"), (0.75, "75%"), (1, "100%")]
"""The ticks of an axis of shares."""


@frozen
class Series:
    """A curve: its name and points, both coordinates from 0 to 1."""

    name: str
    points: Sequence[tuple[float, float]]
    steps: bool = False
    """Whether it keeps each height until the next point, as counts do."""


def chart(label: str, series: Sequence[Series], across: Sequence[Tick], up: Sequence[Tick]) -> str:
    """Curves over a grid with labelled ticks, and a legend; `label` says what is to be seen."""
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
    """The curve as the data of an SVG path; what would not be seen to move is left out.

    >>> _path(Series("a", [(0, 0), (0.5, 0.5), (0.50001, 0.5), (1, 1)], steps=True))
    'M0 1000H500V500H1000V0'
    """
    places = [(_x(x), _y(y)) for x, y in series.points]
    (x, y), *rest = [p for k, p in enumerate(places) if k == 0 or p != places[k - 1]]
    parts = [f"M{x} {y}"]
    parts += [f"H{x}V{y}" if series.steps else f"L{x} {y}" for x, y in rest]
    return "".join(parts)
