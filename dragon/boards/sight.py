"""Steps from a cell to others, for `Cells.around`, and sight: the cells that rooks and bishops see.

Steps are rows down and columns to the right. The rules of sight, from a cell or from many at once,
are for boards of at most 64 cells.

>>> from dragon import Grid
>>> from dragon.bits import popcount
>>> [popcount(cells) for cells in Grid(3, 3, {"stones": "XO"}).around(KING)]
[3, 5, 3, 5, 8, 5, 3, 5, 3]
"""

from __future__ import annotations

from typing import Any, NamedTuple

from dragon.bits import MASK, add, bit, drop, members, msb, shl, shr, u64
from dragon.boards.cells import Cells
from dragon.rules.rules import rule

ROOK = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""To the cells beside one."""
BISHOP = ((1, 1), (1, -1), (-1, -1), (-1, 1))
KING = ROOK + BISHOP
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
HEXAGON = ((0, -1), (-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1))
"""To the cells that touch one where each row lies half a cell further right (`slant`), in turn."""


@rule
def along(start: Any, through: Any, step: int) -> Any:
    """Return the cells behind each cell of an unbroken line of `through` that begins above `start`.

    step: from a cell's bit to that of the next one in line. A line is followed for six cells, the
    most that two others can enclose on eight rows and columns; `through` must not have cells of an
    edge that a line would cross (Kogge and Stone's parallel prefix).
    """
    line = through & shl(start, step)
    line |= through & shl(line, step)
    pairs = through & shl(through, step)
    line |= pairs & shl(line, 2 * step)
    return shl(line | pairs & shl(line, 2 * step), step)


@rule
def against(start: Any, through: Any, step: int) -> Any:
    """Return the cells behind those of lines that begin below `start`; see `along`."""
    line = through & shr(start, step)
    line |= through & shr(line, step)
    pairs = through & shr(through, step)
    line |= pairs & shr(line, 2 * step)
    return shr(line | pairs & shr(line, 2 * step), step)


class Sight(NamedTuple):
    """The rules for sliding attacks; `held` is the set of cells that are not empty."""

    straight: Any
    """A rule: `straight(at, held)`, what a rook sees, as far as the first held cells."""
    diagonal: Any
    """A rule: `diagonal(at, held)`, what a bishop sees."""
    between: Any
    """A rule: `between(one, other)`, the cells between two in a line."""
    lines: Any
    """uint64[span, span]: all cells in line with two; none where the two are not in line."""


def sight(board: Cells) -> Sight:
    """Return the sliding attacks of a board whose bits grow, or fall, evenly along each line.

    >>> from dragon import Board
    >>> from dragon.bits import elements, popcount
    >>> seen = sight(Board(8, 8, {"stones": "XO"}))
    >>> popcount(seen.diagonal(0, u64(0))), popcount(seen.straight(0, bit(3)))
    (7, 10)
    """
    import numpy as np

    above, below = np.zeros((2, 4, board.span), np.uint64)
    lines = np.zeros((board.span, board.span), np.uint64)
    for k, (row, column) in enumerate(KING):
        far = range(1, max(board.rows, board.columns))
        for at, ray in enumerate(board.around([(n * row, n * column) for n in far])):
            (above if msb(ray) > at else below)[k // 4 * 2 + k % 2, at] |= ray
    for at in range(board.span):
        for line in above[:, at] | below[:, at]:
            lines[at, list(members(line))] = line | bit(at)
    whole = u64(MASK)

    @rule
    def along_line(line: int, at: int, held: Any) -> Any:
        """Return the attacks along one line (G. Isenberg's variant of o^(o-2r))."""
        nearest = above[line, at] & held
        nearest &= ~drop(nearest)
        from_below = shl(whole, msb(below[line, at] & held | u64(1)))
        return (below[line, at] | above[line, at]) & add(add(nearest, nearest), from_below)

    @rule
    def straight(at: int, held: Any) -> Any:
        return along_line(0, at, held) | along_line(1, at, held)

    @rule
    def diagonal(at: int, held: Any) -> Any:
        return along_line(2, at, held) | along_line(3, at, held)

    @rule
    def between(one: int, other: int) -> Any:
        span = add(bit(one), whole) ^ add(bit(other), whole)
        return lines[one, other] & span & ~bit(one) & ~bit(other)

    return Sight(straight, diagonal, between, lines)
