"""`dragon small-world pairs` and `sets`: which monsters to add to a deck together."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dragon.commands.options import Seconds
from dragon.commands.options import as_json as with_json
from dragon_small_world.cli import options
from dragon_small_world.words import MOST_BRIDGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from dragon_small_world.links import Links
    from dragon_small_world.sets import Found

TOP, MOST_PAIRS = 10, 10_000


@click.command()
@options.of_deck
@click.option(
    "--top", type=click.IntRange(1, MOST_PAIRS), default=TOP, show_default=True,
    metavar="N", help="The best N.",
)  # fmt: skip
@options.exclude_deck
@options.with_filter
@click.option("--seconds", type=Seconds(), metavar="S", help="Stop after S seconds.")
@with_json
@options.as_csv
def pairs(
    deck: str,
    cards: Path | None,
    question: str,
    no_side: bool,
    top: int,
    exclude_deck: bool,
    filters: tuple[str, ...],
    seconds: float | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Find the best pairs of bridges, of all that there are.

    Pairs of equal score come by name.

    \b
    Examples:
      dragon small-world pairs deck.ydk
      dragon small-world pairs mathmech --top 3 --exclude-deck --json
    """
    from dragon.commands.options import print_json
    from dragon_small_world.bridges import denominator
    from dragon_small_world.filters import fit
    from dragon_small_world.objects import names, of_pairs

    options.one_way(as_json, as_csv)
    links = options.links_of(deck, cards, question, no_side)
    allowed = fit(links, filters, exclude_deck)
    found, interrupted = _run(links, 2, top, allowed, seconds)
    total = denominator(links.deck, 2)
    listed = [(names(links, s.places), s.numerator) for s in found.sets]
    if as_json:
        print_json(of_pairs(links, found))
    elif as_csv:
        head = ("numerator", "denominator", "first", "second")
        options.print_csv(head, [[count, total, *both] for both, count in listed])
    else:
        shown = [[f"{c}/{total}", f"{c / total:.4f}", " + ".join(both)] for both, c in listed]
        options.print_table(["pairs", "score", "bridges"], shown)
    _end(found, total, interrupted)


@click.command()
@options.of_deck
@click.option(
    "-k", "k", type=click.IntRange(1, MOST_BRIDGES), default=3, show_default=True, metavar="K",
    help="How many bridges.",
)  # fmt: skip
@options.exclude_deck
@options.with_filter
@click.option("--seconds", type=Seconds(), metavar="S", help="Stop after S seconds.")
@with_json
def sets(
    deck: str,
    cards: Path | None,
    question: str,
    no_side: bool,
    k: int,
    exclude_deck: bool,
    filters: tuple[str, ...],
    seconds: float | None,
    as_json: bool,
) -> None:
    """Find the best set of K bridges.

    Up to three it is proven best. Larger sets are built greedily and improved by exchanges, and
    proven only where they reach the bound. What is told is always a whole set with its true
    score, and a bound that no set exceeds.

    \b
    Examples:
      dragon small-world sets deck.ydk -k 3 --seconds 30
      dragon small-world sets mathmech -k 4 --exclude-deck --json
    """
    from dragon.commands.options import print_json
    from dragon_small_world.filters import fit
    from dragon_small_world.objects import of_set

    links = options.links_of(deck, cards, question, no_side)
    allowed = fit(links, filters, exclude_deck)
    found, interrupted = _run(links, k, 1, allowed, seconds)
    told = of_set(links, found, k)
    total, count = told["denominator"], told["numerator"]
    if as_json:
        print_json(told)
    elif count is not None:
        click.echo(f"{told['bound']} {count}/{total} ({count / total:.4f})")
        for name in told["names"]:
            click.echo(f"  {name}")
    _end(found, total, interrupted)


def _end(found: Found, total: int, interrupted: bool) -> None:
    """Says what is not proven; passes a Ctrl-C on."""
    if not found.sets:
        click.echo("there are fewer bridges than are asked for", err=True)
    elif not found.proven:
        click.echo(f"not proven; no set has more than {found.upper}/{total}", err=True)
    elif not found.done:
        click.echo("not all was searched: there may be more that are as good", err=True)
    if interrupted:
        raise KeyboardInterrupt


def _run(
    links: Links, k: int, count: int, allowed: Any, seconds: float | None
) -> tuple[Found, bool]:
    """The last list before the end, the time or a Ctrl-C, and whether it was that.

    A Ctrl-C before the first list leaves nothing to tell.
    """
    from dragon.commands.options import interruptible
    from dragon_small_world.sets import best_sets

    watch, close = _bar()
    stream = best_sets(links, k, count, allowed)
    found: Found | None = None
    began: float | None = None
    try:
        while True:
            step = interruptible(next, stream, None)
            if step is None:
                break
            found = step
            began = began or time.perf_counter()  # the first step may have compiled
            watch(found)
            if seconds is not None and time.perf_counter() - began > seconds:
                break
    except KeyboardInterrupt:
        if found is None:
            raise
        return found, True
    finally:
        close()
    assert found is not None
    return found, False


def _bar() -> tuple[Callable[[Found], None], Callable[[], None]]:
    """What shows a bar on a terminal once a second has passed, and what closes it."""
    from sys import stderr

    from tqdm import tqdm  # type: ignore[import-untyped]

    shape = "{desc} {percentage:3.0f}%|{bar}| [{elapsed}<{remaining}]"
    bar = tqdm(
        total=1.0, file=stderr, delay=1, bar_format=shape, leave=False, dynamic_ncols=True,
        disable=stderr is None or not stderr.isatty(),
    )  # fmt: skip

    def watch(found: Found) -> None:
        if found.sets:
            told = f"best {found.sets[0].numerator}, at most {found.upper}"
            bar.set_description_str(told, refresh=False)
        bar.update(max(0.0, found.part - bar.n))

    return watch, bar.close
