"""The answer to `dragon hands odds`: how often a deck opens with what it needs.

It is exact, or estimated from hands dealt at random, in a stream. Opening hands alone are drawn by
compiled code, tens of millions a second; hands with free cards are played out one by one.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import zip_longest
from math import comb
from typing import Any

from attrs import evolve, frozen

from dragon.errors import ConfigError
from dragon.modes import jit_enabled
from dragon_cards.source import Mistakes
from dragon_hands.counting import Draws, bit_fields, counted
from dragon_hands.deck import Deck
from dragon_hands.exact import Formula, Objective, TooLarge, Watch, part_of
from dragon_hands.formula import either, formula, formulas_of, model_of, objectives_of
from dragon_hands.grammar import parse
from dragon_hands.policy import foreseen, gained, played, player, shuffled
from dragon_hands.probability import Found, Kept, Probability
from dragon_hands.question import ALONE, Question

USUAL = 200_000
"""Hands drawn where an exact answer would take too long and no number is given."""
USUAL_PLAYED = 20_000
"""Hands drawn in that case where free cards are played out."""
USUAL_CLAIRVOYANT = 10_000
PATIENCE = 10.0
"""Seconds of drawing hands where no estimate was asked for."""


@frozen
class Odds:
    """A deck, a question about it, and the probabilities that it asks for."""

    deck: Deck
    question: Question
    shares: Sequence[Probability]
    """Those of each condition, of any and of all."""
    kept: tuple[Kept, ...] = ()
    """The probabilities of keeping a hand after 0, 1, ... mulligans, played for any condition."""
    given: Probability | None = None
    """The probability of the condition that is given."""
    notes: tuple[str, ...] = ()
    """Warnings besides those of the deck."""

    @property
    def conditions(self) -> list[tuple[str, Probability]]:
        """The conditions as text, each with its probability."""
        texts = map(str, self.deck.conditions)
        return list(zip(texts, self.shares[:-2], strict=True))

    @property
    def any(self) -> Probability:
        """Hands that satisfy one of the conditions, or more."""
        return self.shares[-2]

    @property
    def all(self) -> Probability:
        """Hands that satisfy all conditions."""
        return self.shares[-1]

    @property
    def bricks(self) -> Probability:
        """Hands that satisfy nothing."""
        return self.any.less()

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings of the deck and on the answer."""
        return (*self.deck.warnings, *self.notes)

    def noting(self, *notes: str) -> Odds:
        """Return the odds with more notes."""
        return evolve(self, notes=(*self.notes, *notes))

    def plain(self) -> dict[str, Any]:
        """Return the documented object."""
        given = self.given and {"text": str(self.question.given), **self.given.plain()}
        return {
            **self.question.documented(),
            "any": self.any.plain(),
            "all": self.all.plain(),
            "bricks": self.bricks.plain(),
            "conditions": [{"text": text, **share.plain()} for text, share in self.conditions],
            **({"kept": [each.plain() for each in self.kept]} if self.kept else {}),
            **({"given": given} if given else {}),
            "warnings": list(self.warnings),
        }


def odds(deck: Deck, question: Question, watch: Watch | None = None) -> Odds:
    """Return the exact odds; raise TooLarge if they would take too long.

    For the policy `clairvoyant`, for which no exact way is known, return an estimate.
    """
    if question.policy == "clairvoyant" and deck.has_free:
        *_, last = sampled(deck, question, most=USUAL_CLAIRVOYANT)
        return last
    found = probabilities(deck, question, formulas_of(deck, question.sharing), watch)
    notes = tuple(other_readings(deck, question, found.shares))
    return Odds(deck, question, found.shares, found.kept, found.given, notes)


def any_probability(deck: Deck, question: Question, watch: Watch | None = None) -> Probability:
    """Return the exact probability of any condition; raise TooLarge."""
    any_of_them = either(formulas_of(deck, question.sharing))
    return probabilities(deck, question, any_of_them, watch).shares[0]


def probabilities(
    deck: Deck, question: Question, formulas: Sequence[Formula], watch: Watch | None = None
) -> Found:
    """Return the exact probability of each formula, any, all; raise TooLarge or ConfigError."""
    if not question.is_plain:  # the module for mulligans is loaded only for them
        from dragon_hands.opening import exact

        return exact(deck, question, formulas, partial(player, question.policy), watch)
    question.checked(deck)
    hand = deck.checked_hand(question.cards)
    total = comb(deck.total, hand)
    opening = [Fraction(n, total) for n in counted(formulas, deck.copies, hand)]
    if question.policy == "never" or not deck.has_free:
        return Found([Probability.of(value, total) for value in opening])
    if question.policy == "clairvoyant":
        raise ConfigError("clairvoyant play is only estimated; ask for another policy")
    keys = [tuple(dict.fromkeys(each)) for each in objectives_of(formulas)]
    known: dict[Objective, Fraction] = {}
    for key in keys:
        if key not in known:
            model = model_of(deck, key, hand)
            part = part_of(watch, len(known), len(set(keys)))
            known[key] = gained(model, question.policy, part)
    return Found(
        [Probability.of(n + known[key], total) for n, key in zip(opening, keys, strict=True)]
    )


