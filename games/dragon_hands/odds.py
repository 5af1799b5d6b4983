"""The answer to `dragon hands odds`: how often a deck opens with what it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import evolve, field, frozen

from dragon_hands.checking import checked_hand
from dragon_hands.notes import notes
from dragon_hands.policy import Watch
from dragon_hands.question import Question
from dragon_hands.sampling import estimates
from dragon_hands.share import Share, exact_shares, formulas_of, has_free
from dragon_hands.spec import Spec

FALLBACK = 200_000
"""Hands drawn where an exact answer would take too long and nothing else is asked."""
FALLBACK_PLAYED = 20_000
"""The same where free cards are played out."""
FALLBACK_CLAIRVOYANT = 10_000


@frozen
class Odds:
    """The shares of a question."""

    question: Question
    any: Share
    all: Share
    conditions: tuple[tuple[str, Share], ...]
    warnings: tuple[str, ...] = field(default=())

    @property
    def bricks(self) -> Share:
        """Hands that satisfy nothing."""
        return self.any.less()

    def plain(self) -> dict[str, Any]:
        """The documented object."""
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


def odds(spec: Spec, question: Question, watch: Watch | None = None) -> Odds:
    """The exact odds; raises TooLarge where they would take too long.

    Of the policy `clairvoyant`, which no exact way is known for, an estimate.
    """
    formulas = formulas_of(spec, question.sharing)
    if question.policy == "clairvoyant" and has_free(spec):
        *_, last = sampled(spec, question, most=FALLBACK_CLAIRVOYANT)
        return last
    shares = exact_shares(spec, formulas, question, watch)
    told = (*spec.warnings, *notes(spec, question, shares))
    return evolve(_odds(spec, question, shares), warnings=told)


def sampled(
    spec: Spec,
    question: Question,
    seed: int = 0,
    most: int | None = None,
    error: float | None = None,
) -> Iterator[Odds]:
    """Ever better estimates of the odds; see `estimates`. Raises ConfigError."""
    checked_hand(spec, question.hand)
    formulas = formulas_of(spec, question.sharing)
    for found in estimates(spec, formulas, question.hand, question.policy, seed, most, error):
        yield evolve(
            _odds(spec, question, [Share.sampled(each) for each in found]), warnings=spec.warnings
        )


def _odds(spec: Spec, question: Question, shares: Sequence[Share]) -> Odds:
    texts = [str(asked) for asked in spec.conditions]
    *each, some, whole = shares
    return Odds(question, some, whole, tuple(zip(texts, each, strict=True)))
