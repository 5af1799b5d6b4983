"""The seeds of a tournament, and what is drawn with them: all derive from its one seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dragon.core import State

if TYPE_CHECKING:
    import numpy as np

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
