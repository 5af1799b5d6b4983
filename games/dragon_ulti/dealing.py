"""Dealing: a shuffled deck, again and again until the deal suits the contract."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import evolve

from dragon.config import search
from dragon.errors import GameError
from dragon_ulti.deal import SIZE, Deal

if TYPE_CHECKING:
    import numpy as np

    from dragon_ulti import Ulti

TRIES = 100_000
"""Deals that are tried for one that suits."""


def deals(rng: int | np.random.Generator) -> Iterator[Deal]:
    """Deals from a shuffled deck without end; a Generator is consumed."""
    import numpy as np

    random = np.random.default_rng(rng)
    while True:
        deck = random.permutation(32).tolist()
        first, second, third, talon = (tuple(sorted(deck[i : i + SIZE])) for i in (0, 10, 20, 30))
        yield Deal((first, second, third), talon)


def suitable(game: Ulti, rng: int | np.random.Generator) -> Deal:
    """The first deal that meets the prerequisites, and can be made where that is asked for.

    Raises GameError where none of many does.
    """
    setting = game.setting
    fitting = (deal for deal in deals(rng) if not setting.unmet(deal))
    tried = zip(range(TRIES), fitting, strict=False)
    found = (deal for _, deal in tried)
    suits = next(_made(game, found) if game.winnable else found, None)
    if suits is None:
        raise GameError(f"{game}: none of {TRIES:,} deals can be made, even with open cards")
    return suits


def _made(game: Ulti, tried: Iterator[Deal]) -> Iterator[Deal]:
    """Those that the declarer makes with open cards."""
    from dragon.search.values import Values
    from dragon_ulti.answers import SEARCH

    opened: Any = evolve(game, winnable=False, cards="open", objective="make")
    values = Values(search(SEARCH))  # type: ignore[arg-type]
    try:
        for deal in tried:
            worth = values.value(opened.parse(str(deal)))
            if worth is not None and worth > 0:
                yield deal
    finally:
        values.close()
