"""`dragon nex gtp`: Nex as an engine, on stdin and stdout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import chosen_search, limit_of, limits
from dragon_nex.cli.options import SIZE

if TYPE_CHECKING:
    from dragon import Search
    from dragon_nex.game import Nex


@click.command()
@click.option("--size", type=SIZE, default=(11, 11), help="The board at first: 11x11.")
@click.option("--swap", is_flag=True, help="White may take the first move over.")
@click.option("--search", "spec", metavar="SPEC", help="The search; a table, or else mcts.")
@limits
def gtp(size: tuple[int, int], swap: bool, spec: str | None, **given: Any) -> None:
    """Play as an engine for another program, by the Go Text Protocol, version 2.

    Commands are answered, a line each, until `quit`. Moves are those of Nex: `play black
    Ba1?c2`. `boardsize 4` or `boardsize 3 4` sets up an empty board. On boards with a table play
    is perfect. Analysis: nex-solve, nex-values, dragon-analyze.

    \b
    Examples:
      printf 'boardsize 3\\ngenmove black\\nnex-solve\\nquit\\n' | dragon nex gtp
      dragon nex gtp --size 5x5 --search mcts --seconds 3
    """
    from dragon_nex.game import Nex
    from dragon_nex.gtp import NexServer

    NexServer(Nex(*size, swap), lambda game: player(game, spec), limit_of(given)).serve()


def player(game: Nex, spec: str | None) -> Search:
    """The search of a board: of a spec, else a table where there is one, else mcts."""
    from dragon_nex.nextable import NexTable

    return chosen_search(spec or ("mcts" if NexTable().objection(game) else "nextable"), game)
