"""`dragon ulti cards`: what each card leads to, at any point of a game."""

from __future__ import annotations

import click

from dragon_ulti.asking import contract_of, game_of
from dragon_ulti.cli import look
from dragon_ulti.cli.options import (
    followed,
    options,
    with_contract,
    with_course,
    with_json,
    with_rules,
    with_seconds,
    with_trump,
    without_prerequisites,
)
from dragon_ulti.cli.show import BROKEN_OFF, report
from dragon_ulti.deal import bare
from dragon_ulti.objects import answered, whole_course

STEPS = 12
"""Of an answer at most: nothing, ten cards, verdict."""


@click.command()
@click.argument("position")
@options(with_contract, with_trump, with_rules, without_prerequisites)
@options(with_course, with_seconds, with_json)
def cards(
    position: str,
    contract: str | None,
    trump: str | None,
    rules: str,
    free: bool,
    course: bool,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Say what each card that may be played now leads to, at any point of a game.

    A POSITION is a deal, or hands with what has come of play after commas: `lead 1: HA H7`
    for the cards on the table, `units 3` for what the declarer has taken, or `played HA H7
    LX ...` for all cards played so far. Ctrl-C prints what is known by then.

    \b
    Examples:
      dragon ulti cards "HA H7 / HK L8 / LA L7" --contract ulti
      dragon ulti cards "HA / HK H8 / LA L7, lead 0: HX" --trump H
      dragon ulti cards "HA HX / HK H8 / LA L7, played HX" --course
    """
    from dragon.commands.options import print_json
    from dragon.core import Limit
    from dragon_ulti import answers

    if contract is None:
        contract = contract_of(position) or "party"
    game = game_of(position, contract, trump, rules, free)
    text = position if trump is None else bare(position)
    found, interrupted = followed(
        answers.weighing(game, text, Limit(seconds=seconds)), STEPS, "cards"
    )
    if found:
        tables = whole_course(found[-1], text) if course else None
        if as_json:
            print_json(answered(found[-1], tables, interrupted))
        else:
            look.say(report(found[-1], tables) + (f"\n\n{BROKEN_OFF}" if interrupted else ""))
    if interrupted:
        raise KeyboardInterrupt
