"""`dragon small-world graph` and `matrix`: a deck as a picture or a table."""

from __future__ import annotations

from pathlib import Path

import click

from dragon.commands.options import as_json as with_json
from dragon_small_world.cli import options


@click.command()
@options.of_deck
@options.image
@with_json
@options.as_csv
def graph(
    deck: str,
    cards: Path | None,
    question: str,
    no_side: bool,
    image: Path | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """List the links of a deck with the property of each, or draw them.

    The picture has the monsters by name on a ring, and on each edge what links its ends. In a
    browser an SVG shows the links of the monster that is pointed at alone. PNG needs
    matplotlib: pip install 'dragon-search[plot]'.

    \b
    Examples:
      dragon small-world graph mathmech
      dragon small-world graph deck.ydk --image graph.svg
      dragon small-world graph deck.ydk --image graph.png
    """
    from dragon.commands.options import print_json
    from dragon_small_world.graph import graph as drawn
    from dragon_small_world.links import told
    from dragon_small_world.objects import of_graph

    options.one_way(as_json, as_csv, image)
    links = options.links_of(deck, cards, question, no_side)
    listed = of_graph(links)
    rows = [list(row.values()) for row in listed["links"]]
    if image is not None:
        options.write_image(image, drawn(links))
    if as_json:
        print_json(listed)
    elif as_csv:
        options.print_csv(("first", "second", "property"), rows)
    elif image is None:
        place = dict(zip(links.deck.names, links.deck.places, strict=True))
        words = [[a, b, told(links.deck.pool, place[a], word)] for a, b, word in rows]
        options.print_table(["first", "second", "linked by"], words)


@click.command()
@options.of_deck
@click.option("--squared", is_flag=True, help="Count the bridges from row to column instead.")
@options.image
@with_json
@options.as_csv
def matrix(
    deck: str,
    cards: Path | None,
    question: str,
    no_side: bool,
    squared: bool,
    image: Path | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Show who is linked with whom in a deck, or how many bridges lead from one to another.

    \b
    Examples:
      dragon small-world matrix mathmech --squared
      dragon small-world matrix deck.ydk --csv
      dragon small-world matrix deck.ydk --squared --image squared.svg
    """
    from dragon.commands.options import print_json
    from dragon_small_world.heatmap import matrix as drawn
    from dragon_small_world.objects import of_matrix

    options.one_way(as_json, as_csv, image)
    links = options.links_of(deck, cards, question, no_side)
    listed = of_matrix(links, squared)
    names, table = listed["names"], listed["matrix"]
    if image is not None:
        options.write_image(image, drawn(links, squared))
    if as_json:
        print_json(listed)
    elif as_csv:
        rows = [[name, *row] for name, row in zip(names, table, strict=True)]
        options.print_csv(["", *names], rows)
    elif image is None:
        wide = len(str(max(map(max, table)))) + 1
        for i, (name, row) in enumerate(zip(names, table, strict=True), 1):
            cells = "".join(f"{count or '·':>{max(wide, 3)}}" for count in row)
            click.echo(f"{i:2} {name[:34]:34}{cells}")
        click.echo(" " * 37 + "".join(f"{i:>{max(wide, 3)}}" for i in range(1, len(names) + 1)))
