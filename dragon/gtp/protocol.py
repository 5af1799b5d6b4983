"""The Go Text Protocol, version 2, for any game: its lines, its colours and its vertices.

The controller (`dragon.gtp.client`) sends commands, a line each; the *engine* (`dragon.gtp.server`)
answers with responses that end in an empty line. Nothing of it is about Go: a move is written as
the game writes it, and goes to the end of its line. Where another program names the cells of a
board differently (`vertices`), it is translated.

Source: G. Farneback, "Specification of the Go Text Protocol, version 2", sections 2.4 to 2.8.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from attrs import frozen

from dragon.boards.cells import Cells
from dragon.boards.grid import Grid
from dragon.core import Game
from dragon.errors import BadNotation, ConfigError, DragonError, ProtocolError

VERSION = "2"
COLOURS = ("black", "white")
"""The names of the seats in a game of one or two."""
CHANCE_COLOUR = "chance"
"""The name of the mover at a chance node."""
RESIGN = "resign"
"""The answer of an engine that resigns."""


@frozen
class Command:
    """A line from the controller."""

    name: str
    arguments: tuple[str, ...] = ()
    id: int | None = None

    @property
    def rest(self) -> str:
        """The arguments as one text, for a move or a position that has spaces."""
        return " ".join(self.arguments)

    def __str__(self) -> str:
        number = () if self.id is None else (str(self.id),)
        return " ".join((*number, self.name, *self.arguments))


@frozen
class Response:
    """The answer of an engine."""

    ok: bool
    text: str = ""
    id: int | None = None

    def __str__(self) -> str:
        number = "" if self.id is None else str(self.id)
        head = f"{'=' if self.ok else '?'}{number} {self.text.rstrip()}".rstrip()
        # an empty line would end it
        return re.sub(r"\n[ \t]*(?=\n)", "\n ", head) + "\n\n"


def clean(line: str) -> str:
    """Return a line without comment and control characters, with spaces for tabs.

    >>> clean("play black\\tb2 # the centre\\r")
    'play black b2'
    """
    text = line.replace("\t", " ").partition("#")[0]
    return "".join(c for c in text if c >= " " and c != "\x7f").strip()


def parse_command(line: str) -> Command | None:
    """Return the command in a line, or None.

    >>> parse_command("7 genmove black")
    Command(name='genmove', arguments=('black',), id=7)
    """
    words = clean(line).split()
    number = None
    if words and re.fullmatch(r"\d{1,18}", words[0]):
        number = int(words.pop(0))
    if not words:
        return None
    return Command(words[0], tuple(words[1:]), number)


def parse_response(lines: Sequence[str]) -> Response:
    """Return the response in some lines, without the empty one that ends it; raise ProtocolError.

    >>> parse_response(["=7 b2"])
    Response(ok=True, text='b2', id=7)
    """
    first = lines[0] if lines else ""
    found = re.fullmatch(r"([=?])(\d{0,18})(?:[ \t](.*))?", first.rstrip(), re.DOTALL)
    if found is None:
        raise ProtocolError(f"{first[:80]!r} is not a response; one begins with = or ?")
    text = "\n".join([found[3] or "", *(line.rstrip() for line in lines[1:])])
    return Response(found[1] == "=", text.strip(), int(found[2]) if found[2] else None)


def colour_of(seat: int, seats: int) -> str:
    """Return the name of a seat; -1 is chance.

    >>> colour_of(1, 2), colour_of(1, 3), colour_of(-1, 2)
    ('white', 'seat1', 'chance')
    """
    if seat < 0:
        return CHANCE_COLOUR
    return COLOURS[seat] if seats <= len(COLOURS) else f"seat{seat}"


def seat_of(colour: str, seats: int) -> int:
    """Return the seat of a name, or of `b` or `w` for the two colours; raise ProtocolError.

    >>> seat_of("W", 2)
    1
    """
    text = colour.lower()
    for seat in range(-1, seats):
        name = colour_of(seat, seats)
        if text == name or (name in COLOURS and text == name[0]):
            return seat
    known = ", ".join(colour_of(seat, seats) for seat in range(seats))
    raise ProtocolError(f"{colour!r} is not a colour here ({known})")


# ---- vertices

NAMINGS = ("own", "gtp", "hex")
"""`gtp` is that of the protocol: letters for columns without I, numbers for rows from the bottom,
`J4`. `hex` is that of HexGui and MoHex: letters for columns, I included, numbers for rows from the
top, `i4`. `own` leaves moves as the game writes them."""
SKIPPING = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@frozen
class Vertices:
    """The names of a board's cells for another program; without any, moves are left as they are."""

    naming: str = "own"
    names: Mapping[str, str] = {}
    """The other program's name of each cell, by the game's."""

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
    """Return columns and rows of a game's board, by its parameters; None if these do not say."""
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
    from dragon.boards.board import Board  # here, as commands import this to be listed

    cells: Any = getattr(getattr(game.start(0), "rules", None), "notation", None)
    plain = isinstance(cells, Grid) and not cells.by_column
    plain = plain or (isinstance(cells, Board) and not cells.moving)
    return cells if plain and cells.columns <= len(SKIPPING) else None
