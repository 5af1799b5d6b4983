"""`dragon small-world bridges`, `pairs` and `sets`: which monsters to add to a deck."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from dragon.cli_tools import as_json as with_json
from dragon.cli_tools import interruptible, last, progress, tell, with_seconds
from dragon.columns import filled
from dragon.errors import SearchError
from dragon.percent import percent
from dragon_cards.card import PROPERTIES
from dragon_small_world.cli import options
from dragon_small_world.words import MOST_BRIDGES

if TYPE_CHECKING:
    from dragon_small_world.bridges import Found
    from dragon_small_world.links import Bools, Links

TOP, TOP_PAIRS, MOST_PAIRS = 20, 10, 10_000


@click.command()
@options.of_deck
@click.option(
    "--top", type=click.IntRange(min=1), metavar="N",
    help=f"The best N; {TOP} by default, and all with --json or --csv.",
)  # fmt: skip
@click.option("--require", multiple=True, metavar="NAME", help="Linked with it; repeatable.")
@options.of_bridges
@click.option("--check", is_flag=True, help="Square every matrix too, and compare.")
@options.with_exact
@with_json
@options.as_csv
def bridges(
    links: Links,
    top: int | None,
    require: tuple[str, ...],
    allowed: Bools | None,
    check: bool,
    exact: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Rank the monsters that could bridge those of a deck.

    The score is the share of all ordered pairs of monsters, the bridge among them, of which
    Small World gets from the first to the second. Then come the number of links with the deck
    and the name. A (?) marks bridges whose links depend on --question.

    \b
    Examples:
      dragon small-world bridges deck.ydk --top 10
      dragon small-world bridges mathmech --require "Mathmech Circular" --filter "level<=4"
      dragon small-world bridges deck.ydk --cards cards.json --exclude-deck --json
    """
    from dragon_small_world.bridges import bridges as ranked
    from dragon_small_world.bridges import denominator, disputed
    from dragon_small_world.objects import of_bridges

    pool, n = links.deck.pool, len(links.deck.places)
    found = ranked(
        links, [options.place_of(pool, name, "monster to require") for name in require], allowed
    )
    if check:
        _check(links)
    pairs = denominator(links.deck)
    shown = found[: top or (None if as_json or as_csv else TOP)]
    head = ("bridge_score", "number_of_connections", "name", *PROPERTIES)
    data = [(b.numerator / pairs, b.connections, b.monster.name, *b.monster.row) for b in shown]
    if options.print_data(of_bridges(links, shown), head, data, as_json, as_csv):
        return
    before = int((links.squared > 0).sum())
    searched = f"{before:,} of {n * n:,}" if exact else percent(Fraction(before, max(1, n * n)))
    click.echo(f"{n} monster{'s' * (n != 1)}, of whose pairs {searched} can be searched")
    among = f"{len(found):,} bridges among {len(pool.monsters):,} monsters ({pool.store})"
    click.echo("\n".join(filled([among])))
    rows = []
    for b, mark in zip(shown, disputed(links, [b.place for b in shown]), strict=True):
        kind, attribute, level, atk, defence = b.monster.row
        rows.append([
            *[f"{b.numerator}/{pairs}"] * exact, percent(Fraction(b.numerator, pairs)),
            b.connections,
            b.monster.name + " (?)" * mark + " (in the deck)" * b.in_deck,
            f"{attribute} {kind} level {level} {atk}/{defence}",
        ])  # fmt: skip
    if rows:
        click.echo()
        options.print_table([*["pairs"] * exact, "score", "links", "name", "printed"], rows)


def _check(links: Links) -> None:
    """Say on stderr whether squaring a matrix for each monster gives the same, and the times."""
    from dragon_small_world.bridges import numerators, squared_numerators

    began = time.perf_counter()
    fast = numerators(links).tolist()
    between = time.perf_counter()
    slow = interruptible(squared_numerators, links)
    ended = time.perf_counter()
    if fast != slow:
        raise SearchError("the theorem and squaring disagree; please report this deck")
    click.echo(
        f"{len(slow):,} squared matrices agree: {ended - between:.3f} s, "
        f"the theorem {between - began:.3f} s",
        err=True,
    )


