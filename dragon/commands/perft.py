"""`dragon perft`: move paths of each length, the test of a move generator."""

from __future__ import annotations

import time
from typing import Any

import click

from dragon.cli_tools import as_json, interruptible, rate, tell, with_checks, with_position
from dragon.config import game, position
from dragon.core import Game, State
from dragon.errors import ConfigError
from dragon.rules.perft import perft as count_paths


@click.command()
@click.argument("game_spec", metavar="GAME")
@click.argument("depth", type=click.IntRange(min=0), required=False)
@with_position
@click.option("--divide", is_flag=True, help="The paths of length DEPTH by their first move.")
@click.option("--portrait", is_flag=True,
              help="A portrait of GAME by random games; needs no DEPTH.")  # fmt: skip
@with_checks
@as_json
def perft(
    game_spec: str, depth: int | None, text: str | None, divide: bool, portrait: bool, as_json: bool
) -> None:
    """Count the move paths of each length up to DEPTH.

    Finished games are not extended. With --json there is one object for each length, or with
    --divide for each first move.

    \b
    Examples:
      dragon perft connect4 8
      dragon perft tictactoe 5 --position "X../.O./... X"
      dragon perft connect4 6 --divide
      dragon perft connect4 --portrait
    """
    of = game(game_spec)
    if depth is None:
        if not portrait:
            raise ConfigError("give a DEPTH in plies, or --portrait")
        if divide or text is not None:
            raise ConfigError("--divide and --position need a DEPTH in plies")
        tell_portrait(of, as_json)
        return
    state = position(of, text)
    interruptible(count_paths, state, 0)  # compiles, so that no rate includes it
    if divide:
        tell_divided(of, state, depth, as_json)
        if portrait:
            tell_portrait(of, as_json)
        return
    for plies in range(depth + 1):
        paths, seconds = interruptible(timed, state, plies)
        found = {"paths": paths, "seconds": seconds, "rate": rate(paths, seconds)}
        speed = f"{found['rate']:,.0f}/s"
        text = f"depth {plies:>2}  {paths:>18,}  {seconds:9.3f} s  {speed:>16}"
        tell(as_json, {"game": str(of), "position": str(state), "depth": plies, **found}, text)
        if not paths:  # every game is over
            break
    if portrait:
        tell_portrait(of, as_json)


def tell_portrait(of: Game[Any], as_json: bool) -> None:
    """Print the figures of random games from the start."""
    from dragon.laws.portrait import portray

    found = interruptible(portray, of)
    tell(as_json, found.row(), found.lines())


def tell_divided(of: Game[Any], state: State[Any], depth: int, as_json: bool) -> None:
    """Print a line for each first move with the paths that begin so, and their sum."""
    if not depth:
        raise ConfigError("--divide needs a DEPTH of 1 or more: it counts by first moves")
    total = 0
    for move in state.moves():
        paths = interruptible(count_paths, state.after(move), depth - 1)
        total += paths
        about = {"game": str(of), "position": str(state), "depth": depth}
        row = {**about, "move": str(move), "paths": paths}
        tell(as_json, row, f"{move!s:<12}  {paths:>18,}")
    if not as_json:
        click.echo(f"{'depth ' + str(depth):<12}  {total:>18,}")


def timed(state: State[Any], plies: int) -> tuple[int, float]:
    """Return the paths of that length, and the seconds that counting took."""
    start = time.perf_counter()
    paths = count_paths(state, plies)
    return paths, time.perf_counter() - start
