"""The parts that the commands share: cards, deck, filters, tables and their output."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from dragon.cli_tools import check_stdout, print_json, with_picture
from dragon.columns import table
from dragon.errors import ConfigError
from dragon.files import STDOUT, write
from dragon_small_world.words import QUESTIONS, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable

    from dragon_small_world.links import Links
    from dragon_small_world.pool import Pool
    from dragon_small_world.svg import Picture

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
with_exact = click.option("--exact", is_flag=True, help="Give fractions, too.")
as_csv = click.option("--csv", "as_csv", is_flag=True, help="Print CSV on stdout.")
image = with_picture("--image", "image", "Draw it there: an .svg or .png; - is SVG on stdout.")


_size = click.option(
    "--size", type=click.IntRange(1, 150), metavar="N",
    help="Cards of the main deck, up to which blanks fill it, if DECK does not say.",
)  # fmt: skip


def of_deck(command: F, required: bool = True, sized: bool = False) -> F:
    """Add the argument DECK and its options; the command is given the deck's `links`.

    sized: add --size, for answers that depend on all cards of the main deck.
    """

    @wraps(command)
    def run(
        deck: str | None, cards: Path | None, question: str, no_side: bool,
        size: int | None = None, **more: Any,
    ) -> None:  # fmt: skip
        check_output(*map(more.get, ("as_json", "as_csv", "image")))
        links = links_of(deck, cards, question, no_side, size)
        for note in links.deck.filled if sized else ():
            click.echo(f"note: {note}", err=True)
        command(links=links, **more)

    for decorate in (
        *[_size] * sized,
        click.option("--no-side", is_flag=True, help="Leave the side deck out."),
        with_question,
        with_cards,
        click.argument("deck", metavar="DECK" if required else "[DECK]", required=required),
    ):
        decorate(run)
    return cast("F", run)


def of_bridges(command: F) -> F:
    """Add --exclude-deck and --filter; the command is given the `allowed` bridges."""

    @wraps(command)
    def run(links: Links, exclude_deck: bool, filters: tuple[str, ...], **more: Any) -> None:
        from dragon_small_world.links import fit

        command(links=links, allowed=fit(links, filters, exclude_deck), **more)

    click.option(
        "--filter", "filters", multiple=True, metavar="TEXT",
        help="Only bridges that meet it, such as level<=4, type!=Fiend, name~dragon, tcg>=1 "
        "(copies that the banlist allows); repeatable.",
    )(run)  # fmt: skip
    aside = "Leave out bridges that are in the deck."
    click.option("--exclude-deck", is_flag=True, help=aside)(run)
    return cast("F", run)


def links_of(
    deck: str | None, cards: Path | None, question: str, no_side: bool, size: int | None = None
) -> Links:
    """Return the links of a deck, or of none, with its pool; report unknown lines on stderr."""
    from dragon_small_world.links import links_of as join
    from dragon_small_world.pool import no_deck, pool_of, read_deck

    if deck is None:
        return join(no_deck(pool_of(cards)), question)
    if deck == "-" and str(cards) == "-":
        raise ConfigError("deck and cards cannot both come from stdin; give one of them as a file")
    found = read_deck(deck, pool_of(cards), side=not no_side, size=size)
    for note in found.notes[:8]:
        click.echo(f"note: {note}", err=True)
    if len(found.notes) > 8:
        click.echo(f"note: and {len(found.notes) - 8} more that are not understood", err=True)
    return join(found, question)


def place_of(pool: Pool, text: str, what: str = "monster") -> int:
    """Return the place of the monster of that name; note on stderr a name that is longer."""
    from dragon_cards.names import folded

    place = pool.find(text, what)
    name = pool.monsters[place].name
    if not text.strip().isdecimal() and folded(text) != folded(name):
        click.echo(f"note: {text!r:.80} is read as {name!r}", err=True)
    return place


def print_data(
    value: Any, head: Sequence[str], rows: Iterable[Sequence[Any]], as_json: bool, as_csv: bool
) -> bool:
    """Print JSON, or the rows as CSV, where that is asked for; return True if it was."""
    if as_json:
        print_json(value)
    elif as_csv:
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([head, *rows])
        click.echo(out.getvalue(), nl=False)
    return as_json or as_csv


def print_table(
    head: Sequence[str], rows: Sequence[Sequence[Any]], texts: Sequence[int] | None = None
) -> None:
    """Print a table for people; numbers are aligned right.

    texts: the columns that do not have numbers; by default as the first row says.
    """
    cells = [[str(cell) for cell in row] for row in rows]
    if texts is None:
        texts = [at for at, cell in enumerate(rows[0] if rows else head) if isinstance(cell, str)]
    for line in table(head, cells, texts):
        click.echo(line)


def check_output(as_json: bool | None, as_csv: bool | None, image: Path | None) -> None:
    """Raise UsageError where stdout is asked for more than one thing."""
    if as_json and as_csv:
        raise click.UsageError("--json and --csv do not go together; give one of them")
    check_stdout("--out", image, as_json or as_csv)


def write_image(file: Path, picture: Picture) -> None:
    """Write a picture, as SVG or PNG by the name's ending, `-` to stdout; raise ConfigError."""
    from dragon_small_world.svg import png

    if file == STDOUT:
        write(file, picture.svg)
        return
    ending = file.suffix.lower()
    if ending not in (".svg", ".png"):
        raise ConfigError(
            f"{file}: pictures are SVG or PNG; call it {file.with_suffix('.svg').name} or "
            f"{file.with_suffix('.png').name}"
        )
    data = png(picture) if ending == ".png" else picture.svg.encode()
    write(file, data)
    if sys.stderr is not None:
        click.echo(f"drawn to {file}", err=True)
