"""`dragon ulti solve`: a contract, or every contract, on one deal."""

from __future__ import annotations

import time
from itertools import islice
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from dragon_ulti.asking import bids_of, check_each, contract_of, game_of
from dragon_ulti.cards import card, pretty
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
from dragon_ulti.cli.show import BROKEN_OFF, report, row
from dragon_ulti.deal import bare
from dragon_ulti.objects import answered, whole_course

if TYPE_CHECKING:
    from dragon_ulti.answers import Answer

STEPS = 13
"""Of an answer at most: nothing, verdict, ten cards, line."""


@click.command()
@click.argument("deal")
@options(with_contract, with_trump, with_rules, without_prerequisites)
@click.option(
    "--lines",
    type=click.IntRange(min=1),
    metavar="N",
    help="Add N of the lines on which nobody errs.",
)
@options(with_course, with_seconds, with_json)
def solve(
    deal: str,
    contract: str | None,
    trump: str | None,
    rules: str,
    free: bool,
    lines: int | None,
    course: bool,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Say whether a contract is made, how many units the declarer takes, and how to play.

    Units are of ten points: each ace and ten one, the last trick one. Without --contract,
    and if DEAL names none, every contract is tried. A limit in seconds leaves what it did
    not reach unknown, and Ctrl-C prints what is known by then.

    \b
    Examples:
      dragon ulti solve 0070605040300173727021213323322232414341510112021303125263536
      dragon ulti solve "HA H7 / HK H8 / LA L7" --contract ulti
      dragon ulti solve "HA H7 / HK H8 / LA L7" --contract party --lines 5
      dragon ulti solve DEAL --contract forty_hundred+ulti --trump A --json
    """
    from dragon.commands.options import print_json
    from dragon.core import Limit
    from dragon_ulti import answers

    if contract is None:
        contract = contract_of(deal)
    if lines is not None and contract is None:
        raise click.UsageError("--lines goes with --contract")
    begun = time.perf_counter()
    text = deal if trump is None else bare(deal)
    games = [game_of(deal, *each, rules, free) for each in bids_of(contract, trump)]
    check_each(games, lambda game: answers.asked(game, text))
    for i, game in enumerate(games):
        spent = time.perf_counter() - begun if i else 0.0  # the limit is one for all contracts
        left = None if seconds is None else max(seconds - spent, 1e-9)
        stream = answers.solving(game, text, Limit(seconds=left), contract is not None)
        found, interrupted = followed(stream, STEPS, game.contract)
        told: list[tuple[str, ...]] | None = None
        if found and lines is not None and not interrupted:
            told, interrupted = best(found[-1], lines, begun, seconds)
        tables = whole_course(found[-1], text) if found and course else None
        if found and as_json:
            more = {} if told is None else {"lines": told}
            print_json(answered(found[-1], tables, interrupted) | more)
        elif found and contract is not None:
            look.say("\n".join([report(found[-1], tables), *every_line(found[-1], told)]))
        elif found:
            look.say(("" if i else f"{look.table(found[-1].state)}\n\n") + row(found[-1]))
        if interrupted:
            if found and not as_json:
                click.echo(f"\n{BROKEN_OFF}")
            raise KeyboardInterrupt


def best(
    answer: Answer, many: int, begun: float, seconds: float | None
) -> tuple[list[tuple[str, ...]], bool]:
    """So many of the lines on which nobody errs, and whether Ctrl-C came before."""
    from dragon.core import Limit
    from dragon_ulti.answers import best_lines

    if answer.reason:
        return [], False
    left = None if seconds is None else max(seconds - (time.perf_counter() - begun), 1e-9)
    stream = islice(best_lines(answer.searched, Limit(seconds=left)), many)
    return followed(stream, many, "lines")


def every_line(answer: Answer, told: list[tuple[str, ...]] | None) -> list[str]:
    """Lines of play for people, three cards a trick, the first with what lies on the table."""
    from dragon_ulti.record import table_of

    if told is None:
        return []
    trick = table_of(answer.searched.record, answer.game.setting).trick
    shown = [f"\n{len(told)} of the lines on which nobody errs"]
    for number, line in enumerate(told, 1):
        cards = [pretty(each) for each in (*trick, *map(card, line))]
        tricks = (" ".join(cards[i : i + 3]) for i in range(0, len(cards), 3))
        indent = f"{number:3}  "
        shown += wrap(" | ".join(tricks), 78, initial_indent=indent, subsequent_indent=" " * 5)
    return shown
