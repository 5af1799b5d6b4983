"""Estimates from hands dealt at random, in a stream.

Opening hands alone are drawn by compiled code, tens of millions a second; hands with free
cards are played out one by one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from dragon.modes import jit_enabled
from dragon_hands.bitfields import BitFields, bit_fields
from dragon_hands.classes import Model, model_of
from dragon_hands.deck import Deck
from dragon_hands.exact import TooLarge
from dragon_hands.formula import Formula, objectives_of
from dragon_hands.playouts import foreseen, played, shuffled
from dragon_hands.policy import player
from dragon_hands.probability import Probability

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SLICE = 1 << 20
"""Hands between two looks at the clock, where compiled code draws them."""
TRIALS = 500
"""Hands between two looks at the clock, where they are played out."""


def estimates(
    deck: Deck,
    formulas: Sequence[Formula],
    hand: int,
    policy: str = "never",
    seed: int = 0,
    most: int | None = None,
    error: float | None = None,
) -> Iterator[list[Probability]]:
    """Yield better and better estimates for each formula, any, all.

    most: hands in all; error: the standard error of `any` at which to stop. Without
    either the stream does not end.
    """
    draw: Callable[[int], list[int]] | None = None
    step = TRIALS
    if not (policy != "never" and deck.has_free) and jit_enabled():
        with suppress(TooLarge):
            draw, step = Draws(bit_fields(formulas, deck.copies, hand), seed).draw, SLICE
    if draw is None:
        draw = Playouts(deck, formulas, hand, policy, seed).draw
    hits, hands = [0] * (len(formulas) + 2), 0
    while most is None or hands < most:
        n = step if most is None else min(step, most - hands)
        hits = [a + b for a, b in zip(hits, draw(n), strict=True)]
        hands += n
        found = [Probability.estimated(each, hands) for each in hits]
        yield found
        if error is not None and found[-2].error <= error and hands >= 100:
            return


class Draws:
    """Hands drawn by compiled code from one stream of random numbers."""

    def __init__(self, fields: BitFields, seed: int) -> None:
        import numpy as np

        self.fields = fields
        self.deck: npt.NDArray[np.uint64] = np.repeat(fields.cards, fields.copies, axis=0)
        self.random = np.random.SeedSequence(seed).generate_state(4, np.uint64)

    def draw(self, hands: int) -> list[int]:
        """Draw hands; return how many satisfy each formula, any, all."""
        p = self.fields
        passed, hits = p.fresh()
        arrays = p.adds, p.masks, p.tests, p.ends, self.random, passed, hits
        p.module.draw_hands(self.deck, p.hand, hands, *arrays)
        return [int(n) for n in hits]


class Playouts:
    """Hands dealt from one stream of random numbers and played out by a policy."""

    def __init__(
        self, deck: Deck, formulas: Sequence[Formula], hand: int, policy: str, seed: int
    ) -> None:
        self.copies, self.policy, self.random = deck.copies, policy, random.Random(seed)
        self.models = [model_of(deck, each, hand) for each in objectives_of(formulas)]
        self.places = [_places(deck, model) for model in self.models]
        known = "never" if policy == "clairvoyant" else policy
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


def _places(deck: Deck, model: Model) -> list[int]:
    """Return the class of each card of the deck."""
    found = {name: c for c, each in enumerate(model.classes) for name in each.cards}
    return [found.get(card.name, -1) for card in deck.main]
