"""`dragon hands sensitivity`: one copy more or less of each card."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from dragon_hands.share import Share


@click.command()
@spec_argument
@with_hand
@with_sharing
@with_policy
@json_option
def sensitivity(spec: str, hand: int, sharing: str, policy: str, as_json: bool) -> None:
    """Say what one copy of each card less, or one more, makes of the odds.

    A blank makes room for a copy more, and fills the place of one less; where there is no
    blank, one more copy makes the deck larger.

    \b
    Examples:
      dragon hands sensitivity deck.yaml
      dragon hands sensitivity deck.yaml --hand 6 --json
    """
    from dragon.commands.options import print_json
    from dragon_hands.objects import changed
    from dragon_hands.ratios import any_share
    from dragon_hands.ratios import sensitivity as changes

    deck, question = asked(spec, hand, sharing, policy)
    rows, stopped = [], False
    with feasible(), progress("changing") as watch:
        now = any_share(deck, question)
        try:
            for row in changes(deck, question):
                rows.append(row)
                watch(len(rows) / len(deck.cards))
        except KeyboardInterrupt:
            stopped = True
    if as_json:
        print_json(changed(now, rows, not stopped))
    else:
        click.echo(f"any condition: {now.percent}\n")
        wide = max(4, *(len(row.card) for row in rows)) if rows else 4
        click.echo(f"{'card':{wide}}  copies  one fewer          one more")
        for row in rows:
            less = f"{row.fewer.percent} ({_delta(row.fewer, now)})" if row.fewer else ""
            more = f"{row.more.percent} ({_delta(row.more, now)})"
            click.echo(f"{row.card:{wide}}  {row.copies:6}  {less:17}  {more}")
    stop_if(stopped)


def _delta(share: Share | None, now: Share) -> str:
    return f"{100 * (share.p - now.p):+.2f}" if share else ""
