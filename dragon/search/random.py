"""A move at random: the yardstick that every search must beat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon import bits
from dragon.core import Limit, Result, Search, State
from dragon.search.budget import Budget

if TYPE_CHECKING:
    from numpy.random import Generator


@frozen
class Random(Search):
    """One legal move, uniformly at random; its budget is one playout of zero plies."""

    name = "random"
    proves = False
    values = False
    limits = frozenset[str]()

    def improve(self, state: State[Any], limit: Limit, rng: Generator) -> Iterator[Result]:
        """The one result; it claims nothing about the value."""
        budget, moves = Budget(limit), state.moves()
        budget.nodes = 1
        move = moves[bits.Random(int(rng.integers(1 << 63)))(len(moves))]
        yield budget.result(0.0, line=(move,), extra={"budget": "one move"})
