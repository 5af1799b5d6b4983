"""What pieces see from each cell of an empty board, and what they are worth there.

Cell 8 * rank + file is a bit of a set: a1 is 0, h1 is 7, a8 is 56.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

CELLS = range(64)
LINES = ((0, 1), (1, 0), (1, 1), (1, -1))
"""Steps in ranks and files along a rank, a file and both diagonals, each to greater cells."""
NEAR = [(r, f) for r in range(-2, 3) for f in range(-2, 3)]
WORTH = (100, 320, 330, 500, 900, 0)
"""Of a pawn, a knight, a bishop, a rook, a queen, in hundredths of a pawn."""


def table(seen: Callable[[int], Iterable[tuple[int, int]]]) -> Any:
    """uint64[64]: of each cell the set of those that are so many ranks and files away."""
    found = np.zeros(64, np.uint64)
    for at in CELLS:
        for rank, file in seen(at):
            if 0 <= (r := at // 8 + rank) < 8 and 0 <= (f := at % 8 + file) < 8:
                found[at] |= np.uint64(1 << 8 * r + f)
    return found


def rays(sign: int) -> Any:
    """uint64[4, 64]: the rest of each line beyond a cell, on its one side."""
    far = [sign * n for n in range(1, 8)]
    return np.array([table(lambda at: [(n * r, n * f) for n in far]) for r, f in LINES])  # noqa: B023


ABOVE, BELOW = rays(1), rays(-1)
KNIGHT = table(lambda at: [(r, f) for r, f in NEAR if abs(r * f) == 2])
KING = table(lambda at: [(r, f) for r, f in NEAR if max(abs(r), abs(f)) == 1])
PAWN = np.array([table(lambda at: [(way, -1), (way, 1)]) for way in (1, -1)])  # noqa: B023
"""uint64[2, 64]: where a pawn of each side captures."""
LINE = np.zeros((64, 64), np.uint64)
"""All cells in line with two; none where the two are not in line."""
for one in CELLS:
    for line in ABOVE[:, one] | BELOW[:, one]:
        others = [other for other in CELLS if int(line) >> other & 1]
        LINE[one, others] = line | np.uint64(1 << one)


def worth(late: int, kind: int, at: int) -> int:
    """Pieces want to be in the middle, pawns to go on, kings to hide, and to come out later."""
    rank, aside, away = at // 8, abs(at % 8 * 2 - 7), abs(at // 8 * 2 - 7)  # 1 to 7: the edge
    middle = 8 - aside - away
    pawn = (1 + late) * rank * rank + (1 - late) * rank * (4 - aside)
    king = 6 * middle if late else 6 * aside - 14 * rank
    places = (pawn, 5 * middle, 3 * middle, 15 * (rank == 6) - aside // 2, middle, king)
    return WORTH[kind] + places[kind]


OURS = np.array([[[worth(late, k, at) for at in CELLS] for k in range(6)] for late in (0, 1)])
PLACES = np.concatenate([OURS, -OURS.reshape(2, 6, 8, 8)[:, :, ::-1].reshape(2, 6, 64)], axis=1)
"""int64[2, 12, 64]: of White's and Black's pieces, while there are many and when there are few."""
