"""`dragon solve`: searches positions, one after another, and prints their values."""

from __future__ import annotations

import re
import sys
from typing import Any

import click

from dragon.cli_tools import (
    as_json,
    chosen_search,
    claim,
    limit_of,
    limits,
    rate,
    say_caveats,
    tell,
    with_checks,
    with_position,
    with_search,
    with_seed,
    words,
)
from dragon.columns import fields
from dragon.config import game, position, read_text
from dragon.core import Game, Limit, Position, Result, Search, State
from dragon.errors import ConfigError, GameError, SearchError
from dragon.jsonable import result_object
from dragon.protocols import turn_name


@click.command()
@click.argument("game_spec", metavar="GAME")
@with_position
@click.option(
    "--positions",
    "file",
    metavar="FILE",
    help="A file of positions, one a line; - for stdin, # begins a comment.",
)
@with_search
@limits
@with_seed
@with_checks
@as_json
def solve(
    game_spec: str,
    text: str | None,
    file: str | None,
    search_spec: str | None,
    seed: int,
    as_json: bool,
    **given: Any,
) -> None:
    """Search positions of GAME and print their values.

    The value is in units of payoff, for the seat to move. Its bound is = (proven), ~ (an
    estimate), or >= and <= (proven to be at least and at most that). Without a limit a
    search goes on until it has proven the value, or for its default budget if it cannot.
    Ctrl-C ends the search and prints its best result so far.

    \b
    Examples:
      dragon solve tictactoe
      dragon solve tictactoe --position "X../.O./..X O" --json
      dragon solve "nex(rows=4, cols=4)" --search mcts --seconds 5
      dragon solve connect4 --search "alphabeta(table=false)" --depth 8
      dragon solve nim --positions piles.txt --json > values.jsonl
    """
    if text is not None and file is not None:
        raise click.UsageError("give --position or --positions, not both")
    of = game(game_spec)
    search = chosen_search(search_spec, of)
    limit = limit_of(given)
    say_caveats([search], limit)
    states = read_positions(of, file) if file is not None else [position(of, text, seed)]
    for i, state in enumerate(states):
        result, interrupted = last_result(of, search, state, limit, seed)
        if result is not None:
            text = ("\n" if i else "") + report(of, search, state, result)
            tell(as_json, result_object(of, search, state, result), text)
        if interrupted:
            raise KeyboardInterrupt


def read_positions(of: Game[Any], file: str) -> list[State[Any]]:
    """The positions of a file; raises ConfigError with the file and line of each mistake."""
    name = "stdin" if file == "-" else file
    states, wrong = [], []
    lines = read_text(file, "positions").split("\n")
    for number, line in enumerate(lines, 1):
        text = re.split(r"(?:^|\s)#", line)[0].strip()
        if not text:
            continue
        try:
            states.append(position(of, text))
        except GameError as error:
            wrong.append(f"{name}:{number}: {error}")
    if wrong:
        raise ConfigError(wrong[:10] + [f"... and {len(wrong) - 10} more"] * (len(wrong) > 10))
    if not states:
        raise ConfigError(f"{name}: there is no position in it; write one on each line")
    return states


def last_result(
    of: Game[Any], search: Search, state: State[Any], limit: Limit, seed: int
) -> tuple[Result | None, bool]:
    """The last result, None if there was none, and whether Ctrl-C ended the search."""
    last, live = None, sys.stderr is not None and sys.stderr.isatty()
    try:
        with search.open(of) as run:
            for last in run.results(Position(state, state), limit, seed):
                if live:
                    click.echo(f"\r\x1b[K{progress(last)}", err=True, nl=False)
    except KeyboardInterrupt:
        return last, True
    finally:
        if live:
            click.echo("\r\x1b[K", err=True, nl=False)
    if last is None:
        raise SearchError(f"{search} ended without a result on {state}")
    return last, False


def progress(result: Result) -> str:
    """A result on one line of a terminal."""
    depth = f"depth {result.extra['depth']}  " if "depth" in result.extra else ""
    text = f"{depth}value {claim(result)}  nodes {result.nodes:,}  {words(result.line, 6)}"
    return text[:78]


def report(of: Game[Any], search: Search, state: State[Any], result: Result) -> str:
    """A result on several lines, for people."""
    per_second = rate(result.nodes, result.seconds)
    shown = [
        ("position", f"{state}  ({of})"),
        ("to move", turn_name(of, state.turn)),
        ("value", claim(result)),
        ("line", words(result.line) or "-"),
        ("nodes", f"{result.nodes:,} in {result.seconds:.3f} s ({per_second:,.0f}/s)"),
        ("search", str(search)),
    ]
    short = ((key, v) for key, v in result.extra.items() if isinstance(v, int | float | str))
    if more := ", ".join(f"{key} {value}" for key, value in short):
        shown.append(("extra", more))
    return "\n".join(fields(shown))
