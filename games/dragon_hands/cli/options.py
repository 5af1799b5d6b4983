"""The options that the commands of opening hands share, and their waits and refusals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from dragon.cli_tools import last, progress
from dragon.errors import ConfigError, SearchError
from dragon_cards.card import FORMATS
from dragon_hands.question import ALONE, POLICIES, SHARINGS

if TYPE_CHECKING:
    from dragon_hands.policy import Watch
    from dragon_hands.question import Question

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

_file = click.argument("file", metavar="DECK")
_condition = click.option(
    "--condition", "conditions", multiple=True, metavar="TEXT",
    help="A condition on a good hand, besides those of the deck file; repeatable.",
)  # fmt: skip
_size = click.option(
    "--size", type=click.IntRange(1, 500), metavar="N",
    help="Cards of the main deck, up to which blanks fill it, if DECK does not say.",
)  # fmt: skip


def file_argument(command: F) -> F:
    """Add DECK, --condition and --size."""
    return _size(_condition(_file(command)))


with_hand = click.option(
    "--hand", type=click.IntRange(min=1), default=5, show_default=True, metavar="N",
    help="Cards of the opening hand.",
)  # fmt: skip
with_sharing = click.option(
    "--sharing", type=click.Choice(SHARINGS), default="distinct", show_default=True,
    help="distinct: each clause needs cards of its own; count: a card counts for every clause.",
)  # fmt: skip
with_policy = click.option(
    "--free", "policy", type=click.Choice(POLICIES), default="optimal", show_default=True,
    help="The policy that plays free cards.",
)  # fmt: skip


def with_limits(command: F) -> F:
    """Add --banlist and --most; see `dragon_hands.ratios`."""
    banlist = click.option(
        "--banlist", type=click.Choice(FORMATS), default=FORMATS[0], show_default=True,
        help="The limits on copies of a card; known after all cards have been fetched.",
    )  # fmt: skip
    most = click.option("--most", type=click.IntRange(0, 60), metavar="N",
                        help="Allow N copies of each card instead.")  # fmt: skip
    return banlist(most(command))


def asks(command: F, played: bool = True) -> F:
    """Add DECK, --condition, --hand, --sharing and --free.

    The command is given `deck` and `question`. played: add --free; without it free cards
    are not played.
    """

    @wraps(command)
    def run(
        file: str, conditions: tuple[str, ...], size: int | None, hand: int, sharing: str,
        policy: str = "never", **more: Any,
    ) -> None:  # fmt: skip
        from dragon_hands.importing import load
        from dragon_hands.question import Question

        deck = load(file, conditions, size)
        if policy == "clairvoyant":
            raise ConfigError("clairvoyant is only estimated; compare decks by another policy")
        for warning in deck.warnings:
            click.echo(f"warning: {warning}", err=True)
        question = Question(deck.checked_hand(hand), sharing, policy)
        command(deck=deck, question=question, **more)

    for decorate in (*[with_policy] * played, with_sharing, with_hand, file_argument):
        decorate(run)
    return cast("F", run)


asks_opening = partial(asks, played=False)


def watched(stream: Callable[[Watch], Iterator[T]], what: str) -> tuple[list[T], bool]:
    """Return all that a stream yields until its end or Ctrl-C, and True if it was Ctrl-C.

    The stream is given the watch of a bar, which a terminal shows after a second.
    """
    found: list[T] = []
    with progress(what) as watch:
        _, interrupted = last(stream(watch), found.append)
    return found, interrupted


def feasible(question: Question, work: Callable[[Question], T]) -> T:
    """Return the result of exact work, or, if it takes too long, that of opening hands alone.

    The latter is said on stderr. Raise SearchError with a remedy if that takes too long too.
    """
    from attrs import evolve

    from dragon_hands.exact import TooLarge

    try:
        return work(question)
    except TooLarge as large:
        if question.policy == "never":
            raise SearchError(
                "this deck takes too long to be exact; give a smaller --hand"
            ) from large
    click.echo(f"note: {ALONE}", err=True)
    return feasible(evolve(question, policy="never"), work)
