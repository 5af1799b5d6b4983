"""`dragon hands import`: a deck file from the deck list of another program."""

from __future__ import annotations

from pathlib import Path

import click

from dragon.files import STDOUT, write


@click.command("import")
@click.argument("deck", metavar="DECK")
@click.option("--cards", "table", type=click.Path(path_type=Path, dir_okay=False),
              metavar="FILE", help="Another table of cards, CSV or JSON: id, name and the words "
              "printed on them.")  # fmt: skip
@click.option("--condition", "conditions", multiple=True, metavar="TEXT",
              help="A condition to write into the file; repeatable.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.yaml",
              help="Write there, and not to stdout (-).")  # fmt: skip
@click.option("--force", is_flag=True, help="Write over a file that exists.")
def import_deck(
    deck: str, table: Path | None, conditions: tuple[str, ...], out: Path | None, force: bool
) -> None:
    """Make a deck file of a deck list: a .ydk file, names one a line, or a ydke:// link.

    Tags are the archetype, the type, the attribute and the level of each card, and what players
    call it, such as Hand Trap; known free cards get their effects. The main deck is read, and
    the extra deck for IN Extra; the side deck is not.

    \b
    Examples:
      dragon hands import deck.ydk --condition "Hand Trap"
      dragon hands import names.txt --out deck.yaml
    """
    from dragon.config import read_text
    from dragon.errors import ConfigError
    from dragon_cards.decks import LINK, MOST_BYTES
    from dragon_cards.store import read, store
    from dragon_hands.importing import imported, is_list
    from dragon_hands.reading import parse_deck

    if out not in (None, STDOUT) and out.exists() and not force:
        raise ConfigError(f"{out} exists; give another --out, or --force to write over it")
    link = deck.startswith(LINK)
    text = deck if link else read_text(deck, "a deck list", MOST_BYTES)
    name = "the link" if link else "stdin" if deck == "-" else deck
    if not is_list(text):
        raise ConfigError(f"{name} is a deck file, or empty; give a deck list")
    title = "" if link or deck == "-" else Path(deck).stem
    cards = store() if table is None else read(table)
    without = imported(text, cards, name, (), title)
    read_again = parse_deck(without.text, name, conditions, asks=False)  # raises for mistakes
    made = imported(text, cards, name, conditions, title)
    for note in made.notes:
        click.echo(f"note: {note}", err=True)
    for warning in read_again.warnings:
        if "no card and no tag" in warning:
            click.echo(f"note: {warning.split(': ', 1)[1]}", err=True)
    if not conditions:
        click.echo("note: the file has no condition yet; list some under `conditions:`", err=True)
    write(out or STDOUT, made.text)
