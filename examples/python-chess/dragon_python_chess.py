"""The chess of python-chess as a game of dragon, to compare dragon's own with it.

    pip install examples/python-chess
    dragon compare chess python_chess

A game ends by dragon's rules: mate, stalemate, the third occurrence of a position, fifty moves.
"""

from __future__ import annotations

from typing import Any

import chess
from attrs import frozen

from dragon import TERMINAL, BadNotation, Game, IllegalMove, State, Trait, hookimpl


class ChessState(State[str]):
    """A board with the moves that led to it; moves are written as UCI does."""

    __slots__ = ("board",)
    repeats = True

    def __init__(self, board: chess.Board) -> None:
        self.board = board

    @property
    def over(self) -> bool:
        """True after a third occurrence, or fifty moves."""
        return self.board.halfmove_clock >= 100 or self.board.is_repetition(3)

    @property
    def turn(self) -> int:
        return 1 - int(self.board.turn) if self.moves() else TERMINAL

    def moves(self) -> tuple[str, ...]:
        return () if self.over else tuple(move.uci() for move in self.board.legal_moves)

    def after(self, move: str) -> ChessState:
        if move not in self.moves():
            raise IllegalMove(f"{move} is not a legal move in {self}")
        board = self.board.copy()
        board.push_uci(move)
        return ChessState(board)

    def payoff(self) -> tuple[float, float]:
        white = -1.0 if self.board.turn else 1.0
        return (white, -white) if self.board.is_checkmate() else (0.0, 0.0)

    def __str__(self) -> str:
        return self.board.fen()

    def _identity(self) -> tuple[Any, ...]:
        return self.board.root().fen(), tuple(self.board.move_stack)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ChessState) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())


@frozen
class PythonChess(Game[str]):
    """Chess by the rules of python-chess."""

    name = "python_chess"
    traits = frozenset({Trait.DUEL, Trait.REPETITION})

    def start(self, rng: Any = 0) -> ChessState:
        return ChessState(chess.Board())

    def parse(self, text: str) -> ChessState:
        try:
            return ChessState(chess.Board(text))
        except ValueError as wrong:
            raise BadNotation(f"{text!r} is not a position of chess: {wrong}") from wrong


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The game of this plugin."""
    return [PythonChess]
