"""Files of the Piskvork manager, `.psq`: a game of gomoku, a move on each line.

The first line is `Piskvorky 15x15, ...` with columns and rows; then `column,row,milliseconds`,
counted from 1, until another kind of line, which may have names of players (gomocup.org).
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from attrs import evolve, frozen

from dragon.errors import BadNotation
from dragon.protocols import Form, Transcript, notation_of
from dragon.transcripts.replay import Walk, cells_of, shortened

HEAD = re.compile(r"\s*Piskvorky\s+(\d+)\s*x\s*(\d+)\s*,", re.I)
MOVE = re.compile(r"\s*(\d{1,2})\s*,\s*(\d{1,2})\s*,\s*\d+\s*")
NUMBERS = re.compile(r"\s*-?\d+(?:\s*,\s*-?\d+)?\s*")
"""A line of one or two numbers, which may follow the names."""


@frozen
class Psq(Form):
    """A game of the Piskvork manager."""

    name: ClassVar[str] = "psq"
    title: ClassVar[str] = "Piskvork's record of a game"
    suffix: ClassVar[str] = ".psq"
    rules = ("gomoku",)

    def read(self, game: Any, text: str) -> list[Transcript]:
        lines = text.removeprefix("\ufeff").splitlines()
        head = HEAD.match(lines[0]) if lines else None
        if head is None:
            return []
        try:
            of = evolve(game, rows=int(head[2]), columns=int(head[1]))
        except ValueError as wrong:
            raise BadNotation(f"line 1: {wrong}") from wrong
        board: Any = notation_of(of)
        walk = Walk(of)
        for number, line in enumerate(lines[1:], 2):
            if (move := MOVE.fullmatch(line)) is None:
                rest = lines[number - 1 :]
                break
            column, row = int(move[1]), int(move[2])
            where = f"line {number}, {column},{row}"
            if not (1 <= row <= of.rows and 1 <= column <= of.columns):
                raise BadNotation(f"{where}: it is not on a board of {of.columns}x{of.rows}")
            walk.make(board.name(row - 1, column - 1), where)
        else:
            rest = []
        for number, line in enumerate(rest, len(lines) - len(rest) + 1):
            if MOVE.fullmatch(line) or ("," in line and not NUMBERS.fullmatch(line)):
                raise BadNotation(
                    f"line {number}: {shortened(line)} is not a move such as 8,8,0, or one before "
                    "it is not"
                )
        names = [line.strip() for line in rest if line.strip() and not NUMBERS.fullmatch(line)][:2]
        return [walk.transcript(tuple(names) if len(names) == 2 else ())]

    def write(self, game: Any, transcript: Transcript) -> str | None:
        """Return a file; None for a game from another start."""
        if transcript.start:
            return None
        lines = [f"{column + 1},{row + 1},0" for row, column in cells_of(game, transcript)]
        names = [*transcript.players] if len(transcript.players) == 2 else []
        return "\n".join([f"Piskvorky {game.columns}x{game.rows}, 0:0, 0", *lines, *names]) + "\n"
