"""The bridge score by squaring the whole matrix: slow, obvious, and the other forms' judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from dragon_small_world.links import links as linked

if TYPE_CHECKING:
    from dragon_small_world.links import Links


def numerator(links: Links, bridges: Sequence[int]) -> int:
    """How many pairs can be searched with these monsters of the pool as new vertices."""
    rows = links.table[[*links.deck.places, *bridges]]
    matrix = linked(rows, rows).astype(np.int64)
    return int(np.count_nonzero(matrix @ matrix))


def numerators(links: Links) -> list[int]:
    """The same for each monster of the pool alone, one matrix after another."""
    return [numerator(links, [place]) for place in range(len(links.table))]
