"""The commands under `dragon hands`; `options` has what they share."""

from __future__ import annotations

import click

from dragon.cli_tools import Group
from dragon_hands.cli import copies, deck, odds, sample


@click.group(cls=Group)
def hands() -> None:
    """Say how often a deck opens with what it needs, exactly.

    DECK is a deck file in YAML, cards with copies and tags, and conditions on a hand; or a deck
    list, a .ydk file, names one a line, a ydke:// link or an Omega code, with --condition. `-`
    reads stdin.

    \b
    Examples:
      dragon hands odds deck.yaml
      dragon hands odds deck.ydk --condition "Hand Trap"
      dragon hands odds deck.yaml --hands 5,6 --json
      dragon hands sensitivity deck.yaml
    """


for command in (odds.odds, copies.sensitivity_of, copies.copies, copies.optimise, sample.sample,
                deck.import_deck, deck.export_deck, deck.diff, sample.plot):  # fmt: skip
    hands.add_command(command)
