"""A move at random: the yardstick that every search must beat."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.bits import Random as Generator
from dragon.core import Limit, Result, Search, State

if TYPE_CHECKING:
    import numpy as np


@frozen
class Random(Search):
    """One legal move, uniformly at random; its budget is one playout of zero plies."""

    name = "random"
    proves = False
    values = False
    limits = frozenset[str]()

    def improve(
        self, state: State[Any], limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """The one result; it claims nothing about the value."""
        start = time.perf_counter()
        moves = state.moves()
        move = moves[Generator(int(rng.integers(1 << 63)))(len(moves))]
        seconds = time.perf_counter() - start
        yield Result(0.0, line=(move,), nodes=1, seconds=seconds, extra={"budget": "one move"})
