"""The classics: nim, tic-tac-toe, connect four, hex and Kuhn poker. Each is one short file."""

from __future__ import annotations

from typing import Any

from dragon import Game, hookimpl
from dragon_classics.connect4 import ConnectFour
from dragon_classics.hex import Hex
from dragon_classics.kuhn import Kuhn
from dragon_classics.nim import Nim
from dragon_classics.tictactoe import TicTacToe


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The games of this package."""
    return [ConnectFour, Hex, Kuhn, Nim, TicTacToe]
