"""`dragon ulti table`: every contract with every trump on one deal."""

from __future__ import annotations

import click
from attrs import evolve

from dragon_ulti.asking import check_each, game_of
from dragon_ulti.cli import look
from dragon_ulti.cli.options import (
    followed,
    options,
    with_json,
    with_rules,
    with_seconds,
    without_prerequisites,
)
from dragon_ulti.cli.show import grid
from dragon_ulti.contracts import CONTRACTS
from dragon_ulti.deal import bare
from dragon_ulti.objects import answered

CELLS = 31


@click.command()
@click.argument("deal")
@options(with_rules, without_prerequisites, with_seconds, with_json)
def table(deal: str, rules: str, free: bool, seconds: float | None, as_json: bool) -> None:
    """Say for every contract and trump whether it is made: 31 cells.

    \b
    Examples:
      dragon ulti table 0070605040300173727021213323322232414341510112021303125263536
      dragon ulti table "$(dragon ulti deal --seed 3 --code)" --json
    """
    from dragon.commands.options import print_json
    from dragon.core import Limit
    from dragon_ulti import answers

    game = game_of("", "party", None, rules, free)
    text = bare(deal)
    games = (evolve(game, contract=name) for name in CONTRACTS)
    check_each(games, lambda each: answers.asked(each, text))
    stream = answers.table(game, deal, Limit(seconds=seconds))
    found, interrupted = followed(stream, CELLS, "cells")
    if as_json:
        print_json([answered(answer) for answer in found] + [{"interrupted": True}] * interrupted)
    elif found:
        look.say(grid(found, interrupted))
    if interrupted:
        raise KeyboardInterrupt
