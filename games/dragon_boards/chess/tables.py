"""The board, what pieces see from each of its cells, and what they are worth there.

Cell 8 * rank + file is a bit of a set: a1 is 0, h1 is 7, a8 is 56.
"""

from __future__ import annotations

import numpy as np

from dragon import Board
from dragon.boards.steps import KING as NEAR
from dragon.boards.steps import KNIGHT as LEAPS

BOARD = Board(8, 8, {"pieces": "PNBRQKpnbrqk"}, where=lambda row, column: 8 * (7 - row) + column)
KNIGHT, KING = BOARD.around(LEAPS), BOARD.around(NEAR)
PAWN = np.array([BOARD.around([(way, -1), (way, 1)]) for way in (-1, 1)])
"""uint64[2, 64]: where a pawn of each side captures."""
WORTH = (100, 320, 330, 500, 900, 0)
"""Of a pawn, a knight, a bishop, a rook, a queen, in hundredths of a pawn."""


def worth(late: int, kind: int, at: int) -> int:
    """Pieces want to be in the middle, pawns to go on, kings to hide, and to come out later."""
    rank, aside, away = at // 8, abs(at % 8 * 2 - 7), abs(at // 8 * 2 - 7)  # 1 to 7: the edge
    middle = 8 - aside - away
    pawn = (1 + late) * rank * rank + (1 - late) * rank * (4 - aside)
    king = 6 * middle if late else 6 * aside - 14 * rank
    places = (pawn, 5 * middle, 3 * middle, 15 * (rank == 6) - aside // 2, middle, king)
    return WORTH[kind] + places[kind]


OURS = np.array([[[worth(late, k, at) for at in range(64)] for k in range(6)] for late in (0, 1)])
PLACES = np.concatenate([OURS, -OURS.reshape(2, 6, 8, 8)[:, :, ::-1].reshape(2, 6, 64)], axis=1)
"""int64[2, 12, 64]: of White's and Black's pieces, while there are many and when there are few."""
