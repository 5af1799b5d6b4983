"""Games of Nex as text: a line of moves, or a log of many games with its head.

A bare record is `Ba3?b1;Wa1?a2;...;B`: moves, each ended by a semicolon, and perhaps the result B,
W or `#` for a draw. A log has lines `Black:name`, `White:name` and `#games:N;`, then for each game
`Game#k`, `Board:r3-c3`, `Init_State:M;M;` (moves already made, or a lone semicolon) and a record.
A list in JSON has an object for each game, with `moves` or a bare `record`, and perhaps `size` or
`rows` and `cols`, `black`, `white`, `recorded`, the result, and `file` or `source`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from dragon.core import TERMINAL
from dragon.errors import BadNotation, ConfigError, quoted
from dragon_nex.board import LARGEST

if TYPE_CHECKING:
    from dragon import RecordState

RESULTS = ("B", "W", "#")
HEAD = re.compile(r"(Black|White|#games|Board|Init_State)\s*:\s*(.*)", re.IGNORECASE)
SIZE = re.compile(r"r(\d+)-c(\d+)(?:-.*)?|(\d+)x(\d+)")
CELL = re.compile(r"[BWbw?]([A-Za-z])(\d+)")


@frozen
class GameRecord:
    """One game as it was written down."""

    moves: tuple[str, ...]
    result: str | None = None
    """`B`, `W` or `#`, as the record says."""
    black: str = ""
    white: str = ""
    size: tuple[int, int] | None = None
    """Rows and columns, where the record tells them."""
    source: str = ""
    """The place where it was read, for messages."""

    @property
    def board(self) -> tuple[int, int]:
        """Its size, or else that of the smallest square with all its cells."""
        if self.size is not None:
            return self.size
        cells = [CELL.findall(move) for move in self.moves]
        most = max(
            (max(ord(row.lower()) - 96, int(col)) for each in cells for row, col in each),
            default=2,
        )
        return max(most, 2), max(most, 2)

    def checked_board(self) -> tuple[int, int]:
        """The board; raises BadNotation for a size that does not make one."""
        rows, cols = self.board
        if not (1 <= rows <= LARGEST and 1 <= cols <= LARGEST and rows * cols > 1):
            raise BadNotation(f"{self.source}: a board has 2 cells at least and {LARGEST} rows and "
                              f"columns at most, not {rows}x{cols}")  # fmt: skip
        return rows, cols


def outcome(state: RecordState) -> str | None:
    """Return how a state ended, `B`, `W` or `#`; None if it goes on."""
    if state.turn != TERMINAL:
        return None
    return {1: "B", 0: "#", -1: "W"}[round(state.payoff()[0])]


def read_records(text: str, source: str) -> list[GameRecord]:
    """The games of a text; raises BadNotation with the line where it is none of these forms."""
    found: list[GameRecord] = []
    log = GameRecord((), source=source)
    before: tuple[str, ...] = ()
    if text.lstrip().startswith("["):
        found, text = list(_listed(text, source)), ""
    for number, raw in enumerate(text.splitlines(), 1):
        line, place = raw.strip(), f"{source}, line {number}"
        if not line or line.lower().startswith("game#"):
            continue
        if head := HEAD.fullmatch(line):
            word, value = head[1].lower(), head[2].strip().removesuffix(";").strip()
            if word == "black":
                log = evolve(log, black=value)
            elif word == "white":
                log = evolve(log, white=value)
            elif word == "board":
                log = evolve(log, size=read_size(value, place))
            elif word == "init_state":
                before = tuple(part.strip() for part in value.split(";") if part.strip())
        else:
            found.append(_record(line, evolve(log, source=place), before))
            before = ()
    if not found:
        raise BadNotation(f"{source}: no game is here; write moves with a semicolon after each")
    return found


def _listed(text: str, source: str) -> Iterator[GameRecord]:
    try:
        games = json.loads(text)
    except ValueError as wrong:
        raise BadNotation(f"{source}: this is neither JSON nor a line of moves: {wrong}") from wrong
    for number, entry in enumerate(games, 1):
        place = f"{source}, game {number}"
        moves = entry.get("record", entry.get("moves")) if isinstance(entry, dict) else None
        if isinstance(moves, list):
            moves = ";".join(map(str, moves))
        if not isinstance(moves, str):
            raise BadNotation(f"{place}: write an object with `moves`, a list, or `record`, a text")
        if named := entry.get("file", entry.get("source")):
            place = f"{place} ({named})"
        black, white = (str(entry.get(colour) or "") for colour in ("black", "white"))
        log = GameRecord((), None, black, white, source=place)
        sides = entry.get("size") or [entry.get("rows"), entry.get("cols")]
        if sides != [None, None]:
            size = "x".join(map(str, sides if isinstance(sides, list) else [sides]))
            log = evolve(log, size=read_size(size, place))
        game = _record(moves, log, ())
        result = game.result or entry.get("recorded", entry.get("recorded_result"))
        if result is not None and result not in RESULTS:
            raise BadNotation(f"{place}: {result!r} is not a result; write B, W or #")
        yield evolve(game, result=result)


def read_size(text: str, place: str) -> tuple[int, int]:
    """`3x4` or `r3-c4` as rows and columns; raises ConfigError."""
    match = SIZE.fullmatch(text.strip())
    if match is None:
        raise ConfigError(f"{place}: {quoted(text)} is not a board size; write rows x columns: 3x4")
    rows, cols = (int(part) for part in match.groups() if part)
    if not (1 <= rows <= LARGEST and 1 <= cols <= LARGEST and rows * cols > 1):
        raise ConfigError(f"{place}: {text} must have 1 to {LARGEST} rows and columns, and 2 cells")
    return rows, cols


def _record(line: str, log: GameRecord, before: tuple[str, ...]) -> GameRecord:
    parts = [part.strip() for part in re.split(r"[;\s]+", line) if part.strip()]
    result = parts.pop() if parts and parts[-1] in RESULTS else None
    for part in parts:
        if not CELL.match(part):
            raise BadNotation(
                f"{log.source}: {quoted(part)} is not a move; write Ba1?b2 or Ba2Bc2?a1, and B, W "
                "or # at the end"
            )
    return evolve(log, moves=(*before, *parts), result=result)


def log(
    rows: int, cols: int, moves: Sequence[str], players: Sequence[str], result: str | None
) -> str:
    """One game as a log, which `read_records` reads."""
    black, white = (*players, "", "")[:2]
    line = "".join(f"{move};" for move in moves)
    return (
        f"Black:{black}\nWhite:{white}\n#games:1;\nGame#1\n"
        f"Board:r{rows}-c{cols}\nInit_State:;\n{line}{result or ''}\n"
    )
