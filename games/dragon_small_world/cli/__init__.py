"""The commands `dragon small-world`, one file for each few that belong together."""

from __future__ import annotations

import click

from dragon.cli_tools import Group
from dragon_small_world.cli import bridges, deck


@click.group(name="small-world", cls=Group)
def small_world() -> None:
    """Say which monsters bridge the others of a deck, for the card Small World.

    DECK is a .ydk file, a list of names, YAML of opening hands, a ydke:// link, - for stdin, or
    the sample mathmech.
    The cards are those of --cards, else those that `dragon cards update` has fetched, else a
    starter pool of a few hundred monsters.

    \b
    Examples:
      dragon small-world bridges deck.ydk --top 10
      dragon small-world pairs mathmech
      dragon small-world explain "Mathmech Sigma" "Effect Veiler"
    """


for command in (bridges.bridges, bridges.pairs, bridges.sets, deck.graph, deck.matrix, deck.reach,
                deck.weak, deck.explain, deck.paths):  # fmt: skip
    small_world.add_command(command)
