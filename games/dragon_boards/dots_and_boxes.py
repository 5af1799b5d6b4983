"""Dots and boxes: draw an edge; who draws the last one round a box has it, and goes on.

The board is written and drawn as (2 rows + 1) x (2 columns + 1) cells::

    o a o . o      o  dots
    b A a . .      a  b  edges, by who drew them
    o b o . o      A  B  boxes, by whose they are

A record holds these as bit sets: first all edges across, then all upright ones, then the boxes,
then the dots, which fill a second word on large boards and never change.
"""

from __future__ import annotations

from attrs import evolve, field
from attrs.validators import ge, le

from dragon import TERMINAL, BadNotation, Board, RecordGame, Rules, frozen, rule
from dragon.bits import add, bit, draw, elements, popcount, select, shl, u64


@frozen
class DotsAndBoxes(RecordGame):
    """Close more boxes than the other side; the payoff is by how many.

    A and B draw an edge between two neighbouring dots in turn. Whoever draws the fourth edge of
    a box has the box, and draws again. When all are drawn, whoever has more boxes wins.
    """

    name = "dots_and_boxes"
    rows: int = field(default=3, validator=[ge(1), le(4)])
    """Rows of boxes."""
    columns: int = field(default=3, validator=[ge(1), le(4)])
    """Boxes in each row."""

    def where(self, i, j):
        """The bit of a cell of the drawing."""
        rows, columns = self.rows, self.columns
        across, upright = (rows + 1) * columns, rows * (columns + 1)
        if i % 2 == 0 and j % 2:
            return i // 2 * columns + j // 2
        if i % 2 and j % 2 == 0:
            return across + i // 2 * (columns + 1) + j // 2
        if i % 2:
            return across + upright + i // 2 * columns + j // 2
        return across + upright + rows * columns + i // 2 * (columns + 1) + j // 2

    @property
    def _edges(self):
        return (self.rows + 1) * self.columns + self.rows * (self.columns + 1)

    @property
    def _board(self):
        return Board(
            2 * self.rows + 1, 2 * self.columns + 1,
            {"lines": "ab", "boxes": "AB", "dots": "o"}, where=self.where,
            sides={"A": "aA", "B": "bB"},
        )  # fmt: skip

    def rules(self):
        import numpy as np

        board, edges, count = self._board, self._edges, self.rows * self.columns
        words = board.span // 64 + 1
        around = np.zeros(count, np.uint64)
        """Of each box its four edges."""
        beside = np.full((edges, 2), -1)
        """Of each edge the boxes on its two sides, -1 for none."""
        for box in range(count):
            i, j = 2 * (box // self.columns) + 1, 2 * (box % self.columns) + 1
            for side, (r, c) in enumerate(((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))):
                around[box] |= bit(self.where(r, c))
                beside[self.where(r, c), side % 2] = box

        @rule
        def drawn(s):
            return s.lines[0, 0] | s.lines[1, 0]

        @rule
        def payoff(s, seat):
            return popcount(s.boxes[seat, 0]) - popcount(s.boxes[1 - seat, 0])

        @rule
        def turn(s):
            return TERMINAL if popcount(drawn(s)) == edges else s.seat

        @rule
        def moves(s, out):
            return elements(~drawn(s) & u64((1 << edges) - 1), out)

        @rule
        def sample(s, random):
            free = ~drawn(s) & u64((1 << edges) - 1)
            return select(free, draw(random, popcount(free)))

        @rule
        def play(s, edge):
            s.lines[s.seat, 0] |= bit(edge)
            closed = 0
            for box in beside[edge]:
                if box >= 0 and not around[box] & ~drawn(s):
                    s.boxes[s.seat, 0] |= bit(edges + box)
                    closed += 1
            if not closed:
                s.seat = 1 - s.seat

        @rule
        def banked(s):
            return payoff(s, 0)

        @rule
        def bounds(s):
            rest = count - popcount(s.boxes[0, 0] | s.boxes[1, 0])
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
        def key(s):
            return add(shl(drawn(s), 1), u64(s.seat + 1))  # 0 would not be kept

        def held(field):
            return int.from_bytes((field[0] | field[-1]).astype("<u8").tobytes(), "little")

        def settle(s):
            lines, boxes, dots = held(s.lines), held(s.boxes), held(s.dots.reshape(1, words))
            closed = sum(1 << edges + i for i in range(count) if not int(around[i]) & ~lines)
            rest = (1 << board.span) - (1 << edges + count)
            if lines >> edges or boxes != closed or dots != rest:
                raise BadNotation("dots are o, lines a or b, and boxes with four lines A or B")

        return Rules(
            [("lines", "u8", (2, words)), ("boxes", "u8", (2, words)), ("dots", "u8", (words,)),
             ("seat", "i8")],
            moves, play, turn, payoff, width=edges, plies=edges, largest=count, sample=sample,
            banked=banked, bounds=bounds, reduce=reduce, order=order, key=key,
            notation=evolve(board, settle=settle),
        )  # fmt: skip

    def setup(self, record):
        span = self._board.span
        for place in range(span - (self.rows + 1) * (self.columns + 1), span):
            record.dots[place // 64] |= bit(place % 64)
