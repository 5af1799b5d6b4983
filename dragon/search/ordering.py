"""The scores by which alpha-beta orders moves: table move, killers, the game's own, history."""

from __future__ import annotations

from typing import Any

from dragon.bits import mix
from dragon.rules import rule

FIRST, KILLER, SECOND_KILLER = 1 << 60, 1 << 59, 1 << 58
"""Of the move of the table or of the last iteration, and of the two killers of a ply."""
ORDER_SHIFT = 20
"""The game's own scores, shifted up by this, count before history and stay below the killers."""
FURTHEST = 1 << 8
"""No search with a horizon that matters looks further ahead."""
HISTORY = 1 << 12
"""Counters of the history heuristic, for each side."""
MOST_HISTORY = 1 << 19
"""When a counter passes this, all of its side are halved."""


@rule
def weight(depth: int) -> int:
    """What a cutoff adds to its counter: much where much was cut off; 1 without a horizon."""
    return depth * depth if depth <= FURTHEST else 1


@rule
def slot(code: Any) -> int:
    """The history counter of a move code; far-apart codes may share one."""
    return int(mix(code) & (HISTORY - 1))
