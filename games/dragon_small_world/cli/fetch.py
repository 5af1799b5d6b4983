"""`dragon small-world update`: the public card data, downloaded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import click

from dragon.cli import FAILED
from dragon.commands.options import Seconds
from dragon.commands.options import as_json as with_json
from dragon_small_world.update import SECONDS, SILENCE, SOURCE


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
    from dragon.commands.options import interruptible, print_json
    from dragon_small_world.cards import updated_file
    from dragon_small_world.update import DownloadFailed, download, keep, pooled, table

    file = updated_file()
    try:
        with closing(_bar()) as bar:
            data = interruptible(download, url, _watch(bar), silence, seconds)
        pool = pooled(data, url)
        keep(table(pool), file)
    except DownloadFailed as error:  # nobody's mistake in the input
        click.echo(f"dragon: {error}", err=True)
        raise click.exceptions.Exit(FAILED) from error
    if as_json:
        told = {"file": file, "bytes": len(data), "monsters": len(pool.monsters)}
        print_json({**told, "others": len(pool.others), "aliases": len(pool.aliases)})
    else:
        click.echo(
            f"{len(pool.monsters):,} main-deck monsters, {len(pool.others):,} other cards: {file}"
        )


def _bar() -> Any:
    """A bar on stderr, on a terminal only."""
    from sys import stderr

    from tqdm import tqdm  # type: ignore[import-untyped]

    quiet = stderr is None or not stderr.isatty()
    return tqdm(
        unit="B", unit_scale=True, file=stderr, leave=False, dynamic_ncols=True, disable=quiet
    )


def _watch(bar: Any) -> Callable[[int, int | None], None]:
    def watch(got: int, total: int | None) -> None:
        bar.total = total
        bar.update(got - bar.n)

    return watch
