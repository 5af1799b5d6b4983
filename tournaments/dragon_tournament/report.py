"""Report: standings and ratings as text, as Markdown and as JSON. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import frozen

from dragon_tournament.rating import Rating, ratings
from dragon_tournament.record import Record
from dragon_tournament.standings import Row, Standing, crosstable, standings

Cells = list[list[str]]


@frozen
class Report:
    """Everything that is told of a tournament."""

    name: str
    players: tuple[Standing, ...]
    """The strongest first."""
    ratings: dict[str, Rating]
    rows: tuple[Row, ...]
    records: str
    """The path of the records."""

    @property
    def failures(self) -> int:
        """How many games a player lost by a failure of its own."""
        return sum(sum(player.failures.values()) for player in self.players)


def report(
    name: str,
    records: Sequence[Record],
    names: Sequence[str],
    seatings: Iterable[tuple[str, ...]],
    path: str,
) -> Report:
    """The report of a tournament's records; `names` and `seatings` give the order of rows."""
    rated = ratings(records, names)
    players = sorted(
        standings(records, names), key=lambda p: (-rated[p.name].elo, -p.points, p.name)
    )
    return Report(name, tuple(players), rated, tuple(crosstable(records, seatings)), path)


def to_json(report: Report) -> dict[str, Any]:
    """The report as plain data."""
    return {
        "name": report.name,
        "players": [
            {
                "name": p.name,
                "points": p.points,
                "played": p.played,
                "won": p.won,
                "drawn": p.drawn,
                "lost": p.lost,
                "elo": round(report.ratings[p.name].elo, 2),
                "elo_error": round(report.ratings[p.name].error, 2),
                "seconds": round(p.seconds, 6),
                "nodes": p.nodes,
            }
            for p in report.players
        ],
        "pairings": [
            {"seats": list(r.seats), "played": r.played, "won": list(r.won), "drawn": r.drawn}
            for r in report.rows
        ],
        "records": report.records,
    }


def _cross_cells(rows: Sequence[Row]) -> Cells:
    """The crosstable: for two seats in its classical form, for more with the wins of each."""
    if all(len(row.seats) == 2 for row in rows):
        head = ["first seat", "second seat", "games", "won", "drawn", "lost"]
        return [
            head,
            *(
                [*row.seats, str(row.played), str(row.won[0]), str(row.drawn), str(row.won[1])]
                for row in rows
            ),
        ]
    most = max(len(row.seats) for row in rows)
    numbers = range(1, most + 1)
    cells = [[f"seat {i}" for i in numbers] + ["games"] + [f"won {i}" for i in numbers] + ["drawn"]]
    for row in rows:
        blank = [""] * (most - len(row.seats))
        won = [str(n) for n in row.won]
        cells.append([*row.seats, *blank, str(row.played), *won, *blank, str(row.drawn)])
    return cells


def _player_cells(report: Report) -> Cells:
    head = ["player", "points", "played", "won", "drawn", "lost", "Elo", "95%", "seconds", "nodes"]
    cells = [head]
    for p in report.players:
        rated = report.ratings[p.name]
        cells.append(
            [
                p.name, points_text(p.points), str(p.played), str(p.won), str(p.drawn),
                str(p.lost), f"{rated.elo + 0.0:+.0f}", f"±{rated.error:.0f}",
                f"{p.seconds:.2f}", f"{p.nodes:,}",
            ]
        )  # fmt: skip
    return cells


def points_text(points: float) -> str:
    """Points with as many decimals as they need, two at most.

    >>> points_text(3.0), points_text(2.5)
    ('3', '2.5')
    """
    return f"{points:.2f}".rstrip("0").rstrip(".")


def to_text(report: Report) -> str:
    """Two tables for a terminal."""
    if not report.rows:
        return f"{report.name}: no games yet\n"
    tables = (_aligned(_cross_cells(report.rows)), _aligned(_player_cells(report)))
    return f"{report.name}\n\n" + "\n\n".join(tables) + "\n"


def to_markdown(report: Report) -> str:
    """The same tables in Markdown."""
    if not report.rows:
        return f"# {report.name}\n\nNo games yet.\n"
    tables = (_piped(_cross_cells(report.rows)), _piped(_player_cells(report)))
    note = "Elo is relative to the mean of the players, with its 95% interval."
    return f"# {report.name}\n\n" + "\n\n".join(tables) + f"\n\n{note}\n"


def _texts(cells: Cells) -> list[bool]:
    """Which columns hold names, and are set flush left."""
    return [head.endswith("seat") or head.startswith(("seat ", "player")) for head in cells[0]]


def _aligned(cells: Cells) -> str:
    left = _texts(cells)
    widths = [max(len(row[i]) for row in cells) for i in range(len(cells[0]))]
    lines = [
        "  ".join(
            c.ljust(w) if flush else c.rjust(w)
            for c, w, flush in zip(row, widths, left, strict=True)
        ).rstrip()
        for row in cells
    ]
    return "\n".join([lines[0], "  ".join("-" * w for w in widths), *lines[1:]])


def _piped(cells: Cells) -> str:
    left = _texts(cells)
    rule = ["---" if flush else "---:" for flush in left]
    rows = [cells[0], rule, *([c.replace("|", "\\|") for c in row] for row in cells[1:])]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
