"""Plain: a game of any kind as data, with who made each move."""

from __future__ import annotations

from typing import Any

from dragon.core import CHANCE
from dragon_tournament.records.record import Record
from dragon_tournament.records.replay import lines_of, replay


def to_table(record: Record) -> dict[str, Any]:
    """A game as JSON has it; raises Unplayable where it cannot be replayed.

    `lines` has one line of all seats together, or of a race one of each seat that found any.
    """
    lines = []
    for seat, _ in lines_of(record):
        start, *steps = replay(record, seat)
        lines.append(
            {
                "seat": seat,
                "position": str(start.state),
                "moves": [
                    {
                        "move": step.move,
                        "seat": None if step.mover == CHANCE else step.mover,
                        "opening": step.given,
                    }
                    for step in steps
                ],
                "end": str((steps or [start])[-1].state),
            }
        )
    return {
        "id": record.id,
        "game": record.game,
        "players": list(record.seats),
        "points": list(record.points),
        "scores": list(record.scores),
        "reason": str(record.reason),
        "lines": lines,
    }
