"""`dragon hands import`: a deck file from the deck list of another program."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("import")
@click.argument("deck", metavar="DECK.ydk")
@click.option("--cards", "table", required=True, metavar="FILE.csv",
              help="The facts of cards: id, name, attribute, type, level.")  # fmt: skip
@click.option("--condition", "conditions", multiple=True, metavar="TEXT",
              help="A condition to write into the file; repeatable.")  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.yaml",
              help="Write there, and not to stdout.")  # fmt: skip
@click.option("--force", is_flag=True, help="Write over a file that exists.")
def import_deck(
    deck: str, table: str, conditions: tuple[str, ...], out: Path | None, force: bool
) -> None:
    """Make a deck file of a .ydk list, or of a ydke:// link in a file.

    Tags are the attribute, the type and the level of each card; known free cards get their
    effects. The main deck is read, and the extra deck for IN Extra; the side deck is not.

    \b
    Examples:
      dragon hands import deck.ydk --cards cards.csv --condition "Starter"
      dragon hands import deck.ydk --cards cards.csv --out deck.yaml
    """
    from dragon.config import read_text
    from dragon.errors import ConfigError
    from dragon_hands.importing import LARGEST_TABLE, facts, imported, listed
    from dragon_hands.source import LARGEST

    if out is not None and out.exists() and not force:
        raise ConfigError(f"{out} exists; give another --out, or --force to write over it")
    known = facts(read_text(table, "a table of all cards", LARGEST_TABLE), table)
    link = deck.startswith("ydke://")
    main, extra = listed(deck if link else read_text(deck, "a deck list", LARGEST), deck)
    text, unknown, unnamed = imported(main, extra, known, conditions, Path(deck).stem)
    if unknown:
        shown = ", ".join(map(str, unknown[:10])) + (", ..." if len(unknown) > 10 else "")
        click.echo(f"warning: not in {table}: {shown}; listed by number, without tags", err=True)
    for name in unnamed:
        click.echo(
            f"note: no card and no tag is called {name!r} yet; write it to the tags of cards",
            err=True,
        )
    if not conditions:
        click.echo("note: the file has no condition yet; list some under `conditions:`", err=True)
    if out is None:
        click.echo(text, nl=False)
    else:
        out.write_text(text, encoding="utf-8")
