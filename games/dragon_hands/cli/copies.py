"""`dragon hands copies`, `optimise` and `sensitivity`: other numbers of copies."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs
import click

from dragon.cli_tools import Number, interruptible, is_given, print_json, progress
from dragon.cli_tools import as_json as json_option
from dragon.columns import table
from dragon_hands.cli.options import asks, feasible, watched, with_limits

if TYPE_CHECKING:
    from dragon_hands.deck import Deck
    from dragon_hands.probability import Probability
    from dragon_hands.question import Question
    from dragon_hands.ratios import Change, Need, Ratios


def _stop_if(interrupted: bool) -> None:
    """End as Ctrl-C does, after the answer so far has been printed."""
    if interrupted:
        click.echo("not complete", err=True)
        raise KeyboardInterrupt


def _now(deck: Deck, question: Question) -> Probability:
    """Return the probability of any condition for the deck as it is."""
    from dragon_hands.odds import any_probability

    with progress("counting") as bar:
        return interruptible(any_probability, deck, question, bar)


@click.command()
@click.option(
    "--for", "target", type=Number(min=0, max=1, min_open=True), default=0.9,
    show_default=True, metavar="P", help="The probability to be reached.",
)  # fmt: skip
@click.option("--card", "cards", multiple=True, metavar="NAME", help="Only this card; repeatable.")
@with_limits
@asks
@json_option
def copies(
    deck: Deck, question: Question, target: float, cards: tuple[str, ...], banlist: str,
    most: int | None, as_json: bool,
) -> None:  # fmt: skip
    """Find the copies of each card that are needed to reach a probability.

    One card is changed at a time, in a deck of the same size: copies take the places of
    blanks. A deck may have three copies of a card, fewer where a banlist says so; a name
    that has more already stands for several cards and is not limited.

    \b
    Examples:
      dragon hands copies deck.yaml --for 0.9
      dragon hands copies deck.yaml --for 0.5 --card Alpha --json
    """
    from dragon_hands.odds import any_probability
    from dragon_hands.ratios import limits_of, needed

    limits = limits_of(deck, banlist, most)
    rows, interrupted = feasible(
        question,
        lambda asked: watched(
            lambda watch: needed(any_probability, deck, asked, target, cards, limits, watch),
            "adding",
        ),
    )
    if as_json:
        plain = [{**attrs.asdict(row, recurse=False), "share": row.share.plain()} for row in rows]
        print_json({"for": target, "cards": plain, "complete": not interrupted})
    else:
        heads = ("card", "now", "most", f"needed for {100 * target:g}%")
        cells = [(row.card, str(row.copies), str(row.most), _needed(row)) for row in rows]
        click.echo("\n".join(table(heads, cells, (0, 3))))
    _stop_if(interrupted)


def _needed(row: Need) -> str:
    if row.needed is not None:
        return f"{row.needed} ({row.share.percent})"
    if len(row.curve) > len({share for _, share in row.curve}) == 1:
        return f"makes no difference: {row.share.percent}"
    n = max(row.curve, key=lambda each: each[1])[0]
    return f"not reached: {row.share.percent} with {n}"


def varied(value: str) -> tuple[str, int, int]:
    """Read a name and the two numbers of `NAME=LEAST..MOST`, or of `NAME=BOTH`."""
    read = re.fullmatch(r"(.+)=(\d{1,3})(?:\.\.(\d{1,3}))?", value, re.ASCII | re.DOTALL)
    if read is None:
        raise click.BadParameter(f"{value!r} is not a range; write NAME=0..3")
    return read[1], int(read[2]), int(read[3] or read[2])


@click.command()
@click.option(
    "--vary", "ranges", multiple=True, type=varied, metavar="NAME=0..3",
    help="A card with the least and most copies; repeatable. By default all cards, from "
    "none to what the game allows.",
)  # fmt: skip
@click.option(
    "--total", type=click.IntRange(min=0), metavar="N",
    help="The most copies of these cards together; their present number if not given.",
)  # fmt: skip
@with_limits
@asks
@json_option
def optimise(
    deck: Deck,
    question: Question,
    ranges: tuple[tuple[str, int, int], ...],
    total: int | None,
    banlist: str,
    most: int | None,
    as_json: bool,
) -> None:
    """Find the numbers of copies that make any condition most likely, and prove them.

    The deck keeps its size; blanks fill what is left.

    \b
    Examples:
      dragon hands optimise deck.yaml
      dragon hands optimise deck.yaml --vary Alpha=1..3 --vary Beta=0..3 --total 5
    """
    from dragon_hands.odds import any_probability
    from dragon_hands.ratios import best_ratios, card_called, limits_of

    if ranges and (is_given("banlist") or most is not None):
        raise click.UsageError("--vary gives the copies; leave --banlist and --most out")
    wanted = {card_called(deck, name).name: (low, high) for name, low, high in ranges}
    if len(wanted) < len(ranges):
        raise click.UsageError("--vary names a card twice; give one range for each")
    if not wanted:
        limits = limits_of(deck, banlist, most)
        wanted = {c.name: (0, min(60, limits[c.name])) for c in deck.cards}

    def work(asked: Question) -> tuple[Probability, list[Ratios], bool]:
        now = _now(deck, asked)
        return now, *watched(
            lambda watch: best_ratios(any_probability, deck, asked, wanted, total, watch), "trying"
        )

    now, found, interrupted = feasible(question, work)
    if not found:
        raise KeyboardInterrupt
    best = found[-1]
    if as_json:
        shares = {"copies": best.copies, "any": best.share.plain(), "now": now.plain()}
        print_json({**shares, "tried": best.tried, "proven": best.proven})
    else:
        click.echo(f"any condition: {best.share.percent}, now {now.percent}\n")
        for card in deck.cards:
            if card.name in best.copies:
                click.echo(f"{best.copies[card.name]:2} {card.name} (now {card.copies})")
        said = "no other numbers are better" if best.proven else "others may be better"
        click.echo(f"\n{best.tried:,} decks looked at; {said}")
    _stop_if(interrupted)


@click.command("sensitivity")
@asks
@json_option
def sensitivity_of(deck: Deck, question: Question, as_json: bool) -> None:
    """Show the odds with one copy of each card less, and with one more.

    A blank makes room for a copy more, and fills the place of one less; where there is no
    blank, one more copy makes the deck larger. For a card with as many copies as are allowed,
    one more means another card like it.

    \b
    Examples:
      dragon hands sensitivity deck.yaml
      dragon hands sensitivity deck.yaml --hand 6 --json
    """
    from dragon_hands.objects import changed
    from dragon_hands.odds import any_probability
    from dragon_hands.ratios import sensitivity

    def work(asked: Question) -> tuple[str, Probability, list[Change], bool]:
        now = _now(deck, asked)
        stream = watched(lambda watch: sensitivity(any_probability, deck, asked, watch), "changing")
        return asked.policy, now, *stream

    policy, now, rows, interrupted = feasible(question, work)
    if as_json:
        print_json(changed(policy, now, rows, not interrupted))
    else:
        click.echo(f"any condition: {now.percent}\n")
        cells = [
            (row.card, str(row.copies), _against(row.fewer, now), _against(row.more, now))
            for row in rows
        ]
        click.echo("\n".join(table(("card", "copies", "one fewer", "one more"), cells, (0, 2, 3))))
    _stop_if(interrupted)


def _against(other: Probability | None, now: Probability) -> str:
    """Return a probability and its difference from now: `34.33% (+1.20)`."""
    if other is None:
        return ""
    return f"{other.percent} ({100 * (other.p - now.p):+.2f})"
