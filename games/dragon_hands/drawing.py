"""Where hands are drawn for the odds: how many, for how long, and what is said of it."""

from __future__ import annotations

import time
from collections.abc import Iterator

from attrs import evolve, frozen

from dragon_hands.exact import TooLarge
from dragon_hands.notes import notes_as_dealt
from dragon_hands.odds import FALLBACK, FALLBACK_CLAIRVOYANT, FALLBACK_PLAYED, Odds, sampled
from dragon_hands.question import Question
from dragon_hands.share import has_free
from dragon_hands.spec import Spec

PATIENCE = 10.0
"""Seconds of drawing hands where nobody asked for an estimate."""


@frozen
class Drawing:
    """What is asked of an estimate."""

    seed: int = 0
    sample: int | None = None
    """So many hands."""
    precision: float | None = None
    """Until the standard error of any condition is no more."""
    check: bool = False
    """Whether an estimate is wanted beside the exact odds."""

    @property
    def asked(self) -> bool:
        """Whether an estimate is asked for at all."""
        return self.sample is not None or self.precision is not None


def in_vain(deck: Spec, question: Question, asked: Drawing, exact: Odds | None) -> bool:
    """Whether exact odds were looked for and took too long, so that best play is not known."""
    inexact = question.policy == "clairvoyant" and has_free(deck)
    return exact is None and not inexact and not (asked.asked and not asked.check)


def drawn(deck: Spec, question: Question, asked: Drawing, exact: Odds | None) -> Iterator[Odds]:
    """Ever better estimates of the odds.

    exact: the exact odds, where there are any. Where single hands take too long to play best,
    the odds are those of the policy greedy, which is said.
    """
    vain = in_vain(deck, question, asked, exact)
    try:
        if vain and question.policy == "optimal" and has_free(deck):
            raise TooLarge
        note = "an exact answer takes too long; these are estimates" if vain else ""
        yield from _noting(deck, question, question, asked, note)
    except TooLarge:
        greedy = evolve(question, policy="greedy")
        note = "the best play takes too long to find; these are the odds of the policy greedy"
        yield from _noting(deck, question, greedy, asked, note)


def _noting(
    deck: Spec, question: Question, played: Question, asked: Drawing, note: str
) -> Iterator[Odds]:
    """The estimates with a note, for as long as there is patience."""
    most = asked.sample if asked.asked else usual(deck, question)
    begun = time.perf_counter()
    for found in sampled(deck, played, asked.seed, most, asked.precision):
        yield evolve(found, warnings=(*found.warnings, note)) if note else found
        if not asked.asked and time.perf_counter() - begun > PATIENCE:
            return


def usual(deck: Spec, question: Question) -> int:
    """How many hands are drawn where nobody says how many."""
    if question.policy == "clairvoyant":
        return FALLBACK_CLAIRVOYANT
    return FALLBACK_PLAYED if has_free(deck) and question.policy != "never" else FALLBACK


def wants_notes(deck: Spec, question: Question, asked: Drawing, exact: Odds | None) -> bool:
    """Whether an estimate stands alone, and other readings of the file are not known by then."""
    return exact is None and (not in_vain(deck, question, asked, exact) or has_free(deck))


def noted(deck: Spec, found: Odds) -> Odds:
    """An estimate with notes on other readings of the file; where these take too long, none."""
    try:
        notes = [*notes_as_dealt(deck, found.question)]
    except TooLarge:
        return found
    return evolve(found, warnings=(*found.warnings, *notes))


def part_done(deck: Spec, question: Question, found: Odds, asked: Drawing) -> float:
    """How much of an estimate has been drawn, from 0 to 1."""
    hands, error = found.any.hands or 0, found.any.error
    parts = [0.0]
    most = asked.sample if asked.asked else usual(deck, question)
    if most is not None:
        parts.append(hands / most)
    if asked.precision is not None and error > 0:
        parts.append((asked.precision / error) ** 2)
    return min(1.0, max(parts))
