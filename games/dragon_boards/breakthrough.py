"""Breakthrough: pieces step forward, and capture diagonally; the first on the far row wins.

D. Troyka, 2000. A record holds each side's pieces as a bit set, row 0 being the far row of White,
who begins. All pieces of a side step at once: a set of the cells reached for each of the three ways,
which lists of moves, moves at random and what is decided in two plies are made from.
"""

from __future__ import annotations

from attrs import field
from attrs.validators import ge, le

from dragon import TERMINAL, Board, PluginError, RecordGame, Rules, frozen, rule
from dragon.bits import bit, ctz, draw, drop, popcount, select, shl, shr, u64


@frozen
class Breakthrough(RecordGame):
    """Step forward, capture diagonally, and be the first on the other side's row."""

    name = "breakthrough"
    rows: int = field(default=8, validator=[ge(4), le(26)])
    """Two are filled by each side."""
    columns: int = field(default=8, validator=[ge(2), le(16)])
    """Columns; the board has at most 64 cells."""

    def __attrs_post_init__(self):
        if self.rows * self.columns > 64:
            raise PluginError(
                f"breakthrough has {self.rows} rows of {self.columns}, more than 64 cells; make "
                "it smaller"
            )

    def rules(self):
        rows, columns = self.rows, self.columns
        area, last = rows * columns, (rows - 1) * columns
        goals = (u64((1 << columns) - 1), u64(((1 << columns) - 1) << last))
        first = sum(1 << columns * row for row in range(rows))
        open_left, open_right = u64(~first), u64(~(first << columns - 1))

        @rule
        def reached(s, side):
            """The cells that the mover's pieces can go to, to the left, straight on or right."""
            own, held = s.stones[s.seat], s.stones[0] | s.stones[1]
            start = own & (open_left if side < 0 else open_right if side > 0 else ~u64(0))
            if s.seat == 0:
                return shr(start, columns - side) & ~(held if side == 0 else own)
            return shl(start, columns + side) & ~(held if side == 0 else own)

        @rule
        def turn(s):
            return TERMINAL if s.stones[1 - s.seat] & goals[1 - s.seat] or not s.stones[s.seat] \
                else s.seat

        @rule
        def moves(s, out):
            n, ahead = 0, columns * (2 * s.seat - 1)
            for side in (-1, 0, 1):
                cells = reached(s, side)
                while cells:
                    to = ctz(cells)
                    cells = drop(cells)
                    out[n] = (to - ahead - side) * area + to
                    n += 1
            return n
