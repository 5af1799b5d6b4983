"""Board games that many people know, each in one short file; chess has a folder.

`teeko` is a good one to begin with. `knowledge` and `numbers` serve searches alone, so that rules
can be read without them; `forms` has the notations of other programs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon import Game, hookimpl

if TYPE_CHECKING:
    from dragon.protocols import Form


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The games of this package, imported here, as one of them is all that most commands need."""
    from dragon_boards.backgammon import Backgammon
    from dragon_boards.breakthrough import Breakthrough
    from dragon_boards.checkers import Checkers
    from dragon_boards.chess import Chess
    from dragon_boards.domineering import Domineering
    from dragon_boards.dots_and_boxes import DotsAndBoxes
    from dragon_boards.einstein import Einstein
    from dragon_boards.gomoku import Gomoku
    from dragon_boards.kalah import Kalah
    from dragon_boards.morris import Morris
    from dragon_boards.reversi import Reversi
    from dragon_boards.teeko import Teeko
    from dragon_boards.two048 import Two048

    return [
        Backgammon, Breakthrough, Checkers, Chess, Domineering, DotsAndBoxes, Einstein, Gomoku,
        Kalah, Morris, Reversi, Teeko, Two048,
    ]  # fmt: skip


@hookimpl
def dragon_transcripts() -> list[Form]:
    """The forms in which players of these games write them."""
    from dragon.transcripts.replay import Cells
    from dragon.transcripts.sgf import Sgf
    from dragon_boards.forms.chess import ChessPgn
    from dragon_boards.forms.draughts import Pdn
    from dragon_boards.forms.gammon import Mat
    from dragon_boards.forms.piskvork import Psq

    gomoku = Sgf("gomoku", 4, kinds=("gomoku", "renju"), size=15), Psq(), Cells(("gomoku",))
    othello = Sgf("reversi", 2, kinds=("othello", "reversi"), size=8, takes=True)
    reversi = othello, Cells(("reversi",), passes=True)
    return [ChessPgn(), Pdn(), Mat(), *gomoku, *reversi]
