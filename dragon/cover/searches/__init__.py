"""The searches for covers, one file each."""

from __future__ import annotations

from dragon.core import Search
from dragon.hookspecs import hookimpl


@hookimpl
def dragon_searches() -> list[type[Search]]:
    """The searches for covers."""
    from dragon.cover.searches.algorithm_x import AlgorithmX
    from dragon.cover.searches.count import Count
    from dragon.cover.searches.dancing_cells import DancingCells
    from dragon.cover.searches.dlx import DLX

    return [AlgorithmX, Count, DancingCells, DLX]
