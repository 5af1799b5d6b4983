"""`dragon hands optimise`: the numbers of copies that make a good hand most likely."""

from __future__ import annotations

from typing import Any

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


class Range(click.ParamType):  # type: ignore[type-arg]  # generic only in newer clicks
    """`NAME=LEAST..MOST`."""

    name = "range"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int, int]:
        """The name and the two numbers; fails as click's own types do."""
        if isinstance(value, tuple):
            return value
        name, mark, numbers = str(value).rpartition("=")
        low, dots, high = numbers.partition("..")
        whole = all(
            n.isascii() and n.isdecimal() and len(n) < 4 for n in (low, high if dots else low)
        )
        if not mark or not name or not whole:
            self.fail(f"{value!r} is no range; write NAME=0..3", param, ctx)
        return name, int(low), int(high if dots else low)


@click.command()
@spec_argument
@click.option(
    "--vary", "ranges", multiple=True, type=Range(), metavar="NAME=0..3",
    help="A card with the least and most copies; repeatable. All cards, 0..3, if none is given.",
)  # fmt: skip
@click.option(
    "--total", type=click.IntRange(min=0), metavar="N",
    help="At most so many copies of these cards together; as many as now if not given.",
)  # fmt: skip
@with_hand
@with_sharing
@with_policy
@json_option
def optimise(
    spec: str,
    ranges: tuple[tuple[str, int, int], ...],
    total: int | None,
    hand: int,
    sharing: str,
    policy: str,
    as_json: bool,
) -> None:
    """Find the numbers of copies that make any condition most likely, and prove them.

    The deck keeps its size; blanks fill what is left.

    \b
    Examples:
      dragon hands optimise deck.yaml
      dragon hands optimise deck.yaml --vary Alpha=1..3 --vary Beta=0..3 --total 5
    """
    from dragon.commands.options import print_json
    from dragon_hands.ratios import any_share, best_ratios

    deck, question = asked(spec, hand, sharing, policy)
    wanted = {name: (low, high) for name, low, high in ranges}
    if not wanted:
        wanted = {card.name: (0, max(3, card.qty)) for card in deck.cards}
    best, stopped = None, False
    with feasible(), progress("trying"):
        now = any_share(deck, question)
        try:
            for found in best_ratios(deck, question, wanted, total):
                best = found
        except KeyboardInterrupt:
            stopped = True
    if best is None:
        raise KeyboardInterrupt
    if as_json:
        print_json(
            {
                "copies": best.copies,
                "any": best.share.plain(),
                "now": now.plain(),
                "tried": best.tried,
                "proven": best.proven,
            }
        )
    else:
        click.echo(f"any condition: {best.share.percent}, now {now.percent}\n")
        for card in deck.cards:
            if card.name in best.copies:
                click.echo(f"{best.copies[card.name]:2} {card.name} (now {card.qty})")
        said = "no other numbers are better" if best.proven else "others may be better"
        click.echo(f"\n{best.tried:,} decks looked at; {said}")
    stop_if(stopped)
