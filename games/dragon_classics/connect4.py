"""Connect four: stones fall down seven columns; four in a row wins."""

from dragon import TERMINAL, Grid, RecordGame, Rules, frozen, rule
from dragon.bits import add, bit, has, shr

# Bit 7 * column + height; the seventh bit of each column stays empty, so that no line of
# four runs over the edge of the board:
#    5 12 19 26 33 40 47
#    .  .  .  .  .  .  .
#    0  7 14 21 28 35 42


@rule
def won(stones):
    for step in (1, 6, 7, 8):  # up, down the diagonal, across, up the diagonal
        pairs = stones & shr(stones, step)
        if pairs & shr(pairs, 2 * step):
            return True
    return False


@rule
def turn(s):
    return TERMINAL if s.ply == 42 or won(s.stones[1 - s.ply % 2]) else s.ply % 2


@rule
def moves(s, out):
    n = 0
    for column in range(7):
        if not has(s.stones[0] | s.stones[1], 7 * column + 5):
            out[n] = column
            n += 1
    return n


@rule
def play(s, column):
    held = s.stones[0] | s.stones[1]
    s.stones[s.ply % 2] |= add(held, bit(7 * column)) & ~held  # the carry stops at the first gap
    s.ply += 1


@rule
def payoff(s, seat):
    return won(s.stones[seat]) - won(s.stones[1 - seat])


@frozen
class ConnectFour(RecordGame):
    """Four in a row, on seven columns of six cells; whoever begins can force it.

    Black and White (X and O in text) drop a stone into a column in turn; it falls to the lowest
    empty cell. Four in a row, across, up or diagonally, win; a full board is a draw. With best
    play Black wins, beginning in the middle.
    """

    name = "connect4"

    def rules(self):
        def where(row, column):
            return 7 * column + 5 - row

        board = Grid(6, 7, {"stones": "XO"}, where=where, by_column=True)
        return Rules(board.layout, moves, play, turn, payoff, width=7, plies=42, notation=board)
