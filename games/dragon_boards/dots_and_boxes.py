"""Dots and boxes: draw an edge; the last one round a box wins the box and another turn.

The board is written and drawn as (2 rows + 1) x (2 columns + 1) cells::

    o a o . o      o  dots
    b A a . .      a  b  edges, by who drew them
    o b o . o      A  B  boxes, by whose they are

A record holds these as bit sets: first all edges across, then all upright ones, then the boxes,
then the dots, which fill a second word on large boards and never change.
"""

from __future__ import annotations

from itertools import product

from attrs import evolve, field
from attrs.validators import ge, le

from dragon import TERMINAL, BadNotation, Board, RecordGame, Rules, frozen, rule
from dragon.bits import bit, draw, elements, has, popcount, select, u64
from dragon.boards.sight import ROOK
from dragon_boards.knowledge import of_boxes


@frozen
class DotsAndBoxes(RecordGame):
    """Close more boxes than the other side; the payoff is the difference.

    A and B draw an edge between two neighbouring dots in turn. A side that draws the last edge of
    a box has the box, and draws again. When all are drawn, the side with more boxes wins.
    """

    name = "dots_and_boxes"
    small = "dots_and_boxes(rows=1, columns=2)"
    rows: int = field(default=3, validator=[ge(1), le(4)])
    """The number of rows of boxes."""
    columns: int = field(default=3, validator=[ge(1), le(4)])
    """The number of boxes in each row."""

    @property
    def _board(self):
        cells = product(range(2 * self.rows + 1), range(2 * self.columns + 1))
        kinds = [(0, 1), (1, 0), (1, 1), (0, 0)]  # edges across, upright ones, boxes, dots
        bits = sorted(cells, key=lambda cell: kinds.index((cell[0] % 2, cell[1] % 2)))
        return Board(
            2 * self.rows + 1, 2 * self.columns + 1, {"lines": "ab", "boxes": "AB", "dots": "o"},
            where=lambda row, column: bits.index((row, column)), sides={"A": "aA", "B": "bB"},
            surface="dots", colours=("Red", "Blue"), scored="boxes",
        )  # fmt: skip

    def rules(self):
        import numpy as np

        board, rows, columns = self._board, self.rows, self.columns
        count, edges = rows * columns, 2 * rows * columns + rows + columns
        words = board.span // 64 + 1
        around = board.around(ROOK).reshape(board.span, words)[edges : edges + count, 0]
        """The four edges of each box."""
        boxes = [[i for i in range(count) if has(around[i], edge)] for edge in range(edges)]
        beside = np.array([(each + [-1])[:2] for each in boxes])
        """The boxes on the two sides of each edge, -1 for none."""

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
            notation=evolve(board, settle=settle),
            **of_boxes(rows, columns, around, beside, drawn, payoff),
        )  # fmt: skip

    def setup(self, record):
        dots = product(range(0, 2 * self.rows + 1, 2), range(0, 2 * self.columns + 1, 2))
        record.dots[:] = self._board.set_of(dots)
