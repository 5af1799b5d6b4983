"""The options that the commands of opening hands share, and their waits and refusals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial, wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from dragon.cli_tools import last, progress
from dragon.errors import ConfigError, SearchError
from dragon_cards.card import FORMATS
from dragon_hands.question import ALONE, MULLIGANS, POLICIES, SETTINGS, SHARINGS, asked

if TYPE_CHECKING:
    from dragon_hands.deck import Deck
    from dragon_hands.exact import Watch
    from dragon_hands.question import Question

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

_file = click.argument("file", metavar="DECK")
_condition = click.option(
    "--condition", "conditions", multiple=True, metavar="TEXT",
    help="A condition on a good hand, besides those of the deck file; repeatable.",
)  # fmt: skip
with_size = click.option(
    "--size", type=click.IntRange(1, 500), metavar="N",
    help="Cards of the main deck, up to which blanks fill it, if DECK does not say.",
)  # fmt: skip


def file_argument(command: F) -> F:
    """Add DECK, --condition and --size."""
    return with_size(_condition(_file(command)))


with_hand = click.option(
    "--hand", type=click.IntRange(min=1), metavar="N",
    help="Cards of the opening hand: 5; 7 with a mulligan or prizes.",
)  # fmt: skip
with_sharing = click.option(
    "--sharing", type=click.Choice(SHARINGS), default="distinct", show_default=True,
    help="distinct: each clause needs cards of its own; count: a card counts for every clause.",
)  # fmt: skip
with_policy = click.option(
    "--free", "policy", type=click.Choice(POLICIES), default="optimal", show_default=True,
    help="The policy that plays free cards.",
)  # fmt: skip


_START = (
    click.option("--mulligan", type=click.Choice(MULLIGANS), default="none", show_default=True,
                 help="london: draw as many again, and put one on the bottom for each mulligan; "
                 "redraw: draw as many again; replace: set cards aside, draw as many, shuffle "
                 "them in."),
    click.option("--mulligans", type=click.IntRange(0, 60), metavar="N",
                 help="The most mulligans: by default london until one card is left, redraw "
                 "until --keep."),
    click.option("--keep", metavar="TEXT",
                 help="Keep hands of this condition; under replace, keep the cards that it asks "
                 "for. By default, what is best for each condition."),
    click.option("--given", metavar="TEXT",
                 help="Give the odds of the kept hands that satisfy this condition."),
    click.option("--in-hand", metavar="CARDS",
                 help="Cards known to be in the opening hand: '2 Alpha AND Beta'."),
    click.option("--seen", metavar="CARDS", help="Cards that are neither in hand nor in the deck."),
    click.option("--bottom", metavar="CARDS", help="Cards at the bottom of the deck."),
    click.option("--prizes", type=click.IntRange(0, 60), default=0, metavar="N",
                 help="Cards set aside at random after the opening hand, for IN Prizes."),
    click.option("--turn", type=click.IntRange(0, 500), default=0, metavar="N",
                 help="Draw a card on each turn up to this one; 0 is the opening hand."),
    click.option("--on-the-play", is_flag=True, help="Draw no card on turn 1."),
)  # fmt: skip


MOST_TURNS = 60


def turns_of(value: str) -> tuple[int, ...]:
    """Read turns: `3`, `1,2,4` or `1..10`, each once."""
    found: dict[int, None] = {}
    for part in value.split(","):
        read = re.fullmatch(r"\s*(\d{1,3})(?:\.\.(\d{1,3}))?\s*", part, re.ASCII)
        if read is None or int(read[1]) > int(read[2] or read[1]):
            raise click.BadParameter(f"{value!r} is not a list of turns; write 1..10")
        found |= dict.fromkeys(range(int(read[1]), int(read[2] or read[1]) + 1))
    if len(found) > MOST_TURNS:
        raise click.BadParameter(f"{len(found)} turns; ask for at most {MOST_TURNS}")
    return tuple(found)


with_turns = click.option(
    "--by-turn", "turns", type=turns_of, metavar="1..10",
    help="Several turns side by side; 0 is the opening hand.",
)  # fmt: skip


def with_start(command: F) -> F:
    """Add the options that say how a hand comes about; the command is given them as `start`."""

    @wraps(command)
    def run(**given: Any) -> Any:
        start = {name: given.pop(name) for name in SETTINGS}
        return command(start=start, **given)

    for option in reversed(_START):
        option(run)
    return cast("F", run)


def with_limits(command: F) -> F:
    """Add --banlist and --most; see `dragon_hands.ratios`."""
    banlist = click.option(
        "--banlist", type=click.Choice(FORMATS), default=FORMATS[0], show_default=True,
        help="The limits on copies of a card; known after all cards have been fetched.",
    )  # fmt: skip
    most = click.option("--most", type=click.IntRange(0, 60), metavar="N",
                        help="Allow N copies of each card instead.")  # fmt: skip
    return banlist(most(command))


def reader(file: str, size: int | None) -> Callable[[Sequence[str]], Deck]:
    """Return the function that reads the deck with more conditions; stdin is read only once."""
    from dragon_cards.texts import text_of
    from dragon_hands.importing import any_deck
    from dragon_hands.source import LARGEST

    text, name = text_of(file, most=LARGEST)
    return lambda more: any_deck(text, name, more, size=size)


def with_questions(command: F) -> F:
    """Add all options of a question: --condition, --size, --hand, the start, --sharing, --free."""
    for decorate in (with_policy, with_sharing):
        decorate(command)
    found = with_start(command)
    for decorate in (with_hand, with_size, _condition):
        decorate(found)
    return found


def asks(command: F, played: bool = True, started: bool = True) -> F:
    """Add DECK, --condition, --hand, --sharing, --free and the options of `with_start`.

    The command is given `deck` and `question`. played: add --free; without it free cards are not
    played. started: add the options of `with_start`; without them a hand is as it is dealt.
    """

    @wraps(command)
    def run(
        file: str, conditions: tuple[str, ...], size: int | None, hand: int | None, sharing: str,
        policy: str = "never", start: Mapping[str, Any] = MappingProxyType({}), **more: Any,
    ) -> None:  # fmt: skip
        read = reader(file, size)
        deck, question = asked(read, conditions, hand, start, sharing, policy)
        if policy == "clairvoyant":
            raise ConfigError("clairvoyant is only estimated; compare decks by another policy")
        for warning in deck.warnings:
            click.echo(f"warning: {warning}", err=True)
        command(deck=deck, question=question, **more)

    # the start is put around last, since it changes what the command is given
    for decorate in (*[with_policy] * played, with_sharing, with_hand, file_argument):
        decorate(run)
    return with_start(cast("F", run)) if started else cast("F", run)


asks_opening = partial(asks, played=False, started=False)


def watched(stream: Callable[[Watch], Iterator[T]], what: str) -> tuple[list[T], bool]:
    """Return the items of a stream until its end or Ctrl-C, and True if it was Ctrl-C.

    The stream is given the watch of a bar, which a terminal shows after a second.
    """
    found: list[T] = []
    with progress(what) as watch:
        _, interrupted = last(stream(watch), found.append)
    return found, interrupted


def feasible(question: Question, work: Callable[[Question], T]) -> T:
    """Return the result of exact work, or, if it takes too long, that of opening hands alone.

    A notice of this goes to stderr. Raise SearchError with a remedy if that is too long as well.
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
