"""Vertices: what other programs call the cells of a board, and what the game calls them.

`gtp` is that of the Go Text Protocol: letters for columns without I, numbers for rows from the
bottom, `J4`. `hex` is that of HexGui and MoHex: letters for columns, I included, numbers for rows
from the top, `i4`. `own` leaves moves as the game writes them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import attrs
from attrs import frozen

from dragon.boards.board import Board
from dragon.boards.cells import Cells
from dragon.boards.grid import Grid
from dragon.core import Game
from dragon.errors import BadNotation, ConfigError, DragonError, ProtocolError

NAMINGS = ("own", "gtp", "hex")
SKIPPING = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@frozen
class Vertices:
    """The names of a board's cells for another program; without any, moves are left as they are."""

    naming: str = "own"
    names: Mapping[str, str] = {}
    """The game's name of a cell -> the other one."""

    def written(self, move: str) -> str:
        """A move as the other program writes it; `pass` and the like stay."""
        return self.names.get(move, move)

    def read(self, text: str) -> str:
        """A move as the game writes it."""
        for own, name in self.names.items():
            if name.casefold() == text.casefold():
                return own
        if self.names and re.fullmatch(r"[a-z]+\d+", text.casefold()):
            first, *_, last = self.names.values()
            raise BadNotation(f"{text!r} is not a vertex; write one from {first} to {last}")
        return text


def vertices(game: Game[Any], naming: str) -> Vertices:
    """The vertices of a game's board; raises ConfigError where moves are not single cells."""
    if naming not in NAMINGS:
        raise ConfigError(f"{naming!r} does not name vertices; write one of {', '.join(NAMINGS)}")
    if naming == "own":
        return Vertices()
    cells = _cells(game)
    if cells is None:
        raise ConfigError(f"the moves of {game} are not single cells of a board; "
                          "write own for its vertices")  # fmt: skip
    names = {}
    for row, column in cells.bits:
        across = (SKIPPING if naming == "gtp" else LETTERS)[column]
        number = cells.rows - row if naming == "gtp" else row + 1
        names[cells.name(row, column)] = f"{across}{number}"
    return Vertices(naming, names)


def usual(game: Game[Any]) -> str:
    """The naming that other programs of a game use: `hex` on slanted boards, else `own`."""
    cells = _cells(game)
    return "hex" if cells is not None and cells.slant else "own"


def board_of(game: Game[Any]) -> tuple[int, int] | None:
    """Columns and rows of a game's board, by the names of its parameters; None without any."""
    size = getattr(game, "size", None)
    if isinstance(size, int):
        return size, size
    rows = getattr(game, "rows", None)
    columns = getattr(game, "cols", getattr(game, "columns", None))
    if isinstance(rows, int) and isinstance(columns, int):
        return columns, rows
    return None


def resized(game: Game[Any], columns: int, rows: int) -> Game[Any]:
    """The game on a board of another size; raises ProtocolError where it does not have one."""
    given = {"size": rows, "rows": rows, "cols": columns, "columns": columns}
    if hasattr(game, "size") and columns != rows:
        raise ProtocolError("unacceptable size")
    own = {field.name for field in attrs.fields(type(game))}
    if board_of(game) is None:
        cells: Any = getattr(getattr(game.start(0), "rules", None), "notation", None)
        if not isinstance(cells, Cells) or (cells.columns, cells.rows) != (columns, rows):
            raise ProtocolError("unacceptable size")
        return game
    try:
        return attrs.evolve(game, **{name: side for name, side in given.items() if name in own})
    except (DragonError, ValueError) as wrong:
        raise ProtocolError("unacceptable size") from wrong


def _cells(game: Game[Any]) -> Cells | None:
    """The board of a game whose moves are single cells, small enough for one letter a column."""
    cells: Any = getattr(getattr(game.start(0), "rules", None), "notation", None)
    plain = isinstance(cells, Grid) and not cells.by_column
    plain = plain or (isinstance(cells, Board) and not cells.moving)
    return cells if plain and cells.columns <= len(SKIPPING) else None
