"""Where another reading of a deck file would give another figure: both are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from attrs import evolve

from dragon.errors import ConfigError
from dragon_hands.condition import Condition
from dragon_hands.exact import TooLarge
from dragon_hands.formula import formula
from dragon_hands.grammar import is_mixed, parse
from dragon_hands.question import Question
from dragon_hands.share import Share, exact_shares, formulas_of, has_free
from dragon_hands.spec import Spec

Readings: TypeAlias = Callable[[Spec, Question, Sequence[Share]], Iterator[str]]
"""The notes on one kind of reading: of a deck, a question and its exact answer."""


def notes(spec: Spec, question: Question, shares: Sequence[Share]) -> Iterator[str]:
    """Sentences on AND and OR without brackets, and on the other sharing.

    shares: the exact answer, of each condition, any, all. Where free cards are played, the
    figures are those of the hands as dealt, since best play once more would be too much for
    a note; it is computed only where the hands as dealt show no difference.
    """
    if question.policy == "never" or not has_free(spec):
        yield from _mixtures(spec, question, shares)
        yield from _sharings(spec, question, shares)
        return
    for readings in (_mixtures, _sharings):
        yield from [*_as_dealt(spec, question, readings)] or readings(spec, question, shares)


def notes_as_dealt(spec: Spec, question: Question) -> Iterator[str]:
    """The same of the hands as dealt, where the answer is an estimate; raises TooLarge."""
    for readings in (_mixtures, _sharings):
        yield from _as_dealt(spec, question, readings)


def _as_dealt(spec: Spec, question: Question, readings: Readings) -> Iterator[str]:
    dealt = evolve(question, policy="never")
    before = exact_shares(spec, formulas_of(spec, dealt.sharing), dealt)
    played = question.policy != "never" and has_free(spec)
    for note in readings(spec, dealt, before):
        yield f"before free cards are played, {note}" if played else note


def _mixtures(spec: Spec, question: Question, shares: Sequence[Share]) -> Iterator[str]:
    for asked, share in zip(spec.conditions, shares[:-2], strict=True):
        if not is_mixed(asked.text):
            continue
        other = parse(asked.text, and_first=True)
        p = _other(spec, asked.condition, other, question)
        if p is not None and p.fraction != share.fraction:
            yield (
                f"{spec.file}:{asked.line}: AND and OR without brackets are read from left to "
                f"right: {asked} has {share.percent}, while {other} has {p.percent}; "
                "write the brackets that are meant"
            )


def _other(spec: Spec, read: Condition, other: Condition, question: Question) -> Share | None:
    """The probability of another reading; None where it is the same or beyond counting."""
    try:
        one = formula(other, spec, question.sharing)
        if one == formula(read, spec, question.sharing):
            return None
        return exact_shares(spec, [one], question)[0]
    except (TooLarge, ConfigError):
        return None


def _sharings(spec: Spec, question: Question, shares: Sequence[Share]) -> Iterator[str]:
    sharing = "count" if question.sharing == "distinct" else "distinct"
    try:
        others = formulas_of(spec, sharing)
        if others == formulas_of(spec, question.sharing):
            return
        found = exact_shares(spec, others, evolve(question, sharing=sharing))
    except (TooLarge, ConfigError):  # the other reading is beyond what can be counted
        return
    names = [str(asked) for asked in spec.conditions]
    if len(names) > 1:
        names.append("any condition")
    for name, share, other in zip(names, shares, found, strict=False):
        if share.fraction != other.fraction:
            yield (
                f"{name}: {share.percent} where {_told(question.sharing)}, "
                f"{other.percent} where {_told(sharing)}"
            )


def _told(sharing: str) -> str:
    if sharing == "distinct":
        return "each clause needs cards of its own (--sharing distinct)"
    return "a card counts for every clause (--sharing count)"
