"""Connect four: stones fall down seven columns; four in a row wins."""

from attrs import frozen

from dragon import TERMINAL, Grid, RecordGame, Rules, rule
from dragon.bits import add, bit, has, popcount, shr

# Bit 7 * column + height; the seventh bit of each column stays empty, so that no line of
# four runs over the edge of the board:
#    5 12 19 26 33 40 47
#    .  .  .  .  .  .  .
#    0  7 14 21 28 35 42


@rule
def won(stones):
    for along in (1, 6, 7, 8):  # up, down the diagonal, across, up the diagonal
        pairs = stones & shr(stones, along)
        if pairs & shr(pairs, 2 * along):
            return True
    return False


@rule
def turn(s):
    ply = popcount(s.x | s.o)
    return TERMINAL if ply == 42 or won(s.o if ply % 2 == 0 else s.x) else ply % 2


@rule
def moves(s, out):
    n = 0
    for column in range(7):
        if not has(s.x | s.o, 7 * column + 5):
            out[n] = column
            n += 1
    return n


@rule
def play(s, column):
    held = s.x | s.o
    stone = add(held, bit(7 * column)) & ~held  # the carry stops at the first gap
    if popcount(held) % 2 == 0:
        s.x |= stone
    else:
        s.o |= stone


@rule
def payoff(s, seat):
    return (1 - 2 * seat) * (won(s.x) - won(s.o))


@frozen
class ConnectFour(RecordGame):
    """Four in a row, on seven columns of six; whoever begins can force it."""

    name = "connect4"

    def rules(self):
        board = Grid(6, 7, {"x": "X", "o": "O"}, where=lambda row, column: 7 * column + 5 - row,
                     by_column=True)  # fmt: skip
        return Rules(layout=[("x", "u8"), ("o", "u8")], width=7, plies=42, notation=board,
                     moves=moves, play=play, turn=turn, payoff=payoff)  # fmt: skip