def sampled(
    deck: Deck,
    question: Question,
    seed: int = 0,
    most: int | None = None,
    error: float | None = None,
) -> Iterator[Odds]:
    """Yield better and better estimates of the odds; raise ConfigError.

    most: hands in all; error: the standard error of `any` at which to stop. Without
    either the stream does not end.
    """
    question.checked(deck)
    formulas = formulas_of(deck, question.sharing)
    draw, step = _drawing(deck, formulas, question, seed)
    hands = 0
    while most is None or hands < most:
        n = step if most is None else min(step, most - hands)
        hands += n
        drawn = draw(n)
        found = Odds(deck, question, drawn.shares, drawn.kept, drawn.given)
        yield found
        if error is not None and found.any.error <= error and hands >= 100:
            return


def convergence(
    deck: Deck, question: Question, hands: int, seed: int
) -> Iterator[tuple[int, float, float, float]]:
    """Yield hands drawn, the estimate of any, and its interval's ends, at each doubling."""
    size = 64
    while size <= hands:
        *_, last = sampled(deck, question, seed, most=size)
        low, high = last.any.interval or (0.0, 1.0)
        yield size, last.any.p, low, high
        size *= 2


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
        plays = deck.has_free and question.policy != "never"
        return USUAL_PLAYED if plays or not question.is_plain else USUAL

    def part_done(self, found: Odds) -> float:
        """Return the part of an estimate that has been drawn, from 0 to 1."""
        most, error = self.hands(found.deck, found.question), found.any.error
        parts = [(found.any.hands or 0) / most if most else 0.0]
        if self.precision is not None and error > 0:
            parts.append((self.precision / error) ** 2)
        return min(1.0, max(parts))


def estimated(deck: Deck, question: Question, wanted: Wanted, exact: Odds | None) -> Iterator[Odds]:
    """Yield better and better estimates of the odds.

    exact: the exact odds, if there are any. If single hands take too long to play best,
    the odds are those of the policy greedy, or of never where hands are not simply dealt, with a
    note.
    """
    too_long = exact is None and wanted.exact(deck, question)
    try:
        if too_long and question.policy == "optimal" and deck.has_free:
            raise TooLarge
        note = ("an exact answer takes too long; these are estimates",) if too_long else ()
        yield from _patiently(deck, question, question, wanted, note)
    except TooLarge:
        if question.is_plain:
            said = "the best play takes too long to find; these are the odds of the policy greedy"
            other = evolve(question, policy="greedy")
        else:
            said, other = ALONE, evolve(question, policy="never")
        yield from _patiently(deck, question, other, wanted, (said,))


def _patiently(
    deck: Deck, question: Question, played: Question, wanted: Wanted, note: tuple[str, ...]
) -> Iterator[Odds]:
    """Yield the estimates with a note, for at most PATIENCE unless one was asked for."""
    most, begun = wanted.hands(deck, question), time.perf_counter()
    for found in sampled(deck, played, wanted.seed, most, wanted.precision):
        yield found.noting(*note)
        if not wanted.an_estimate and time.perf_counter() - begun > PATIENCE:
            return


def lacks_readings(found: Odds, wanted: Wanted, exact: Odds | None) -> bool:
    """Return True if there is only an estimate, without notes on other readings of the file."""
    deck = found.deck
    return exact is None and (not wanted.exact(deck, found.question) or deck.has_free)


def with_readings(found: Odds) -> Odds:
    """Return an estimate with notes on other readings of the file, unless these take long."""
    try:
        return found.noting(*other_readings(found.deck, found.question, None))
    except TooLarge:
        return found


def by_turn(
    deck: Deck, question: Question, turns: Sequence[int], seed: int = 0, watch: Watch | None = None
) -> Iterator[tuple[int, Odds]]:
    """Yield the odds on each turn: exact, or an estimate where that takes too long."""
    for i, turn in enumerate(turns):
        asked = evolve(question, turn=turn)
        try:
            found = odds(deck, asked, part_of(watch, i, len(turns)))
        except TooLarge:
            *_, found = estimated(deck, asked, Wanted(seed), None)
        yield turn, found


# ---- other readings of a deck file that would give other figures ------------------------------


def other_readings(
    deck: Deck, question: Question, shares: Sequence[Probability] | None
) -> Iterator[str]:
    """Yield sentences on AND and OR without brackets, and on the other sharing.

    shares: the exact answer for each condition, any, all; None where the answer is an estimate.
    Where free cards are played, the figures are those of the hands as dealt, since best play again
    would be too much work for a note; it is computed only where the hands as dealt show no
    difference. Raise TooLarge.
    """
    plays = question.policy != "never" and deck.has_free
    if shares is not None and not plays:
        yield from _mixtures(deck, question, shares)
        yield from _sharings(deck, question, shares)
        return
    dealt = evolve(question, policy="never")
    before = probabilities(deck, dealt, formulas_of(deck, question.sharing)).shares
    said = "before free cards are played, " if plays else ""
    for readings in (_mixtures, _sharings):
        notes = [f"{said}{note}" for note in readings(deck, dealt, before)]
        yield from notes or (() if shares is None else readings(deck, question, shares))


