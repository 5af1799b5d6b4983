"""Teeko: four pieces each, which are placed, then moved, to stand in a line or a square.

J. Scarne, 1937; G. L. Steele Jr. found in 1998 that it is a draw, and that in advanced teeko, where
squares of any size count, the first side wins.
"""

from __future__ import annotations

from attrs import field
from attrs.validators import ge, le

from dragon import TERMINAL, BadNotation, Board, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import bit, ctz, drop, popcount, u64

SIZE, PIECES = 5, 4
AREA = SIZE * SIZE
CELLS = [(row, column) for row in range(SIZE) for column in range(SIZE)]


def cells(places):
    """The bit set of places, row and column; 0 where one is off the board."""
    places = list(places)
    inside = all(0 <= r < SIZE and 0 <= c < SIZE for r, c in places)
    return sum(1 << SIZE * r + c for r, c in places) if inside else 0


def patterns(advanced):
    """The bit sets that win: lines of four, and squares of neighbours or of any size."""
    found = [
        cells((r + n * down, c + n * across) for n in range(PIECES))
        for r, c in CELLS
        for down, across in ((0, 1), (1, 0), (1, 1), (1, -1))
    ]
    for size in range(1, SIZE if advanced else 2):
        found += [cells([(r, c), (r, c + size), (r + size, c), (r + size, c + size)])
                  for r, c in CELLS]  # fmt: skip
    return [u64(each) for each in found if each]


@frozen
class Teeko(RecordGame):
    """Bring your four pieces into a line or a square, first by placing, then by moving them.

    X and O place a piece on a free cell in turn until each has four; then they move one of theirs
    in turn, to a free cell next to it, in any direction. Whoever has all four in a line without
    gaps, or in a square of four neighbours, wins; in advanced teeko the corners of larger squares
    count too. After `limit` plies the game is drawn.
    """

    name = "teeko"
    advanced: bool = False
    """Whether the corners of a larger upright square win too."""
    limit: int = field(default=100, validator=[ge(8), le(10_000)])
    """Plies after which the game is drawn."""

    @property
    def traits(self):
        return frozenset({Trait.DUEL, Trait.REPETITION})

    def rules(self):
        import numpy as np

        limit, winning = self.limit, np.array(patterns(self.advanced), np.uint64)
        board = u64((1 << AREA) - 1)
        near = np.array(
            [
                sum(1 << SIZE * y + x for y, x in CELLS if 0 < (y - r) ** 2 + (x - c) ** 2 < 3)
                for r, c in CELLS
            ],
            np.uint64,
        )

        @rule
        def won(stones):
            if popcount(stones) == PIECES:
                for pattern in winning:
                    if stones == pattern:
                        return True
            return False

        @rule
        def turn(s):
            over = won(s.stones[1 - s.ply % 2]) or s.ply >= limit
            return TERMINAL if over else s.ply % 2

        @rule
        def moves(s, out):
            """A piece that is placed goes from its cell to its cell."""
            n, free = 0, board & ~(s.stones[0] | s.stones[1])
            own = free if s.ply < 2 * PIECES else s.stones[s.ply % 2]
            while own:
                at = ctz(own)
                to = bit(at) if s.ply < 2 * PIECES else near[at] & free
                while to:
                    out[n] = at * AREA + ctz(to)
                    to = drop(to)
                    n += 1
                own = drop(own)
            return n

        @rule
        def play(s, move):
            seat = s.ply % 2
            s.stones[seat] = s.stones[seat] & ~bit(move // AREA) | bit(move % AREA)
            s.ply += 1

        @rule
        def payoff(s, seat):
            last = 1 - s.ply % 2
            if not won(s.stones[last]):
                return 0
            return 1 if seat == last else -1

        def settle(s):
            ply = int(s.ply)
            for seat, number in enumerate([(ply + 1) // 2, ply // 2]):
                if popcount(s.stones[seat]) != min(number, PIECES):
                    raise BadNotation(f"ply={ply}: each side places a piece in turn until it has "
                                      f"{PIECES}; write the ply behind the side")  # fmt: skip

        notation = Board(
            SIZE, SIZE, {"stones": "XO"}, mover="ply", moving=True, naming="columns", settle=settle
        )
        return Rules(
            notation.layout, moves, play, turn, payoff, width=PIECES * 8, plies=limit,
            notation=notation,
        )  # fmt: skip
