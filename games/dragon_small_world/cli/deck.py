"""`dragon small-world graph`, `matrix`, `weak`, `reach`, `explain`, `paths`: links of monsters."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import evolve

from dragon.cli_tools import as_json as with_json
from dragon.cli_tools import print_json
from dragon.percent import percent
from dragon_cards.card import PROPERTIES
from dragon_small_world.cli import options

if TYPE_CHECKING:
    from dragon_small_world.links import Links


@click.command()
@options.of_deck
@options.image
@with_json
@options.as_csv
def graph(links: Links, image: Path | None, as_json: bool, as_csv: bool) -> None:
    """List the links of a deck with the property of each, or draw them.

    The picture has the monsters by name on a ring, and on each edge what links its ends. In a
    browser an SVG shows the links of the monster that is pointed at alone. PNG needs
    matplotlib: pip install 'dragon-search[plot]'.

    \b
    Examples:
      dragon small-world graph mathmech
      dragon small-world graph deck.ydk --out graph.svg
      dragon small-world graph deck.ydk --out graph.png
    """
    from dragon_small_world.links import label
    from dragon_small_world.objects import of_graph
    from dragon_small_world.svg import graph as drawn

    listed = of_graph(links)
    rows = [list(row.values()) for row in listed["links"]]
    if image is not None:
        options.write_image(image, drawn(links))
    head = ("first", "second", "property")
    if not options.print_data(listed, head, rows, as_json, as_csv) and image is None:
        place = dict(zip(links.deck.names, links.deck.places, strict=True))
        words = [[a, b, label(links.deck.pool, place[a], word)] for a, b, word in rows]
        options.print_table(["first", "second", "linked by"], words)


@click.command()
@options.of_deck
@click.option("--squared", is_flag=True, help="Count the bridges from row to column instead.")
@options.image
@with_json
@options.as_csv
def matrix(links: Links, squared: bool, image: Path | None, as_json: bool, as_csv: bool) -> None:
    """Show who is linked with whom in a deck, or how many bridges lead from one to another.

    \b
    Examples:
      dragon small-world matrix mathmech --squared
      dragon small-world matrix deck.ydk --csv
      dragon small-world matrix deck.ydk --squared --out squared.svg
    """
    from dragon_small_world.objects import of_matrix
    from dragon_small_world.svg import matrix as drawn

    listed = of_matrix(links, squared)
    names, table = listed["names"], listed["matrix"]
    if image is not None:
        options.write_image(image, drawn(links, squared))
    rows = [[name, *row] for name, row in zip(names, table, strict=True)]
    if not options.print_data(listed, ["", *names], rows, as_json, as_csv) and image is None:
        shown = [
            [f"{i:2} {name}", *(count or "·" for count in row)]
            for i, (name, *row) in enumerate(rows, 1)
        ]
        options.print_table(["", *map(str, range(1, len(names) + 1))], shown, texts=[0])


@click.command()
@options.of_deck
@with_json
@options.as_csv
def weak(links: Links, as_json: bool, as_csv: bool) -> None:
    """List the monsters of a deck, those that Small World helps least first.

    Ways go both ways, so a monster can search as many as can search it. Itself counts where it
    has a link at all: then a second copy can be searched.

    \b
    Examples:
      dragon small-world weak mathmech
      dragon small-world weak deck.ydk --json
    """
    from dragon_small_world.objects import of_weak

    listed = of_weak(links)
    rows = [list(row.values()) for row in listed["monsters"]]
    head = ("name", "links", "reaches")
    if not options.print_data(listed, head, [row[:3] for row in rows], as_json, as_csv):
        table = [[reaches, count, name, _few(misses)] for name, count, reaches, misses in rows]
        options.print_table([f"of {len(rows)}", "links", "name", "cannot search"], table)


def _few(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


@click.command()
@partial(options.of_deck, sized=True)
@click.option("--target", "targets", multiple=True, required=True, metavar="NAME",
              help="The monster to have; repeatable: any of them.")  # fmt: skip
@click.option("--hand", type=click.IntRange(1, 15), default=5, show_default=True, metavar="N",
              help="Cards in the opening hand.")  # fmt: skip
@click.option("--copies", type=click.IntRange(1, 3), metavar="N",
              help="Add N copies of Small World to the deck.")  # fmt: skip
@options.with_exact
@with_json
def reach(
    links: Links,
    targets: tuple[str, ...],
    hand: int,
    copies: int | None,
    exact: bool,
    as_json: bool,
) -> None:
    """Count the opening hands that have a monster, or search it with Small World.

    Copies are counted: a monster of the hand is revealed, the bridge and the target must still
    have a copy in the main deck. In a list of names `11 other` stands for eleven cards that do
    not matter; a list that does not say its size is filled to 40 cards.

    \b
    Examples:
      dragon small-world reach mathmech --target "Mathmech Circular"
      dragon small-world reach deck.ydk --target "Mathmech Circular" --hand 6 --json
    """
    from dragon_small_world.objects import names_of, of_reach
    from dragon_small_world.reach import reach as count

    links = evolve(links, deck=links.deck.more(copies or 0))
    places = [options.place_of(links.deck.pool, name, "target") for name in targets]
    found, names = count(links, places, hand), names_of(links.deck.pool, places)
    if as_json:
        print_json(of_reach(names, found))
        return
    click.echo(
        f"{' or '.join(names)}: {found.hand} cards of {found.size}, "
        f"{links.deck.small_worlds} Small World"
    )
    of_asked = percent(Fraction(found.searched, max(1, found.asked)))
    rows = [
        [*[f"{count:,}/{found.hands:,}"] * exact, percent(Fraction(count, found.hands)), words]
        for count, words in (
            (found.total, "have or search it"),
            (found.opened, "have it"),
            (found.searched, f"search it: {of_asked} of those with Small World and no target"),
        )
    ]
    options.print_table([*["hands"] * exact, "share", ""], rows)


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
