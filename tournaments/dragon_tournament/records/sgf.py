"""SGF: matches on boards on which each move puts one stone, in the Smart Game Format.

A. Hollosi, "SGF File Format FF[4]". A point is a letter for the column and one for the row, from
the top left corner, and the first seat is Black. `RU` tells which game it is; `GM` is 4, the kind
of gomoku, on whose boards stones are put and never taken away. Of Hex it is 11, and a point is a
letter for the column and a number for the row, `c4`, as HexGui and MoHex write and read it.
"""

from __future__ import annotations

from itertools import pairwise
from string import ascii_letters
from typing import Any

from dragon.boards.board import Board
from dragon.boards.cells import EMPTY
from dragon.boards.grid import Grid
from dragon_tournament.formatting import visible
from dragon_tournament.records.record import Reason, Record
from dragon_tournament.records.replay import Step, Typed, replay, unfit

COLOURS = ("B", "W")
MARGINS = {
    Reason.RESIGNED: "R",
    Reason.TIMEOUT: "T",
    Reason.ILLEGAL: "F",
    Reason.FALSE_CLAIM: "F",
    Reason.CRASH: "F",
}
"""What stands behind the winner's colour: resigned, on time, forfeit."""


def to_sgf(record: Record, event: str = "", typed: Typed | None = None) -> str:
    """A game as a tree of one branch, on one line; typed: as for `game_of`.

    Raises ConfigError for a game that is not a placing of stones, Unplayable where it cannot be
    replayed.
    """
    if len(record.seats) != 2 or record.attempts:
        raise unfit("SGF", record, "it is not a match of two seats")
    steps = list(replay(record, typed=typed))
    cells = getattr(getattr(steps[0].state, "rules", None), "notation", None)
    if not isinstance(cells, Grid | Board) or len(cells.seat_names) != 2:
        raise unfit("SGF", record, "it has no board of stones of two colours")
    if max(cells.rows, cells.columns) > len(ascii_letters):
        raise unfit("SGF", record, f"SGF has boards of {len(ascii_letters)} lines at most")
    size = f"{cells.columns}:{cells.rows}" if cells.rows != cells.columns else str(cells.rows)
    root = {
        "FF": "4", "GM": "11" if cells.slant else "4", "CA": "UTF-8", "AP": "dragon",
        "SZ": size, "GN": record.id, "RU": record.game, "EV": event,
        "PB": record.seats[0], "PW": record.seats[1], "RE": _result(record),
    }  # fmt: skip
    head = "".join(f"{key}[{_escaped(text)}]" for key, text in root.items() if text)
    moves = "".join(
        f";{COLOURS[after.mover]}[{_placed(record, cells, before, after)}]"
        for before, after in pairwise(steps)
    )
    return f"(;{head}{_setup(cells, steps[0])}{moves})\n"


def _setup(cells: Grid | Board, first: Step) -> str:
    """The stones that are there when the game begins, and who is to move then."""
    state: Any = first.state
    letters = cells.seat_letters
    stones: dict[str, list[str]] = {}
    for row, line in enumerate(cells.board(state.record)):
        for column, letter in enumerate(line):
            if letter in letters:
                colour = COLOURS[letters.index(letter)]
                point = _point(cells, row, column)
                stones.setdefault(f"A{colour}", []).append(f"[{point}]")
    if not stones and state.turn == 0:
        return ""
    setup = "".join(key + "".join(points) for key, points in sorted(stones.items()))
    return f"{setup}PL[{COLOURS[max(0, state.turn)]}]"


def _placed(record: Record, cells: Grid | Board, before: Step, after: Step) -> str:
    """The cell of the mover's new stone; nothing for a pass."""
    states: tuple[Any, Any] = before.state, after.state
    old, new = (cells.board(state.record) for state in states)
    changed = [
        (row, column)
        for row in range(cells.rows)
        for column in range(cells.columns)
        if old[row][column] != new[row][column]
    ]
    if not changed and after.mover in (0, 1):
        return ""
    if len(changed) == 1 and after.mover in (0, 1):
        ((row, column),) = changed
        own = cells.seat_letters[after.mover]
        if (old[row][column], new[row][column]) == (EMPTY, own):
            return _point(cells, row, column)
    raise unfit("SGF", record, f"{after.move} does more than to put a stone")


def _point(cells: Grid | Board, row: int, column: int) -> str:
    across = ascii_letters[column]
    return f"{across}{row + 1}" if cells.slant else across + ascii_letters[row]


def _result(record: Record) -> str:
    if record.points[0] == record.points[1]:
        return "Draw" if record.points[0] == 0.5 else "?"
    winner = COLOURS[record.points[1] > record.points[0]]
    return f"{winner}+{MARGINS.get(record.reason, '')}"


def _escaped(text: str) -> str:
    return visible(text).replace("\\", "\\\\").replace("]", "\\]")
