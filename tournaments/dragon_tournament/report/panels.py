"""Panels: the parts of the page, each a pure function from the report to HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import product

from dragon_tournament.formats.staged import StagedResult
from dragon_tournament.formatting import NONE, elo_text, error_text, payoff_text, points_text
from dragon_tournament.records.record import Record
from dragon_tournament.report.chart import COLOURS, WHOLE, Series, Tick, bar, chart
from dragon_tournament.report.summary import Report
from dragon_tournament.report.tables import cross_cells, place_cells, staged_outcome
from dragon_tournament.statistics.pairs import Meeting
from dragon_tournament.statistics.payoffs import Payoff

ROWS = 200  # rows of a long table
SQUARE = 50  # players of the crosstable
POINTS = 200  # points of a curve
SHADE = 0.9  # how strong the colour of a perfect score is, of 1


def table(head: Sequence[str], rows: Iterable[Sequence[str]], name: str, style: str = "") -> str:
    """A table that scrolls by itself where it is too wide; the cells of `rows` are HTML.

    Its first column names the rows. A cell that begins with `<td` is taken as it is.
    """
    heads = "".join(
        f'<th scope="col"{" class=text" if i == 0 else ""}>{escape(text)}</th>'
        for i, text in enumerate(head)
    )
    body = "".join(
        f'<tr><th scope="row">{row[0]}</th>'
        + "".join(cell if cell.startswith("<td") else f"<td>{cell}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{escape(name)}">'
        f'<table class="{style}"><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def player(name: str) -> str:
    """A player's name, whole in its title where the column cuts it."""
    return f'<span title="{escape(name)}">{escape(name)}</span>'


def standings(report: Report) -> str:
    """The points of each player; of a race by points, for its solvers are ordered before."""
    paid = ["payoff"] if report.graded else []
    head = ["player", *paid, "points", "played", "won", "drawn", "lost", "score", "seconds"]
    head += ["nodes"]
    fell = any(p.failures for p in report.players)
    rows = []
    players = list(report.players)
    if report.solo:
        players.sort(key=lambda p: -p.points)
    for rank, p in enumerate(players, 1):
        cells = [
            f"{rank}.&nbsp;{player(p.name)}", *(_minus(_paid(report, p.name)) for _ in paid),
            points_text(p.points), f"{p.played:,}", f"{p.won:,}", f"{p.drawn:,}", f"{p.lost:,}",
            f"{p.points / p.played:.1%}" if p.played else "", f"{p.seconds:,.2f}", f"{p.nodes:,}",
        ]  # fmt: skip
        if report.skills:
            skill = report.skills[p.name]
            cells.append(f"{skill.skill:.1f} ± {skill.error:.1f}")
        if fell:
            failures = ", ".join(f"{n} {reason}" for reason, n in p.failures.items())
            cells.append(f'<td class="wrong">{escape(failures)}</td>')
        rows.append(cells)
    head += ["skill"] if report.skills else []
    head += ["failures"] if fell else []
    return table(head, rows[:ROWS], "Standings") + more(len(rows), "players")


def rounds(staged: StagedResult) -> str:
    """The winner, the places and every encounter of a Swiss or a knockout."""
    (_, _, *heads), *rows = place_cells(staged)
    cells = [[player(name), place, *points] for place, name, *points in rows[:ROWS]]
    places = table(["player", "place", *heads], cells, "Places") + more(len(rows), "players")
    rows = [
        [
            " &ndash; ".join(map(player, bout.players))
            + (" sits out" if len(bout.players) == 1 else ""),
            escape(title),
            " : ".join(map(points_text, bout.points)),
        ]
        for title, stage in zip(staged.titles(), staged.rounds, strict=True)
        for bout in stage
    ]
    head = ["encounter", "round", "points"]
    encounters = table(head, rows[:ROWS], "Rounds") + more(len(rows), "encounters")
    note = staged.format.note
    noted = f'{places}<p class="soft">{escape(note, quote=False)}</p>' if note else ""
    return f"<p>{escape(staged_outcome(staged))}</p>{noted}{encounters}"


