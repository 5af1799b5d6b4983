"""What the commands of opening hands share: their options, and how they wait and refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from typing import Any, TypeVar, cast

import click

from dragon.errors import ConfigError, SearchError
from dragon_hands.question import POLICIES, SHARINGS

F = TypeVar("F", bound=Callable[..., Any])

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


def asks(command: F, played: bool = True) -> F:
    """Adds SPEC.yaml, --hand, --sharing and --free; the command is given `deck` and `question`.

    played: whether there is --free; else free cards are not played.
    """

    @wraps(command)
    def run(spec: str, hand: int, sharing: str, policy: str = "never", **more: Any) -> None:
        from dragon_hands.question import Question
        from dragon_hands.reading import load

        deck = load(spec)
        if policy == "clairvoyant":
            raise ConfigError("clairvoyant is only estimated; compare decks by another policy")
        for warning in deck.warnings:
            click.echo(f"warning: {warning}", err=True)
        question = Question(deck.checked_hand(hand), sharing, policy)
        command(deck=deck, question=question, **more)

    for decorate in (*[with_policy] * played, with_sharing, with_hand, spec_argument):
        decorate(run)
    return cast("F", run)


asks_opening = partial(asks, played=False)


@contextmanager
def feasible() -> Iterator[None]:
    """Within, exact work that takes too long is an error with a remedy."""
    from dragon_hands.exact import TooLarge

    try:
        yield
    except TooLarge as large:
        raise SearchError(
            "this deck takes too long to be exact; give --free never, or a smaller --hand"
        ) from large
