"""`dragon perft`: move paths of each length, the test of a move generator."""

from __future__ import annotations

import time
from typing import Any

import click

from dragon.commands.options import as_json, interruptible, position, print_json, rate, with_checks
from dragon.config import game
from dragon.core import State
from dragon.perft import perft as count_paths


@click.command()
@click.argument("game_spec", metavar="GAME")
@click.argument("depth", type=click.IntRange(min=0))
@click.option("--position", "text", metavar="TEXT", help="The position; the start if not given.")
@with_checks
@as_json
def perft(game_spec: str, depth: int, text: str | None, as_json: bool) -> None:
    """Count the move paths of each length up to DEPTH.

    Finished games are not extended. With --json there is one object for each length.

    \b
    Examples:
      dragon perft connect4 8
      dragon perft tictactoe 5 --position "X../.O./... X"
    """
    of = game(game_spec)
    state = position(of, text)
    interruptible(count_paths, state, 0)  # compiles, so that no rate includes it
    for plies in range(depth + 1):
        paths, seconds = interruptible(timed, state, plies)
        if as_json:
            print_json(
                {
                    "game": str(of),
                    "position": str(state),
                    "depth": plies,
                    "paths": paths,
                    "seconds": seconds,
                    "rate": rate(paths, seconds),
                }
            )
        else:
            speed = f"{rate(paths, seconds):,.0f}/s"
            click.echo(f"depth {plies:>2}  {paths:>18,}  {seconds:9.3f} s  {speed:>16}")
        if not paths:  # every game is over
            break


def timed(state: State[Any], plies: int) -> tuple[int, float]:
    """The paths of that length, and the seconds it took to count them."""
    start = time.perf_counter()
    paths = count_paths(state, plies)
    return paths, time.perf_counter() - start
