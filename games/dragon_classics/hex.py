"""Hex: join your two edges with a chain of stones; exactly one side can.

The board of size 3; a cell touches those left and right of it, the two above and the two
below. X joins the top row to the bottom row, O the left column to the right one::

       1 2 3
    a  . . .
     b  . . .
      c  . . .

A record holds each side's stones and, of these, the ones joined to the side's first edge (top
or left), as 64-bit words: cell i = row * size + column is bit i % 64 of word i // 64. Joined stones
follow from the stones, and `todo` is empty between moves, so equal positions have equal records.
"""

from __future__ import annotations

from attrs import evolve, field
from attrs.validators import ge, le

from dragon import TERMINAL, Grid, RecordGame, Rules, frozen, rule
from dragon.bits import bit, ctz, draw, drop, elements, has, popcount, select
from dragon.boards.sight import HEXAGON
from dragon_classics.bridges import filling, knowledge


@frozen
class Hex(RecordGame):
    """Join your two edges with a chain of stones; the first side can force it.

    Black and White (X and O in text) place a stone on an empty cell in turn. Black joins the top
    row to the bottom row, White the left column to the right one; the edges of a drawing have the
    colours of their sides. The first chain wins; there are no draws, and no swap.

    A cell touches those left and right of it, the two above (straight up, and one to the right)
    and the two below (straight down, and one to the left).
    """

    name = "hex"
    small = "hex(size=3)"
    size: int = field(default=11, validator=[ge(2), le(19)])

    def rules(self) -> Rules:
        """Return the rules for one board, whose masks are constants to the compiler."""
        size, area, line = self.size, self.size**2, range(self.size)
        words = (area + 63) // 64
        grid = Grid(size, size, {"stones": "XO"}, slant=True, edges="XO", symmetries=("half_turn",))
        near = grid.around(HEXAGON).reshape(area, words)
        board = grid.set_of(grid.bits).reshape(words)
        top, bottom = (grid.set_of((r, c) for c in line).reshape(words) for r in (0, size - 1))
        left, right = (grid.set_of((r, c) for r in line).reshape(words) for c in (0, size - 1))

        @rule
        def meets(a, b):
            """Return True if two sets of cells have a cell in common."""
            for w in range(words):
                if a[w] & b[w]:
                    return True
            return False

        @rule
        def join(stones, joined, todo, cell):
            """Join a stone, and all that it connects, to the edge; leave `todo` empty."""
            joined[cell >> 6] |= bit(cell & 63)
            todo[cell >> 6] |= bit(cell & 63)
            w = 0
            while w < words:
                if not todo[w]:
                    w += 1
                    continue
                one = 64 * w + ctz(todo[w])
                todo[w] = drop(todo[w])
                for v in range(words):
                    fresh = near[one, v] & stones[v] & ~joined[v]
                    joined[v] |= fresh
                    todo[v] |= fresh
                    if fresh and v < w:
                        w = v

        @rule
        def place(stones, joined, todo, edge, cell):
            """Place a stone, joined if it lies on the edge or touches one that is joined."""
            stones[cell >> 6] |= bit(cell & 63)
            if has(edge[cell >> 6], cell & 63) or meets(near[cell], joined):
                join(stones, joined, todo, cell)

        @rule
        def turn(s):
            if meets(s.joined[0], bottom) or meets(s.joined[1], right):
                return TERMINAL
            return s.ply % 2

        @rule
        def moves(s, out):
            n = 0
            for w in range(words):
                empty = board[w] & ~(s.stones[0, w] | s.stones[1, w])
                n = elements(empty, out, n, 64 * w)
            return n

        @rule
        def sample(s, random):
            rest = draw(random, area - s.ply)
            for w in range(words):
                empty = board[w] & ~(s.stones[0, w] | s.stones[1, w])
                if rest < popcount(empty):
                    return 64 * w + select(empty, rest)
                rest -= popcount(empty)
            return -1  # not reached: a full board has a winner

        @rule
        def play(s, cell):
            if s.ply % 2 == 0:
                place(s.stones[0], s.joined[0], s.todo, top, cell)
            else:
                place(s.stones[1], s.joined[1], s.todo, left, cell)
            s.ply += 1

        @rule
        def payoff(s, seat):
            return 1 - 2 * seat if meets(s.joined[0], bottom) else 2 * seat - 1

        def settle(s):
            for stones, joined, edge in zip(s.stones, s.joined, (top, left), strict=True):
                for cell in range(area):
                    if has(stones[cell >> 6] & edge[cell >> 6], cell & 63):
                        join(stones, joined, s.todo, cell)

        def won(s, seat):
            return meets(s.joined[seat], (bottom, right)[seat])

        image = grid.least_image

        @rule
        def key(s):
            return image(s.stones)

        @rule
        def bounds(s):
            return -1, 1  # so that searches do not ask for win distances

        return Rules(
            [("stones", "u8", (2, words)), ("joined", "u8", (2, words)), ("todo", "u8", (words,)),
             ("ply", "i8")],
            moves, play, turn, payoff, width=area, plies=area, sample=sample, key=key,
            notation=evolve(grid, settle=settle, won=won), bounds=bounds, style="grave",
            **filling(size, board, top, bottom, left, right),
            **(knowledge(size, near[:, 0]) if area < 64 else {}),
        )  # fmt: skip
