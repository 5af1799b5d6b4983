"""Knowledge from bridges on hex boards of fewer than 64 cells: the winner, and move ordering.

A *bridge* joins two stones by two empty cells that touch both, or a stone to its edge by two cells
of the edge: if the other side takes one of them, the second one still joins. Joins without a
common cell hold together, so a chain of stones and bridges from edge to edge wins on any turn.
Two rules of H-search (V. Anshelevich, *A hierarchical approach to computer Hex*, Artificial
Intelligence 134, 2002) find more, each with one more stone:

- Two stones are also joined if several cells would join them, and the sets of these cells, with
  the cells that each needs, have an empty intersection.
- The side to move wins if one more stone makes a chain, and loses if the other side has such
  stones and no cell is needed by all of their chains.

Cells and stones are sets of bits, free is the set of empty cells. A chain is found greedily,
so that one may be missed.

Playouts fill the board in one step (`filling`): a chain that was complete before is still there on
the full board, where only one side can have one. So the board is filled at random, and one side's
stones are joined once.

It stays apart from the game, whose rules are to be read alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dragon import rule
from dragon.bits import bit, ctz, draw, draw_set, drop, has, popcount, select, shl, shr, u64
from dragon.boards.sight import HEXAGON

NONE = 0xFFFF_FFFF_FFFF_FFFF
"""The mark for an impossible join, in place of the cells that it needs."""


def tables(size: int) -> tuple[Any, Any, Any]:
    """Return the cells and edges to which each cell is joined, by touching or by a bridge.

    These are `ends`, int64[cells, 12]: the six cells around and the far ends of the six bridges, -1
    off the board; `needs`, uint64[cells, 12]: the cells that each of these joins needs; and
    `edges`, uint64[2, 2, cells]: by side (X, O) and edge (first, last) the join of a cell to the
    edge, NONE where it is too far.
    """
    import numpy as np

    ends = np.full((size * size, 12), -1)
    needs = np.zeros((size * size, 12), np.uint64)
    edges = np.full((2, 2, size * size), NONE, np.uint64)

    def at(row: int, column: int) -> int:
        return row * size + column if 0 <= row < size and 0 <= column < size else -1

    for cell in range(size * size):
        row, column = divmod(cell, size)
        around = [at(row + r, column + c) for r, c in HEXAGON]  # two in turn span a bridge
        pairs = [(k, (k + 1) % 6) for k in range(6)]
        spans = [bit(around[i]) | bit(around[j]) if min(around[i], around[j]) >= 0 else NONE
                 for i, j in pairs]  # fmt: skip
        ends[cell, :6] = around
        for k, (i, j) in enumerate(pairs):
            if spans[k] != NONE:
                ends[cell, 6 + k] = at(
                    row + HEXAGON[i][0] + HEXAGON[j][0], column + HEXAGON[i][1] + HEXAGON[j][1]
                )
                needs[cell, 6 + k] = spans[k]
        for side, line, first, last in ((0, row, 1, 4), (1, column, 5, 2)):
            for edge, away, span in ((0, line, first), (1, size - 1 - line, last)):
                if away < 2:
                    edges[side, edge, cell] = spans[span] if away else 0
    return ends, needs, edges


def knowledge(size: int, near: Any) -> dict[str, Any]:
    """Return the rules `solved`, without a number of plies, and `order`.

    near: uint64[cells], the cells that touch each cell.
    """
    import numpy as np

    ends, needs, edges = tables(size)
    area = size * size
    board = u64((1 << area) - 1)
    lines = np.abs(2 * np.arange(size) - size + 1)
    off_centre = np.add.outer(lines, lines).ravel()

    @rule
    def direct(cell, reached, free, edge):
        """Return the cells needed to join a cell to those reached or to an edge, or NONE."""
        if near[cell] & reached:
            return u64(0)
        if not edge[cell] & ~free:
            return edge[cell]
        for k in range(6, 12):
            if ends[cell, k] >= 0 and has(reached, ends[cell, k]) and not needs[cell, k] & ~free:
                return needs[cell, k]
        return u64(NONE)

    @rule
    def link(cell, reached, free, edge, deep):
        """Return the cells of `direct`, or if `deep` of several independent joins, or NONE."""
        needed = direct(cell, reached, free, edge)
        if needed != NONE or not deep:
            return needed
        union = u64(0)
        common = u64(NONE)
        for k in range(12):
            end = ends[cell, k]
            if end >= 0 and has(free, end) and not needs[cell, k] & ~free:
                step = needs[cell, k] | bit(end)
                needed = direct(end, reached, free & ~step, edge)
                if needed != NONE:
                    union |= needed | step
                    common &= needed | step
                    if not common:
                        return union
        return u64(NONE)

    @rule
    def chain(own, free, side):
        """Return the empty cells that a side's chain from edge to edge needs, or NONE."""
        reached = u64(0)
        used = u64(0)
        deep = False
        while True:
            rest = reached
            while rest:
                needed = link(ctz(rest), u64(0), free & ~used, edges[side, 1], deep)
                if needed != NONE:
                    return used | needed
                rest = drop(rest)
            rest = own & ~reached
            joined = False
            while rest and not joined:
                needed = link(ctz(rest), reached, free & ~used, edges[side, 0], deep)
                if needed != NONE:
                    used |= needed
                    reached |= bit(ctz(rest))
                    joined = True
                rest = drop(rest)
            if deep and not joined:
                return u64(NONE)
            deep = not joined

    @rule
    def needed_by(own, free, side, enough):
        """Return the cells needed by all chains that one more stone makes; NONE without chains.

        enough: stop at the first of these chains.
        """
        common = u64(NONE)
        rest = free
        while rest and common and (common == NONE or not enough):
            stone = bit(ctz(rest))
            rest = drop(rest)
            needed = chain(own | stone, free & ~stone, side)
            if needed != NONE:
                common &= needed | stone
        return common

    @rule
    def solved(s, tablebase):
        side = s.ply % 2
        own = s.stones[side, 0]
        other = s.stones[1 - side, 0]
        free = board & ~(own | other)
        if needed_by(own, free, side, True) != NONE:
            return 1 - 2 * side, 0
        if chain(other, free, 1 - side) != NONE or not needed_by(other, free, 1 - side, False):
            return 2 * side - 1, 0
        return 0, -1

    @rule
    def grown(cells, own, free):
        """Return cells and those joined to them, directly or through own stones."""
        found = rest = cells
        while rest:
            cell = ctz(rest)
            rest = drop(rest)
            fresh = near[cell]
            for k in range(6, 12):
                if ends[cell, k] >= 0 and not needs[cell, k] & ~free:
                    fresh |= bit(ends[cell, k])
            fresh &= (own | free) & ~found
            found |= fresh
            rest |= fresh & own
        return found

    @rule
    def lower(own, free, edge, out, n, scores):
        """Lower each score by the number of stones needed to join the cell to an edge."""
        reached = u64(0)
        for cell in range(area):
            if has(own | free, cell) and not edge[cell] & ~free:
                reached |= bit(cell)
        reached |= grown(reached & own, own, free)
        rest = free
        fresh = reached & rest
        while rest:
            for i in range(n):
                scores[i] -= 64 * has(rest, out[i])
            if not fresh:
                return
            rest &= ~fresh
            reached = grown(reached, own, free)
            fresh = reached & rest

    @rule
    def order(s, out, n, scores):
        free = board & ~(s.stones[0, 0] | s.stones[1, 0])
        for i in range(n):
            scores[i] = -off_centre[out[i]]
        for side in range(2):
            for edge in range(2):
                lower(s.stones[side, 0], free, edges[side, edge], out, n, scores)

    return {"solved": solved, "order": order}


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
