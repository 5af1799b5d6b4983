"""Filled boards: games of hex played to the end in one step, for playouts.

The side that joins its edges on the full board is the winner of hex: a chain that was complete
before is still there, and only one side can have one. So the board is filled at random, and one
side's stones are joined once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dragon import rule
from dragon.bits import bit, draw, draw_set, has, popcount, select, shl, shr


def filling(size: int, board: Any, top: Any, bottom: Any, left: Any, right: Any) -> dict[str, Any]:
    """Return the rules `finish` and `maker` of hex.

    board and edges: sets of cells, uint64[words], as in `dragon_classics.hex`.
    """
    import numpy as np  # here, since every command that lists games imports this module

    area, words = size * size, len(board)
    not_left, not_right = (np.pad(board & ~edge, 1) for edge in (left, right))

    @rule
    def reaches(stones: Any, far: Any, joined: Any) -> Any:
        """Return True if stones lead from the joined ones to the far edge; join them meanwhile."""
        here = np.zeros(words + 2, np.uint64)  # with an empty word on either side
        west = np.zeros(words + 2, np.uint64)
        east = np.zeros(words + 2, np.uint64)
        for w in range(words):
            here[w + 1] = joined[w]
        more = True
        while more:
            more = False
            for w in range(1, words + 1):
                low, high = here[w] & not_left[w], here[w] & not_right[w]
                west[w] = shr(low, 1) | shl(here[w + 1] & not_left[w + 1], 63)
                east[w] = shl(high, 1) | shr(here[w - 1] & not_right[w - 1], 63)
            for w in range(1, words + 1):  # a cell touches two of the row above, and two below
                up, down = here[w] | east[w], here[w] | west[w]
                found = up | down | shr(up, size) | shl(down, size)
                found |= shl(here[w + 1] | east[w + 1], 64 - size)
                found |= shr(here[w - 1] | west[w - 1], 64 - size)
                found &= stones[w - 1]
                if found != here[w]:
                    here[w] = found
                    joined[w - 1] = found
                    more = True
                    if found & far[w - 1]:
                        return True
        return False

    @rule
    def drawn(cells: Any, random: Any) -> int:
        """Return a random one of a set of cells."""
        count = 0
        for w in range(words):
            count += popcount(cells[w])
        rest = draw(random, count)
        for w in range(words):
            if rest < popcount(cells[w]):
                found: int = 64 * w + select(cells[w], rest)
                return found
            rest -= popcount(cells[w])
        return -1  # not reached

    @rule
    def finish(s: Any, random: Any) -> int:
        """Fill the board at random, and join the first side's stones at once.

        Each empty cell falls to either side; then random ones of the side with too many change
        hands. By symmetry, all divisions into the right numbers are equally likely.
        """
        n: int = area - s.ply
        own = np.zeros((2, words), np.uint64)
        more = -((n + 1 - s.ply % 2) // 2)  # cells of the first side beyond its number
        for w in range(words):
            empty = board[w] & ~(s.stones[0, w] | s.stones[1, w])
            own[0, w] = empty & draw_set(random)
            own[1, w] = empty & ~own[0, w]
            more += popcount(own[0, w])
        for _ in range(abs(more)):
            cell = drawn(own[0 if more > 0 else 1], random)
            for side in range(2):
                own[side, cell >> 6] ^= bit(cell & 63)
        for w in range(words):
            for side in range(2):
                s.stones[side, w] |= own[side, w]
            s.joined[0, w] |= s.stones[0, w] & top[w]
        if not reaches(s.stones[0], bottom, s.joined[0]):
            for w in range(words):
                s.joined[1, w] |= right[w]  # then the other side is joined; nothing asks how
        s.ply = area
        return n

    @rule
    def maker(s: Any, cell: Any) -> int:
        return 0 if has(s.stones[0, cell >> 6], cell & 63) else 1

    rules: tuple[Callable[..., Any], ...] = (finish, maker)
    return {each.__name__: each for each in rules}
