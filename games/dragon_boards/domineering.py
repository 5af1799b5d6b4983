"""Domineering: one side puts dominoes upright, the other across; a side that cannot move has lost.

G. Andersson, about 1973. A record holds the cells that each side has covered.
"""

from __future__ import annotations

from attrs import field
from attrs.validators import ge, le

from dragon import TERMINAL, Board, RecordGame, Rules, frozen, rule
from dragon.bits import bit, draw, elements, popcount, select, shr, u64
from dragon_boards.knowledge import of_dominoes


@frozen
class Domineering(RecordGame):
    """Cover two free cells with a domino; a side that cannot has lost.

    V and H cover two free cells in turn, V one above the other, H side by side. V begins.
    """

    name = "domineering"
    small = "domineering(rows=4, columns=4)"
    rows: int = field(default=8, validator=[ge(1), le(26)])
    """The number of rows; the board has at most 64 cells."""
    columns: int = field(default=8, validator=[ge(1), le(64)])

    @columns.validator
    def _fits(self, attribute, columns):
        if self.rows * columns > 64:
            raise ValueError(f"{self.rows} rows of {columns} are more than 64 cells")

    def rules(self):
        rows, columns = self.rows, self.columns
        area = rows * columns
        notation = Board(
            rows, columns, {"stones": "VH"}, symmetries=("mirror", "flip"),
            pieces={"V": "upright", "H": "lying"},
        )  # fmt: skip
        board = notation.set_of(notation.bits)
        first, last = (notation.set_of((r, c) for r in range(rows)) for c in (0, columns - 1))

        @rule
        def places(empty, seat):
            """Return the upper or left cells of the dominoes that fit."""
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
        def finish(s, random):
            """Play on a copy of the free cells, which needs no record for each move."""
            free, seat, plies = empty(s), s.seat, 0
            cells = places(free, seat)
            while cells:
                free &= ~covered(select(cells, draw(random, popcount(cells))), seat)
                seat = 1 - seat
                cells = places(free, seat)
                plies += 1
            s.stones[0] |= board & ~free & ~s.stones[1]
            s.seat = seat
            return plies

        @rule
        def play(s, cell):
            s.stones[s.seat] |= covered(cell, s.seat)
            s.seat = 1 - s.seat

        @rule
        def payoff(s, seat):
            return 1 if s.seat != seat else -1

        return Rules(
            notation.layout, moves, play, turn, payoff, width=area, plies=area // 2 + 1,
            sample=sample, finish=finish, notation=notation,
            **of_dominoes(rows, columns, places, empty, covered, first),
        )  # fmt: skip
