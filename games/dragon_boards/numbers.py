"""Knowledge of gomoku on small boards and of teeko: forced moves, and numbers for tablebases.

A window is a set of `line` adjacent cells in a line. A side with all cells of a window except one,
which is free, threatens to win there. If the sum of 2 to the minus f, f being the number of
free cells of a window that a side may still fill, is less than 1, or than 1/2 if that side moves
first, the other side can keep it from filling any (P. Erdős and J. Selfridge, *On a combinatorial
game*, Journal of Combinatorial Theory A 14, 1973); if both can, it is a draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dragon import rule
from dragon.bits import bit, drop, has, members, popcount, shl, shr
from dragon.boards.placements import Placements

STONES = 16
"""The stones of a playout that are drawn before lines are looked for."""


def knowledge(windows: Iterable[int], line: int) -> dict[str, Any]:
    """Return the rules `solved` and `reduce`; windows: all of a board, as bit sets of cells."""
    import numpy as np

    lines, full = np.array([*windows], np.uint64), 1 << line

    @rule
    def threats(own, other):
        """Return the free cells with which a side wins."""
        found = own & ~own
        for i in range(len(lines)):
            rest = lines[i] & ~own
            if not drop(rest) and not rest & other:
                found |= rest
        return found

    @rule
    def weight(own, other):
        """Return the sum of Erdős and Selfridge over a side's possible windows, times `full`."""
        total = 0
        for i in range(len(lines)):
            if not lines[i] & other:
                total += 1 << popcount(lines[i] & own)
        return total

    @rule
    def solved(s, tablebase):
        seat = s.ply % 2
        own, other = s.stones[seat, 0], s.stones[1 - seat, 0]
        if threats(own, other):
            return 1 - 2 * seat, 1
        if popcount(threats(other, own)) > 1:
            return 2 * seat - 1, 2
        drawn = weight(own, other) < full // 2 and weight(other, own) < full
        return 0, 0 if drawn else -1

    @rule
    def reduce(s, out, n):
        """Keep only moves that win at once, or else those that prevent a win at once."""
        seat, kept = s.ply % 2, 0
        own, other = s.stones[seat, 0], s.stones[1 - seat, 0]
        cells = threats(own, other)
        if not cells:
            cells = threats(other, own)
        for i in range(n):
            if not cells or has(cells, out[i]):
                out[kept] = out[i]
                kept += 1
        return kept

    return {"solved": solved, "reduce": reduce}


def filling(
    rows: int, columns: int, line: int, sample: Callable[..., int], play: Callable[..., None]
) -> dict[str, Any]:
    """Return the rules `finish` and `maker` of gomoku, whose other rules draw and play a move.

    Stones are drawn by STONES at a time, and only then lines are looked for, in all words at once.
    If there is one, these stones are taken back and played one by one.
    """
    import numpy as np

    words, area = (rows * columns + 63) // 64, rows * columns
    steps = np.array([1, columns, columns + 1, max(columns - 1, 1)], np.int64)

    def without(column: int | None) -> list[int]:
        cells = sum(1 << i for i in range(area) if i % columns != column)
        return [cells >> 64 * w & (1 << 64) - 1 for w in range(words)] + [0]

    masks = [without(0), without(None), without(0), without(columns - 1)]
    inside = np.array(masks, np.uint64)  # the cells that a step back does not take off a row

    @rule
    def has_line(stones: Any) -> bool:
        """Return True if a side's stones have a line; stones: uint64[words]."""
        begun = np.zeros(words + 1, np.uint64)  # the cells where such a row begins
        for k in range(4):
            by = steps[k]
            for w in range(words):
                begun[w] = stones[w]
            for _ in range(line - 1):
                for w in range(words):
                    low, high = begun[w] & inside[k, w], begun[w + 1] & inside[k, w + 1]
                    begun[w] = stones[w] & (shr(low, by) | shl(high, 64 - by))
            found = begun[0]
            for w in range(1, words):
                found |= begun[w]
            if found:
                return True
        return False

    @rule
    def finish(s: Any, random: Any) -> int:
        """Play at random, STONES at a time, and those among which the game ends one by one."""
        left: int = area - s.ply
        cells = np.zeros(STONES, np.int64)
        before = np.zeros((2, words), np.uint64)
        while True:
            for w in range(words):
                for side in range(2):
                    before[side, w] = s.stones[side, w]
            n = min(STONES, area - s.ply)
            for i in range(n):
                cells[i] = sample(s, random)
                s.stones[(s.ply + i) % 2, cells[i] >> 6] |= bit(cells[i] & 63)
            if has_line(s.stones[0]) or has_line(s.stones[1]):
                break
            s.ply += n
            if s.ply == area:
                return left
        for w in range(words):
            for side in range(2):
                s.stones[side, w] = before[side, w]
        for i in range(n):
            if not s.over:
                play(s, cells[i])
        left -= area - s.ply
        return left

    @rule
    def maker(s: Any, cell: Any) -> int:
        for side in range(2):
            if has(s.stones[side, cell >> 6], cell & 63):
                return side
        return -1

    return {"finish": finish, "maker": maker}


