"""Probabilities: exact, as fractions of the hands that there are, or estimates with an error."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Any

from attrs import evolve, frozen

from dragon.errors import ConfigError
from dragon_hands.checking import checked_hand
from dragon_hands.classes import model_of
from dragon_hands.counting import counted
from dragon_hands.formula import Formula, Objective, either, every, formula
from dragon_hands.policy import Watch, gained
from dragon_hands.question import Question
from dragon_hands.sampling import Estimate
from dragon_hands.spec import Spec


@frozen
class Share:
    """A probability: exact, as a fraction too, or an estimate with its standard error."""

    p: float
    numerator: int | None = None
    denominator: int | None = None
    error: float = 0.0
    hands: int | None = None
    """Of an estimate how many hands were drawn."""
    interval: tuple[float, float] | None = None
    """Of an estimate 95% confidence."""

    @classmethod
    def of(cls, value: Fraction, total: int) -> Share:
        """An exact one, out of `total` hands where it is that fine, else in lowest terms."""
        scaled = value * total
        if scaled.denominator == 1:
            return cls(float(value), int(scaled), total)
        return cls(float(value), value.numerator, value.denominator)

    @classmethod
    def sampled(cls, found: Estimate) -> Share:
        """An estimate."""
        return cls(found.p, error=found.error, hands=found.hands, interval=found.interval)

    @property
    def exact(self) -> bool:
        """Whether it is no estimate."""
        return self.hands is None

    @property
    def fraction(self) -> Fraction:
        """The value of an exact one; raises ValueError for an estimate."""
        if self.numerator is None or self.denominator is None:
            raise ValueError("an estimate is no fraction; look at p, error and interval")
        return Fraction(self.numerator, self.denominator)

    def plain(self) -> dict[str, Any]:
        """The documented object."""
        found: dict[str, Any] = {
            "p": self.p,
            "numerator": self.numerator,
            "denominator": self.denominator,
            "error": self.error,
            "exact": self.exact,
        }
        if not self.exact:
            found |= {"hands": self.hands, "interval": self.interval}
        return found

    def less(self) -> Share:
        """The probability of the contrary."""
        numerator = self.numerator
        if numerator is not None and self.denominator is not None:
            numerator = self.denominator - numerator
        ends = self.interval and (1 - self.interval[1], 1 - self.interval[0])
        return evolve(self, p=1 - self.p, numerator=numerator, interval=ends)

    @property
    def percent(self) -> str:
        """The probability as people read it: 34.33%, and >99.99% or <0.01% at the ends."""
        shown = f"{100 * self.p:.2f}"
        if shown == "100.00" and self.p < 1:
            return ">99.99%"
        if shown == "0.00" and self.p > 0:
            return "<0.01%"
        return f"{shown}%"


def formulas_of(spec: Spec, sharing: str) -> list[Formula]:
    """The conditions of a deck as formulas."""
    return [formula(asked.condition, spec, sharing) for asked in spec.conditions]


def has_free(spec: Spec) -> bool:
    """Whether a free card is in the deck."""
    return any(card.free and card.qty for card in spec.cards)


def exact_shares(
    spec: Spec, formulas: Sequence[Formula], question: Question, watch: Watch | None = None
) -> list[Share]:
    """The exact probability of each formula, any, all; raises TooLarge, and ConfigError."""
    checked_hand(spec, question.hand)
    copies = [card.qty for card in spec.deck]
    total = comb(spec.total, question.hand)
    opening = [Fraction(n, total) for n in counted(formulas, copies, question.hand)]
    if question.policy == "never" or not has_free(spec):
        return [Share.of(value, total) for value in opening]
    if question.policy == "clairvoyant":
        raise ConfigError("clairvoyant play is only estimated; ask for another policy")
    objectives: list[Objective] = [(each,) for each in formulas]
    objectives += [either(formulas), every(formulas)]
    known: dict[Objective, Fraction] = {}
    for i, objective in enumerate(objectives):
        key = objective if len(objective) == 1 else tuple(dict.fromkeys(objective))
        if key not in known:
            model = model_of(spec, key, question.hand)
            known[key] = gained(model, question.policy, _part(watch, i, len(objectives)))
        opening[i] += known[key]
    return [Share.of(value, total) for value in opening]


def _part(watch: Watch | None, i: int, parts: int) -> Watch | None:
    if watch is None:
        return None
    return lambda share: watch((i + share) / parts)
