"""`dragon small-world explain`, `paths`, `weak` and `reach`: what a deck can do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import evolve

from dragon.commands.options import as_json as with_json
from dragon_small_world.cli import options

if TYPE_CHECKING:
    from dragon_small_world.links import Links
    from dragon_small_world.reach import Reach

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
    from dragon.commands.options import print_json
    from dragon_small_world.objects import of_two
    from dragon_small_world.words import PROPERTIES

    pool = options.pool_of(cards)
    one, other = pool.find(first), pool.find(second)
    told = of_two(pool, one, other, question)
    if as_json:
        print_json(told)
        return
    shared = told["shared"]
    a, b = pool.monsters[one], pool.monsters[other]
    rows = [
        [word, a.printed(word), b.printed(word), "equal" if word in shared else ""]
        for word in PROPERTIES
    ]
    options.print_table(["", a.name, b.name, ""], rows)
    verdict = (
        f"linked by {shared[0]}"
        if told["linked"]
        else f"not linked: {len(shared)} properties are equal"
    )
    click.echo(f"\n{verdict}")


@click.command()
@options.of_deck_or_none
@click.option("--from", "start", required=True, metavar="NAME", help="The monster to reveal.")
@click.option("--to", "end", metavar="NAME", help="The target; without it all of the deck.")
@click.option(
    "--top", type=click.IntRange(min=1), metavar="N",
    help=f"The first N; {TOP} by default, and all with --json or --csv.",
)  # fmt: skip
@with_json
@options.as_csv
def paths(
    deck: str | None,
    cards: Path | None,
    question: str,
    no_side: bool,
    start: str,
    end: str | None,
    top: int | None,
    as_json: bool,
    as_csv: bool,
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
    from dragon.commands.options import print_json
    from dragon_small_world.objects import of_paths
    from dragon_small_world.paths import paths as ways

    options.one_way(as_json, as_csv)
    if deck is None and end is None:
        raise click.UsageError("whereto? give a DECK, or a target by --to")
    links = options.links_of(deck, cards, question, no_side)
    pool = links.deck.pool
    found = list(ways(links, pool.find(start), None if end is None else pool.find(end)))
    shown = found[: top or (None if as_json or as_csv else TOP)]
    told = of_paths(pool, shown)
    rows = [list(row.values()) for row in told["paths"]]
    if as_json:
        print_json(told)
    elif as_csv:
        options.print_csv(("reveal", "first", "bridge", "second", "target", "in_deck"), rows)
    elif rows:
        words = [[*row[:5], "in the deck" if row[5] else ""] for row in rows]
        options.print_table(["reveal", "by", "bridge", "by", "target", ""], words)
        if len(found) > len(shown):
            click.echo(f"and {len(found) - len(shown):,} more; --top shows them")
    else:
        click.echo("there is no way", err=as_json)


@click.command()
@options.of_deck
@with_json
@options.as_csv
def weak(
    deck: str, cards: Path | None, question: str, no_side: bool, as_json: bool, as_csv: bool
) -> None:
    """List the monsters of a deck, those that Small World helps least first.

    Ways go both ways, so a monster can search as many as can search it. Itself counts where it
    has a link at all: then a second copy can be searched.

    \b
    Examples:
      dragon small-world weak mathmech
      dragon small-world weak deck.ydk --json
    """
    from dragon.commands.options import print_json
    from dragon_small_world.objects import of_weak

    options.one_way(as_json, as_csv)
    links = options.links_of(deck, cards, question, no_side)
    told, n = of_weak(links), len(links.deck.places)
    rows = told["monsters"]
    if as_json:
        print_json(told)
    elif as_csv:
        head = ("name", "links", "reaches")
        options.print_csv(head, [[row[word] for word in head] for row in rows])
    else:
        table = [[row["reaches"], row["links"], row["name"], _few(row["misses"])] for row in rows]
        options.print_table([f"of {n}", "links", "name", "cannot search"], table)


def _few(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


@click.command()
@options.of_deck
@click.option("--target", "targets", multiple=True, required=True, metavar="NAME",
              help="The monster to have; repeatable: any of them.")  # fmt: skip
@click.option("--hand", type=click.IntRange(1, 15), default=5, show_default=True, metavar="N",
              help="Cards in the opening hand.")  # fmt: skip
@click.option("--copies", type=click.IntRange(1, 3), metavar="N",
              help="Add N copies of Small World to the deck.")  # fmt: skip
@with_json
def reach(
    deck: str,
    cards: Path | None,
    question: str,
    no_side: bool,
    targets: tuple[str, ...],
    hand: int,
    copies: int | None,
    as_json: bool,
) -> None:
    """Count the opening hands that have a monster, or search it with Small World.

    Copies are counted: a monster of the hand is revealed, the bridge and the target must still
    have a copy in the main deck. In a list of names `11 other` stands for eleven cards that do
    not matter.

    \b
    Examples:
      dragon small-world reach mathmech --target "Mathmech Circular"
      dragon small-world reach deck.ydk --target "Mathmech Circular" --hand 6 --json
    """
    from dragon.commands.options import print_json
    from dragon_small_world.objects import of_reach
    from dragon_small_world.reach import reach as count

    links = options.links_of(deck, cards, question, no_side)
    links = evolve(links, deck=links.deck.more(copies or 0))
    places = [links.deck.pool.find(name, "target") for name in targets]
    found = count(links, places, hand)
    names = [links.deck.pool.monsters[i].name for i in places]
    if as_json:
        print_json(of_reach(names, found))
    else:
        _say_reach(found, names, links)


def _say_reach(found: Reach, names: list[str], links: Links) -> None:
    click.echo(
        f"{' or '.join(names)}: {found.hand} cards of {found.size}, "
        f"{links.deck.small_worlds} Small World"
    )
    rows = [
        [f"{count:,}", f"{count / found.hands:.5f}", words]
        for count, words in (
            (found.opened, "opened"),
            (found.searched, f"searched, of {found.asked:,} with Small World and no target"),
            (found.total, "together"),
            (found.hands, "hands in all"),
        )
    ]
    options.print_table(["hands", "part", ""], rows)
