"""What is asked of a deck: the size of a hand, and how clauses and free cards are taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import Attribute, field, frozen, validators

SHARINGS = ("distinct", "count")
POLICIES = ("optimal", "greedy", "never", "clairvoyant")

ALONE = "to play free cards takes too long here; these figures are of opening hands alone"
"""What is said where the policy `never` takes the place of another."""


def one_of(words: tuple[str, ...]) -> Callable[[Any, Attribute[str], str], None]:
    """A validator of attrs: one of these words; its ValueError is a sentence."""

    def check(instance: Any, attribute: Attribute[str], value: str) -> None:
        if value not in words:
            known = ", ".join(map(repr, words[:-1])) + f" or {words[-1]!r}"
            raise ValueError(f"{attribute.name} must be {known}, not {value!r}")

    return check


@frozen
class Question:
    """What is asked of a deck; raises ValueError for words that mean nothing."""

    hand: int = field(default=5, validator=validators.ge(1))
    """Cards of the opening hand."""
    sharing: str = field(default="distinct", validator=one_of(SHARINGS))
    """Whether each clause needs cards of its own (`distinct`), or a card counts for every clause
    (`count`)."""
    policy: str = field(default="optimal", validator=one_of(POLICIES))
    """How free cards are played: see `dragon_hands.policy`."""
