"""`dragon laws`: the conformance kit on one game and the searches that can play it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from dragon.commands.options import as_json, print_json, with_checks, with_seed
from dragon.config import game, search
from dragon.core import Game, Search
from dragon.plugins import searches

if TYPE_CHECKING:
    from dragon.laws import Verdict

THOROUGH = 30
"""Times as many games."""


@click.command()
@click.argument("game_spec", metavar="GAME")
@click.option("--search", "search_spec", metavar="SPEC", help="This search only; all if not given.")
@with_seed
@click.option("--thorough", is_flag=True, help="Laws of the game on 30 times as many games.")
@with_checks
@as_json
def laws(game_spec: str, search_spec: str | None, seed: int, thorough: bool, as_json: bool) -> None:
    """Try the laws of the conformance kit on GAME and on the searches that can play it.

    The exit code is 1 if a law is broken. With --json there is one object for each law.

    \b
    Examples:
      dragon laws tictactoe
      dragon laws "nex(rows=2, cols=3)" --search mcts
      dragon laws connect4 --thorough
    """
    of = game(game_spec)
    _ = of.start().turn  # a rule that cannot be compiled is one message, not one for each law
    chosen = [search(search_spec)] if search_spec else [search(name) for name in searches()]
    if search_spec:
        chosen[0].check(of)
    tried, broken = 0, 0
    for subject, verdict in verdicts(of, chosen, seed, THOROUGH if thorough else 1):
        tried += 1
        broken += not verdict.passed
        if as_json:
            print_json(
                {
                    "game": str(of),
                    "search": None if subject is None else str(subject),
                    "law": verdict.law,
                    "passed": verdict.passed,
                    "message": verdict.message,
                }
            )
        else:
            mark = "holds " if verdict.passed else "BROKEN"
            click.echo(f"{mark}  {verdict.law}[{subject or of}]")
            if not verdict.passed:
                click.echo("        " + verdict.message.replace("\n", "\n        "))
    click.echo(f"{tried} laws tried on {of}, {broken} broken", err=as_json)
    if broken:
        raise click.exceptions.Exit(1)


def verdicts(
    of: Game[Any], chosen: list[Search], seed: int, times: int = 1
) -> Iterator[tuple[Search | None, Verdict]]:
    """Every verdict as it comes: on the game (None), then on each search that can play it."""
    from dragon.laws import check_game, check_search

    for verdict in check_game(of, seed, times):
        yield None, verdict
    for one in chosen:
        if one.objection(of) is None:
            for verdict in check_search(one, of, seed):
                yield one, verdict
