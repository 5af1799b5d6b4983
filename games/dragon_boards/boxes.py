"""What searches of dots and boxes are told: what is sure, what to try, what is the same.

Positions are worth the same on boards turned over, and with the two outer edges of a corner's
box exchanged (J. Barker and R. Korf, *Solving Dots-And-Boxes*, AAAI 2012).
"""

from __future__ import annotations

from itertools import product
from typing import Any

from dragon import rule
from dragon.bits import add, has, i64, popcount, shl, shr, u64
from dragon.boards.symmetry import mirrored, turned_over
from dragon_boards.chains import chains

INNERMOST = 100
"""More than `inside` says of any edge."""


def inside(row: int, column: int, rows: int, columns: int) -> int:
    """How far an edge is from the rim, along the longer side of the board first.

    So the middle is divided up first, which parts the board into pieces: 3x4 takes a fifth of the
    nodes that it takes with the edges as they are listed.
    """
    far = min(row, 2 * rows - row), min(column, 2 * columns - column)
    return 10 * far[1] + far[0] if columns >= rows else 10 * far[0] + far[1]


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
    places = [(2 * r, 2 * c + 1) for r in range(rows + 1) for c in range(columns)]
    places += [(2 * r + 1, 2 * c) for r in range(rows) for c in range(columns + 1)]
    inwards = np.array([inside(row, column, rows, columns) for row, column in places])
    left, reduce = chains(around, beside, drawn)

    @rule
    def banked(s):
        return payoff(s, 0)

    @rule
    def bounds(s):
        rest = rows * columns - popcount(s.boxes[0, 0] | s.boxes[1, 0])
        return payoff(s, 0) - rest, payoff(s, 0) + rest

    @rule
    def order(s, out, n, scores):
        """Boxes that it closes, less those that it lets the other side close; then from inside."""
        one, two = left(s, 1), left(s, 2)
        for i in range(n):
            scores[i] = inwards[out[i]]
            for box in beside[out[i]]:
                scores[i] += INNERMOST * (i64(has(one, box + 1)) - i64(has(two, box + 1)))

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
