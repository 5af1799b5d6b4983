"""The commands under `dragon hands`, a module each."""

from __future__ import annotations

import click

from dragon_hands.cli import copies, deck, odds, optimise, plot, sample, sensitivity


@click.group()
def hands() -> None:
    """Say how often a deck opens with what it needs, exactly.

    SPEC.yaml is a deck file: cards with copies and tags, and conditions on a hand; `-` reads
    it from stdin.

    \b
    Examples:
      dragon hands odds deck.yaml
      dragon hands odds deck.yaml --hands 5,6 --json
      dragon hands sensitivity deck.yaml
    """


for command in (odds.odds, sensitivity.sensitivity, copies.copies, optimise.optimise,
                sample.sample, deck.import_deck, plot.plot):  # fmt: skip
    hands.add_command(command)
