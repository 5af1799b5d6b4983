"""Steps from a cell to others, rows down and columns to the right, for `Cells.around`.

>>> from dragon import Grid
>>> from dragon.bits import popcount
>>> [popcount(cells) for cells in Grid(3, 3, {"stones": "XO"}).around(KING)]
[3, 5, 3, 5, 8, 5, 3, 5, 3]
"""

from __future__ import annotations

ROOK = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""To the cells beside one."""
BISHOP = ((1, 1), (1, -1), (-1, -1), (-1, 1))
KING = ROOK + BISHOP
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
HEXAGON = ((0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1))
"""To the cells that touch one where each row lies half a cell further right (`slant`), in turn."""
