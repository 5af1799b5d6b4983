"""Minichess, as an author writes it in algebraic notation: kings are captured, and one may pass."""

import numpy as np

from dragon import TERMINAL, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import bit, elements, members
from dragon.boards.algebraic import Algebraic, Number, Rounds
from dragon.boards.sight import KING as KING_STEPS
from dragon.boards.sight import KNIGHT as KNIGHT_STEPS
from dragon.boards.sight import sight

PAWN, KNIGHT, ROOK, KING = range(4)
PASS, LONGEST = 3 * 625, 40


@frozen
class Minichess(RecordGame):
    """Five rows of five: who captures the king wins; pawns become knights or rooks."""

    name = "minichess"
    traits = frozenset({Trait.DUEL})

    def rules(self):
        @rule
        def side(s, seat):
            first = 4 * seat
            return s.pieces[first] | s.pieces[first + 1] | s.pieces[first + 2] | s.pieces[first + 3]

        @rule
        def reached(s, seat, kind, at):
            other, held = side(s, 1 - seat), side(s, 0) | side(s, 1)
            if kind == PAWN:
                return ahead[seat, at] & ~held | aside[seat, at] & other
            cells = straight(at, held) if kind == ROOK else near[at] if kind == KING else leaps[at]
            return cells & ~side(s, seat)

        @rule
        def moves(s, out):
            seat, n = s.ply % 2, 0
            for kind in range(4):
                for at in members(s.pieces[4 * seat + kind]):
                    cells = reached(s, seat, kind, at)
                    for becomes in range(3):
                        if (becomes > 0) == (kind == PAWN and (cells & last) != 0):
                            n = elements(cells, out, n, (25 * becomes + at) * 25)
            out[n] = PASS
            return n + 1

        @rule
        def play(s, move):
            seat, at, to, becomes = s.ply % 2, move // 25 % 25, move % 25, move // 625
            s.ply += 1
            s.quiet += 1
            if move != PASS:
                for kind in range(4):
                    s.pieces[4 - 4 * seat + kind] &= ~bit(to)
                    if s.pieces[4 * seat + kind] & bit(at):
                        s.pieces[4 * seat + kind] &= ~bit(at)
                        s.pieces[4 * seat + max(kind, becomes)] |= bit(to)
                        at = 63

        @rule
        def turn(s):
            over = s.ply >= LONGEST or not s.pieces[KING] or not s.pieces[4 + KING]
            return TERMINAL if over else s.ply % 2

        @rule
        def payoff(s, seat):
            own, other = s.pieces[4 * seat + KING], s.pieces[4 - 4 * seat + KING]
            return 0 if own and other else 1 if own else -1

        def checked(s):
            seat, king = s.ply % 2, s.pieces[4 * (s.ply % 2) + KING]
            return any(
                reached(s, 1 - seat, kind, at) & king
                for kind in range(4) for at in members(s.pieces[4 - 4 * seat + kind])
            )  # fmt: skip

        board = Algebraic(
            5, 5, {"pieces": "PNRKpnrk"}, sides={"w": "PNRK", "b": "pnrk"}, mover="ply",
            naming="chess", colours=("White", "Black"), game=self, pawns="P", promotions="nr",
            names=("pass",), checked=checked, tail=(Number("quiet", 99), Rounds()),
        )  # fmt: skip
        straight = sight(board).straight
        near, leaps = board.around(KING_STEPS), board.around(KNIGHT_STEPS)
        ahead = np.array([board.around([(way, 0)]) for way in (-1, 1)])
        aside = np.array([board.around([(way, -1), (way, 1)]) for way in (-1, 1)])
        last = board.set_of((row, column) for row in (0, 4) for column in range(5))
        return Rules(
            [*board.layout, ("quiet", "i8")], moves, play, turn, payoff, width=128, plies=LONGEST,
            notation=board,
        )  # fmt: skip

    def setup(self, record):
        self.rules().notation.parse(record, "rnkn1/ppppp/5/PPPPP/RNKN1 w")
