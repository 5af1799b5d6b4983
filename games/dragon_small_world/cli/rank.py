"""`dragon small-world bridges`: which monster to add to a deck."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dragon.commands.options import as_json as with_json
from dragon.errors import SearchError
from dragon_small_world.cli import options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dragon_small_world.bridges import Bridge
    from dragon_small_world.links import Links

TOP = 20
PRINTED = ("type", "attribute", "level", "atk", "def")


@click.command()
@options.of_deck
@click.option(
    "--top", type=click.IntRange(min=1), metavar="N",
    help=f"The best N; {TOP} by default, and all with --json or --csv.",
)  # fmt: skip
@click.option("--require", multiple=True, metavar="NAME", help="Linked with it; repeatable.")
@options.exclude_deck
@options.with_filter
@click.option("--check", is_flag=True, help="Square every matrix too, and compare.")
@with_json
@options.as_csv
def bridges(
    deck: str,
    cards: Path | None,
    question: str,
    no_side: bool,
    top: int | None,
    require: tuple[str, ...],
    exclude_deck: bool,
    filters: tuple[str, ...],
    check: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Rank the monsters that could bridge those of a deck.

    The score is the part of all ordered pairs of monsters, the bridge among them, of which
    Small World gets from the first to the second. Then come the number of links with the deck
    and the name. A (?) marks bridges whose links depend on --question.

    \b
    Examples:
      dragon small-world bridges deck.ydk --top 10
      dragon small-world bridges mathmech --require "Mathmech Circular" --filter "level<=4"
      dragon small-world bridges deck.ydk --cards cards.json --exclude-deck --json
    """
    from dragon.commands.options import print_json
    from dragon_small_world.bridges import bridges as ranked
    from dragon_small_world.bridges import denominator
    from dragon_small_world.filters import fit
    from dragon_small_world.objects import of_bridges

    options.one_way(as_json, as_csv)
    links = options.links_of(deck, cards, question, no_side)
    pool = links.deck.pool
    required = [pool.find(name, "monster to require") for name in require]
    found = ranked(links, required, fit(links, filters, exclude_deck))
    if check:
        _check(links)
    pairs = denominator(links.deck)
    shown = found[: top or (None if as_json or as_csv else TOP)]
    if as_json:
        print_json(of_bridges(links, shown))
    elif as_csv:
        head = ("bridge_score", "number_of_connections", "name", *PRINTED)
        options.print_csv(head, [_row(bridge, pairs) for bridge in shown])
    else:
        _say_bridges(links, shown, len(found), pairs)


def _check(links: Links) -> None:
    """Says on stderr whether squaring a matrix for each monster gives the same, and the times."""
    from dragon.commands.options import interruptible
    from dragon_small_world import naive
    from dragon_small_world.bridges import numerators

    began = time.perf_counter()
    fast = numerators(links).tolist()
    between = time.perf_counter()
    slow = interruptible(naive.numerators, links)
    ended = time.perf_counter()
    if fast != slow:
        raise SearchError("the theorem and squaring disagree; please report this deck")
    click.echo(
        f"{len(slow):,} squared matrices agree: {ended - between:.3f} s, "
        f"the theorem {between - began:.3f} s",
        err=True,
    )


def _row(bridge: Bridge, pairs: int) -> list[Any]:
    printed = [bridge.monster.printed(word) for word in PRINTED]
    return [bridge.numerator / pairs, bridge.connections, bridge.monster.name, *printed]


def _say_bridges(links: Links, shown: Sequence[Bridge], count: int, pairs: int) -> None:
    from dragon_small_world.bridges import disputed

    before = int((links.squared > 0).sum())
    n, pool = len(links.deck.places), links.deck.pool
    click.echo(
        f"{n} monsters, of whose {n * n:,} pairs {before:,} can be searched; "
        f"{count:,} bridges among {len(pool.monsters):,} monsters ({pool.source})"
    )
    marks = disputed(links, [bridge.place for bridge in shown])
    rows = [
        [
            f"{bridge.numerator}/{pairs}", f"{bridge.numerator / pairs:.4f}", bridge.connections,
            bridge.monster.name + " (?)" * mark + " (in the deck)" * bridge.in_deck,
            " ".join(_printed(bridge)),
        ]
        for bridge, mark in zip(shown, marks, strict=True)
    ]  # fmt: skip
    if rows:
        click.echo()
        options.print_table(["pairs", "score", "links", "name", "printed"], rows)


def _printed(bridge: Bridge) -> list[str]:
    monster = bridge.monster
    return [
        monster.attribute, monster.type, f"level {monster.level}",
        f"{monster.printed('atk')}/{monster.printed('def')}",
    ]  # fmt: skip
