"""Teeko: four pieces each, which are placed, then moved, to stand in a line or a square.

J. Scarne, 1937; G. L. Steele Jr. found in 1998 that it is a draw, and advanced teeko a first win.
"""

from __future__ import annotations

from math import comb

from attrs import field
from attrs.validators import ge, le

from dragon import TERMINAL, BadNotation, Board, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import bit, elements, members, popcount, shl, shr, u64
from dragon.boards.placements import Placements
from dragon.boards.sight import KING
from dragon_boards.numbers import of_teeko

SIZE, PIECES = 5, 4
AREA = SIZE * SIZE
CELLS = [(row, column) for row in range(SIZE) for column in range(SIZE)]


def cells(places):
    """Return the bit set of places, row and column; 0 if one is off the board."""
    places = list(places)
    inside = all(0 <= r < SIZE and 0 <= c < SIZE for r, c in places)
    return sum(1 << SIZE * r + c for r, c in places) if inside else 0


def patterns(advanced):
    """Return the bit sets that win: lines of four, and squares of neighbours or of any size."""
    found = [
        cells((r + n * down, c + n * across) for n in range(PIECES))
        for r, c in CELLS
        for down, across in ((0, 1), (1, 0), (1, 1), (1, -1))
    ]
    for size in range(1, SIZE if advanced else 2):
        found += [cells([(r, c), (r, c + size), (r + size, c), (r + size, c + size)])
                  for r, c in CELLS]  # fmt: skip
    return [u64(each) for each in found if each]


def images():
    """Return uint64[8, rows, 32]: the images of a row's cells, the board turned or mirrored."""
    import numpy as np

    found = np.zeros((8, SIZE, 1 << SIZE), np.uint64)
    for way, row, held in np.ndindex(found.shape):
        for column in range(SIZE):
            r, c = (column, row) if way & 4 else (row, column)
            if held >> column & 1:
                to = SIZE * (SIZE - 1 - r if way & 2 else r) + (SIZE - 1 - c if way & 1 else c)
                found[way, row, held] |= bit(to)
    return found


@frozen
class Teeko(RecordGame):
    """Bring your four pieces into a line or a square, first by placing, then by moving them.

    X and O place a piece on a free cell in turn until each has four; then they move one of theirs
    in turn, to a free cell next to it, in any direction. A side with all four in a line without
    gaps, or in a square of four neighbours, wins; in advanced teeko the corners of larger squares
    count too. After `limit` plies the game is drawn.
    """

    name = "teeko"
    traits = frozenset({Trait.DUEL, Trait.REPETITION})
    advanced: bool = False
    """True if the corners of a larger upright square win too."""
    limit: int = field(default=100, validator=[ge(8), le(10_000)])
    """The number of plies after which the game is drawn."""

    def rules(self):
        import numpy as np

        def settle(s):
            ply = int(s.ply)
            for seat, number in enumerate([(ply + 1) // 2, ply // 2]):
                if popcount(s.stones[seat]) != min(number, PIECES):
                    raise BadNotation(f"ply={ply}: each side places a piece in turn until it has "
                                      f"{PIECES}; write the ply behind the side")  # fmt: skip

        notation = Board(
            SIZE, SIZE, {"stones": "XO"}, mover="ply", moving=True, naming="columns",
            settle=settle, surface="wood", pieces={"": "disc"}, won=lambda s, k: won(s.stones[k]),
        )  # fmt: skip
        board, near, image = notation.set_of(CELLS), notation.around(KING), images()
        limit = self.limit
        placements = Placements(AREA, [((n + 1) // 2, n // 2) for n in range(2 * PIECES + 1)])
        colex = placements.colex
        wins = np.zeros(comb(AREA, PIECES), np.bool_)
        for pattern in patterns(self.advanced):
            wins[colex(pattern)] = True

        @rule
        def won(stones):
            return popcount(stones) == PIECES and wins[colex(stones)]

        @rule
        def turn(s):
            over = won(s.stones[1 - s.ply % 2]) or s.ply >= limit
            return TERMINAL if over else s.ply % 2

        @rule
        def moves(s, out):
            """Write the moves; placing a piece goes from its cell to the same cell."""
            n, own, free = 0, s.stones[s.ply % 2], board & ~(s.stones[0] | s.stones[1])
            if s.ply < 2 * PIECES:
                return elements(free, out, 0, 0, AREA + 1)
            for at in members(own):
                n = elements(near[at] & free, out, n, at * AREA)
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

        @rule
        def turned(stones, way):
            found = u64(0)
            for row in range(SIZE):
                held = shr(stones, SIZE * row) & u64((1 << SIZE) - 1)
                found |= image[way, row, np.int64(held)]
            return found

        @rule
        def place(s):
            """Return a key of both sides' pieces under all symmetries, without the plies."""
            own, other = s.stones[s.ply % 2], s.stones[1 - s.ply % 2]
            least = own | shl(other, AREA)
            for way in range(1, 8):
                least = min(least, turned(own, way) | shl(turned(other, way), AREA))
            return least | bit(2 * AREA)

        numbers = of_teeko(placements, PIECES, board, near, won, limit)
        return Rules(
            notation.layout, moves, play, turn, payoff, width=PIECES * 8, plies=limit,
            notation=notation, place=place, **numbers,
        )  # fmt: skip
