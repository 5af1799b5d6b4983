"""Hands dealt at random: shuffles played out by a policy, each shared by all objectives."""

from __future__ import annotations

import random
from collections.abc import Sequence

from dragon_hands.classes import Counts, Model
from dragon_hands.play import (
    PICK,
    REST,
    Position,
    come,
    following,
    from_top,
    is_chance,
    opened,
    wins,
)
from dragon_hands.policy import Optimal

Order = tuple[int, ...]
"""The classes of the cards of the deck, from the top."""


def shuffled(copies: Sequence[int], rng: random.Random) -> list[int]:
    """Return the cards of the deck, by index, in random order."""
    cards = [i for i, n in enumerate(copies) for _ in range(n)]
    rng.shuffle(cards)
    return cards


def counts_of(model: Model, order: Sequence[int]) -> Counts:
    """Return the number of cards of each class among these."""
    return tuple(map(order.count, range(model.size)))


def played(model: Model, order: Order, plays: Optimal, salt: int) -> bool:
    """Return True if a policy that does not know the order satisfies the objective with it."""
    at, left = opened(model, counts_of(model, order[: model.hand])), order[model.hand :]
    while not wins(model, at) or at.step != REST:
        if is_chance(model, at):
            at, left = _come(model, at, left)
            continue
        options = plays.plays(at)
        if not options:
            return False
        best = max(options, key=plays.value) if len(options) > 1 else options[0]
        left = _ordered(model, at, best, left, salt)
        at = best
    return True


def foreseen(model: Model, order: Order, salt: int) -> bool:
    """Return True if a player who knows the order can satisfy the objective with it."""
    return _foreseen(model, opened(model, counts_of(model, order[: model.hand])),
                     order[model.hand :], salt)  # fmt: skip


def _foreseen(model: Model, at: Position, left: Order, salt: int) -> bool:
    if is_chance(model, at):
        return _foreseen(model, *_come(model, at, left), salt)
    if at.step == REST and wins(model, at):
        return True
    return any(
        _foreseen(model, after, _ordered(model, at, after, left, salt), salt)
        for after in following(model, at)
    )


def _come(model: Model, at: Position, left: Order) -> tuple[Position, Order]:
    """Return the next position and the rest of the deck, with the cards on top drawn."""
    n = from_top(model, at)
    return come(model, at, counts_of(model, left[:n])), left[n:]


def _ordered(model: Model, at: Position, after: Position, left: Order, salt: int) -> Order:
    """Return the deck's order after a choice: cards not picked go below, or are shuffled in.

    Equal cards get the same order in every branch of a trial.
    """
    if at.step != PICK:
        return left
    deck = [p + b for p, b in zip(after.pile, after.bottom, strict=True)]
    more = [n - m for n, m in zip(deck, counts_of(model, left), strict=True)]
    returned = [c for c, n in enumerate(more) for _ in range(n)]
    rng = random.Random(f"{salt} {left} {returned}")
    if model.free(at.card).rest == "shuffle":
        everything = [*left, *returned]
        rng.shuffle(everything)
        return tuple(everything)
    rng.shuffle(returned)
    return (*left, *returned)
