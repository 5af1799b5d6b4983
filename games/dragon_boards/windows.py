"""Knowledge from windows in gomoku on boards of at most 64 cells: values and forced moves.

A window is a set of `line` adjacent cells in a line. A side with all cells of a window except one,
which is free, threatens to win there. If the sum of 2 to the minus f, f being the number of
free cells of a window that a side may still fill, is less than 1, or than 1/2 if that side moves
first, the other side can keep it from filling any (P. Erdős and J. Selfridge, *On a combinatorial
game*, Journal of Combinatorial Theory A 14, 1973); if both can, it is a draw.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dragon import rule
from dragon.bits import drop, has, popcount


def knowledge(windows: Iterable[int], line: int) -> dict[str, Any]:
    """Return the rules `solved` and `reduce`; windows: all of a board, as bit sets of cells."""
    import numpy as np

    lines, full = np.array([*windows], np.uint64), 1 << line

    @rule
    def threats(own, other):
        """Return the free cells with which a side wins."""
        found = own & ~own
        for i in range(len(lines)):
            rest = lines[i] & ~own
            if not drop(rest) and not rest & other:
                found |= rest
        return found

    @rule
    def weight(own, other):
        """Return that sum over the windows that a side may still fill, times `full`."""
        total = 0
        for i in range(len(lines)):
            if not lines[i] & other:
                total += 1 << popcount(lines[i] & own)
        return total

    @rule
    def solved(s, tablebase):
        seat = s.ply % 2
        own, other = s.stones[seat, 0], s.stones[1 - seat, 0]
        if threats(own, other):
            return 1 - 2 * seat, 1
        if popcount(threats(other, own)) > 1:
            return 2 * seat - 1, 2
        drawn = weight(own, other) < full // 2 and weight(other, own) < full
        return 0, 0 if drawn else -1

    @rule
    def reduce(s, out, n):
        """Keep only moves that win at once, or else those that prevent a win at once."""
        seat, kept = s.ply % 2, 0
        own, other = s.stones[seat, 0], s.stones[1 - seat, 0]
        cells = threats(own, other)
        if not cells:
            cells = threats(other, own)
        for i in range(n):
            if not cells or has(cells, out[i]):
                out[kept] = out[i]
                kept += 1
        return kept

    return {"solved": solved, "reduce": reduce}
