"""Knowledge of chess for searches: values of pieces, move ordering, and noisy moves."""

from __future__ import annotations

import numpy as np

from dragon import rule
from dragon.bits import bit, drop, has, members, popcount, u64
from dragon_boards.chess.rules import (
    BISHOPS,
    KINGS,
    KNIGHTS,
    PAWNS,
    QUEENS,
    attackers,
    look,
    put_all,
    side,
)  # fmt: skip

WORTH = (100, 320, 330, 500, 900, 0)
"""The values of a pawn, a knight, a bishop, a rook, a queen and a king, in centipawns."""
AT_STAKE = (*WORTH[:5], 10_000)
LAST, EDGE = (u64(255 << 48), u64(255 << 8)), u64(255 | 255 << 56)
DARK = u64(0xAA55AA55AA55AA55)


def worth(late: int, kind: int, at: int) -> int:
    """Return the value of a piece on a cell: central pieces, advanced pawns, hidden kings."""
    rank, aside, away = at // 8, abs(at % 8 * 2 - 7), abs(at // 8 * 2 - 7)  # 1 to 7: the edge
    middle = 8 - aside - away
    pawn = (1 + late) * rank * rank + (1 - late) * rank * (4 - aside)
    king = 6 * middle if late else 6 * aside - 14 * rank
    places = (pawn, 5 * middle, 3 * middle, 15 * (rank == 6) - aside // 2, middle, king)
    return WORTH[kind] + places[kind]


OURS = np.array([[[worth(late, k, at) for at in range(64)] for k in range(6)] for late in (0, 1)])
PLACES = np.concatenate([OURS, -OURS.reshape(2, 6, 8, 8)[:, :, ::-1].reshape(2, 6, 64)], axis=1)
"""int64[2, 12, 64]: piece-square tables of both sides, for the opening and for the endgame."""


@rule
def solved(s, tablebase):
    """Solve dead draws: no side can mate with one knight, or bishops on one colour alone."""
    p = s.pieces
    knights, bishops = p[KNIGHTS] | p[6 + KNIGHTS], p[BISHOPS] | p[6 + BISHOPS]
    minor = knights | bishops
    if (side(s, 0) | side(s, 1)) & ~(minor | p[KINGS] | p[6 + KINGS]):
        return 0, -1
    alike = not knights and (not bishops & DARK or not bishops & ~DARK)
    return 0, 0 if alike or not drop(minor) else -1


@rule
def order(s, out, n, scores):
    """Order promotions and captures first: the most valuable victim, the least attacker."""
    for i in range(n):
        to, kind, becomes = out[i] >> 6 & 63, out[i] >> 12 & 7, out[i] >> 15
        scores[i] = WORTH[becomes] - WORTH[kind]
        for each in range(5):
            if has(s.pieces[6 - 6 * (s.ply & 1) + each], to):
                scores[i] += 10 * WORTH[each] - kind


@rule
def exchange(s, to, seat, held, worth):
    """Return the static exchange evaluation: the gain by captures of a piece worth `worth`."""
    found = attackers(s, to, held, seat) & held
    for kind in range(6):
        pieces = s.pieces[6 * seat + kind] & found
        if pieces:
            left = held & ~(pieces & ~drop(pieces))
            return max(0, worth - exchange(s, to, 1 - seat, left, AT_STAKE[kind]))
    return 0


@rule
def noisy(s, out):
    """Write captures that lose nothing, and promotions to queens; -1, all moves, in check."""
    if s.checkers:
        return -1
    seat = s.ply & 1
    other = side(s, 1 - seat)
    held, kept = other | side(s, seat), 0
    pawns = s.pieces[6 * seat] & LAST[seat]
    n = put_all(s, out, other | (EDGE if pawns else u64(0)))
    for i in range(n):
        at, to, kind, becomes = out[i] & 63, out[i] >> 6 & 63, out[i] >> 12 & 7, out[i] >> 15
        good = kind == PAWNS
        for each in range(5):
            if has(s.pieces[6 - 6 * seat + each], to):
                lost = exchange(s, to, 1 - seat, held & ~bit(at), AT_STAKE[kind])
                good = each >= kind or lost <= AT_STAKE[each]
        if good and becomes in (kind, QUEENS):
            out[kept] = out[i]
            kept += 1
    return kept


@rule
def skip(s):
    """Make a null move, unless in check or with pawns alone, where zugzwang is common."""
    seat = s.ply & 1
    pieces = side(s, seat) & ~s.pieces[6 * seat] & ~s.pieces[6 * seat + KINGS]
    if s.checkers or not pieces:
        return False
    s.past[:] = 0
    s.kept = 0
    s.clock += 1
    s.passant = 0
    s.ply += 1
    look(s)
    return True


@rule
def evaluate(s, seat):
    """Evaluate pieces and their places, interpolated between opening and endgame."""
    early, late, pieces = 0, 0, 0
    for each in range(12):
        pieces += popcount(s.pieces[each]) if each % 6 else 0
        for at in members(s.pieces[each]):
            early += PLACES[0, each, at]
            late += PLACES[1, each, at]
    pieces = min(pieces, 16)
    lead = (pieces * early + (16 - pieces) * late) / 16
    lead /= abs(lead) + 1500.0
    return -lead if seat else lead
