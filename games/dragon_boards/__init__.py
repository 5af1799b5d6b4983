"""Board games that many people know, each in one short file."""

from __future__ import annotations

from typing import Any

from dragon import Game, hookimpl
from dragon_boards.breakthrough import Breakthrough
from dragon_boards.chess.game import Chess
from dragon_boards.domineering import Domineering
from dragon_boards.dots_and_boxes import DotsAndBoxes
from dragon_boards.kalah import Kalah
from dragon_boards.reversi import Reversi


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The games of this package."""
    return [Breakthrough, Chess, Domineering, DotsAndBoxes, Kalah, Reversi]
