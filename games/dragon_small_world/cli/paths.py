"""`dragon small-world explain` and `paths`: what links monsters."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dragon.cli_tools import as_json as with_json
from dragon.cli_tools import print_json
from dragon_cards.card import PROPERTIES
from dragon_small_world.cli import options

if TYPE_CHECKING:
    from dragon_small_world.links import Links

TOP = 20


@click.command()
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@options.with_cards
@options.with_question
@with_json
def explain(first: str, second: str, cards: Path | None, question: str, as_json: bool) -> None:
    """Say what two monsters have in common, and whether that links them.

    A and B are names or passcodes. They are linked if exactly one property is equal.

    \b
    Examples:
      dragon small-world explain "Mathmech Sigma" "Effect Veiler"
      dragon small-world explain 14558127 "PSY-Framegear Gamma" --json
    """
    from dragon_small_world.objects import of_two
    from dragon_small_world.pool import pool_of

    pool = pool_of(cards)
    one, other = options.place_of(pool, first), options.place_of(pool, second)
    listed = of_two(pool, one, other, question)
    if as_json:
        print_json(listed)
        return
    shared = listed["shared"]
    both = (pool.monsters[one].row, pool.monsters[other].row)
    rows = [
        [word, *printed, "equal" if word in shared else ""]
        for word, *printed in zip(PROPERTIES, *both, strict=True)
    ]
    options.print_table(["", *listed["names"], ""], rows)
    linked = f"linked by {shared[0]}" if listed["linked"] else ""
    click.echo(f"\n{linked or f'not linked: {len(shared)} properties are equal'}")


@click.command()
@partial(options.of_deck, required=False)
@click.option("--from", "start", required=True, metavar="NAME", help="The monster to reveal.")
@click.option("--to", "end", metavar="NAME", help="The target; without it all of the deck.")
@click.option(
    "--top", type=click.IntRange(min=1), metavar="N",
    help=f"The first N; {TOP} by default, and all with --json or --csv.",
)  # fmt: skip
@with_json
@options.as_csv
def paths(
    links: Links, start: str, end: str | None, top: int | None, as_json: bool, as_csv: bool
) -> None:
    """List the ways from one monster to another: reveal, bridge, target.

    With a target all bridges of the cards are listed, those of the deck first; without one, the
    ways within the deck. One of the two must be given.

    \b
    Examples:
      dragon small-world paths mathmech --from "D.D. Crow"
      dragon small-world paths deck.ydk --from "Mathmech Multiplication" --to "Mathmech Circular"
      dragon small-world paths --from Sangan --to "Effect Veiler"
    """
    from dragon_small_world.links import paths as ways
    from dragon_small_world.objects import of_paths

    pool = links.deck.pool
    if end is None and not links.deck.places:
        raise click.UsageError("whereto? give a DECK, or a target by --to")
    first = options.place_of(pool, start)
    last = None if end is None else options.place_of(pool, end)
    found = list(ways(links, first, last))
    shown = found[: top or (None if as_json or as_csv else TOP)]
    listed = of_paths(pool, shown)
    rows = [list(row.values()) for row in listed["paths"]]
    head = ("reveal", "first", "bridge", "second", "target", "in_deck")
    if options.print_data(listed, head, rows, as_json, as_csv):
        return
    if not rows:
        click.echo("there is no way")
        return
    words = [[*row[:5], "in the deck" if row[5] else ""] for row in rows]
    options.print_table(["reveal", "by", "bridge", "by", "target", ""], words)
    if len(found) > len(shown):
        click.echo(f"and {len(found) - len(shown):,} more; --top shows them")
