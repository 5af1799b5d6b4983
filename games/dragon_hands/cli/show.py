"""The odds as people and programs read them: a table on stdout, or JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from dragon_hands.odds import Odds
    from dragon_hands.share import Share
    from dragon_hands.spec import Spec


def show(
    deck: Spec, found: list[tuple[int, Odds | None, Odds | None]], several: bool, as_json: bool
) -> None:
    """The answers on stdout, and the warnings on stderr where JSON has them too."""
    from dragon.commands.options import print_json
    from dragon_hands.objects import answered

    for warning in deck.warnings:
        click.echo(f"warning: {shortened(warning, 600)}", err=True)
    plain = {n: answered(exact, drawn) for n, exact, drawn in found if exact or drawn}
    if as_json:
        print_json({"hands": plain} if several else next(iter(plain.values()), {}))
    else:
        for line in _lines(deck, found):
            click.echo(line)
    for n, each in plain.items():
        for warning in (*each["warnings"], *each.get("check", {}).get("warnings", ())):
            if warning not in deck.warnings:  # which are the same for every size, and told once
                told = f"{n} cards: {warning}" if several else warning
                click.echo(f"warning: {shortened(told, 600)}", err=True)


def _lines(deck: Spec, found: list[tuple[int, Odds | None, Odds | None]]) -> Iterator[str]:
    """A table: conditions down, hands across."""
    columns: list[tuple[str, Odds]] = []
    for n, exact, drawn in found:
        columns += [(f"{n} cards", exact)] if exact else []
        columns += [(f"{n} cards, {drawn.any.hands:,} hands drawn", drawn)] if drawn else []
    if not columns:
        return
    question = columns[0][1].question
    yield (
        f"{deck.name or 'deck'}: {deck.total} cards, sharing {question.sharing}, "
        f"free cards {question.policy}"
    )
    yield ""
    texts = [text for text, _ in columns[0][1].conditions]
    names = [*(shortened(text, 80) for text in texts), "any", "all", "brick"]
    cells = [
        [_cell(share) for share in (*(s for _, s in each.conditions), each.any, each.all,
                                    each.bricks)]
        for _, each in columns
    ]  # fmt: skip
    wide = max(len("condition"), *map(len, names))
    widths = [max(len(head), *map(len, c)) for (head, _), c in zip(columns, cells, strict=True)]
    heads = (f"{head:>{w}}" for (head, _), w in zip(columns, widths, strict=True))
    yield "  ".join([f"{'condition':{wide}}", *heads]).rstrip()
    for i, name in enumerate(names):
        row = (f"{c[i]:>{w}}" for c, w in zip(cells, widths, strict=True))
        yield "  ".join([f"{name:{wide}}", *row])
    if any(not each.any.exact for _, each in columns):
        yield "\nin brackets: 95% confidence"


def _cell(share: Share) -> str:
    if share.exact:
        return f"{share.percent} = {share.numerator:,}/{share.denominator:,}"
    low, high = share.interval or (0.0, 1.0)
    return f"{share.percent} ({100 * low:.2f} to {100 * high:.2f})"


def shortened(text: str, most: int) -> str:
    """A text of at most so many letters; a longer one loses its middle."""
    half = (most - 5) // 2
    return text if len(text) <= most else f"{text[:half]} ... {text[-half:]}"
