"""The page's questions to the server, and the answers: objects of `dragon hands ... --json`."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import suppress
from functools import partial
from importlib.resources import files
from typing import Any, TypeVar, cast

from attrs import evolve, frozen

from dragon.errors import ConfigError, SearchError
from dragon.page import Nothing, choice, flag, number, text, whole
from dragon.web.meanwhile import meanwhile as aside
from dragon.web.problem import about
from dragon.web.throttle import PAUSE, throttled
from dragon_cards import decks
from dragon_cards.store import store
from dragon_hands import objects
from dragon_hands.deck import Deck
from dragon_hands.exact import TooLarge, Watch
from dragon_hands.importing import LARGEST, any_deck, imported, is_list
from dragon_hands.odds import (
    Odds,
    Wanted,
    any_probability,
    by_turn,
    estimated,
    lacks_readings,
    with_readings,
)
from dragon_hands.odds import odds as exactly
from dragon_hands.question import (
    MULLIGANS,
    POLICIES,
    SETTINGS,
    SHARINGS,
    TEXTS,
    Question,
    settled,
)
from dragon_hands.question import asked as asked_of
from dragon_hands.ratios import Change
from dragon_hands.ratios import sensitivity as changes
from dragon_hands.reading import parse_deck

T = TypeVar("T")

MOST_HAND = 60
"""The most cards of a hand."""
PATIENCE = 20.0
"""Seconds of exact work, after which hands are drawn."""


@frozen
class DeckText:
    """A deck."""

    deck: str = text(longest=LARGEST)
    """A deck file in YAML, with cards and conditions; or a deck list."""


@frozen
class Written(DeckText):
    """A deck, and the form in which it is wanted."""

    to: str = choice(*decks.FORMS)
    """`list`: names one a line; `ydk`: a file of passcodes; `ydke`: a link."""


@frozen
class Asked(DeckText):
    """A deck, and a question about its opening hands."""

    hand: int | None = whole(None, least=1, most=MOST_HAND)
    """The number of cards in the opening hand; if none is given, that of the deck, else 5, or 7
    with a mulligan or prizes."""
    sharing: str = choice(*SHARINGS)
    """`distinct`: each clause needs cards of its own; `count`: a card counts for every clause."""
    free: str = choice(*POLICIES)
    """The policy that plays free cards."""


@frozen
class Started(Asked):
    """A deck and a question, with the way to the hand."""

    mulligan: str = choice(*MULLIGANS)
    """`london`: draw as many again, and put one on the bottom for each mulligan; `redraw`: draw as
    many again; `replace`: set cards aside, draw as many, shuffle them in."""
    mulligans: int | None = whole(None, least=0, most=MOST_HAND)
    """The most mulligans."""
    keep: str = text("", longest=2_000)
    """The condition of keeping a hand, or the cards to keep; empty: what is best."""
    given: str = text("", longest=2_000)
    """The condition on the kept hand under which the odds are asked."""
    prizes: int = whole(0, least=0, most=MOST_HAND)
    """The number of cards set aside at random after the opening hand."""
    turn: int = whole(0, least=0, most=500)
    """The turn whose draw is the last; 0 is the opening hand."""
    on_the_play: bool = flag()
    """Draw no card on turn 1."""
    in_hand: str = text("", longest=2_000)
    """Cards known to be in the opening hand, such as `2 Alpha AND Beta`."""
    seen: str = text("", longest=2_000)
    """Cards that are neither in the hand nor in the deck."""
    bottom: str = text("", longest=2_000)
    """Cards at the bottom of the deck."""


@frozen
class ByTurn(Started):
    """A deck and a question, with the last turn that is asked."""

    last: int = whole(10, least=1, most=30)
    """The last turn; the opening hand is the first answer."""


@frozen
class Estimated(Started):
    """A deck and a question, with the limits of an estimate."""

    sample: int | None = whole(None, least=1, most=2_000_000)
    """The number of hands to draw."""
    precision: float | None = number(None, least=1e-4, most=0.5)
    """The standard error of any condition at which drawing stops."""
    check: bool = flag()
    """Give the exact odds and an estimate side by side."""
    seed: int = whole(0, least=0, most=2**53)
    """The seed: equal numbers give equal hands."""


@frozen
class Dealt(Asked):
    """A deck and a question, with the number of hands to look at."""

    number: int = whole(5, least=1, most=50)
    """The number of hands."""
    only: str = choice("all", "pass", "brick")
    """The hands that are wanted: all, those that pass, or those that do not."""
    seed: int = whole(0, least=0, most=2**53)
    """The seed: equal numbers give equal hands."""


def warm() -> None:
    """Load or compile all that the first question needs."""
    deck = parse_deck(_example())
    question = Question(policy="never")
    list(estimated(deck, question, Wanted(sample=100), None))


def _example() -> str:
    return files("dragon_hands").joinpath("data", "example.yaml").read_text("utf-8")


def question_of(given: Asked) -> tuple[Deck, Question]:
    """Return the deck that was read, and the question; raise ConfigError with the field."""
    with about("deck"):
        deck = any_deck(given.deck)
    with about("hand"):
        if given.hand is not None:
            deck.checked_hand(given.hand)
    start = {name: getattr(given, name) for name in SETTINGS if hasattr(given, name)}

    def read(more: Sequence[str]) -> Deck:
        return any_deck(given.deck, more=more)

    for name in TEXTS:
        if start.get(name):
            with about(name):
                settled(read, (), {name: start[name]})
    with about("mulligan"):
        return asked_of(read, (), given.hand, start, given.sharing, given.free)


# ---- answers -----------------------------------------------------------------------------------


def example(_: Nothing) -> dict[str, Any]:
    """Return a small deck file to begin with."""
    return {"deck": _example()}


def read(asked: DeckText) -> dict[str, Any]:
    """Return a deck as it was read: cards and conditions, if any, with their lines.

    `file` is the deck file that is made of a deck list, in which the lines are; else null.
    `notes` are the mistakes in lines of the list.
    """
    with about("deck"):
        if not is_list(asked.deck):
            return objects.listed(parse_deck(asked.deck, asks=False))
        made = imported(asked.deck, store(), "deck")
        return objects.listed(parse_deck(made.text, asks=False), made)


def write(asked: Written) -> dict[str, Any]:
    """Return a deck as `dragon hands export` writes it, and the notes on what was read."""
    with about("deck"):
        found = decks.deck_in(asked.deck, store(), "the deck")
        return {"text": decks.write(found, asked.to), "notes": list(found.notes_of())}


def odds(asked: Estimated) -> Iterator[dict[str, Any]]:
    """Yield the odds as `dragon hands odds --json`, after the progress of the work.

    While exact odds are computed, `{"part": 0.4}` is the progress, and the odds of the opening
    hands alone follow, with `never` as `free`; while hands are drawn, better and better
    estimates follow.
    """
    deck, question = question_of(asked)
    wanted = Wanted(asked.seed, asked.sample, asked.precision, asked.check)
    exact = found = None
    with about("deck"):
        if wanted.exact(deck, question):
            with suppress(TooLarge):
                steps = meanwhile(lambda watch: exactly(deck, question, impatient(watch)))
                exact = yield from _with_alone(steps, deck, question)
        if wanted.drawn(exact):
            for found in throttled(estimated(deck, question, wanted, exact), PAUSE):
                yield objects.answered(exact, found)
    if found is None:
        yield objects.answered(exact, None)
    elif lacks_readings(found, wanted, exact):
        last = found
        noted = yield from meanwhile(lambda _: with_readings(last))
        yield objects.answered(exact, noted)


def _with_alone(
    steps: Generator[dict[str, Any], None, T], deck: Deck, question: Question
) -> Generator[dict[str, Any], None, T]:
    """Yield the steps, and, if cards are played, the odds before that after the first step."""
    try:
        first = next(steps)
    except StopIteration as done:
        return cast("T", done.value)
    yield first
    if deck.has_free and question.policy != "never":
        with suppress(TooLarge):
            yield objects.answered(exactly(deck, evolve(question, policy="never")), None)
    return (yield from steps)


def turns(asked: ByTurn) -> Iterator[dict[str, Any]]:
    """Yield the odds on the turns so far as `dragon hands odds --by-turn`, with the progress."""
    deck, question = question_of(asked)
    found: dict[str, Any] = {}
    for turn in range(asked.last + 1):
        with about("turn"):
            question = evolve(question, turn=turn).checked(deck)
            each = yield from meanwhile(partial(_on_turn, deck, question))
        found[str(turn)] = each.plain()
        yield {"turns": dict(found)}


def _on_turn(deck: Deck, question: Question, watch: Watch) -> Odds:
    ((_, found),) = by_turn(deck, question, [question.turn], watch=impatient(watch))
    return found


def sensitivity(asked: Started) -> Iterator[dict[str, Any]]:
    """Yield the effect of one copy more or less as `dragon hands sensitivity --json`.

    `free` is `never` where it takes too long to play free cards.
    """
    deck, question = question_of(asked)
    if question.policy == "clairvoyant":
        raise ConfigError(
            "clairvoyant is only estimated; compare decks by another policy @ request.free"
        )
    for policy in dict.fromkeys((question.policy, "never")):
        with about("deck"), suppress(TooLarge):
            yield from _changes(deck, evolve(question, policy=policy))
            return
    raise SearchError("this deck takes too long to be exact; ask for a smaller hand")


def _changes(deck: Deck, question: Question) -> Iterator[dict[str, Any]]:
    """Yield the progress, and the rows so far; raise TooLarge when it has taken too long."""
    until = time.monotonic() + PATIENCE
    now = yield from meanwhile(
        lambda watch: any_probability(deck, question, impatient(watch, until))
    )
    rows: list[Change] = []
    watches: list[Watch] = []
    stream = changes(any_probability, deck, question, lambda part: watches[-1](part))

    def following(watch: Watch) -> Change | None:
        watches[:] = [impatient(watch, until)]
        return next(stream, None)

    shown = time.monotonic() - PAUSE
    while (row := (yield from meanwhile(following))) is not None:
        rows.append(row)
        if time.monotonic() >= shown + PAUSE:
            yield objects.changed(question.policy, now, rows, False)
            shown = time.monotonic()
    yield objects.changed(question.policy, now, rows, True)


def histogram(asked: Asked) -> dict[str, Any]:
    """Return the copies of each name in a hand, as `dragon hands plot --json`."""
    from dragon_hands.plots import histogram as bars

    deck, question = question_of(asked)
    return objects.counted(question.hand, bars(deck, question.hand))


def sample(asked: Dealt) -> dict[str, Any]:
    """Return hands to look at, each as `dragon hands sample --json` lists it."""
    from dragon_hands.examples import matching

    deck, question = question_of(asked)
    only = None if asked.only == "all" else asked.only
    found = matching(deck, question, asked.number, asked.seed, only)
    return {"hands": [objects.example(each) for each in found]}


def impatient(watch: Watch, until: float | None = None) -> Watch:
    """Return a watch that raises TooLarge after `until`, a time of `time.monotonic`."""
    until = until or time.monotonic() + PATIENCE

    def looked(part: float) -> None:
        watch(part)
        if time.monotonic() > until:
            raise TooLarge

    return looked


def meanwhile(work: Callable[[Watch], T]) -> Generator[dict[str, Any], None, T]:
    """Yield the part of some work that is done, from time to time; return its result."""
    return aside(work, lambda part: {"part": part}, 0.0)
