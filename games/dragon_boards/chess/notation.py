"""Positions in FEN and moves in SAN, after the PGN standard (S. J. Edwards 1994).

A FEN is followed by the moves since the last irreversible one, if there are any. They decide
if a position occurs for the third time: `... b - - 3 40 after g1f3 g8f6 f3g1`. In a FEN
without them no position is a repetition.
"""

from __future__ import annotations

from dragon import BadNotation, frozen, rule
from dragon.bits import bit, ctz, has, popcount
from dragon.boards.algebraic import Algebraic, Castling, Cell, Number, Past, Rounds
from dragon.boards.material import CHESSMEN
from dragon_boards.chess.rules import BOARD, FIFTY, HOME, KINGS, PAWNS, ROOKS, look, passing, side
from dragon_boards.forms.chess import fen_in

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FIRST = (0, 2, 2, 2, 1, 1)
"""The number of pieces of each kind that are not promoted pawns."""


@rule
def split(s, code):
    """Split a move; a castling king goes to its place, or to its rook if it could step there."""
    at, to, kind, becomes = code & 63, code >> 6 & 63, code >> 12 & 7, code >> 15
    if kind == KINGS and has(s.pieces[6 * (s.ply & 1) + ROOKS], to):
        goal = (at & 56) + (6 if to > at else 2)
        return at, goal if abs(goal - at) > 1 else to, 5 if to > at else 6
    return at, to, 0 if becomes == kind else becomes


def settle(s):
    """Refuse impossible positions, and set the fields derived from the pieces."""

    def check(holds, wrong):
        if not holds:
            raise BadNotation(f"such a position cannot be: {wrong}")

    for own in (s.pieces[:6], s.pieces[6:]):
        counts = [popcount(pieces) for pieces in own]
        spare = sum(max(0, n - first) for n, first in zip(counts, FIRST, strict=True))
        check(counts[KINGS] == 1 and spare <= 8 and not own[PAWNS] & (HOME[0] | HOME[1]),
              "a side has one king, eight pawns or what they became, and none of these "
              "on the first or the last rank")  # fmt: skip
    white, black = (divmod(ctz(s.pieces[first + KINGS]), 8) for first in (0, 6))
    apart = max(abs(white[0] - black[0]), abs(white[1] - black[1]))
    check(apart > 1, "the kings are side by side")
    s.ply += 1
    look(s)
    check(not s.checkers, "the side that has moved is in check")
    s.ply -= 1
    look(s)
    if s.passant:
        seat, at, held = int(s.ply & 1), int(s.passant), side(s, 0) | side(s, 1)
        step = 8 - 16 * seat
        check(at // 8 == 5 - 3 * seat and not held & (bit(at) | bit(at + step))
              and has(s.pieces[6 - 6 * seat], at - step),
              f"no pawn has passed {BOARD.name(7 - at // 8, at % 8)}; write a FEN like {START!r}"
        )  # fmt: skip
        s.passant = at if passing(s, at) else 0
    check(s.kept <= s.clock, "it has more moves behind `after` than its clock allows")


@frozen
class ChessNotation(Algebraic):
    """The notation, in which a castling king may also be sent to its rook."""

    def _read(self, s, text):
        super()._read(s, fen_in(text))

    def spellings(self, s, code):
        cells = [self.vocabulary[code & 63], self.vocabulary[code >> 6 & 63]]
        return super().spellings(s, code) | ({"".join(cells)} if code >> 15 == KINGS else set())


def notation(game):
    return ChessNotation(
        8, 8, {"pieces": "PNBRQKpnbrqk"}, sides={"w": "PNBRQK", "b": "pnbrqk"}, mover="ply",
        where=BOARD.where, naming="chess", colours=("White", "Black"), game=game, pawns="P",
        front=0, pieces=dict(zip("PNBRQK", CHESSMEN, strict=True)),
        promotions="nbrq", names=("O-O", "O-O-O"), split=split, settle=settle,
        checked=lambda s: s.checkers, settled=("checkers", "pinned"),
        tail=(Castling("rights"), Cell("passant"), Number("clock", FIFTY), Rounds(),
              Past("past", "kept", " NBRQK")),
    )  # fmt: skip
