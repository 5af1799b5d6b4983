"""MyName: sides place a stone a turn on a board of any size; a row of a given length wins."""

from attrs import field
from attrs.validators import ge, le

from dragon import TERMINAL, Grid, RecordGame, Rules, frozen, hookimpl, rule
from dragon.bits import bit, elements, u64


def lines(rows, columns, length):
    """Each line of `length` cells as a bit set; bit row * columns + column is a cell."""
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last = row + (length - 1) * down, column + (length - 1) * right
                if last_row < rows and 0 <= last < columns:
                    first, step = row * columns + column, down * columns + right
                    yield sum(1 << first + i * step for i in range(length))


@frozen
class MyName(RecordGame):
    """Place a stone on an empty cell; a line of your stones wins."""

    name = "myname"
    rows: int = field(default=3, validator=[ge(1), le(7)])
    columns: int = field(default=4, validator=[ge(1), le(7)])
    length: int = field(default=3, validator=[ge(2), le(7)])

    def rules(self):
        """The rules for these rows, columns and length, which are constants to the compiler."""
        import numpy as np

        area = self.rows * self.columns
        board = (1 << area) - 1
        winning = np.array([*lines(self.rows, self.columns, self.length)], np.uint64)

        @rule
        def won(stones):  # whether a side has a line
            for line in winning:
                if stones & line == line:
                    return True
            return False

        @rule
        def turn(s):  # whose move it is; it alone decides when the game is over
            over = s.ply == area or won(s.stones[1 - s.ply % 2])
            return TERMINAL if over else s.ply % 2

        @rule
        def moves(s, out):  # a move is the cell's number
            return elements(~(s.stones[0] | s.stones[1]) & u64(board), out)

        @rule
        def play(s, cell):  # changes the record
            s.stones[s.ply % 2] |= bit(cell)
            s.ply += 1

        @rule
        def payoff(s, seat):  # at the end: 1, 0 or -1
            return won(s.stones[seat]) - won(s.stones[1 - seat])

        grid = Grid(self.rows, self.columns, {"stones": "XO"})  # a bit set a side, and `ply`
        return Rules(grid.layout, moves, play, turn, payoff, width=area, plies=area, notation=grid)


@hookimpl
def dragon_games():
    """Return the games of this plugin."""
    return [MyName]
