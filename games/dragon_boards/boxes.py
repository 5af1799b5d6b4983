"""What searches of dots and boxes are told: what is sure, what to try, what is the same.

Positions are worth the same on boards turned over, and with the two outer edges of a corner's
box exchanged (J. Barker and R. Korf, *Solving Dots-And-Boxes*, AAAI 2012).
"""

from __future__ import annotations

from itertools import product
from typing import Any

from dragon import rule
from dragon.bits import add, popcount, shl, shr, u64
from dragon.boards.symmetry import mirrored, turned_over


def knowledge(
    rows: int, columns: int, around: Any, beside: Any, drawn: Any, payoff: Any
) -> dict[str, Any]:
    """The rules `banked`, `bounds`, `reduce`, `order` and `key`.

    around: of each box its four edges; beside: of each edge the boxes on its two sides, -1 for
    none; drawn: the edges that are, first all across, then all upright ones.
    """
    import numpy as np

    across = (rows + 1) * columns
    first_across = u64(sum(1 << r * columns for r in range(rows + 1)))
    first_upright = u64(sum(1 << r * (columns + 1) for r in range(rows)))
    corners = np.array(
        [
            [1 << (rows * columns if below else 0) + (columns - 1 if right else 0),
             1 << across + (rows - 1 if below else 0) * (columns + 1) + (columns if right else 0)]
            for below, right in product((False, True), repeat=2)
        ],
        np.uint64,
    )  # fmt: skip
    """Of each corner the outer edges of its box, across and upright."""

    @rule
    def banked(s):
        return payoff(s, 0)

    @rule
    def bounds(s):
        rest = rows * columns - popcount(s.boxes[0, 0] | s.boxes[1, 0])
        return payoff(s, 0) - rest, payoff(s, 0) + rest

    @rule
    def reduce(s, out, n):
        """An edge that closes all boxes beside it changes nothing else: it is drawn at once."""
        for i in range(n):
            rest = 0
            for box in beside[out[i]]:
                rest += 0 if box < 0 else popcount(around[box] & ~drawn(s)) - 1
            if rest == 0:
                out[0] = out[i]
                return 1
        return n

    @rule
    def order(s, out, n, scores):
        """Boxes that it closes, less those that it lets the other side close."""
        for i in range(n):
            scores[i] = 0
            for box in beside[out[i]]:
                rest = 0 if box < 0 else popcount(around[box] & ~drawn(s))
                scores[i] += 1 if rest == 1 else -1 if rest == 2 else 0

    @rule
    def both(lying, standing):
        return lying | shl(standing, across)

    @rule
    def side_by_side(lying, standing):
        """The edges mirrored from left to right."""
        return both(
            mirrored(lying, columns, first_across), mirrored(standing, columns + 1, first_upright)
        )

    @rule
    def key(s):
        edges = drawn(s)
        for i in range(4):  # of a corner's two the one across is drawn first
            if not edges & corners[i, 0] and edges & corners[i, 1]:
                edges ^= corners[i, 0] | corners[i, 1]
        lying, standing = edges & u64((1 << across) - 1), shr(edges, across)
        over = turned_over(lying, rows + 1, columns), turned_over(standing, rows, columns + 1)
        least = min(edges, both(over[0], over[1]))
        turned = min(side_by_side(lying, standing), side_by_side(over[0], over[1]))
        return add(shl(min(least, turned), 1), u64(s.seat + 1))  # 0 would not be kept

    return {"banked": banked, "bounds": bounds, "reduce": reduce, "order": order, "key": key}
