"""Draughts by numbers: the 32 dark squares of a board of checkers, and Portable Draughts Notation.

Square 1 is the first dark one of the top row, where Black's men begin, and 32 the last of the
bottom row. A game is as in PGN, with moves such as 11-15 and jumps such as 22x15x8, or 22x8 where
only one way leads there; a position is `W:W18,24,K10:B12,16`, the side to move first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar

from attrs import frozen

from dragon import BadNotation, Board
from dragon.boards.cells import EMPTY
from dragon.core import Game, State
from dragon.rules.notation import parse_move
from dragon.transcripts.pgn import Pgn
from dragon.transcripts.replay import Replay, Walk

SQUARES = [(row, column) for row in range(8) for column in range(8) if (row + column) % 2]
"""The row and column of squares 1 to 32."""
NUMBER = {place: number for number, place in enumerate(SQUARES, 1)}
STEP = re.compile(r"(\d{1,2})\s*([-x:])\s*(\d{1,2})")
JUMPS = re.compile(r"\d{1,2}(?:[-x:]\d{1,2})+")
TAG = re.compile(r'\s*\[\s*FEN\s+"([^"]*)"\s*\]\s*', re.IGNORECASE)
GAME_TYPE = "21"
"""The number of English draughts in the tag GameType."""
FEN = re.compile(r"\s*([WB])\s*:\s*([WB])([^:]*):\s*([WB])([^:.]*)\.?\s*", re.I)


@frozen
class Numbered(Board):
    """A board whose moves and positions are read by cells and by numbers, and written by numbers.

    A position is written in rows, as boards are, and drawn with the numbers of its squares.
    """

    @cached_property
    def _numbers(self) -> dict[int, int]:
        """The number of each dark square's bit."""
        return {self.bits[place]: number for place, number in NUMBER.items()}

    def move_text(self, s: Any, code: int) -> str:
        """The numbers of two squares, `11-15`, and `22x15` of a jump."""
        at, to = code // self.span % self.span, code % self.span
        if at not in self._numbers or to not in self._numbers:
            return super().move_text(s, code)
        sign = "x" if abs(at // 8 - to // 8) == 2 else "-"
        return f"{self._numbers[at]}{sign}{self._numbers[to]}"

    def move_code(self, s: Any, text: str) -> int:
        """The code of a move by numbers or by cells."""
        if (known := STEP.fullmatch(text.strip())) is None:
            return super().move_code(s, text)
        squares = [int(known[1]), int(known[3])]
        for square in squares:
            if not 1 <= square <= len(SQUARES):
                raise BadNotation(f"{text!r}: {square} is not a square; they are 1 to 32")
        at, to = (self.bits[SQUARES[square - 1]] for square in squares)
        return at * self.span + to

    def clicks(self, move: str) -> tuple[tuple[str, ...], ...]:
        """The cells of both squares, in the order in which they are clicked."""
        if (known := STEP.fullmatch(move)) is None:
            return super().clicks(move)
        return (tuple(self.name(*SQUARES[int(square) - 1]) for square in known.group(1, 3)),)

    @property
    def notes(self) -> Mapping[tuple[int, int], str]:
        return {place: str(number) for place, number in NUMBER.items()}

    def parse(self, s: Any, text: str) -> None:
        """Read rows, or squares by colours as Portable Draughts Notation has them."""
        text = tag[1] if (tag := TAG.fullmatch(text)) else text
        super().parse(s, rows_of(text) if FEN.fullmatch(text) else text)


def rows_of(fen: str) -> str:
    """Return the rows of a position by squares; raises BadNotation.

    >>> rows_of("W:WK1:B32")
    '.W....../......../......../......../......../......../......../......b. W'
    """
    found = FEN.fullmatch(fen)
    if found is None or found[2].upper() == found[4].upper():
        raise BadNotation(f"{fen!r} is not a position; write one like W:W18,24,K10:B12,16")
    board = [[EMPTY] * 8 for _ in range(8)]
    for colour, listed in ((found[2], found[3]), (found[4], found[5])):
        for word in filter(None, (each.strip() for each in listed.split(","))):
            piece = re.fullmatch(r"(K?)(\d{1,2})(?:-(\d{1,2}))?", word, re.I)
            first, last = (int(piece[2]), int(piece[3] or piece[2])) if piece else (0, 0)
            if piece is None or not 1 <= first <= last <= len(SQUARES):
                raise BadNotation(f"{word!r} in {fen!r} is not a square from 1 to 32, or K and one")
            for square in range(first, last + 1):
                row, column = SQUARES[square - 1]
                if board[row][column] != EMPTY:
                    raise BadNotation(f"square {square} in {fen!r} is given twice")
                board[row][column] = colour.upper() if piece[1] else colour.lower()
    return "/".join(map("".join, board)) + f" {found[1].upper()}"


def squares_of(position: str) -> str:
    """Return a position in rows by squares, the inverse of `rows_of`.

    >>> squares_of(rows_of("B:W21,K30:B1,2,K9"))
    'B:W21,K30:B1,2,K9'
    """
    board, mover = position.split()[:2]
    rows = board.split("/")
    held: dict[str, list[str]] = {"W": [], "B": []}
    for number, (row, column) in enumerate(SQUARES, 1):
        if (letter := rows[row][column]) != EMPTY:
            held[letter.upper()].append(f"{'K' if letter.isupper() else ''}{number}")
    return f"{mover}:" + ":".join(colour + ",".join(each) for colour, each in held.items())


@frozen
class Pdn(Pgn):
    """Portable Draughts Notation of checkers, where Black begins."""

    name: ClassVar[str] = "pdn"
    title: ClassVar[str] = "Portable Draughts Notation"
    suffix: ClassVar[str] = ".pdn"
    rules = ("checkers",)
    general: ClassVar[bool] = False
    white: ClassVar[int] = 1
    first: ClassVar[str] = r"\d|[a-h][1-8][-x:]?[a-h]|$"
    variants: ClassVar[tuple[str, ...]] = ("english draughts", "american checkers", "checkers")

    def fen(self, state: State[Any]) -> str:
        """Return a position by squares."""
        return squares_of(str(state))

    def kind(self, spec: str) -> dict[str, str]:
        """Return the number of English draughts."""
        return {"GameType": GAME_TYPE}

    def _rules(self, game: Game[Any], tags: Mapping[str, str], where: str) -> Game[Any]:
        """Return the game; raises BadNotation for another kind of draughts."""
        kind = tags.get("GameType", GAME_TYPE)
        if kind.partition(",")[0].strip() != GAME_TYPE:
            raise BadNotation(
                f"{where} is of GameType {kind!r}, and checkers, English draughts, is {GAME_TYPE}"
            )
        return super()._rules(game, tags, where)

    def make(self, walk: Walk, text: str, where: str) -> None:
        """Make the jumps of a turn one by one; of its first and last square, if these tell it."""
        squares, moves = re.split("[-x:]", text), [text]
        if JUMPS.fullmatch(text) is not None and len(squares) > 2:
            moves = [f"{at}x{to}" for at, to in pairwise(squares)]
        elif JUMPS.fullmatch(text) is not None:
            found = _jumps(walk.state, squares[0])
            ways = [way for way in found if way[-1].endswith(f"x{squares[1]}")]
            if len(ways) > 1:
                shown = " or ".join(_joined(way) for way in ways)
                raise BadNotation(f"{where}: {text!r} may be {shown}; write all its squares")
            moves = ways[0] if ways else moves
        for move in moves:
            walk.make(move, where)

    def word(self, replay: Replay, numbers: Sequence[int]) -> str | None:
        """Return the squares of all jumps of a turn."""
        return _joined([replay.moves[number] for number in numbers])


def _joined(moves: Sequence[str]) -> str:
    return moves[0] + "".join("x" + move.partition("x")[2] for move in moves[1:])


def _jumps(state: State[Any], square: str) -> list[list[str]]:
    """Return all jumps of the piece on a square in one turn, to their ends."""
    found = []
    for move in map(str, state.moves()):
        if move.startswith(f"{square}x"):
            after = state.after(parse_move(state, move))
            goes_on = after.turn == state.turn
            rest = _jumps(after, move.partition("x")[2]) if goes_on else [[]]
            found += [[move, *more] for more in rest]
    return found