def of_gomoku(cells: int, lines: Iterable[int]) -> dict[str, Any]:
    """Return the rules that number positions on a board of one word.

    lines: the bit sets with which a side has won.
    """
    import numpy as np

    placements = Placements(cells, [((n + 1) // 2, n // 2) for n in range(cells + 1)])
    number, placed, lifted = placements.rank, placements.unrank, placements.lifted
    wins = np.zeros(1 << cells, np.bool_)
    for line in lines:
        wins |= np.arange(1 << cells) & line == line

    @rule
    def rank(s):
        return number(s.stones[1 - s.ply % 2, 0], s.stones[s.ply % 2, 0])

    @rule
    def unrank(s, number):
        other, own = placed(number)
        s.ply = popcount(own) + popcount(other)
        s.stones[s.ply % 2, 0], s.stones[1 - s.ply % 2, 0] = own, other
        s.over = int(wins[np.int64(other)])
        return -1 if wins[np.int64(own)] else s.ply % 2

    @rule
    def before(s, out):
        return lifted(s.stones[s.ply % 2, 0], s.stones[1 - s.ply % 2, 0], out)

    return {"rank": rank, "unrank": unrank, "before": before, "ranks": placements.count}


def of_teeko(
    placements: Placements, pieces: int, board: int, near: Any, won: Callable[[Any], bool],
    plies: int,
) -> dict[str, Any]:  # fmt: skip
    """Return these rules for two sides with `pieces` each, which move once all are placed.

    near: uint64[cells], the cells that touch each; plies: the most plies of a game. Numbers
    ignore the limit of plies, so a game that ends before pieces move is not numbered.
    """
    if plies < 2 * pieces + 2:
        return {}
    colex, among, row = placements.colex, placements.among, placements.row
    number, placed, lifted = placements.rank, placements.unrank, placements.lifted

    @rule
    def rank(s):
        return number(s.stones[1 - s.ply % 2], s.stones[s.ply % 2])

    @rule
    def unrank(s, number):
        """Set the position of a number; X is to move if all pieces are on the board."""
        other, own = placed(number)
        s.ply = popcount(own) + popcount(other)
        s.stones[s.ply % 2], s.stones[1 - s.ply % 2] = own, other
        return -1 if won(own) else s.ply % 2

    @rule
    def before(s, out):
        """Write the numbers of the positions before: a piece goes back, or off the board."""
        own, other = s.stones[s.ply % 2], s.stones[1 - s.ply % 2]
        n = lifted(own, other, out) if s.ply <= 2 * pieces else 0
        if s.ply < 2 * pieces:
            return n
        free, held, moving = board & ~(own | other), among(other, own), row(own, pieces)
        for cell in members(other):
            rest = held & ~bit(cell - popcount(own & (bit(cell) - bit(0))))
            for origin in members(near[cell] & free):
                shift = popcount(own & (bit(origin) - bit(0)))
                out[n] = moving + colex(rest | bit(origin - shift))
                n += 1
        return n

    return {"rank": rank, "unrank": unrank, "before": before, "ranks": placements.count}
