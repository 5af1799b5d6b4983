"""`dragon gtp`: dragon as an engine, on stdin and stdout."""

from __future__ import annotations

from typing import Any

import click

from dragon.cli_tools import chosen_search, limit_of, limits, with_search, with_seed
from dragon.config import game
from dragon.gtp.server import GtpServer
from dragon.modes import OPTIMISED


@click.command()
@click.argument("game_spec", metavar="GAME")
@with_search
@limits
@with_seed
@click.option(
    "--vertices", type=click.Choice(["own", "gtp", "hex"]), default=None,
    help="Names of cells: as GAME has them (own), gtp, or hex, which is usual for hex.",
)  # fmt: skip
def gtp(
    game_spec: str, search_spec: str | None, seed: int, vertices: str | None, **given: Any
) -> None:
    """Play as an engine for another program, by the Go Text Protocol, version 2.

    Commands are answered, a line each, until `quit`. Moves are written as GAME writes them, those
    of hex as HexGui and MoHex do, unless --vertices says otherwise; --vertices gtp is for GoGui
    and its twogtp. The limit is that of each move, where the other side sets no clock.
    `list_commands` lists the commands; those that begin with dragon- are extensions: dragon-game,
    dragon-position, dragon-moves, dragon-analyze, dragon-vertices.

    \b
    Examples:
      dragon gtp "hex(size=11)" --search mcts --seconds 5
      dragon gtp "gomoku(rows=9, columns=9)" --vertices gtp --seconds 1
      printf 'genmove black\\nshowboard\\nquit\\n' | dragon gtp tictactoe
    """
    played = game(game_spec)
    server = GtpServer(played, chosen_search(search_spec, played), limit_of(given), vertices)
    server.seed = seed
    with OPTIMISED.under("1"):  # no move by the clock waits for better code
        server.begin(played.start(seed))
        server.serve()
