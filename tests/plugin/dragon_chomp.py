"""Chomp: bite off a square and all below and right of it; the first square is poisoned."""

from attrs import field
from attrs.validators import ge, le

from dragon import TERMINAL, RecordGame, Rules, frozen, hookimpl, rule
from dragon.bits import bit, elements, u64


@frozen
class Chomp(RecordGame):
    """The side that must eat the poisoned square, number 0, loses; the first side can force it."""

    name = "chomp"
    rows: int = field(default=3, validator=[ge(1), le(8)])
    cols: int = field(default=4, validator=[ge(1), le(8)])

    def rules(self):
        rows, cols = self.rows, self.cols

        @rule
        def turn(s):
            return s.ply % 2 if s.left else TERMINAL

        @rule
        def moves(s, out):
            return elements(s.left, out)

        @rule
        def play(s, square):
            for row in range(square // cols, rows):
                for column in range(square % cols, cols):
                    s.left &= ~bit(row * cols + column)
            s.ply = 1 - s.ply

        @rule
        def payoff(s, seat):
            return 1 if s.ply == seat else -1

        layout = [("left", "u8"), ("ply", "i8")]
        area = rows * cols
        return Rules(layout, moves, play, turn, payoff, width=area, plies=area)

    def setup(self, record):
        record.left = u64((1 << self.rows * self.cols) - 1)


@hookimpl
def dragon_games():
    """The game of this distribution."""
    return [Chomp]
