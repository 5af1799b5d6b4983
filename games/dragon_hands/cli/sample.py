"""`dragon hands sample`: hands to look at, and why they pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from dragon.cli_tools import as_json as json_option
from dragon.cli_tools import tell, with_seed
from dragon_hands.cli.options import asks_opening, watched

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
