"""Puzzles: covers such as queens, pentominoes and sudoku; sliding tiles, pegs and sokoban.

`puzzle` is the base of the covers: boards as text and pictures. `textbook` has the shortest ones,
then come `pentominoes`, `polyominoes` with pieces of your own, and `sudoku`. `sliding`,
`peg_solitaire` and `sokoban` are games of moves, each in one file; `cli` has the commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon import Game, hookimpl

if TYPE_CHECKING:
    import click


@hookimpl
def dragon_games() -> list[type[Game[Any]]]:
    """The games of this package, imported here, as one of them is all that most commands need."""
    from dragon_puzzles.peg_solitaire import PegSolitaire
    from dragon_puzzles.pentominoes import Pentominoes, Soma
    from dragon_puzzles.polyominoes import Polyominoes
    from dragon_puzzles.puzzle import Cover
    from dragon_puzzles.sliding import Sliding
    from dragon_puzzles.sokoban import Sokoban
    from dragon_puzzles.sudoku import Sudoku
    from dragon_puzzles.textbook import Dominoes, Langford, Latin, Queens

    return [
        Cover, Dominoes, Langford, Latin, PegSolitaire, Pentominoes, Polyominoes, Queens, Sliding,
        Sokoban, Soma, Sudoku,
    ]  # fmt: skip


@hookimpl
def dragon_commands() -> list[click.Command]:
    """`dragon sudoku` and `dragon polyominoes`."""
    from dragon_puzzles.cli import polyominoes, sudoku

    return [polyominoes, sudoku]
