"""Tic-tac-toe: three in a row wins. The game of the tutorial."""

from dragon import TERMINAL, Grid, RecordGame, Rules, frozen, rule
from dragon.bits import bit, elements, u64


@rule
def won(stones):
    for line in (0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124):  # one octal digit a row
        if stones & u64(line) == u64(line):
            return True
    return False


@frozen
class TicTacToe(RecordGame):
    """Three in a row wins; best play is a draw.

    Black and White (X and O in text) take an empty cell of nine in turn. Three in a row, column
    or diagonal win; a full board is a draw.
    """

    name, title = "tictactoe", "Tic-tac-toe"

    def rules(self):
        @rule
        def turn(s):
            return TERMINAL if s.ply == 9 or won(s.stones[0]) or won(s.stones[1]) else s.ply % 2

        @rule
        def moves(s, out):
            return elements(~(s.stones[0] | s.stones[1]) & u64(0o777), out)

        @rule
        def play(s, cell):
            s.stones[s.ply % 2] |= bit(cell)
            s.ply += 1

        @rule
        def payoff(s, seat):
            return won(s.stones[seat]) - won(s.stones[1 - seat])

        # a bit set for each side, and `ply`
        board = Grid(3, 3, {"stones": "XO"}, in_line=3, won=lambda s, seat: won(s.stones[seat]))
        return Rules(board.layout, moves, play, turn, payoff, width=9, plies=9, notation=board)
