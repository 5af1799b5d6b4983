"""A pairing: one game to be played, with its seats, its opening and its seeds.

Every random number of a tournament comes from its seed, by `seed_of`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.core import State

if TYPE_CHECKING:
    import numpy as np


@frozen
class Pairing:
    """A game to be played."""

    id: str
    """A content hash: equal games of equal tournaments have equal ids."""
    seats: tuple[str, ...]
    """The names of the players, from seat 0."""
    index: int
    """The number of the game among those of its seats, from 0."""
    opening: tuple[str, ...]
    deal: int
    """The seed of what the game deals and of its luck: the same for every seating."""
    seed: int
    """The seed of the players."""
    position: str = ""
    """Its first position, in the game's notation; empty for the game's start."""


DEAL, OPENING, GAME, MOVE, LUCK, ORDER, TRIAL = range(1, 8)  # the purpose of a derived seed


def seed_of(*key: int) -> int:
    """Return 63 bits that derive from a tuple of non-negative integers, by numpy's SeedSequence."""
    import numpy as np

    high, low = np.random.SeedSequence(key).generate_state(2, np.uint32).tolist()
    return (int(high) << 32 | int(low)) >> 1


def generator(*key: int) -> np.random.Generator:
    """A generator whose stream derives from a tuple of non-negative integers."""
    import numpy as np

    return np.random.default_rng(np.random.SeedSequence(key))


def random_move(state: State[Any], rng: np.random.Generator) -> Any:
    """A move at random, by the game's own way of sampling."""
    from dragon.bits import Random

    return state.sample(Random(int(rng.integers(1 << 63))))
