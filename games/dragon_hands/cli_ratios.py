"""The commands `dragon hands sensitivity`, `copies` and `optimise`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from dragon.commands.options import as_json as json_option
from dragon_hands.cli import (
    asked,
    feasible,
    hands,
    progress,
    spec_argument,
    stop_if,
    with_hand,
    with_policy,
    with_sharing,
)

if TYPE_CHECKING:
    from dragon_hands.odds import Share


def _percent(share: Share | None) -> str:
    from dragon_hands.odds import percent

    return percent(share.p) if share else ""


def _delta(share: Share | None, now: Share) -> str:
    return f"{100 * (share.p - now.p):+.2f}" if share else ""


@hands.command("sensitivity")
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
        cards = [
            {
                "card": row.card,
                "copies": row.copies,
                "fewer": row.fewer.plain() if row.fewer else None,
                "more": row.more.plain(),
            }
            for row in rows
        ]
        print_json({"any": now.plain(), "cards": cards, "complete": not stopped})
    else:
        click.echo(f"any condition: {_percent(now)}\n")
        wide = max(4, *(len(row.card) for row in rows)) if rows else 4
        click.echo(f"{'card':{wide}}  copies  one fewer          one more")
        for row in rows:
            less = f"{_percent(row.fewer)} ({_delta(row.fewer, now)})" if row.fewer else ""
            more = f"{_percent(row.more)} ({_delta(row.more, now)})"
            click.echo(f"{row.card:{wide}}  {row.copies:6}  {less:17}  {more}")
    stop_if(stopped)


@hands.command("copies")
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
                told = f"never: at most {_percent(row.share)}, with {row.curve[-1][0]} looked at"
            else:
                told = f"{row.needed} ({_percent(row.share)})"
            click.echo(f"{row.card:{wide}}  {row.copies:3}  {told}")
    stop_if(stopped)


class Range(click.ParamType[tuple[str, int, int]]):
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


@hands.command("optimise")
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
        click.echo(f"any condition: {_percent(best.share)}, now {_percent(now)}\n")
        for card in deck.cards:
            if card.name in best.copies:
                click.echo(f"{best.copies[card.name]:2} {card.name} (now {card.qty})")
        said = "no other numbers are better" if best.proven else "others may be better"
        click.echo(f"\n{best.tried:,} decks looked at; {said}")
    stop_if(stopped)
