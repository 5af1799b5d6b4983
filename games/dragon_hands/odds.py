"""The answer to `dragon hands odds`: how often a deck opens with what it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import Any

from attrs import evolve, field, frozen

from dragon.errors import ConfigError
from dragon_hands.classes import model_of
from dragon_hands.condition import Condition
from dragon_hands.counting import counted
from dragon_hands.exact import TooLarge
from dragon_hands.formula import Formula, Objective, either, every, formula
from dragon_hands.grammar import is_mixed, parse
from dragon_hands.policy import Watch, gained
from dragon_hands.sampling import Estimate, estimates
from dragon_hands.spec import Spec

FALLBACK = 200_000
"""Hands drawn where an exact answer would take too long and nothing else is asked."""
FALLBACK_PLAYED = 20_000
"""The same where free cards are played out."""
FALLBACK_CLAIRVOYANT = 10_000


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
        """The value of an exact one."""
        assert self.numerator is not None
        assert self.denominator is not None
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


@frozen
class Question:
    """What is asked of a deck."""

    hand: int = 5
    sharing: str = "distinct"
    policy: str = "optimal"


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


def formulas_of(spec: Spec, sharing: str) -> list[Formula]:
    """The conditions of a deck as formulas."""
    return [formula(asked.condition, spec, sharing) for asked in spec.conditions]


def has_free(spec: Spec) -> bool:
    """Whether a free card is in the deck."""
    return any(card.free and card.qty for card in spec.cards)


def odds(spec: Spec, question: Question, watch: Watch | None = None) -> Odds:
    """The exact odds; raises TooLarge where they would take too long.

    Of the policy `clairvoyant`, which no exact way is known for, an estimate.
    """
    formulas = formulas_of(spec, question.sharing)
    if question.policy == "clairvoyant" and has_free(spec):
        *_, last = sampled(spec, question, most=FALLBACK_CLAIRVOYANT)
        return last
    shares = exact_shares(spec, formulas, question, watch)
    found = _odds(spec, question, shares)
    return evolve(found, warnings=(*spec.warnings, *_notes(spec, question, found)))


def sampled(
    spec: Spec,
    question: Question,
    seed: int = 0,
    most: int | None = None,
    error: float | None = None,
) -> Iterator[Odds]:
    """Ever better estimates of the odds; see `estimates`."""
    formulas = formulas_of(spec, question.sharing)
    for found in estimates(spec, formulas, question.hand, question.policy, seed, most, error):
        yield evolve(
            _odds(spec, question, [Share.sampled(each) for each in found]), warnings=spec.warnings
        )


def _odds(spec: Spec, question: Question, shares: Sequence[Share]) -> Odds:
    texts = [str(asked) for asked in spec.conditions]
    *each, some, whole = shares
    return Odds(question, some, whole, tuple(zip(texts, each, strict=True)))


def exact_shares(
    spec: Spec, formulas: Sequence[Formula], question: Question, watch: Watch | None = None
) -> list[Share]:
    """The exact probability of each formula, any, all."""
    copies = [card.qty for card in spec.deck]
    total = comb(spec.total, question.hand)
    opening = [Fraction(n, total) for n in counted(formulas, copies, question.hand)]
    if question.policy == "never" or not has_free(spec):
        return [Share.of(value, total) for value in opening]
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


# ---- notes on readings that differ -------------------------------------------------------------


def _notes(spec: Spec, question: Question, found: Odds) -> Iterator[str]:
    """Where another reading of the file would give another figure.

    Where free cards are played, the figures are those of the hands as dealt: best play twice
    over would be too much for a note.
    """
    dealt = evolve(question, policy="never")
    if question.policy != "never" and has_free(spec):
        found = _odds(spec, dealt, exact_shares(spec, formulas_of(spec, dealt.sharing), dealt))
        for note in (*_mixtures(spec, dealt, found), *_sharings(spec, dealt, found)):
            yield f"before free cards are played, {note}"
        return
    yield from _mixtures(spec, dealt, found)
    yield from _sharings(spec, dealt, found)


def _mixtures(spec: Spec, question: Question, found: Odds) -> Iterator[str]:
    for asked, (text, share) in zip(spec.conditions, found.conditions, strict=True):
        if not is_mixed(asked.text):
            continue
        other = parse(asked.text, and_first=True)
        p = _single(spec, other, question)
        if p is not None and p.fraction != share.fraction:
            yield (
                f"line {asked.line}: AND and OR without brackets are read from left to right: "
                f"{text} has {percent(share.p)}, while {other} has {percent(p.p)}; "
                "write the brackets that are meant"
            )


def _single(spec: Spec, condition: Condition, question: Question) -> Share | None:
    try:
        one = formula(condition, spec, question.sharing)
        return exact_shares(spec, [one], question)[0]
    except TooLarge:
        return None


def _sharings(spec: Spec, question: Question, found: Odds) -> Iterator[str]:
    sharing = "count" if question.sharing == "distinct" else "distinct"
    try:
        others = formulas_of(spec, sharing)
        if others == formulas_of(spec, question.sharing):
            return
        shares = exact_shares(spec, others, evolve(question, sharing=sharing))
    except (TooLarge, ConfigError):  # the other reading is beyond what can be counted
        return
    for (text, share), other in zip(found.conditions, shares, strict=False):
        if share.fraction != other.fraction:
            yield (
                f"{text}: {percent(share.p)} where {_told(question.sharing)}, "
                f"{percent(other.p)} where {_told(sharing)}"
            )
    if found.any.fraction != shares[-2].fraction and len(found.conditions) > 1:
        yield (
            f"any condition: {percent(found.any.p)} where {_told(question.sharing)}, "
            f"{percent(shares[-2].p)} where {_told(sharing)}"
        )


def _told(sharing: str) -> str:
    if sharing == "distinct":
        return "each clause needs cards of its own (--sharing distinct)"
    return "a card counts for every clause (--sharing count)"


def percent(p: float) -> str:
    """A probability as people read it: 34.33%, and 99.99% or 0.01% at the ends."""
    shown = f"{100 * p:.2f}"
    if shown == "100.00" and p < 1:
        return ">99.99%"
    if shown == "0.00" and p > 0:
        return "<0.01%"
    return f"{shown}%"
