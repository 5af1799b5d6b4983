"""Estimates from hands dealt at random, a stream of ever better ones.

Opening hands alone are drawn by compiled code, tens of millions a second; hands with free
cards are played out one by one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from attrs import frozen

from dragon.modes import jit_enabled
from dragon_hands.classes import Model, model_of
from dragon_hands.dealt import foreseen, played, shuffled
from dragon_hands.exact import TooLarge
from dragon_hands.formula import Formula, Objective, either, every
from dragon_hands.packed import Packed, pack
from dragon_hands.policy import player
from dragon_hands.spec import Spec

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SLICE = 1 << 20
"""Hands between two looks at the clock, where compiled code draws them."""
TRIALS = 500
"""The same where they are played out."""


@frozen
class Estimate:
    """Successes among hands drawn independently."""

    hits: int
    hands: int

    @property
    def p(self) -> float:
        """The share of successes."""
        return self.hits / self.hands

    @property
    def error(self) -> float:
        """The standard error of the share.

        One success and one failure are added, so that no hands at all are never certainty.
        """
        p = (self.hits + 1) / (self.hands + 2)
        return math.sqrt(p * (1 - p) / self.hands)

    @property
    def interval(self) -> tuple[float, float]:
        """95% confidence (Wilson 1927)."""
        z, n, p = 1.959964, self.hands, self.p
        middle = p + z * z / (2 * n)
        half = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        low, high = (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)
        return max(0.0, low), min(1.0, high)


def estimates(
    spec: Spec,
    formulas: Sequence[Formula],
    hand: int,
    policy: str = "never",
    seed: int = 0,
    most: int | None = None,
    error: float | None = None,
) -> Iterator[list[Estimate]]:
    """Estimates for each formula, any, all: ever better ones.

    most: hands in all; error: stop when the standard error of `any` is no more. Without
    either the stream has no end.
    """
    copies = [card.qty for card in spec.deck]
    frees = policy != "never" and any(card.free and card.qty for card in spec.cards)
    packed = None
    if not frees and jit_enabled():
        with suppress(TooLarge):
            packed = pack(formulas, copies, hand)
    if packed is not None:
        stream = _drawn(packed, seed, most)
    else:
        objectives = [*((f,) for f in formulas), either(formulas), every(formulas)]
        stream = _played(spec, objectives, hand, policy, seed, most)
    for found in stream:
        yield found
        if error is not None and found[-2].error <= error and found[-2].hands >= 100:
            return


def _drawn(packed: Packed, seed: int, most: int | None) -> Iterator[list[Estimate]]:
    hits, hands = [0] * (len(packed.ends) + 2), 0
    draws = Draws(packed, seed)
    while most is None or hands < most:
        slice_ = SLICE if most is None else min(SLICE, most - hands)
        found = draws.draw(slice_)
        hands += slice_
        hits = [a + b for a, b in zip(hits, found, strict=True)]
        yield [Estimate(n, hands) for n in hits]


class Draws:
    """Hands drawn by compiled code from one stream of random numbers."""

    def __init__(self, packed: Packed, seed: int) -> None:
        import numpy as np

        self.packed = packed
        self.deck: npt.NDArray[np.uint64] = np.repeat(packed.cards, packed.copies, axis=0)
        self.random = np.random.SeedSequence(seed).generate_state(4, np.uint64)

    def draw(self, hands: int) -> list[int]:
        """How many of so many hands satisfy each formula, any, all."""
        p = self.packed
        passed, hits = p.fresh()
        arrays = p.adds, p.masks, p.tests, p.ends, self.random, passed, hits
        p.module.draw_hands(self.deck, p.hand, hands, *arrays)
        return [int(n) for n in hits]


def _played(
    spec: Spec,
    objectives: Sequence[Objective],
    hand: int,
    policy: str,
    seed: int,
    most: int | None,
) -> Iterator[list[Estimate]]:
    copies = [card.qty for card in spec.deck]
    models = [model_of(spec, objective, hand) for objective in objectives]
    places = [_places(spec, model) for model in models]
    known = "never" if policy == "clairvoyant" else policy
    players = [player(known, model) for model in models]
    rng = random.Random(seed)
    hits, hands = [0] * len(models), 0
    while most is None or hands < most:
        for _ in range(TRIALS if most is None else min(TRIALS, most - hands)):
            cards, salt = shuffled(copies, rng), rng.getrandbits(32)
            for i, model in enumerate(models):
                order = tuple(places[i][card] for card in cards)
                if policy == "clairvoyant":
                    hits[i] += foreseen(model, order, salt)
                else:
                    hits[i] += played(model, order, players[i], salt)
            hands += 1
        yield [Estimate(n, hands) for n in hits]


def _places(spec: Spec, model: Model) -> list[int]:
    """The class of each card of the deck."""
    found = {name: c for c, each in enumerate(model.classes) for name in each.cards}
    return [found.get(card.name, -1) for card in spec.deck]
