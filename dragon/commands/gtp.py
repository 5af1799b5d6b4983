"""`dragon gtp`: dragon as an engine, on stdin and stdout."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click

from dragon.commands.options import chosen_search, limit_of, limits, with_seed
from dragon.config import game
from dragon.session import Session


@click.command()
@click.argument("game_spec", metavar="GAME")
@click.option("--search", "search_spec", metavar="SPEC", help="The search; see `dragon searches`.")
@limits
@with_seed
def gtp(game_spec: str, search_spec: str | None, seed: int, **given: Any) -> None:
    """Play as an engine for another program, by the Go Text Protocol, version 2.

    Commands are answered, a line each, until `quit`. Moves are written as GAME writes them. The
    limit is that of each move, where the other side sets no clock. `list_commands` tells what is
    understood; those that begin with dragon- are ours: dragon-game, dragon-position,
    dragon-moves, dragon-analyze.

    \b
    Examples:
      printf 'genmove black\\nshowboard\\nquit\\n' | dragon gtp tictactoe
      dragon gtp "hex(size=11)" --search mcts --seconds 5
    """
    played = game(game_spec)
    session = Session(played, chosen_search(search_spec, played), limit_of(given))
    session.seed = seed
    session.begin(played.start(seed))
    serve(session)


def serve(session: Session) -> None:
    """Answers stdin on stdout until `quit` or its end."""
    try:
        for response in session.answers(lines()):
            click.echo(str(response), nl=False)
            sys.stdout.flush()
    finally:
        session.close()


def lines() -> Iterator[str]:
    """The lines of stdin, whatever bytes they are; without one, none."""
    if sys.stdin is None:
        return
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        yield from sys.stdin
        return
    for line in stream:
        yield line.decode("utf-8", errors="replace")
