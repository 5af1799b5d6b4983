"""Domineering: one side puts dominoes upright, the other across; who cannot go has lost.

G. Andersson, about 1973. A record holds the cells that each side has covered. Which side covered a
cell matters to nobody, so positions share a key where the same cells are empty, on boards turned
over from left to right or upside down too.
"""

from __future__ import annotations

from attrs import field
from attrs.validators import ge, le

from dragon import TERMINAL, Board, RecordGame, Rules, frozen, rule
from dragon.bits import add, bit, draw, elements, mix, popcount, select, shl, shr, u64
from dragon.boards.symmetry import mirrored, turned_over


@frozen
class Domineering(RecordGame):
    """Cover two free cells with a domino; whoever cannot has lost.

    V and H cover two free cells in turn, V one above the other, H side by side. V begins.
    """

    name = "domineering"
    rows: int = field(default=8, validator=[ge(1), le(26)])
    """Rows; the board has at most 64 cells."""
    columns: int = field(default=8, validator=[ge(1), le(64)])

    @columns.validator
    def _fits(self, attribute, columns):
        if self.rows * columns > 64:
            raise ValueError(f"{self.rows} rows of {columns} are more than 64 cells")

    def rules(self):
        rows, columns = self.rows, self.columns
        area = rows * columns
        notation = Board(rows, columns, {"stones": "VH"}, symmetries=("mirror", "flip"))
        board = notation.set_of(notation.bits)
        first, last = (notation.set_of((r, c) for r in range(rows)) for c in (0, columns - 1))

        @rule
        def places(empty, seat):
            """The upper or left cells of the dominoes that fit."""
            if seat == 0:
                return empty & shr(empty, columns) if rows > 1 else u64(0)
            return empty & shr(empty, 1) & ~last

        @rule
        def empty(s):
            return board & ~(s.stones[0] | s.stones[1])

        @rule
        def covered(cell, seat):
            return bit(cell) | (bit(cell + 1) if seat else bit(cell + columns))

        @rule
        def turn(s):
            return s.seat if places(empty(s), s.seat) else TERMINAL

        @rule
        def moves(s, out):
            return elements(places(empty(s), s.seat), out)

        @rule
        def sample(s, random):
            cells = places(empty(s), s.seat)
            return select(cells, draw(random, popcount(cells)))

        @rule
        def play(s, cell):
            s.stones[s.seat] |= covered(cell, s.seat)
            s.seat = 1 - s.seat

        @rule
        def payoff(s, seat):
            return 1 if s.seat != seat else -1

        return Rules(
            notation.layout, moves, play, turn, payoff, width=area, plies=area // 2 + 1,
            sample=sample, notation=notation, **self.knowledge(places, empty, covered, first),
        )  # fmt: skip

    def knowledge(self, places, empty, covered, first):
        """The rules that only searches ask, by those of `rules`."""
        rows, columns = self.rows, self.columns
        area = rows * columns

        @rule
        def packed(left, seat):
            """How many dominoes a side could put into these cells, were it alone."""
            n, step, fit = 0, 1 if seat else columns, places(left, seat)
            while fit:
                firsts = fit & ~shl(fit, step)  # in each unbroken line
                n += popcount(firsts)
                left &= ~(firsts | shl(firsts, step))
                fit = places(left, seat)
            return n

        @rule
        def sure(left, seat, begins):
            """How many dominoes it can place whatever the other side does.

            All where the other side fits none, and of the rest every third, or one less where that
            side begins: a domino takes the room of two.
            """
            theirs = places(left, 1 - seat)
            contested = theirs | shl(theirs, columns if seat else 1)
            return packed(left & ~contested, seat) + (packed(contested, seat) + 2 * begins) // 3

        @rule
        def solved(s, tablebase):
            left, seat = empty(s), s.seat
            if sure(left, seat, 1) > packed(left, 1 - seat):
                return 1 - 2 * seat, 0
            if sure(left, 1 - seat, 0) >= packed(left, seat):
                return 2 * seat - 1, 0
            return 0, -1

        @rule
        def bounds(s):
            """Who alone has places wins, however they play."""
            upright, across = places(empty(s), 0), places(empty(s), 1)
            return 1 if upright and not across else -1, -1 if across and not upright else 1

        @rule
        def order(s, out, n, scores):
            """Places that stay one's own, less those that stay the other side's."""
            for i in range(n):
                left = empty(s) & ~covered(out[i], s.seat)
                scores[i] = popcount(places(left, s.seat)) - popcount(places(left, 1 - s.seat))

        @rule
        def key(s):
            left = empty(s)
            over = turned_over(left, rows, columns)
            images = mirrored(left, columns, first), mirrored(over, columns, first)
            least = min(min(left, over), min(images[0], images[1]))
            if area < 63:
                return add(shl(least, 1), u64(s.seat + 1))  # 0 would not be kept
            return mix(add(mix(least), u64(s.seat)))

        return {"solved": solved, "bounds": bounds, "order": order, "key": key}
