"""What the commands of opening hands share: their options, and how they wait and refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from dragon_hands.question import POLICIES, SHARINGS

if TYPE_CHECKING:
    from dragon_hands.question import Question
    from dragon_hands.spec import Spec

spec_argument = click.argument("spec", metavar="SPEC.yaml")
with_hand = click.option(
    "--hand", type=click.IntRange(min=1), default=5, show_default=True, metavar="N",
    help="Cards of the opening hand.",
)  # fmt: skip
with_sharing = click.option(
    "--sharing", type=click.Choice(SHARINGS), default="distinct", show_default=True,
    help="Whether each clause needs cards of its own, or a card counts for every clause.",
)  # fmt: skip
with_policy = click.option(
    "--free", "policy", type=click.Choice(POLICIES), default="optimal", show_default=True,
    help="How free cards are played.",
)  # fmt: skip


def asked(spec: str, hand: int, sharing: str, policy: str) -> tuple[Spec, Question]:
    """The deck of a file and the question that the options ask of it; raises ConfigError."""
    from dragon.errors import ConfigError
    from dragon_hands.checking import checked_hand
    from dragon_hands.question import Question
    from dragon_hands.reading import load

    deck = load(spec)
    if policy == "clairvoyant":
        raise ConfigError("clairvoyant is only estimated; compare decks by another policy")
    for warning in deck.warnings:
        click.echo(f"warning: {warning}", err=True)
    return deck, Question(checked_hand(deck, hand), sharing, policy)


@contextmanager
def progress(label: str) -> Iterator[Callable[[float], None]]:
    """A bar on stderr, where that is a terminal, once a second has passed."""
    from sys import stderr

    from tqdm import tqdm  # type: ignore[import-untyped]

    shown = stderr is not None and stderr.isatty()
    shape = "{desc}: {percentage:3.0f}%|{bar}| [{elapsed}<{remaining}]"
    bar = tqdm(
        total=1.0, desc=label, file=stderr, delay=1, bar_format=shape, leave=False,
        disable=not shown,
    )  # fmt: skip
    try:
        yield lambda part: bar.update(max(0.0, part - bar.n)) and None
    finally:
        bar.close()


@contextmanager
def feasible() -> Iterator[None]:
    """Within, exact work that takes too long is an error with a remedy."""
    from dragon.errors import SearchError
    from dragon_hands.exact import TooLarge

    try:
        yield
    except TooLarge as large:
        raise SearchError(
            "this deck takes too long to be exact; give --free never, or a smaller --hand"
        ) from large


def stop_if(stopped: bool) -> None:
    """Ends as Ctrl-C does, once what is known has been printed."""
    if stopped:
        click.echo("not complete", err=True)
        raise KeyboardInterrupt
