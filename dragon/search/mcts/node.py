"""A node of the tree in plain Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define, field


@define(eq=False)
class Node:
    """A state in the tree; `total` is in units for the seat that moved here."""

    moves: Sequence[Any] = (None,)
    """Its parent's moves, of which the one at `index` leads here."""
    index: int = 0
    total: int = 0
    visits: int = 0
    code: int = 0
    """Of the move that leads here, where plies are noted."""
    tried: int = 0
    """Children visited at least once, from the first on; with AMAF values, its table or 0."""
    unproven: int = 0
    children: list[Node] = field(factory=list)
    proof: int | None = None
    """Exact units of seat 0's side."""
    best: int | None = None
    """The most that a proven child gives the mover."""
    seat: int | None = None
    squares: float = 0.0
    """Payoffs from 0 to 1, squared and summed up."""
    prior: float = 0.0
    """Of the move that leads here, among its parent's."""
    guess: float = 0.0
    """The minimax value of evaluations, for the seat that moved here."""

    @property
    def move(self) -> Any:
        """The move that leads here; of very many, text is made only of those looked at."""
        return self.moves[self.index]

    def nodes(self) -> Iterator[Node]:
        """The nodes of the subtree, this one included."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(node.children)
