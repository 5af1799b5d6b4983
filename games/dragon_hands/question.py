"""A question about a deck: the size of a hand, the sharing of cards, and the policy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import Attribute, field, frozen, validators

SHARINGS = ("distinct", "count")
POLICIES = ("optimal", "greedy", "never", "clairvoyant")

ALONE = "to play free cards takes too long here; these figures are of opening hands alone"
"""The note where the policy `never` replaces another."""


def one_of(words: tuple[str, ...]) -> Callable[[Any, Attribute[str], str], None]:
    """Return a validator of attrs for one of these words; its ValueError is a sentence."""

    def check(instance: Any, attribute: Attribute[str], value: str) -> None:
        if value not in words:
            known = ", ".join(map(repr, words[:-1])) + f" or {words[-1]!r}"
            raise ValueError(f"{attribute.name} must be {known}, not {value!r}")

    return check


@frozen
class Question:
    """A question about a deck; raises ValueError for unknown words."""

    hand: int = field(default=5, validator=validators.ge(1))
    """The number of cards in the opening hand."""
    sharing: str = field(default="distinct", validator=one_of(SHARINGS))
    """`distinct`: each clause needs cards of its own; `count`: a card counts for every clause
    that it matches."""
    policy: str = field(default="optimal", validator=one_of(POLICIES))
    """The policy that plays free cards: see `dragon_hands.policy`."""