@click.command()
@options.of_deck
@click.option(
    "--top", type=click.IntRange(1, MOST_PAIRS), default=TOP_PAIRS, show_default=True,
    metavar="N", help="The best N.",
)  # fmt: skip
@options.of_bridges
@with_seconds
@options.with_exact
@with_json
@options.as_csv
def pairs(
    links: Links,
    top: int,
    allowed: Bools | None,
    seconds: float | None,
    exact: bool,
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
    from dragon_small_world.objects import of_pairs

    found, interrupted = _run(links, 2, top, allowed, seconds)
    listed = of_pairs(links, found)
    total = listed["denominator"]
    rows = [(row["numerator"], total, *row["names"]) for row in listed["pairs"]]
    head = ("numerator", "denominator", "first", "second")
    if not options.print_data(listed, head, rows, as_json, as_csv):
        shown = [
            [*[f"{c}/{total}"] * exact, percent(Fraction(c, total)), " + ".join(both)]
            for c, _, *both in rows
        ]
        options.print_table([*["pairs"] * exact, "score", "bridges"], shown)
    _end(found, total, exact, interrupted)


@click.command()
@options.of_deck
@click.option(
    "-k", "k", type=click.IntRange(1, MOST_BRIDGES), default=3, show_default=True, metavar="K",
    help="How many bridges.",
)  # fmt: skip
@options.of_bridges
@with_seconds
@options.with_exact
@with_json
def sets(
    links: Links,
    k: int,
    allowed: Bools | None,
    seconds: float | None,
    exact: bool,
    as_json: bool,
) -> None:
    """Find the best set of K bridges.

    Up to three it is proven best. Larger sets are built greedily and improved by exchanges, and
    proven only where they reach the bound. What is printed is always a complete set with its true
    score, and a bound that no set exceeds.

    \b
    Examples:
      dragon small-world sets deck.ydk -k 3 --seconds 30
      dragon small-world sets mathmech -k 4 --exclude-deck --json
    """
    from dragon_small_world.objects import of_set

    found, interrupted = _run(links, k, 1, allowed, seconds)
    listed = of_set(links, found, k)
    total, count = listed["denominator"], listed["numerator"]
    lines: list[str] = []
    if count is not None:
        lines = [
            f"{listed['bound']} {percent(Fraction(count, total))}" + f" ({count}/{total})" * exact
        ]
        lines += [f"  {name}" for name in listed["names"]]
    tell(as_json, listed, lines)
    _end(found, total, exact, interrupted)


def _end(found: Found, total: int, exact: bool, interrupted: bool) -> None:
    """List the claims that are not proven; pass a Ctrl-C on."""
    if not found.sets:
        click.echo("there are fewer bridges than are asked for", err=True)
    elif not found.proven:
        most = f"{found.upper}/{total}" if exact else percent(Fraction(found.upper, total))
        click.echo(f"not proven; no set has more than {most}", err=True)
    elif not found.done:
        click.echo("not all was searched: there may be more that are as good", err=True)
    if interrupted:
        raise KeyboardInterrupt


def _run(
    links: Links, k: int, count: int, allowed: Any, seconds: float | None
) -> tuple[Found, bool]:
    """Return the last list before the end, the time or a Ctrl-C, and whether it was that.

    A Ctrl-C before the first list leaves nothing to print.
    """
    from dragon_small_world.bridges import best_sets

    with progress() as watch:

        def show(found: Found) -> None:
            best = found.sets[0].numerator if found.sets else 0
            watch(found.part, f"best {best}, at most {found.upper}")

        found, interrupted = last(best_sets(links, k, count, allowed, seconds), show)
    if found is None:
        raise KeyboardInterrupt
    return found, interrupted
