"""The classics of game theory and of programming, each in one short file.

`tictactoe` and `nim` come first: they are the games of the tutorial. `hex` has its knowledge for
searches in `bridges`, and `hexworld` reads links to that site; `kuhn` begins the games with hidden
hands, and `phantom` hides the stones of tic-tac-toe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon import Game, hookimpl

if TYPE_CHECKING:
    from dragon.protocols import Form


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The games of this package, imported here, as one of them is all that most commands need."""
    from dragon_classics.connect4 import ConnectFour
    from dragon_classics.goofspiel import Goofspiel
    from dragon_classics.hex import Hex
    from dragon_classics.kuhn import Kuhn
    from dragon_classics.leduc import Leduc
    from dragon_classics.liars_dice import LiarsDice
    from dragon_classics.nim import Nim
    from dragon_classics.phantom import Phantom
    from dragon_classics.tictactoe import TicTacToe

    return [ConnectFour, Goofspiel, Hex, Kuhn, Leduc, LiarsDice, Nim, Phantom, TicTacToe]


@hookimpl
def dragon_transcripts() -> list[Form]:
    """The forms in which players of these games write them."""
    from dragon.transcripts.replay import Cells
    from dragon.transcripts.sgf import Sgf
    from dragon_classics.hexworld import HexWorld

    sgf = Sgf("hex", 11, kinds=("", "hex"), size=11, lettered=True, swaps=True)
    return [sgf, HexWorld(), Cells(("tictactoe",)), Cells(("connect4",), word=r"\d")]
