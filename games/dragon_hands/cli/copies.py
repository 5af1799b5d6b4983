"""`dragon hands copies`: how many copies reach a probability."""

from __future__ import annotations

import click

from dragon.commands.options import as_json as json_option
from dragon_hands.cli.options import (
    asked,
    feasible,
    progress,
    spec_argument,
    stop_if,
    with_hand,
    with_policy,
    with_sharing,
)


@click.command()
@spec_argument
@click.option(
    "--for", "target", type=click.FloatRange(min=0, max=1, min_open=True), default=0.9,
    show_default=True, metavar="P", help="The probability to be reached.",
)  # fmt: skip
@click.option("--card", "cards", multiple=True, metavar="NAME", help="Only this card; repeatable.")
@with_hand
@with_sharing
@with_policy
@json_option
def copies(
    spec: str,
    target: float,
    cards: tuple[str, ...],
    hand: int,
    sharing: str,
    policy: str,
    as_json: bool,
) -> None:
    """Say how many copies of each card it takes to reach a probability.

    One card is changed at a time, in a deck of the same size: copies take the places of
    blanks.

    \b
    Examples:
      dragon hands copies deck.yaml --for 0.9
      dragon hands copies deck.yaml --for 0.5 --card Alpha --json
    """
    import attrs

    from dragon.commands.options import print_json
    from dragon_hands.ratios import needed

    deck, question = asked(spec, hand, sharing, policy)
    rows, stopped = [], False
    with feasible(), progress("adding") as watch:
        try:
            for row in needed(deck, question, target, cards):
                rows.append(row)
                watch(len(rows) / len(cards or deck.cards))
        except KeyboardInterrupt:
            stopped = True
    if as_json:
        plain = [{**attrs.asdict(row, recurse=False), "share": row.share.plain()} for row in rows]
        print_json({"for": target, "cards": plain, "complete": not stopped})
    else:
        wide = max(4, *(len(row.card) for row in rows)) if rows else 4
        click.echo(f"{'card':{wide}}  now  needed for {100 * target:g}%")
        for row in rows:
            if row.needed is None:
                n = max(row.curve, key=lambda each: each[1])[0]
                told = f"never: at most {row.share.percent}, with {n}"
            else:
                told = f"{row.needed} ({row.share.percent})"
            click.echo(f"{row.card:{wide}}  {row.copies:3}  {told}")
    stop_if(stopped)
