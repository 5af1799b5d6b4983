"""Rounds: what is told of a Swiss or a knockout beside the tables that all tournaments have."""

from __future__ import annotations

from typing import Any

from dragon_tournament.formats.event import Event

Cells = list[list[str]]


def round_cells(event: Event) -> Cells:
    """Who met whom in each round that is complete, and the points."""
    cells = [["round", "player", "player 2", "points", "points 2"]]
    for title, stage in zip(event.titles(), event.rounds, strict=True):
        for bout in stage:
            alone = len(bout.players) == 1
            names = [*bout.players, "(sits out)"] if alone else [*bout.players]
            points = [f"{p:g}" for p in bout.points] + ([""] if alone else [])
            cells.append([title, *names, *points])
    return cells


def place_cells(event: Event) -> Cells:
    """Who stands where."""
    head = ["place", "player", "points"]
    cells = [[str(p.place), p.name, f"{p.points:g}"] for p in event.places]
    if event.style == "knockout":
        return [head, *cells]
    rivals = [f"{place.rivals:g}" for place in event.places]
    return [[*head, "rivals"], *([*row, r] for row, r in zip(cells, rivals, strict=True))]


def outcome(event: Event) -> str:
    """Who has won, or how far it is."""
    what = "Swiss" if event.style == "swiss" else "knockout"
    if event.winner is not None:
        return f"{event.winner} wins the {what}."
    return f"The {what} goes on: {_rounds(len(event.rounds))} complete."


def _rounds(number: int) -> str:
    return "1 round is" if number == 1 else f"{number} rounds are"


def to_table(event: Event) -> dict[str, Any]:
    """As plain data; docs/tournament-reports.md tells the keys."""
    return {
        "winner": event.winner,
        "places": [
            {
                "place": place.place,
                "name": place.name,
                "points": place.points,
                "rivals": place.rivals,
            }
            for place in event.places
        ],
        "rounds": [
            [{"players": list(bout.players), "points": list(bout.points)} for bout in stage]
            for stage in event.rounds
        ],
    }
