"""The forms in which players of these games write whole games."""

from __future__ import annotations

from typing import Any, ClassVar

from attrs import frozen

from dragon.core import Game
from dragon.protocols import Form
from dragon.transcripts.lists import Cells
from dragon.transcripts.pgn import Pgn
from dragon.transcripts.sgf import Sgf
from dragon_boards.forms.draughts import Pdn
from dragon_boards.forms.gammon import Mat
from dragon_boards.forms.piskvork import Psq


@frozen
class ChessPgn(Pgn):
    """PGN of chess, whose usual form it is."""

    general: ClassVar[bool] = False
    variants: ClassVar[tuple[str, ...]] = (
        "standard", "from position", "chess960", "chess 960", "fischerandom",
    )  # fmt: skip

    first: ClassVar[str] = r"[KQRBNPO0a-h]|$"

    def suits(self, game: Game[Any]) -> bool:
        """Return True for chess."""
        return game.name == "chess"


FORMS: list[Form] = [
    ChessPgn(),
    Pdn(),
    Mat(),
    Sgf("gomoku", 4, kinds=("gomoku", "renju"), size=15),
    Psq(),
    Sgf("reversi", 2, kinds=("othello", "reversi"), size=8),
    Cells(("reversi",), passes=True),
    Cells(("gomoku",)),
]
"""The first of a game is its usual one."""
