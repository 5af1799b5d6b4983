"""`dragon ulti deal`: deals at random."""

from __future__ import annotations

import click

from dragon.cli_tools import as_json, is_given, print_json, with_seed
from dragon_ulti.cli import report
from dragon_ulti.cli.options import for_people, options, trump_option, with_contract, with_rules
from dragon_ulti.request import game_of, ready_deals


@click.command()
@with_seed
@options(with_contract)
@options(trump_option("The trump; hearts by default."), with_rules, *for_people)
@click.option(
    "--ready",
    type=click.Choice(list(ready_deals())),
    help="This ready-made deal, not a random one.",
)
@click.option("--code", is_flag=True, help="Print the 61 digits alone.")
@as_json
def deal(
    seed: int,
    contract: str | None,
    trump: str | None,
    rules: str,
    ready: str | None,
    code: bool,
    as_json: bool,
) -> None:
    """Deal at random; with --contract a deal on which it can be bid, or a ready-made one.

    \b
    Examples:
      dragon ulti deal --seed 3
      dragon ulti deal --contract ulti --trump A --json
      dragon ulti deal --ready slow-simulation
    """
    from dragon_ulti.objects import dealt

    if ready is not None:
        if is_given("seed"):
            raise click.UsageError("--ready takes a deal that is known, and --seed deals; give one")
        kept = ready_deals()[ready]
        state = game_of("", contract or kept.contract, trump or kept.trump, rules).parse(kept.code)
    else:
        state = game_of("", contract or "party", trump, rules).start(seed)
    found = dealt(state)
    if as_json:
        print_json(found)
    elif code:
        click.echo(found["code"])
    else:
        report.say(f"{report.table(state)}\n")
        click.echo(f"{state}\n{found['code']}")
