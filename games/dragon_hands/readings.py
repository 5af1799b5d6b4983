"""Notes on other readings of a deck file that would give other figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TypeAlias

from attrs import evolve

from dragon.errors import ConfigError
from dragon_hands.deck import Deck
from dragon_hands.exact import TooLarge
from dragon_hands.formula import formula
from dragon_hands.grammar import parse
from dragon_hands.probability import Probability, exact_probabilities, formulas_of
from dragon_hands.question import Question
from dragon_hands.source import place

Reading: TypeAlias = Callable[[Deck, Question, Sequence[Probability]], Iterator[str]]
"""The notes on one kind of reading: of a deck, a question and its exact answer."""


def other_readings(deck: Deck, question: Question, shares: Sequence[Probability]) -> Iterator[str]:
    """Yield sentences on AND and OR without brackets, and on the other sharing.

    shares: the exact answer for each condition, any, all. Where free cards are played, the
    figures are those of the hands as dealt, since best play again would be too much work for
    a note; it is computed only where the hands as dealt show no difference.
    """
    if question.policy == "never" or not deck.has_free:
        yield from _mixtures(deck, question, shares)
        yield from _sharings(deck, question, shares)
        return
    for readings in (_mixtures, _sharings):
        yield from [*_as_dealt(deck, question, readings)] or readings(deck, question, shares)


def other_readings_as_dealt(deck: Deck, question: Question) -> Iterator[str]:
    """Yield the sentences for hands as dealt, where the answer is an estimate; raise TooLarge."""
    for readings in (_mixtures, _sharings):
        yield from _as_dealt(deck, question, readings)


def _as_dealt(deck: Deck, question: Question, readings: Reading) -> Iterator[str]:
    dealt = evolve(question, policy="never")
    before = exact_probabilities(deck, formulas_of(deck, dealt.sharing), dealt)
    played = question.policy != "never" and deck.has_free
    for note in readings(deck, dealt, before):
        yield f"before free cards are played, {note}" if played else note


def _mixtures(deck: Deck, question: Question, shares: Sequence[Probability]) -> Iterator[str]:
    for asked, share in zip(deck.conditions, shares[:-2], strict=True):
        other = parse(asked.text, and_first=True)
        if other == asked.condition:
            continue
        with suppress(TooLarge, ConfigError):  # the other reading is beyond what can be counted
            one = formula(other, deck, question.sharing)
            if one == formula(asked.condition, deck, question.sharing):
                continue
            (p, *_) = exact_probabilities(deck, [one], question)
            if p.fraction != share.fraction:
                yield (
                    f"{place(deck.file, asked.line)}: AND and OR without brackets are read from "
                    f"left to right: {asked} has {share.percent}, while {other} has {p.percent}; "
                    "write the brackets that are meant"
                )


def _sharings(deck: Deck, question: Question, shares: Sequence[Probability]) -> Iterator[str]:
    sharing = "count" if question.sharing == "distinct" else "distinct"
    try:
        others = formulas_of(deck, sharing)
        if others == formulas_of(deck, question.sharing):
            return
        found = exact_probabilities(deck, others, evolve(question, sharing=sharing))
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
