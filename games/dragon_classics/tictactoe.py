"""Tic-tac-toe: three in a row wins. The game of the tutorial."""

from attrs import frozen

from dragon import TERMINAL, Grid, RecordGame, Rules, rule
from dragon.bits import bit, has, popcount, u64

LINES = (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)  # one octal digit a row


@rule
def won(stones):
    for line in LINES:
        if stones & u64(line) == u64(line):
            return True
    return False


@rule
def turn(s):
    ply = popcount(s.x | s.o)
    return TERMINAL if ply == 9 or won(s.x) or won(s.o) else ply % 2


@rule
def moves(s, out):
    n = 0
    for cell in range(9):
        if not has(s.x | s.o, cell):
            out[n] = cell
            n += 1
    return n


@rule
def play(s, cell):
    if popcount(s.x | s.o) % 2 == 0:
        s.x |= bit(cell)
    else:
        s.o |= bit(cell)


@rule
def payoff(s, seat):
    return (1 - 2 * seat) * (won(s.x) - won(s.o))


@frozen
class TicTacToe(RecordGame):
    """Three in a row wins; nobody can force it."""

    name = "tictactoe"

    def rules(self):
        board = Grid(3, 3, {"x": "X", "o": "O"})
        return Rules(
            layout=[("x", "u8"), ("o", "u8")],
            moves=moves, play=play, turn=turn, payoff=payoff,
            width=9, plies=9, notation=board,
        )  # fmt: skip
