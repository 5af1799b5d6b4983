"""Curves: the pictures of a race: performance profile, cactus plot, quality over time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from dragon_tournament.records.attempt import Sought
from dragon_tournament.records.record import Record
from dragon_tournament.report.chart import COLOURS, WHOLE, Series, Tick, chart
from dragon_tournament.report.panels import ROWS, figure, more, player, table
from dragon_tournament.report.tables import TIMES, instance_cells, solved_text, solver_cells
from dragon_tournament.statistics.contest import Contest, solved_means, verdict
from dragon_tournament.statistics.profile import solved

ANYTIME = "Anytime curves"
LEAST_ERROR = 1e-9  # errors below this are drawn as none


def which(race: Contest) -> str:
    """Which solver to use: in words, as a table, and as one picture."""
    first, *rest = verdict(race)
    words = f'<p class="verdict">{escape(first)}</p>'
    words += f"<p>{escape(' '.join(rest))}</p>" if rest else ""
    head, *rows = solver_cells(race)
    cells = [[player(row[0]), *map(escape, row[1:])] for row in rows]
    return (
        words
        + table(head, cells, "Solvers")
        + f'<p class="soft">{escape(solved_means(race))} Times are medians over all instances, '
        "and are missing where fewer than half came so far.</p>" + profile(race)
    )


def profile(race: Contest) -> str:
    """The performance profile; nothing where no instance was solved."""
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
        "The share of the instances that each has solved within so many times the time of the "
        "quickest. Left: how often it was the quickest. Right: how many it solved at all."
    )
    return figure(chart(label, series, across, WHOLE), caption, "Performance profile")


def _names(race: Contest) -> list[str]:
    """Those that are drawn."""
    return [solver.name for solver in race.solvers[:COLOURS]]


def _scale(values: Iterable[float]) -> tuple[int, int] | None:
    """The powers of ten between which positive values lie; None where there are none."""
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
    """Plot the number of instances that each has solved over time."""
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
            "How good the best line was after so much time, as a share of the best known, on the "
            "mean over all instances."
        )
    else:
        caption = (
            "On how many of the instances the value was right after so much time, proven or not."
        )
    return figure(chart(caption, series, across, WHOLE), caption, ANYTIME)


def _errors(
    curves: dict[str, list[tuple[float, float]]], scale: tuple[int, int], across: Sequence[Tick]
) -> str:
    """Errors shrink over orders of magnitude, so both axes are logarithmic; none is the bottom."""
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
        "The mean error after so much time, from the moment when there was an answer to every "
        "instance: lower and further left is better."
    )
    return figure(chart(caption, series, across, up), caption, ANYTIME)


def instances(race: Contest) -> str:
    """Tabulate the time of each on each instance, the quickest marked."""
    head, *rows = instance_cells(race, ROWS)
    cells = []
    for record, (name, value, *_) in zip(race.records, rows, strict=False):
        by = {own: _cell(record, seat) for seat, own in enumerate(record.seats)}
        own = (by.get(solver, "<td></td>") for solver in head[2:])
        cells.append([player(name), escape(value), *own])
    note = (
        '<p class="soft">The time in which each has solved it; the quickest is marked. Where it '
        "has not solved it, or could only estimate, beside it the value that it came to.</p>"
    )
    return table(head, cells, "Instances") + note + more(race.instances, "instances")


def _cell(record: Record, seat: int) -> str:
    own, every = solved(record, seat), [solved(record, s) for s in range(len(record.seats))]
    text = escape(solved_text(record, seat))
    if seat in record.failed:
        return f'<td class="wrong">{text}</td>'
    value = record.attempts[seat].value if record.attempts else record.scores[seat]
    known = value is None or (math.isfinite(own) and record.sought is not Sought.ESTIMATE)
    note = "" if known else f" <small>{value:.4g}</small>"
    style = " class=best" if math.isfinite(own) and own == min(every) else ""
    return f"<td{style}>{text}{note}</td>"