def _mixtures(deck: Deck, question: Question, shares: Sequence[Probability]) -> Iterator[str]:
    for asked, share in zip(deck.conditions, shares[:-2], strict=True):
        other = deck.named(parse(asked.text, and_first=True))
        if other == asked.condition:
            continue
        with suppress(TooLarge, ConfigError):  # the other reading is beyond what can be counted
            one = formula(other, deck, question.sharing)
            if one == formula(asked.condition, deck, question.sharing):
                continue
            (p, *_) = probabilities(deck, question, [one]).shares
            if p.fraction != share.fraction:
                at = Mistakes(deck.file).place(asked.line)
                yield (
                    f"{at}: AND and OR without brackets are read from "
                    f"left to right: {asked} has {share.percent}, while {other} has {p.percent}; "
                    "write the brackets that are meant"
                )


def _sharings(deck: Deck, question: Question, shares: Sequence[Probability]) -> Iterator[str]:
    sharing = "count" if question.sharing == "distinct" else "distinct"
    try:
        others = formulas_of(deck, sharing)
        if others == formulas_of(deck, question.sharing):
            return
        found = probabilities(deck, question, others).shares
    except (TooLarge, ConfigError):  # the other reading is beyond what can be counted
        return
    names = [str(asked) for asked in deck.conditions]
    if len(names) > 1:
        names.append("any condition")
    for name, share, other in zip(names, shares, found, strict=False):
        if share.fraction != other.fraction:
            yield (
                f"{name}: {share.percent} where {_meaning(question.sharing)}, "
                f"{other.percent} where {_meaning(sharing)}"
            )


def _meaning(sharing: str) -> str:
    if sharing == "distinct":
        return "each clause needs cards of its own (--sharing distinct)"
    return "a card counts for every clause (--sharing count)"


# ---- the sampler --------------------------------------------------------------------------------

SLICE = 1 << 20
"""Hands between two looks at the clock, where compiled code draws them."""
TRIALS = 500
"""Hands between two looks at the clock, where they are played out."""


def _drawing(
    deck: Deck, formulas: Sequence[Formula], question: Question, seed: int
) -> tuple[Callable[[int], Found], int]:
    """Return the function that draws more hands, and the hands that it draws between two looks.

    The function returns the estimates from all hands so far. Hands are drawn in three ways:
    mulligans need decisions about classes of cards, and free cards an order in which they come;
    opening hands alone are drawn by compiled code, a thousand times as fast.
    """
    if not question.is_plain:
        from dragon_hands.opening import Dealing

        plays = partial(player, question.policy)
        return Dealing(deck, question, formulas, plays, seed).deal, TRIALS // 10
    hand = deck.checked_hand(question.cards)
    if jit_enabled() and (question.policy == "never" or not deck.has_free):
        with suppress(TooLarge):
            return _summed(Draws(bit_fields(formulas, deck.copies, hand), seed).draw), SLICE
    return _summed(Playouts(deck, formulas, question, seed).draw), TRIALS


def _summed(draw: Callable[[int], list[int]]) -> Callable[[int], Found]:
    """Return the function that draws hands as one that estimates from all hands so far."""
    hits, hands = list[int](), 0

    def more(n: int) -> Found:
        nonlocal hits, hands
        hits = [a + b for a, b in zip_longest(hits, draw(n), fillvalue=0)]
        hands += n
        return Found([Probability.estimated(each, hands) for each in hits])

    return more


class Playouts:
    """Hands dealt from one stream of random numbers and played out by a policy."""

    def __init__(
        self, deck: Deck, formulas: Sequence[Formula], question: Question, seed: int
    ) -> None:
        self.copies, self.policy, self.random = deck.copies, question.policy, random.Random(seed)
        self.models = [model_of(deck, each, question.cards) for each in objectives_of(formulas)]
        self.places = [model.places(deck.main) for model in self.models]
        known = "never" if self.policy == "clairvoyant" else self.policy
        self.players = [player(known, model) for model in self.models]

    def draw(self, hands: int) -> list[int]:
        """Play out hands; return how many satisfy each formula, any, all."""
        hits = [0] * len(self.models)
        for _ in range(hands):
            cards, salt = shuffled(self.copies, self.random), self.random.getrandbits(32)
            for i, model in enumerate(self.models):
                order = tuple(self.places[i][card] for card in cards)
                if self.policy == "clairvoyant":
                    hits[i] += foreseen(model, order, salt)
                else:
                    hits[i] += played(model, order, self.players[i], salt)
        return hits
