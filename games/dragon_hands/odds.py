"""The answer to `dragon hands odds`: how often a deck opens with what it needs."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve, field, frozen

from dragon_hands.deck import Deck
from dragon_hands.exact import TooLarge
from dragon_hands.policy import Watch
from dragon_hands.probability import Probability, exact_probabilities, formulas_of
from dragon_hands.question import Question
from dragon_hands.readings import other_readings, other_readings_as_dealt
from dragon_hands.sampling import estimates

USUAL = 200_000
"""Hands drawn where an exact answer would take too long and no number is given."""
USUAL_PLAYED = 20_000
"""Hands drawn in that case where free cards are played out."""
USUAL_CLAIRVOYANT = 10_000
PATIENCE = 10.0
"""Seconds of drawing hands where no estimate was asked for."""


@frozen
class Odds:
    """The probabilities that a question asks for."""

    question: Question
    any: Probability
    all: Probability
    conditions: tuple[tuple[str, Probability], ...]
    warnings: tuple[str, ...] = field(default=())

    @property
    def bricks(self) -> Probability:
        """Hands that satisfy nothing."""
        return self.any.less()

    def noting(self, *notes: str) -> Odds:
        """Return the odds with more warnings."""
        return evolve(self, warnings=(*self.warnings, *notes))

    def plain(self) -> dict[str, Any]:
        """Return the documented object."""
        return {
            "hand": self.question.hand,
            "sharing": self.question.sharing,
            "free": self.question.policy,
            "any": self.any.plain(),
            "all": self.all.plain(),
            "bricks": self.bricks.plain(),
            "conditions": [{"text": text, **share.plain()} for text, share in self.conditions],
            "warnings": list(self.warnings),
        }


def odds(deck: Deck, question: Question, watch: Watch | None = None) -> Odds:
    """Return the exact odds; raise TooLarge if they would take too long.

    For the policy `clairvoyant`, for which no exact way is known, return an estimate.
    """
    if question.policy == "clairvoyant" and deck.has_free:
        *_, last = sampled(deck, question, most=USUAL_CLAIRVOYANT)
        return last
    found = exact_probabilities(deck, formulas_of(deck, question.sharing), question, watch)
    return _odds(deck, question, found, *other_readings(deck, question, found))


def sampled(
    deck: Deck,
    question: Question,
    seed: int = 0,
    most: int | None = None,
    error: float | None = None,
) -> Iterator[Odds]:
    """Yield better and better estimates of the odds; see `estimates`. Raise ConfigError."""
    deck.checked_hand(question.hand)
    formulas = formulas_of(deck, question.sharing)
    for found in estimates(deck, formulas, question.hand, question.policy, seed, most, error):
        yield _odds(deck, question, found)


def _odds(deck: Deck, question: Question, found: Sequence[Probability], *notes: str) -> Odds:
    texts = [str(asked) for asked in deck.conditions]
    *each, some, every = found
    warnings = (*deck.warnings, *notes)
    return Odds(question, some, every, tuple(zip(texts, each, strict=True)), warnings)


# ---- exact odds or an estimate -------------------------------------------------------------------


@frozen
class Wanted:
    """The odds that are wanted: exact, an estimate, or both; and the limits of an estimate."""

    seed: int = 0
    sample: int | None = None
    """The number of hands."""
    precision: float | None = None
    """The standard error of any condition at which an estimate stops."""
    check: bool = False
    """True if an estimate is wanted beside the exact odds."""

    @property
    def an_estimate(self) -> bool:
        """True if an estimate is asked for."""
        return self.sample is not None or self.precision is not None

    def exact(self, deck: Deck, question: Question) -> bool:
        """Return True if exact odds are computed: they are wanted, and there is a way."""
        inexact = question.policy == "clairvoyant" and deck.has_free
        return not inexact and (self.check or not self.an_estimate)

    def drawn(self, exact: Odds | None) -> bool:
        """Return True if hands are drawn; exact: the exact odds, or None if they are unknown."""
        return exact is None or self.an_estimate or self.check

    def hands(self, deck: Deck, question: Question) -> int | None:
        """Return the number of hands to draw; None: until the estimate is precise enough."""
        if self.an_estimate:
            return self.sample
        if question.policy == "clairvoyant":
            return USUAL_CLAIRVOYANT
        return USUAL_PLAYED if deck.has_free and question.policy != "never" else USUAL

    def part_done(self, deck: Deck, question: Question, found: Odds) -> float:
        """Return the part of an estimate that has been drawn, from 0 to 1."""
        most, error = self.hands(deck, question), found.any.error
        parts = [(found.any.hands or 0) / most if most else 0.0]
        if self.precision is not None and error > 0:
            parts.append((self.precision / error) ** 2)
        return min(1.0, max(parts))


def estimated(deck: Deck, question: Question, wanted: Wanted, exact: Odds | None) -> Iterator[Odds]:
    """Yield better and better estimates of the odds.

    exact: the exact odds, if there are any. If single hands take too long to play best,
    the odds are those of the policy greedy, with a note.
    """
    too_long = exact is None and wanted.exact(deck, question)
    try:
        if too_long and question.policy == "optimal" and deck.has_free:
            raise TooLarge
        note = ("an exact answer takes too long; these are estimates",) if too_long else ()
        yield from _patiently(deck, question, question, wanted, note)
    except TooLarge:
        greedy = evolve(question, policy="greedy")
        note = ("the best play takes too long to find; these are the odds of the policy greedy",)
        yield from _patiently(deck, question, greedy, wanted, note)


def _patiently(
    deck: Deck, question: Question, played: Question, wanted: Wanted, note: tuple[str, ...]
) -> Iterator[Odds]:
    """Yield the estimates with a note, for at most PATIENCE unless one was asked for."""
    most, begun = wanted.hands(deck, question), time.perf_counter()
    for found in sampled(deck, played, wanted.seed, most, wanted.precision):
        yield found.noting(*note)
        if not wanted.an_estimate and time.perf_counter() - begun > PATIENCE:
            return


def lacks_readings(deck: Deck, question: Question, wanted: Wanted, exact: Odds | None) -> bool:
    """Return True if an estimate stands alone, without notes on other readings of the file."""
    return exact is None and (not wanted.exact(deck, question) or deck.has_free)


def with_readings(deck: Deck, found: Odds) -> Odds:
    """Return an estimate with notes on other readings of the file, unless these take long."""
    try:
        return found.noting(*other_readings_as_dealt(deck, found.question))
    except TooLarge:
        return found
