"""Hex: join your two edges with a chain of stones; exactly one side can.

The board of size 3; a cell touches those left and right of it, the two above and the two
below. X joins the top row to the bottom row, O the left column to the right one::

       1 2 3
    a  . . .
     b  . . .
      c  . . .

A record holds each side's stones and, of these, the ones joined to the side's first
edge (top or left), as 64-bit words: cell i = row * size + column is bit i % 64 of word
i // 64. The joined stones follow from the stones, so equal positions are equal records.
"""

from __future__ import annotations

from typing import Any

from attrs import field, frozen
from attrs.validators import ge, le

from dragon import TERMINAL, Grid, RecordGame, Rules, rule
from dragon.bits import bit, ctz, draw, drop, has, popcount, select


def cells(size: int, inside: Any) -> Any:
    """uint64[words]: the cells (row, column) for which `inside` holds."""
    import numpy as np

    masks = np.zeros((size * size + 63) // 64, np.uint64)
    for i in range(size * size):
        if inside(*divmod(i, size)):
            masks[i // 64] |= bit(i % 64)
    return masks


def touching(size: int) -> Any:
    """uint64[cells, words]: the up to six cells that touch each cell."""
    import numpy as np

    around = {(0, -1), (0, 1), (-1, 0), (-1, 1), (1, -1), (1, 0)}
    return np.array(
        [
            cells(size, lambda r, c, i=i: (r - i // size, c - i % size) in around)
            for i in range(size * size)
        ]
    )


@frozen
class Hex(RecordGame):
    """Join your two edges with a chain of stones; the first side can force it."""

    name = "hex"
    size: int = field(default=11, validator=[ge(2), le(19)])

    def rules(self) -> Rules:
        """The rules for one board, whose masks are constants to the compiler."""
        size = self.size
        area = size * size
        words = (area + 63) // 64
        near = touching(size)
        board = cells(size, lambda row, column: True)
        top, bottom = (cells(size, lambda row, column, at=at: row == at) for at in (0, size - 1))
        left, right = (cells(size, lambda row, column, at=at: column == at) for at in (0, size - 1))

        @rule
        def meets(a, b):
            """Whether two sets of cells have one in common."""
            for w in range(words):
                if a[w] & b[w]:
                    return True
            return False

        @rule
        def put(stones, joined, todo, edge, cell):
            """Sets a stone, and joins to the edge all that it connects; `todo` is empty again after."""
            stones[cell >> 6] |= bit(cell & 63)
            if not has(edge[cell >> 6], cell & 63) and not meets(near[cell], joined):
                return
            joined[cell >> 6] |= bit(cell & 63)
            todo[cell >> 6] |= bit(cell & 63)
            at = 0
            while at < words:
                if not todo[at]:
                    at += 1
                    continue
                one = 64 * at + ctz(todo[at])
                todo[at] = drop(todo[at])
                for w in range(words):
                    fresh = near[one][w] & stones[w] & ~joined[w]
                    joined[w] |= fresh
                    todo[w] |= fresh
                    if fresh and w < at:
                        at = w

        @rule
        def placed(s):
            """How many stones there are."""
            count = 0
            for w in range(words):
                count += popcount(s.black[w] | s.white[w])
            return count

        @rule
        def turn(s):
            if meets(s.north, bottom) or meets(s.west, right):
                return TERMINAL
            return placed(s) % 2

        @rule
        def moves(s, out):
            n = 0
            for w in range(words):
                empty = board[w] & ~(s.black[w] | s.white[w])
                while empty:
                    out[n] = 64 * w + ctz(empty)
                    n += 1
                    empty = drop(empty)
            return n

        @rule
        def sample(s, random):
            rest = draw(random, area - placed(s))
            for w in range(words):
                empty = board[w] & ~(s.black[w] | s.white[w])
                if rest < popcount(empty):
                    return 64 * w + select(empty, rest)
                rest -= popcount(empty)
            return -1

        @rule
        def play(s, cell):
            if placed(s) % 2 == 0:
                put(s.black, s.north, s.todo, top, cell)
            else:
                put(s.white, s.west, s.todo, left, cell)

        @rule
        def payoff(s, seat):
            return 1 - 2 * seat if meets(s.north, bottom) else 2 * seat - 1

        row = ("u8", (words,))
        return Rules(
            layout=[(name, *row) for name in ("black", "white", "north", "west", "todo")],
            moves=moves,
            play=play,
            turn=turn,
            payoff=payoff,
            sample=sample,
            width=area,
            plies=area,
            notation=Grid(size, size, {"black": "X", "white": "O"}, slant=True),
        )
