"""The options that the commands of opening hands share, and their waits and refusals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from dragon.cli_tools import last, progress
from dragon.errors import ConfigError, SearchError
from dragon_cards.card import FORMATS
from dragon_hands.question import ALONE, MULLIGANS, POLICIES, SETTINGS, SHARINGS, asked

if TYPE_CHECKING:
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


_hand = click.option(
    "--hand", type=click.IntRange(min=1), metavar="N",
    help="Cards of the opening hand: what DECK says, else 5; 7 with a mulligan or prizes.",
)  # fmt: skip
_sharing = click.option(
    "--sharing", type=click.Choice(SHARINGS), default="distinct", show_default=True,
    help="distinct: each clause needs cards of its own; count: a card counts for every clause.",
)  # fmt: skip
_policy = click.option(
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


def sizes_of(value: str) -> tuple[int, ...]:
    """Read sizes of hands with commas between them, each once."""
    parts = value.split(",")
    if len(parts) > 10 or not all(p.strip().isdecimal() and 0 < len(p) < 5 for p in parts):
        raise click.BadParameter(f"{value!r} is not a list of sizes; write 5,6")
    return tuple(dict.fromkeys(int(p) for p in parts))


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


with_hands = click.option(
    "--hands", "sizes", type=sizes_of, metavar="N,N", help="Several sizes side by side."
)
with_turns = click.option(
    "--by-turn", "turns", type=turns_of, metavar="1..10",
    help="Several turns side by side; 0 is the opening hand.",
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


def with_questions(command: F, played: bool = True, started: bool = True) -> F:
    """Add the options of a question: --condition, --size, --hand, the start, --sharing, --free.

    The command is given those of `_START` as `start`. played: add --free; without it free cards
    are not played. started: add the start; without it a hand is as it is dealt.
    """

    @wraps(command)
    def run(**given: Any) -> Any:
        start = {name: given.pop(name) for name in SETTINGS if started}
        return command(start=start, **{} if played else {"policy": "never"}, **given)

    start = _START if started else ()
    for option in (*[_policy] * played, _sharing, *reversed(start), _hand, with_size, _condition):
        option(run)
    return cast("F", run)


def asks(command: F, played: bool = True, started: bool = True, compared: bool = True) -> F:
    """Add DECK and the options of `with_questions`; the command is given `deck` and `question`.

    Of several hands (`sizes`) or turns the question has the largest. compared: refuse the policy
    that is only estimated.
    """

    @wraps(command)
    def run(
        file: str, conditions: tuple[str, ...], size: int | None, hand: int | None, sharing: str,
        policy: str, start: Mapping[str, Any], **more: Any,
    ) -> None:  # fmt: skip
        from dragon_cards.texts import text_of
        from dragon_hands.importing import LARGEST, any_deck

        if compared:
            refuse_clairvoyant(policy)
        if more.get("sizes"):
            hand = max(more["sizes"])
        if more.get("turns"):
            start = {**start, "turn": max(more["turns"])}
        text, name = text_of(file, most=LARGEST)  # stdin can be read once, and is asked for more
        read = partial(any_deck, text, name, size=size)
        deck, question = asked(read, conditions, hand, start, sharing, policy)
        warn(deck.warnings)
        command(deck=deck, question=question, **more)

    return _file(with_questions(cast("F", run), played, started))


asks_opening = partial(asks, played=False, started=False)


def refuse_clairvoyant(policy: str) -> None:
    """Raise ConfigError for the policy that is only estimated."""
    if policy == "clairvoyant":
        raise ConfigError("clairvoyant is only estimated; compare decks by another policy")


def warn(warnings: Iterable[str]) -> None:
    """Print warnings on stderr, each once."""
    for warning in dict.fromkeys(warnings):
        click.echo(f"warning: {shortened(warning, 600)}", err=True)


def shortened(text: str, most: int) -> str:
    """Return a text of at most `most` letters; a longer one loses its middle."""
    half = (most - 5) // 2
    return text if len(text) <= most else f"{text[:half]} ... {text[-half:]}"


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
