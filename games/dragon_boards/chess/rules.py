"""The rules of chess on bit sets: legal moves alone are generated.

A record has a bit set for each kind of piece of each side. The checkers of the side to move, and
its pieces pinned to its king, follow from these, and are found when a move is made: a pinned
piece keeps to the line of its king, and a check is met by a capture, a piece between, or the king.
The moves since the last irreversible one are the memory of positions that may be repeated:
taken back one by one, they show if the position occurred before, without any hashing.

Cell 8 * rank + file is a bit of a set: a1 is 0, h1 is 7, a8 is 56.

Move codes: bits 0-5 from, 6-11 to, 12-14 the kind of the piece, 15-17 the kind that it becomes. A
king castles by going to the cell of its rook (as in Chess960).
"""

from __future__ import annotations

import numpy as np

from dragon import TERMINAL, Board, rule
from dragon.bits import MASK, bit, ctz, drop, elements, has, members, shl, shr, u64
from dragon.boards.algebraic import repeated
from dragon.boards.sight import KING as KING_STEPS
from dragon.boards.sight import KNIGHT as KNIGHT_STEPS
from dragon.boards.sight import sight

BOARD = Board(
    8, 8, {"pieces": "PNBRQKpnbrqk"}, where=lambda row, column: 8 * (7 - row) + column,
    naming="chess",
)  # fmt: skip
straight, diagonal, between, LINE = sight(BOARD)
KNIGHT, KING = BOARD.around(KNIGHT_STEPS), BOARD.around(KING_STEPS)
PAWN = np.array([BOARD.around([(way, -1), (way, 1)]) for way in (-1, 1)])
"""uint64[2, 64]: the cells on which a pawn of each side captures."""
PAWNS, KNIGHTS, BISHOPS, ROOKS, QUEENS, KINGS = range(6)
KING_MOVE = KINGS << 12 | KINGS << 15
WIDTH = 256
"""An upper bound on the moves of a position; the most that are known are 218."""
FIFTY = 100
"""The plies without a capture or a pawn's move after which the game is drawn."""
ALL, NOT_A, NOT_H = u64(MASK), u64(MASK // 255 * 254), u64(MASK // 255 * 127)
HOME, THIRD = (u64(255), u64(255 << 56)), (u64(255 << 16), u64(255 << 40))
LAYOUT = [
    ("pieces", "u8", (12,)),  # White's pawns, knights, bishops, rooks, queens, king; then Black's
    ("ply", "i8"),  # since the game began: White moves where it is even
    ("rights", "u8"),  # the rooks with which their king may still castle
    ("passant", "i8"),  # the cell on which a pawn may be captured en passant; 0: none
    ("clock", "i8"),  # plies since a capture or a pawn's move
    ("kept", "i8"),  # moves since the last irreversible one; `past` has bits 0-14 of each
    ("checkers", "u8"),
    ("pinned", "u8"),
    ("past", "u2", (FIFTY,)),
]


@rule
def reach(kind, at, held):
    """Return the cells that a knight, bishop, rook or queen sees."""
    if kind == KNIGHTS:
        return KNIGHT[at]
    cells = diagonal(at, held) if kind != ROOKS else u64(0)
    return cells | straight(at, held) if kind != BISHOPS else cells


@rule
def side(s, seat):
    cells = u64(0)
    for kind in range(6):
        cells |= s.pieces[6 * seat + kind]
    return cells


@rule
def attackers(s, at, held, seat):
    """Return the pieces of a side that see a cell if the cells `held` are taken."""
    p, first = s.pieces, 6 * seat
    found = (PAWN[1 - seat, at] & p[first]) | (KNIGHT[at] & p[first + KNIGHTS])
    found |= diagonal(at, held) & (p[first + BISHOPS] | p[first + QUEENS])
    found |= straight(at, held) & (p[first + ROOKS] | p[first + QUEENS])
    return found | (KING[at] & p[first + KINGS])


@rule
def forward(cells, seat):
    """Return the cells one rank ahead of a side's pawns."""
    return shr(cells, 8) if seat else shl(cells, 8)


@rule
def threatened(s, held, seat):
    """Return all cells that a side sees if the cells `held` are taken."""
    p, first = s.pieces, 6 * seat
    ahead = forward(p[first], seat)
    found = shr(ahead & NOT_A, 1) | shl(ahead & NOT_H, 1) | KING[ctz(p[first + KINGS])]
    for at in members(p[first + KNIGHTS]):
        found |= KNIGHT[at]
    for at in members(p[first + BISHOPS] | p[first + QUEENS]):
        found |= diagonal(at, held)
    for at in members(p[first + ROOKS] | p[first + QUEENS]):
        found |= straight(at, held)
    return found


@rule
def look(s):
    """Set the pieces that check the side to move, and its pinned pieces."""
    seat, p = s.ply & 1, s.pieces
    king, first, own = ctz(p[6 * seat + KINGS]), 6 - 6 * seat, side(s, seat)
    held = own | side(s, 1 - seat)
    s.checkers = (PAWN[seat, king] & p[first]) | (KNIGHT[king] & p[first + KNIGHTS])
    s.pinned = u64(0)
    lines = diagonal(king, u64(0)) & (p[first + BISHOPS] | p[first + QUEENS])
    lines |= straight(king, u64(0)) & (p[first + ROOKS] | p[first + QUEENS])
    for at in members(lines):
        inside = between(king, at) & held
        if not inside:
            s.checkers |= bit(at)
        elif not drop(inside):
            s.pinned |= inside & own


@rule
def passing(s, cell):
    """Return the pawns that may capture en passant onto `cell` without a check on their king."""
    seat = s.ply & 1
    king, found = ctz(s.pieces[6 * seat + KINGS]), u64(0)
    held = (side(s, 0) | side(s, 1) | bit(cell)) & ~bit(cell + 16 * seat - 8)
    for pawn in members(PAWN[1 - seat, cell] & s.pieces[6 * seat]):
        left = held & ~bit(pawn)
        if not attackers(s, king, left, 1 - seat) & left:
            found |= bit(pawn)
    return found


@rule
def put_pawns(out, n, cells, step):
    """Write the moves of pawns to cells that they reach by a step."""
    for to in members(cells):
        code = to - step | to << 6
        if 8 <= to < 56:
            out[n] = code
            n += 1
        else:
            for kind in (QUEENS, ROOKS, BISHOPS, KNIGHTS):
                out[n] = code | kind << 15
                n += 1
    return n


@rule
def pawn_moves(s, out, n, pawns, other, held, allowed):
    """Write the moves of some pawns to cells that are allowed."""
    seat = s.ply & 1
    step, ahead = 8 - 16 * seat, forward(pawns, seat)
    free = ahead & ~held
    twice = forward(free & THIRD[seat], seat) & ~held
    n = put_pawns(out, n, free & allowed, step)
    n = put_pawns(out, n, twice & allowed, 2 * step)
    n = put_pawns(out, n, shr(ahead & NOT_A, 1) & other & allowed, step - 1)
    return put_pawns(out, n, shl(ahead & NOT_H, 1) & other & allowed, step + 1)


@rule
def castles(s, out, n, king, held):
    """Write the castlings of a king: it goes to the c- or g-file, and its rook beside it."""
    seat = s.ply & 1
    for rook in members(s.rights & HOME[seat]):
        goal, beside = 56 * seat + (6 if rook > king else 2), 56 * seat + (5 if rook > king else 3)
        path = between(king, goal) | bit(goal)
        rest = held & ~bit(king) & ~bit(rook)
        safe = not (path | between(rook, beside) | bit(beside)) & rest
        while safe and path:
            safe = not attackers(s, ctz(path), rest | bit(beside), 1 - seat)
            path = drop(path)
        if safe:
            n = elements(bit(rook), out, n, king | KING_MOVE, 64)
    return n


@rule
def moves(s, out):
    return put_all(s, out, ALL)


@rule
def put_all(s, out, within):
    """Write the legal moves to some cells; captures en passant in any case."""
    seat = s.ply & 1
    own, other = side(s, seat), side(s, 1 - seat)
    held, king = own | other, ctz(s.pieces[6 * seat + KINGS])
    n, allowed = 0, within & ~own
    cells = KING[king] & allowed
    if cells:
        cells &= ~threatened(s, held & ~bit(king), 1 - seat)
        n = elements(cells, out, n, king | KING_MOVE, 64)
    if s.checkers:
        if drop(s.checkers):
            return n
        allowed &= s.checkers | between(king, ctz(s.checkers))
    elif s.rights & HOME[seat] and not ~within:
        n = castles(s, out, n, king, held)
    pawns = s.pieces[6 * seat]
    n = pawn_moves(s, out, n, pawns & ~s.pinned, other, held, allowed)
    for at in members(pawns & s.pinned):
        n = pawn_moves(s, out, n, bit(at), other, held, allowed & LINE[king, at])
    if s.passant:
        n = elements(passing(s, s.passant), out, n, s.passant << 6)
    for kind in (KNIGHTS, BISHOPS, ROOKS, QUEENS):
        for at in members(s.pieces[6 * seat + kind]):
            cells = reach(kind, at, held) & allowed
            if has(s.pinned, at):
                cells &= LINE[king, at]
            n = elements(cells, out, n, at | kind << 12 | kind << 15, 64)
    return n


@rule
def play(s, move):
    seat, at, to, kind = s.ply & 1, move & 63, move >> 6 & 63, move >> 12 & 7
    own, theirs, home = 6 * seat, 6 - 6 * seat, 56 * seat
    final = kind == PAWNS or has(side(s, 1 - seat), to)
    for each in range(6):
        s.pieces[theirs + each] &= ~bit(to)
    s.pieces[own + kind] &= ~bit(at)
    if kind == KINGS and has(s.pieces[own + ROOKS], to):
        s.pieces[own + ROOKS] &= ~bit(to)
        s.pieces[own + ROOKS] |= bit(home + (5 if to > at else 3))
        s.pieces[own + KINGS] = bit(home + (6 if to > at else 2))
    else:
        s.pieces[own + (move >> 15)] |= bit(to)
    if kind == PAWNS and s.passant == to != 0:  # 0 is the cell a1 too
        s.pieces[theirs] &= ~bit(to + 16 * seat - 8)
    rights = s.rights & ~bit(at) & ~bit(to) & (~HOME[seat] if kind == KINGS else ALL)
    if final or s.passant or rights != s.rights:
        s.past[:] = 0
        s.kept = 0
    else:
        s.past[s.kept] = move & 0x7FFF
        s.kept += 1
    s.clock = 0 if final else s.clock + 1
    s.rights = rights
    s.passant = 0
    s.ply += 1
    if kind == PAWNS and abs(to - at) == 16 and passing(s, (at + to) // 2):
        s.passant = (at + to) // 2
    look(s)


@rule
def mobile(s):
    """Return True if there is a legal move; most positions have one that is quick to find."""
    seat = s.ply & 1
    own = side(s, seat)
    if not s.checkers:
        held = own | side(s, 1 - seat)
        if forward(s.pieces[6 * seat] & ~s.pinned, seat) & ~held:
            return True
        for kind in (KNIGHTS, BISHOPS, ROOKS, QUEENS):
            pieces = s.pieces[6 * seat + kind] & ~s.pinned
            if pieces and reach(kind, ctz(pieces), held) & ~own:
                return True
    return moves(s, np.empty(WIDTH, np.int64)) > 0


@rule
def turn(s):
    return TERMINAL if s.clock >= FIFTY or repeated(s.past, s.kept) or not mobile(s) else s.ply & 1


@rule
def payoff(s, seat):
    """Return the payoff; a mate counts even on the last of the fifty moves."""
    mate = s.checkers and not mobile(s)
    return 0 if not mate else -1 if seat == s.ply & 1 else 1
