"""What the commands share: cards, deck, filters, tables, and how they are printed."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragon.errors import ConfigError
from dragon_small_world.words import QUESTIONS, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable

    from dragon_small_world.links import Links
    from dragon_small_world.monsters import Pool
    from dragon_small_world.picture import Picture

    F = TypeVar("F", bound=Callable[..., Any])


class _File(click.Path):
    """A file by name; an empty name, as of a variable that is not set, is a mistake."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == "":
            self.fail("the name is empty; name a file", param, ctx)
        return super().convert(value, param, ctx)


FILE = _File(path_type=Path, dir_okay=False, allow_dash=True)

with_cards = click.option(
    "--cards", type=FILE, metavar="FILE", help="Monsters as CSV, or a JSON dump of the card data."
)
with_question = click.option(
    "--question", type=click.Choice(QUESTIONS), default=TEXT, show_default=True,
    help="What ? equals: another ? (text), that and 0 (zero), or nothing (never).",
)  # fmt: skip
without_side = click.option("--no-side", is_flag=True, help="Leave the side deck out.")
with_filter = click.option(
    "--filter", "filters", multiple=True, metavar="TEXT",
    help="Only bridges that meet it, such as level<=4, type!=Fiend, name~dragon, tcg>=1 (copies "
    "that the banlist allows); repeatable.",
)  # fmt: skip
exclude_deck = click.option(
    "--exclude-deck", is_flag=True, help="Leave out bridges that are in the deck."
)
as_csv = click.option("--csv", "as_csv", is_flag=True, help="Print CSV on stdout.")
image = click.option(
    "--image", type=FILE, metavar="FILE",
    help="Draw it there, as .svg or .png; - for SVG on stdout.",
)  # fmt: skip


def of_deck(command: F) -> F:
    """Adds the argument DECK and what says how it is read; `links_of` reads them."""
    return click.argument("deck", metavar="DECK")(_read_how(command))


def of_deck_or_none(command: F) -> F:
    """The same, where it may be left out."""
    return click.argument("deck", metavar="[DECK]", required=False)(_read_how(command))


def _read_how(command: F) -> F:
    for decorate in (without_side, with_question, with_cards):
        command = decorate(command)
    return command


def pool_of(cards: Path | None) -> Pool:
    """The cards that are asked for, or the usual ones."""
    from dragon_small_world.cards import read, usual

    return usual() if cards is None else read(cards)


def links_of(deck: str | None, cards: Path | None, question: str, no_side: bool) -> Links:
    """A deck, or none, among its pool; what is not understood in it is told on stderr."""
    from dragon_small_world.deck import no_deck, read_deck
    from dragon_small_world.links import links_of as join

    if deck is None:
        return join(no_deck(pool_of(cards)), question)
    if deck == "-" and str(cards) == "-":
        raise ConfigError("deck and cards cannot both come from stdin; give one of them as a file")
    found = read_deck(deck, pool_of(cards), side=not no_side)
    for note in found.notes[:8]:
        click.echo(f"note: {note}", err=True)
    if len(found.notes) > 8:
        click.echo(f"note: and {len(found.notes) - 8} more that are not understood", err=True)
    return join(found, question)


def print_csv(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A table as CSV on stdout."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(head)
    table.writerows(rows)
    click.echo(out.getvalue(), nl=False)


def print_table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """A table for people; numbers stand to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    wide = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    numbers = [bool(rows) and not isinstance(cell, str) for cell in (rows[0] if rows else head)]
    for row in [list(head), *cells]:
        padded = (
            cell.rjust(w) if right else cell.ljust(w)
            for cell, w, right in zip(row, wide, numbers, strict=True)
        )
        click.echo("  ".join(padded).rstrip())


def one_way(as_json: bool, as_csv: bool, image: Path | None = None) -> None:
    """Raises UsageError where stdout is asked for more than one thing."""
    if as_json and as_csv:
        raise click.UsageError("--json and --csv do not go together; give one of them")
    if str(image) == "-" and (as_json or as_csv):
        raise click.UsageError(
            "--image - and --json or --csv all go to stdout; draw to a file, or give one of them"
        )


def write_image(file: Path, picture: Picture) -> None:
    """Writes a picture, as SVG or PNG by the name's ending, `-` to stdout; raises ConfigError."""
    from dragon_small_world.png import png

    if str(file) == "-":
        click.echo(picture.svg)
        return
    ending = file.suffix.lower()
    if ending not in (".svg", ".png"):
        raise ConfigError(
            f"{file}: pictures are SVG or PNG; call it {file.with_suffix('.svg').name} or "
            f"{file.with_suffix('.png').name}"
        )
    data = png(picture) if ending == ".png" else picture.svg.encode()
    try:
        file.write_bytes(data)
    except OSError as error:
        raise ConfigError(
            f"cannot write {file}: {error.strerror or error}; name another file"
        ) from error
    if sys.stderr is not None:
        click.echo(f"drawn to {file}", err=True)
