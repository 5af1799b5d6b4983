"""`dragon small-world bridges`, `pairs` and `sets`: what to add to a deck."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dragon.commands.options import Seconds
from dragon.commands.options import as_json as with_json
from dragon.errors import SearchError
from dragon_small_world.cli import options

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from dragon_small_world.bridges import Bridge
    from dragon_small_world.links import Links
    from dragon_small_world.sets import Found

TOP, TOP_PAIRS = 20, 10
MOST_PAIRS = 10_000
MOST_BRIDGES = 12
PRINTED = ("type", "attribute", "level", "atk", "def")


@click.command()
@options.of_deck
@click.option(
    "--top", type=click.IntRange(min=1), metavar="N",
    help=f"The best N; {TOP} by default, and all with --json or --csv.",
)  # fmt: skip
@click.option("--require", multiple=True, metavar="NAME", help="Linked with it; repeatable.")
@options.exclude_deck
@options.with_filter
@click.option("--check", is_flag=True, help="Square every matrix too, and compare.")
@with_json
@options.as_csv
def bridges(
    deck: str,
    cards: Path | None,
    question: str,
    no_side: bool,
    top: int | None,
    require: tuple[str, ...],
    exclude_deck: bool,
    filters: tuple[str, ...],
    check: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Rank the monsters that could bridge those of a deck.

    The score is the part of all ordered pairs of monsters, the bridge among them, of which
    Small World gets from the first to the second. Then come the number of links with the deck
    and the name. A (?) marks bridges whose links depend on --question.

    \b
    Examples:
      dragon small-world bridges deck.ydk --top 10
      dragon small-world bridges mathmech --require "Mathmech Circular" --filter "level<=4"
      dragon small-world bridges deck.ydk --cards cards.json --exclude-deck --json
    """
    from dragon.commands.options import print_json
    from dragon_small_world.bridges import bridges as ranked
    from dragon_small_world.bridges import denominator

    options.one_way(as_json, as_csv)
    links = options.links_of(deck, cards, question, no_side)
    pool = links.deck.pool
    required = [pool.find(name, "monster to require") for name in require]
    found = ranked(links, required, options.fit(links, filters, exclude_deck))
    if check:
        _check(links)
    pairs = denominator(links.deck)
    shown = found[: top or (None if as_json or as_csv else TOP)]
    if as_json:
        print_json(
            {
                "deck": links.deck.names,
                "unknown": [_given(text) for text in links.deck.unknown],
                "denominator": pairs,
                "bridges": [_bridge(bridge, pairs) for bridge in shown],
            }
        )
    elif as_csv:
        head = ("bridge_score", "number_of_connections", "name", *PRINTED)
        options.print_csv(head, [_row(bridge, pairs) for bridge in shown])
    else:
        _say_bridges(links, shown, len(found), pairs)


def _check(links: Links) -> None:
    """Says on stderr whether squaring a matrix for each monster gives the same, and the times."""
    from dragon.commands.options import interruptible
    from dragon_small_world import naive
    from dragon_small_world.bridges import numerators

    began = time.perf_counter()
    fast = numerators(links).tolist()
    between = time.perf_counter()
    slow = interruptible(naive.numerators, links)
    ended = time.perf_counter()
    if fast != slow:
        raise SearchError("the theorem and squaring disagree; please report this deck")
    click.echo(
        f"{len(slow):,} squared matrices agree: {ended - between:.3f} s, "
        f"the theorem {between - began:.3f} s",
        err=True,
    )


def _given(text: str) -> int | str:
    """A passcode as a number, a name as it is."""
    return int(text) if text.isdecimal() and len(text) < 20 else text


def _bridge(bridge: Bridge, pairs: int) -> dict[str, Any]:
    return {
        "id": bridge.monster.id,
        "name": bridge.monster.name,
        "numerator": bridge.numerator,
        "score": bridge.numerator / pairs,
        "connections": bridge.connections,
        "in_deck": bridge.in_deck,
    }


def _row(bridge: Bridge, pairs: int) -> list[Any]:
    printed = [bridge.monster.printed(word) for word in PRINTED]
    return [bridge.numerator / pairs, bridge.connections, bridge.monster.name, *printed]


def _say_bridges(links: Links, shown: Sequence[Bridge], count: int, pairs: int) -> None:
    from dragon_small_world.bridges import disputed

    before = int((links.squared > 0).sum())
    n, pool = len(links.deck.places), links.deck.pool
    click.echo(
        f"{n} monsters, of whose {n * n:,} pairs {before:,} can be searched; "
        f"{count:,} bridges among {len(pool.monsters):,} monsters ({pool.source})"
    )
    marks = disputed(links, [bridge.place for bridge in shown])
    rows = [
        [
            f"{bridge.numerator}/{pairs}", f"{bridge.numerator / pairs:.4f}", bridge.connections,
            bridge.monster.name + " (?)" * mark + " (in the deck)" * bridge.in_deck,
            " ".join(_printed(bridge)),
        ]
        for bridge, mark in zip(shown, marks, strict=True)
    ]  # fmt: skip
    if rows:
        click.echo()
        options.print_table(["pairs", "score", "links", "name", "printed"], rows)


def _printed(bridge: Bridge) -> list[str]:
    monster = bridge.monster
    return [
        monster.attribute, monster.type, f"level {monster.level}",
        f"{monster.printed('atk')}/{monster.printed('def')}",
    ]  # fmt: skip


@click.command()
@options.of_deck
@click.option(
    "--top", type=click.IntRange(1, MOST_PAIRS), default=TOP_PAIRS, show_default=True,
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

    options.one_way(as_json, as_csv)
    links = options.links_of(deck, cards, question, no_side)
    allowed = options.fit(links, filters, exclude_deck)
    found, interrupted = _run(links, 2, top, allowed, seconds)
    total = (len(links.deck.places) + 2) ** 2
    listed = [(_names(links, s.places), s.numerator) for s in found.sets]
    if as_json:
        rows = [{"names": names, "numerator": count} for names, count in listed]
        print_json({"denominator": total, "pairs": rows})
    elif as_csv:
        head = ("numerator", "denominator", "first", "second")
        options.print_csv(head, [[count, total, *names] for names, count in listed])
    else:
        shown = [[f"{c}/{total}", f"{c / total:.4f}", " + ".join(names)] for names, c in listed]
        options.print_table(["pairs", "score", "bridges"], shown)
    _end(found, total, interrupted)


def _names(links: Links, places: Sequence[int]) -> list[str]:
    return [links.deck.pool.monsters[i].name for i in places]


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

    links = options.links_of(deck, cards, question, no_side)
    allowed = options.fit(links, filters, exclude_deck)
    found, interrupted = _run(links, k, 1, allowed, seconds)
    total = (len(links.deck.places) + k) ** 2
    best = found.sets[0] if found.sets else None
    names = _names(links, best.places) if best else []
    if as_json:
        print_json(
            {
                "k": k,
                "denominator": total,
                "names": names,
                "numerator": best.numerator if best else None,
                "bound": "=" if found.proven else ">=",
                "upper": found.upper,
            }
        )
    elif best:
        sign = "=" if found.proven else ">="
        click.echo(f"{sign} {best.numerator}/{total} ({best.numerator / total:.4f})")
        for name in names:
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
