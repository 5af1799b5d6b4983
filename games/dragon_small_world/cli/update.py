"""`dragon small-world update`: the public card data, downloaded."""

from __future__ import annotations

import click

from dragon.cli_tools import Seconds, interruptible, progress_bar, tell
from dragon.cli_tools import as_json as with_json
from dragon.errors import FAILED
from dragon_small_world.update import (
    SECONDS,
    SILENCE,
    SOURCE,
    DownloadFailed,
    download,
    keep,
    pooled,
    table,
)


@click.command()
@click.option("--url", default=SOURCE, show_default=True, metavar="URL", help="Where it is.")
@click.option(
    "--silence", type=Seconds(), default=SILENCE, show_default=True, metavar="S",
    help="Give up after S seconds without a byte.",
)  # fmt: skip
@click.option(
    "--seconds", type=Seconds(), default=SECONDS, show_default=True, metavar="S",
    help="Give up after S seconds in all.",
)  # fmt: skip
@with_json
def update(url: str, silence: float, seconds: float, as_json: bool) -> None:
    """Download the public card data, for all commands without --cards.

    It is kept in the user's data folder, as a table of monsters. The old one stays in use until
    the new one is there and is card data.

    \b
    Examples:
      dragon small-world update
      dragon small-world update --url http://localhost:8000/cardinfo.json
    """
    from dragon_small_world.cards import updated_file

    file = updated_file()
    try:
        with progress_bar(unit="B", unit_scale=True, delay=0) as bar:

            def watch(got: int, total: int | None) -> None:
                bar.total = total
                bar.update(got - bar.n)

            data = interruptible(download, url, watch, silence, seconds)
        pool = pooled(data, url)
        keep(table(pool), file)
    except DownloadFailed as error:  # no mistake in the input
        click.echo(f"dragon: {error}", err=True)
        raise click.exceptions.Exit(FAILED) from error
    counts = {word: len(getattr(pool, word)) for word in ("monsters", "others", "aliases")}
    text = f"{counts['monsters']:,} main-deck monsters, {counts['others']:,} other cards: {file}"
    tell(as_json, {"file": file, "bytes": len(data), **counts}, text)