def ratings(report: Report) -> str:
    """Elo with error bars, the strongest first."""
    rows = []
    for name, r in ((p.name, report.ratings[p.name]) for p in report.players):
        within = "" if r.error is None else f" ± {r.error:.0f}"
        rows.append((name, f"{elo_text(r.elo)}{within}", r.elo, r.error or 0.0))
    return _bars(rows)


def payoffs(report: Report) -> str:
    """Mean payoffs with error bars, the greatest first."""
    paid = [(p.name, report.payoffs[p.name,]) for p in report.players if p.played]
    return _bars([(name, _paid(report, name), p.mean, p.error or 0.0) for name, p in paid])


def _bars(rows: Sequence[tuple[str, str, float, float]]) -> str:
    """Estimates with their intervals on one scale: name, text, value, half of the interval."""
    total, rows = len(rows), rows[:ROWS]
    low = min(0.0, *(value - error for _, _, value, error in rows))
    high = max(0.0, *(value + error for _, _, value, error in rows))
    span = high - low or 1.0

    def at(value: float) -> float:
        return 0.02 + 0.96 * (value - low) / span

    bars = "".join(
        f'<dt title="{escape(name)}">{escape(name)}</dt>'
        f'<dd class="value">{_minus(text)}</dd>'
        f'<dd class="plot">{bar(at(value - error), at(value), at(value + error), at(0.0))}</dd>'
        for name, text, value, error in rows
    )
    return f'<dl class="card ratings">{bars}</dl>{more(total, "players")}'


def _paid(report: Report, *of: str) -> str:
    """A mean payoff and half of its interval, as far as they are known."""
    paid = report.payoffs.get(of)
    if paid is None:
        return NONE
    text = payoff_text(paid.mean, paid.error)
    return text if paid.error is None else f"{text} {error_text(paid.error).replace('±', '± ')}"


def _minus(text: str) -> str:
    """Numbers with the sign that HTML has for them."""
    return text.replace("-", "&minus;")


def crosstable(report: Report) -> str:
    """The score of each player against each other, coloured; under it every seating."""
    order = [p.name for p in report.players[:SQUARE]]
    met: dict[tuple[str, str], tuple[float, Meeting, bool]] = {}
    for meeting in report.meetings:
        score = (meeting.won + meeting.drawn / 2) / meeting.played
        met[meeting.first, meeting.second] = score, meeting, False
        met[meeting.second, meeting.first] = 1 - score, meeting, True
    most = max((abs(paid.mean) for paid in report.payoffs.values()), default=0.0)
    rows = [
        [
            f"{i}. {player(name)}",
            *(
                _cell(met.get(two), two[0] == two[1], report.payoffs.get(two), most)
                for two in product([name], order)
            ),
        ]
        for i, name in enumerate(order, 1)
    ]
    head = ["row against column", *map(str, range(1, len(order) + 1))]
    matrix = table(head, rows, "Crosstable", "cross")
    what = "mean payoff" if report.graded else "score"
    note = f"The {what} of the player in the row, and its games won, drawn, lost."
    if len(report.players) > SQUARE:
        note += f" The best {SQUARE} of {len(report.players):,} players are shown."
    return f'{matrix}<p class="soft">{note}</p>' + ("" if report.solo else _seatings(report))


def _cell(
    found: tuple[float, Meeting, bool] | None, same: bool, paid: Payoff | None, most: float
) -> str:
    """A player against another; of a graded game what it was `paid`, as a part of `most`."""
    if found is None:
        return f'<td class="self">{"—" if same else "·"}</td>'
    score, met, other = found
    won, lost = (met.lost, met.won) if other else (met.won, met.lost)
    lead, text = score - 0.5, f"{score:.0%}"
    if paid is not None:
        lead, text = paid.mean / 2 / (most or 1.0), _minus(payoff_text(paid.mean, paid.error))
    return _shaded(lead, f"{text}<small>+{won} ={met.drawn} &minus;{lost}</small>")


