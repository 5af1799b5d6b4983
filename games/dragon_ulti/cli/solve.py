"""`dragon ulti solve`, `table` and `cards`: what perfect play makes of a deal, at any point."""

from __future__ import annotations

import time
from itertools import islice
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import as_json, followed, print_json, with_seconds
from dragon.core import Limit
from dragon_ulti.cards import bare, card, pretty
from dragon_ulti.cli import report
from dragon_ulti.cli.options import (
    for_people,
    options,
    with_bid,
    with_course,
    with_marriages,
    with_rules,
    without_prerequisites,
)
from dragon_ulti.objects import answered, whole_history
from dragon_ulti.request import asked, bids_of, contract_of, game_of

if TYPE_CHECKING:
    from dragon_ulti.answers import Answer

STEPS = 13
"""The most steps of an answer: nothing, verdict, ten cards, line."""
CELLS = 31
"""The cells of the table: ten contracts, seven of them with four trumps."""


@click.command()
@click.argument("deal")
@options(*with_bid)
@click.option(
    "--lines",
    type=click.IntRange(min=1),
    metavar="N",
    help="Add N of the lines without a mistake.",
)
@options(with_course, with_seconds, *for_people, as_json)
def solve(
    deal: str,
    contract: str | None,
    trump: str | None,
    rules: str,
    free: bool,
    marriages: bool | None,
    lines: int | None,
    course: bool,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Say whether a contract is made, how many units the declarer takes, and how to play.

    Units are of ten points: each ace and ten one, the last trick one. Without --contract,
    and if DEAL names none, every contract is tried. A limit in seconds leaves what it did
    not reach unknown, and Ctrl-C prints what is known by then. Marriages count in a party,
    those of both sides: its units are then the declarer's and half of what marriages make
    the difference.

    \b
    Examples:
      dragon ulti solve 0070605040300173727021213323322232414341510112021303125263536
      dragon ulti solve "HA H7 / HK H8 / LA L7" --contract ulti
      dragon ulti solve "HA H7 / HK H8 / LA L7" --contract party --lines 5
      dragon ulti solve DEAL --contract "40-100 ulti" --trump A --json
    """
    from dragon_ulti import answers
    from dragon_ulti.solver import left_of

    if contract is None:
        contract = contract_of(deal)
    if lines is not None and contract is None:
        raise click.UsageError("--lines goes with --contract")
    begun, limit = time.perf_counter(), Limit(seconds=seconds)
    text = deal if trump is None else bare(deal)
    games = [game_of(deal, *each, rules, free, marriages) for each in bids_of(contract, trump)]
    answers.check_each(games, lambda game: answers.asked(game, text))
    for i, game in enumerate(games):
        spent = time.perf_counter() - begun if i else 0.0  # the limit is one for all contracts
        stream = answers.solving(game, text, left_of(limit, spent), contract is not None)
        found, interrupted = followed(stream, STEPS, game.bid.title)
        optimal: list[tuple[str, ...]] | None = None
        if found and lines is not None and not interrupted:
            left = left_of(limit, time.perf_counter() - begun)
            optimal, interrupted = best(found[-1], lines, left)
        tables = whole_history(found[-1], text) if found and course else None
        if found and as_json:
            more = {} if optimal is None else {"lines": optimal}
            print_json(answered(found[-1], tables, interrupted) | more)
        elif found and contract is not None:
            shown = "\n".join([report.answer(found[-1], tables), *every_line(found[-1], optimal)])
            report.say(shown, interrupted)
        elif found:
            head = "" if i else f"{report.table(found[-1].state)}\n\n"
            report.say(head + report.row(found[-1]), interrupted)
        if interrupted:
            raise KeyboardInterrupt


def best(answer: Answer, many: int, limit: Limit) -> tuple[list[tuple[str, ...]], bool]:
    """Return up to `many` lines without a mistake, and whether Ctrl-C came before."""
    from dragon_ulti.answers import best_lines

    if answer.reason:
        return [], False
    stream = islice(best_lines(answer.searched, limit), many)
    return followed(stream, many, "lines")


def every_line(answer: Answer, optimal: list[tuple[str, ...]] | None) -> list[str]:
    """Lines of play for people, three cards a trick, the first with what lies on the table."""
    from dragon_ulti.record import table_of

    if optimal is None:
        return []
    trick = table_of(answer.searched.record, answer.game.setting).trick
    shown = [f"\n{len(optimal)} of the lines without a mistake"]
    for number, line in enumerate(optimal, 1):
        cards = [pretty(each) for each in (*trick, *map(card, line))]
        tricks = (" ".join(cards[i : i + 3]) for i in range(0, len(cards), 3))
        indent = f"{number:3}  "
        shown += wrap(" | ".join(tricks), 78, initial_indent=indent, subsequent_indent=" " * 5)
    return shown


@click.command()
@click.argument("deal")
@options(
    with_rules, without_prerequisites, with_marriages, with_seconds, *for_people, as_json
)  # fmt: skip
def table(
    deal: str, rules: str, free: bool, marriages: bool | None, seconds: float | None, as_json: bool
) -> None:
    """Say for every contract and trump whether it is made: 31 cells.

    \b
    Examples:
      dragon ulti table 0070605040300173727021213323322232414341510112021303125263536
      dragon ulti table "$(dragon ulti deal --seed 3 --code)" --json
    """
    from dragon_ulti import answers

    game = game_of("", "party", None, rules, free, marriages)
    stream = answers.table(game, deal, Limit(seconds=seconds))
    found, interrupted = followed(stream, CELLS, "cells")
    if as_json:
        print_json([answered(answer) for answer in found] + [{"interrupted": True}] * interrupted)
    elif found:
        report.say(report.grid(found, interrupted))
    if interrupted:
        raise KeyboardInterrupt


@click.command()
@click.argument("position")
@options(*with_bid, with_course, with_seconds, *for_people, as_json)
def cards(position: str, course: bool, seconds: float | None, as_json: bool, **bid: Any) -> None:
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
    from dragon_ulti import answers

    game, text = asked(position, **bid)
    stream = answers.weighing(game, text, Limit(seconds=seconds))
    found, interrupted = followed(stream, STEPS - 1, "cards")
    if found:
        tables = whole_history(found[-1], text) if course else None
        if as_json:
            print_json(answered(found[-1], tables, interrupted))
        else:
            report.say(report.answer(found[-1], tables), interrupted)
    if interrupted:
        raise KeyboardInterrupt
