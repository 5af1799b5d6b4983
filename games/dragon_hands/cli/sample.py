"""`dragon hands sample` and `plot`: hands to look at, and pictures of how many copies come."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dragon.cli_tools import as_json as json_option
from dragon.cli_tools import check_stdout, tell, with_picture, with_seed
from dragon_hands.cli.options import asks, asks_opening, feasible, watched, with_turns

if TYPE_CHECKING:
    from dragon_hands.deck import Deck
    from dragon_hands.examples import Example
    from dragon_hands.question import Question


@click.command()
@click.option("-n", "number", type=click.IntRange(1, 1000), default=5, show_default=True,
              metavar="N", help="The number of hands.")  # fmt: skip
@click.option("--only", type=click.Choice(["pass", "brick"]), help="Only hands of this kind.")
@asks_opening
@with_seed
@json_option
def sample(
    deck: Deck, question: Question, number: int, only: str | None, seed: int, as_json: bool
) -> None:
    """Deal opening hands to look at, and say why they pass.

    Free cards are not played.

    \b
    Examples:
      dragon hands sample deck.yaml
      dragon hands sample deck.yaml -n 3 --only brick --seed 7
    """
    from dragon_hands.examples import TRIED, matching
    from dragon_hands.objects import example

    found, interrupted = watched(
        lambda watch: matching(deck, question, number, seed, only, watch), "dealing"
    )
    tell(as_json, [*map(example, found)], map(_example, found))
    if interrupted:
        raise KeyboardInterrupt
    if len(found) < number:
        click.echo(
            f"note: {len(found)} such hands among {TRIED * number:,} dealt; they are rare", err=True
        )


def _example(each: Example) -> str:
    lines = [", ".join(each.cards)]
    for text, given in each.passes:
        why = "; ".join(f"{clause}: {', '.join(names)}" for clause, names in given if names)
        lines.append(f"  passes {text}" + (f" ({why})" if why else ""))
    return "\n".join(lines if each.passes else [*lines, "  brick"])


@click.command()
@click.option("--kind", type=click.Choice(["histogram", "turns", "convergence"]),
              default="histogram",
              show_default=True, help="The figure to draw.")  # fmt: skip
@with_picture("--image", "image", "Draw it there: .png, .svg or .pdf; - is SVG on stdout.")
@click.option("--sample", "number", type=click.IntRange(64, 1 << 26), default=1 << 17,
              show_default=True, metavar="N", help="Hands drawn for a convergence.")  # fmt: skip
@with_turns
@partial(asks, played=False)
@with_seed
@json_option
def plot(
    deck: Deck, question: Question, kind: str, image: Path | None, number: int,
    turns: tuple[int, ...] | None, seed: int, as_json: bool,
) -> None:  # fmt: skip
    """Draw the copies of each name, the odds by turn, or the convergence of an estimate.

    The histogram is exact. Free cards are not played. Without --out the figures are
    printed; with it, matplotlib is needed: pip install 'dragon-search[plot]'.

    \b
    Examples:
      dragon hands plot deck.yaml
      dragon hands plot deck.yaml --out copies.svg
      dragon hands plot deck.yaml --kind turns --by-turn 0..10 --out turns.svg
      dragon hands plot deck.yaml --kind convergence --out settling.png
    """
    from dragon_hands import objects, plots
    from dragon_hands.odds import any_probability, by_turn, convergence

    check_stdout("--out", image, as_json)
    if turns is not None and kind != "turns":
        raise click.UsageError("--by-turn needs --kind turns")
    if kind == "histogram" and question.plain():
        raise click.UsageError(f"a histogram is of the hand as it is dealt, not of {question}")
    if kind == "turns":
        rows, interrupted = watched(
            lambda watch: by_turn(deck, question, turns or range(11), seed, watch), "counting"
        )
        if interrupted or not rows:
            raise KeyboardInterrupt
        if image is not None:
            plots.draw_turns(rows, image)
        figures = plots.text_turns(rows) if image is None else ()
        tell(as_json, {"turns": {turn: each.plain() for turn, each in rows}}, figures)
        return
    if kind == "histogram":
        bars = plots.histogram(deck, question.hand)
        if image is not None:
            plots.draw_histogram(bars, question.hand, image)
        text = plots.text_histogram(bars) if image is None else ()
        tell(as_json, objects.counted(question.hand, bars), text)
        return
    exact = feasible(question, lambda asked: any_probability(deck, asked))
    points = list(convergence(deck, question, number, seed))
    if image is not None:
        plots.draw_convergence(points, exact.p, image)
    steps = [dict(zip(("hands", "p", "low", "high"), each, strict=True)) for each in points]
    lines = (f"{n:10,}  {p:7.3%}  {low:7.3%} to {high:7.3%}" for n, p, low, high in points)
    shown = (f"exact {exact.p:.3%}", *lines) if image is None else ()
    tell(as_json, {"exact": exact.plain(), "convergence": steps}, shown)