def _shaded(lead: float, content: str) -> str:
    side, shade = "plus" if lead > 0 else "minus", round(SHADE * 100 * abs(lead), 1)
    return f'<td class="{side}" style="--a:{shade:g}%">{content}</td>'


def _seatings(report: Report) -> str:
    head, *rows = cross_cells(report.rows[:ROWS], report.graded)
    seats = sum("seat" in text for text in head)
    cells = [
        [player(row[0])]
        + [f'<td class="text">{player(name)}</td>' for name in row[1:seats]]
        + [_minus(text) for text in row[seats:]]
        for row in rows
    ]
    rest = more(len(report.rows), "seatings")
    return (
        f"<details><summary>Seat by seat</summary>{table(head, cells, 'Seatings')}{rest}</details>"
    )


def more(total: int, what: str) -> str:
    """A word on the rows that a long table leaves out."""
    if total <= ROWS:
        return ""
    return f'<p class="soft">{total - ROWS:,} more {what} are in the records.</p>'


def course(report: Report, records: Sequence[Record]) -> str:
    """The mean points, of a graded game the mean payoffs, of the best players after each game."""
    names = [p.name for p in report.players[:COLOURS]]
    points, played = dict.fromkeys(names, 0.0), dict.fromkeys(names, 0)
    curves: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    stride = max(1, len(records) // POINTS)
    for number, record in enumerate(records, 1):
        gained = record.scores if report.graded else record.points
        for name, made in zip(record.seats, gained, strict=True):
            if name in points:
                points[name] += made
                played[name] += 1
        if number % stride == 0 or number == len(records):
            for name in names:
                if played[name]:
                    curves[name].append((number / len(records), points[name] / played[name]))
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
    across: list[Tick] = [(0, "0"), (0.5, f"{len(records) // 2:,}"), (1, f"{len(records):,} games")]
    label = f"The mean {what} of each player so far, game after game."
    caption = f"{what.capitalize()} a game so far, in the order in which games ended."
    if len(report.players) > COLOURS:
        caption += f" The best {COLOURS} of {len(report.players)} players are drawn."
    return figure(chart(label, series, across, up), caption)


def figure(content: str, caption: str, title: str = "") -> str:
    """A picture and what it shows; `title` is its name, where the section has several."""
    name = f"<b>{escape(title)}.</b> " if title else ""
    text = f"<figcaption>{name}{escape(caption)}</figcaption>"
    return f'<figure class="card">{content}{text}</figure>'


def openings(report: Report) -> str:
    """The score of each opening for the seats, over all players."""
    seats = max(len(o.points) for o in report.openings)
    rows = []
    for o in report.openings[:ROWS]:
        fair = sum(o.points) / o.played / len(o.points)
        made = [points / o.played for points in o.points] + [0.0] * (seats - len(o.points))
        shares = [_shaded(share - fair, f"{share:.0%}") for share in made]
        moves = f'<span class="moves-cell">{escape(" ".join(o.moves))}</span>'
        rows.append([moves, str(o.played), *shares, str(o.drawn)])
    sides = ["first seat", "second seat"] if seats == 2 else [f"seat {i}" for i in range(seats)]
    head = ["opening", "games", *sides, "drawn"]
    note = (
        '<p class="soft">The points a game that each seat took, over all players; the most '
        "one-sided openings first.</p>"
    )
    return table(head, rows, "Openings", "cross") + note + more(len(report.openings), "openings")


def failures(records: Sequence[Record]) -> str:
    """The games that a player lost by a failure of its own, and what happened."""
    found = [(i, record) for i, record in enumerate(records, 1) if record.failed]
    items = "".join(
        f"<details><summary>Game {i}: {escape(', '.join(record.seats[s] for s in record.failed))} "
        f'by {record.reason}</summary><pre tabindex="0">{escape(record.detail)}</pre></details>'
        for i, record in found[:50]
    )
    rest = f'<p class="soft">{len(found) - 50:,} more are in the records.</p>'
    return items + (rest if len(found) > 50 else "")
