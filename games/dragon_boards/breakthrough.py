"""Breakthrough: pieces step forward, and capture diagonally; the first on the far row wins.

D. Troyka, 2000. A record holds each side's pieces as a bit set; White, who begins, goes up to row
0. All pieces of a side step at once: their targets in each of the three ways are a bit set.
"""

from __future__ import annotations

from attrs import field
from attrs.validators import ge, le

from dragon import TERMINAL, Board, RecordGame, Rules, frozen, rule
from dragon.bits import add, bit, draw, elements, has, mix, popcount, select, shl, shr, u64
from dragon.boards.symmetry import mirrored


@rule
def hashed(white, black, seat):
    return mix(add(mix(add(white, u64(seat))), black))


@frozen
class Breakthrough(RecordGame):
    """Step forward, capture diagonally, and be the first on the other side's row.

    White begins, and moves up; Black moves down. A piece goes one step forward, straight or
    diagonally, to a free cell; it captures diagonally, never straight ahead. The first side on
    the far row, or the one that captures all, wins.
    """

    name = "breakthrough"
    small = "breakthrough(rows=4, columns=3)"
    rows: int = field(default=8, validator=[ge(4), le(8)])
    """The number of rows; each side fills two of them."""
    columns: int = field(default=8, validator=[ge(2), le(8)])

    def rules(self):
        rows, columns, area = self.rows, self.columns, self.rows * self.columns
        board = Board(
            rows, columns, {"stones": "WB"}, moving=True, naming="chess",
            colours=("White", "Black"), symmetries=("mirror",), pieces={"": "pawn"}, front=0,
            won=lambda s, seat: s.stones[seat] & goals[seat] or not s.stones[1 - seat],
        )  # fmt: skip
        line = [board.set_of((r, c) for c in range(columns)) for r in range(rows)]
        first, last = (board.set_of((r, c) for r in range(rows)) for c in (0, columns - 1))
        goals = line[0], line[-1]

        @rule
        def reached(s, side):
            """Return the cells that the mover's pieces reach: -1 left, 0 straight, 1 right."""
            own, held = s.stones[s.seat], s.stones[0] | s.stones[1]
            pieces = own & ~first if side < 0 else own & ~last if side > 0 else own
            ahead = shl(pieces, columns + side) if s.seat else shr(pieces, columns - side)
            return ahead & ~own if side else ahead & ~held

        @rule
        def turn(s):
            over = s.stones[1 - s.seat] & goals[1 - s.seat] or not s.stones[s.seat]
            return TERMINAL if over else s.seat

        @rule
        def code(s, to, side):
            return (to - columns * (2 * s.seat - 1) - side) * area + to

        @rule
        def moves(s, out):
            n = 0
            for side in (-1, 0, 1):
                n = elements(reached(s, side), out, n, code(s, 0, side), area + 1)
            return n

        @rule
        def sample(s, random):
            left, ahead, right = reached(s, -1), reached(s, 0), reached(s, 1)
            most = popcount(left), popcount(left) + popcount(ahead)
            k = draw(random, most[1] + popcount(right))
            if k < most[0]:
                return code(s, select(left, k), -1)
            if k < most[1]:
                return code(s, select(ahead, k - most[0]), 0)
            return code(s, select(right, k - most[1]), 1)

        @rule
        def play(s, move):
            at, to = move // area, move % area
            s.stones[s.seat] = s.stones[s.seat] & ~bit(at) | bit(to)
            s.stones[1 - s.seat] &= ~bit(to)
            s.seat = 1 - s.seat

        @rule
        def payoff(s, seat):
            return 1 if s.seat != seat else -1

        return Rules(
            board.layout, moves, play, turn, payoff, width=6 * columns, sample=sample,
            plies=4 * columns * (rows - 1), notation=board, **self.knowledge(reached, line, first),
        )  # fmt: skip

    def knowledge(self, reached, line, first):
        """Return the rules for searches alone; line: the cells of each row; first: of a column."""
        rows, columns = self.rows, self.columns
        area, goals, nearly = rows * columns, (line[0], line[-1]), (line[1], line[-2])

        @rule
        def urgent(s):
            """Return the cells to reach one of, to win at once or not to lose at once."""
            other, aside = s.stones[1 - s.seat], reached(s, -1) | reached(s, 1)
            wins = (aside | reached(s, 0)) & goals[s.seat]
            if popcount(other) == 1:
                wins |= aside & other
            return wins if wins else other & nearly[1 - s.seat]

        @rule
        def solved(s, tablebase):
            cells, other = urgent(s), s.stones[1 - s.seat]
            aside = reached(s, -1) | reached(s, 1)
            if cells & goals[s.seat] or (popcount(other) == 1 and aside & other):
                return 1 - 2 * s.seat, 1
            if cells and (popcount(cells) > 1 or not cells & aside):  # one can be captured
                return 2 * s.seat - 1, 2
            return 0, -1

        @rule
        def reduce(s, out, n):
            cells, kept = urgent(s), 0
            for i in range(n):
                if not cells or has(cells, out[i] % area):
                    out[kept] = out[i]
                    kept += 1
            return max(kept, 1)

        @rule
        def order(s, out, n, scores):
            """Order captures first, then moves of the most advanced pieces."""
            for i in range(n):
                row = out[i] % area // columns
                capture = has(s.stones[1 - s.seat], out[i] % area)
                scores[i] = 2 * rows * capture + (row if s.seat else rows - 1 - row)

        @rule
        def key(s):
            white = mirrored(s.stones[0], columns, first)
            black = mirrored(s.stones[1], columns, first)
            return min(hashed(s.stones[0], s.stones[1], s.seat), hashed(white, black, s.seat))

        return {"solved": solved, "reduce": reduce, "order": order, "key": key}

    def setup(self, record):
        two = (1 << 2 * self.columns) - 1
        record.stones[:] = u64(two << (self.rows - 2) * self.columns), u64(two)
