"""Knowledge of domineering and of dots and boxes for searches: the winner, bounds, move ordering,
reductions and symmetry. It stays apart from the games, whose rules are to be read alone.

Domineering: a side *claims* dominoes that fit beside one another. Every second cell of each line of
empty cells is *marked*, so that each domino that the other side can ever place covers exactly one
mark: it has at most as many dominoes as marks, and loses one for each mark that a claim covers. A
claim is safe if no domino of the other side reaches its cells. A domino takes away at most two of
the other claims: one by its marked cell, and one by its cell without a mark. A side that is sure of
as many dominoes as the other side has left, or of one more if it moves first, wins.

Such counts are those of D. Breuker, J. Uiterwijk and J. van den Herik, *Solving 8x8 Domineering*,
Theoretical Computer Science 230, 2000, and N. Bullock, *Domineering: solving large combinatorial
search spaces*, ICGA Journal 25, 2002; neither weighs what claims take from the other side.

Dots and boxes: positions are worth the same on boards turned over, and with the two outer edges of
a corner's box exchanged (J. Barker and R. Korf, *Solving Dots-And-Boxes*, AAAI 2012).

A *chain* is of boxes with two free edges, each of which leads to the next. Drawing one of its
edges gives all of them away, and only the last boxes of an open chain are worth leaving
(E. Berlekamp, *The Dots and Boxes Game*, 2000).
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from itertools import product
from typing import Any

from dragon import rule
from dragon.bits import add, bit, ctz, has, i64, members, mix, popcount, shl, shr, u64
from dragon.boards.symmetry import mirrored, turned_over


@rule
def claimed(two, one, none, begins):
    """Return the least gain of claims: one for each placed, and one for each mark it covers.

    two, one, none: the claims that cover 2, 1, 0 marks, placed in this order. While there
    are any of two marks, each side takes one in turn, and the other side one of the rest with it;
    then it takes two of one mark at a time, and in the end one of none. Where it can keep one of
    the second kind to take it together with one of the last, that is taken off.
    """
    mine = (two + begins) // 2
    theirs = two - mine
    begins = (two + begins) % 2
    kept = one + begins > 0
    thirds = max(0, one - theirs) + 2 * begins
    rest = none - max(0, theirs - one) + thirds % 3 - kept
    return 3 * mine + 2 * (thirds // 3) + max(0, rest) // 2


def of_dominoes(
    rows: int, columns: int, places: Any, empty: Any, covered: Any, first: Any
) -> dict[str, Any]:
    """Return the rules for searches alone: `solved`, `bounds`, `order`, `key`.

    places: the upper or left cells of the dominoes that fit; first: the first column.
    """

    @rule
    def both(cells, seat):
        """Return the cells of dominoes, given the upper or left ones."""
        return cells | shl(cells, 1 if seat else columns)

    @rule
    def packed(left, seat):
        """Return the lower or right cells of as many dominoes as fit; all that fit cover one."""
        found, step, fit = u64(0), 1 if seat else columns, places(left, seat)
        while fit:
            ends = shl(fit & ~shl(fit, step), step)  # in each unbroken line
            found |= ends
            left &= ~(ends | shr(ends, step))
            fit = places(left, seat)
        return found

    @rule
    def lead(left, seat, begins):
        """Return the dominoes that a side is sure of, less those that the other side can place."""
        step, marks = 1 if seat else columns, packed(left, 1 - seat)
        safe = packed(left & ~both(places(left, 1 - seat), 1 - seat), seat)
        claims, above = packed(left & ~(safe | shr(safe, step)), seat), shl(marks, step)
        two, any_mark = popcount(claims & marks & above), popcount(claims & (marks | above))
        sure = popcount(safe) + claimed(two, any_mark - two, popcount(claims) - any_mark, begins)
        return sure - popcount(marks)

    @rule
    def solved(s, tablebase):
        left, seat = empty(s), s.seat
        if lead(left, seat, 1) > 0:
            return 1 - 2 * seat, 0
        if lead(left, 1 - seat, 0) >= 0:
            return 2 * seat - 1, 0
        return 0, -1

    @rule
    def bounds(s):
        """Return the bounds: if only one side has places, it wins by any play."""
        upright, across = places(empty(s), 0), places(empty(s), 1)
        return 1 if upright and not across else -1, -1 if across and not upright else 1

    @rule
    def order(s, out, n, scores):
        """Order by the lead of the mover after a move, and by its surplus of places then."""
        seat = s.seat
        for i in range(n):
            left = empty(s) & ~covered(out[i], seat)
            more = popcount(places(left, seat)) - popcount(places(left, 1 - seat))
            scores[i] = more + lead(left, seat, 0)

    @rule
    def key(s):
        """Return a key of the empty cells; the owner of a covered cell makes no difference."""
        left = empty(s)
        over = turned_over(left, rows, columns)
        images = mirrored(left, columns, first), mirrored(over, columns, first)
        least = min(min(left, over), min(images[0], images[1]))
        if rows * columns < 63:
            return add(shl(least, 1), u64(s.seat + 1))  # 0 would not be kept
        return mix(add(mix(least), u64(s.seat)))

    return {"solved": solved, "bounds": bounds, "order": order, "key": key}


def chains(around: Any, beside: Any, drawn: Any) -> tuple[Any, Any]:
    """Return the rules `left` and `reduce`; the arguments are those of `of_boxes`."""

    @rule
    def left(s, number):
        """Return the boxes with `number` free edges, as a set of their places from 1 on."""
        found, free = u64(0), ~drawn(s)
        for box in range(len(around)):
            if popcount(around[box] & free) == number:
                found |= bit(box + 1)
        return found

    @rule
    def other(free, edge, box):
        return ctz(around[box] & free & ~bit(edge))

    @rule
    def beyond(edge, box):
        """Return the box on the other side of an edge, -1 for none."""
        return beside[edge, 0] + beside[edge, 1] - box

    @rule
    def follow(free, two, edge, box):
        """Follow a chain of boxes with two free edges: return its edges, its length, the next box.

        The chain goes from `edge` into `box`; a loop ends where it began.
        """
        passed, length, begin = bit(edge), 0, edge
        while has(two, box + 1):
            edge = other(free, edge, box)
            passed |= bit(edge)
            length += 1
            box = beyond(edge, box)
            if edge == begin:
                break
        return passed, length, box

    @rule
    def take(s, out, one, two):
        """Keep an edge that closes a box, and one that gives away the end of a chain instead.

        Closing a box before drawing another edge is better than drawing that one at once, unless
        that one would also close a box then. So boxes are closed, except the last two of a
        chain, or four if both its ends are open; and several chains are all closed except one,
        preferably one of two.
        """
        free, ends = ~drawn(s), 0
        for each in members(one):
            box = each - 1
            edge = ctz(around[box] & free)
            following = beyond(edge, box)
            _, length, end = follow(free, two, edge, following)
            both_open = has(one, end + 1)
            if length != 1 + both_open:
                out[0] = edge
                return 1
            ends += 1 if both_open else 2
            if ends <= 2 or both_open:
                out[0], out[1] = edge, other(free, edge, following)
        return 2 if ends == 2 else 1

    @rule
    def reduce(s, out, n):
        """Keep the moves that may be best if boxes can be closed; else keep one edge of each chain.

        All edges of a chain are equal, except in a chain of two boxes: the edge between them
        gives away both without a choice.
        """
        one, two = left(s, 1), left(s, 2)
        if one:
            return take(s, out, one, two)
        kept, seen, free = 0, u64(0), ~drawn(s)
        for i in range(n):
            edge = out[i]
            if has(seen, edge):
                continue
            near, far = beside[edge, 0], beside[edge, 1]
            opened, length, end = follow(free, two, edge, near)
            if end != near or not length:
                more, longer, _ = follow(free, two, edge, far)
                opened, length = opened | more, length + longer
            seen |= opened
            if length == 2:
                for each in members(opened):
                    if has(two, beside[each, 0] + 1) and has(two, beside[each, 1] + 1):
                        edge = each
            out[kept] = edge
            kept += 1
        return kept

    return left, reduce


INNERMOST = 100
"""A number above that of `inside` for any edge."""


def inside(row: int, column: int, rows: int, columns: int) -> int:
    """Return the distance of an edge from the rim, along the longer side of the board first.

    So the middle is drawn first, which divides the board into pieces: 3x4 takes a fifth of the
    nodes that it takes with the edges as they are listed.
    """
    far = min(row, 2 * rows - row), min(column, 2 * columns - column)
    return 10 * far[1] + far[0] if columns >= rows else 10 * far[0] + far[1]


def of_boxes(
    rows: int, columns: int, around: Any, beside: Any, drawn: Any, payoff: Any
) -> dict[str, Any]:
    """Return the rules `banked`, `bounds`, `reduce`, `order` and `key`.

    around: the four edges of each box; beside: the boxes on the two sides of each edge, -1 for
    none; drawn: the rule of the edges that are drawn, first all across, then all upright ones.
    """
    import numpy as np

    across = (rows + 1) * columns
    first_across = u64(sum(1 << r * columns for r in range(rows + 1)))
    first_upright = u64(sum(1 << r * (columns + 1) for r in range(rows)))
    corners = np.array(
        [
            [1 << (rows * columns if below else 0) + (columns - 1 if right else 0),
             1 << across + (rows - 1 if below else 0) * (columns + 1) + (columns if right else 0)]
            for below, right in product((False, True), repeat=2)
        ],
        np.uint64,
    )  # fmt: skip
    """The outer edges of the box in each corner, across and upright."""
    places = [(2 * r, 2 * c + 1) for r in range(rows + 1) for c in range(columns)]
    places += [(2 * r + 1, 2 * c) for r in range(rows) for c in range(columns + 1)]
    inwards = np.array([inside(row, column, rows, columns) for row, column in places])
    left, reduce = chains(around, beside, drawn)

    @rule
    def banked(s):
        return payoff(s, 0)

    @rule
    def bounds(s):
        rest = rows * columns - popcount(s.boxes[0, 0] | s.boxes[1, 0])
        return payoff(s, 0) - rest, payoff(s, 0) + rest

    @rule
    def order(s, out, n, scores):
        """Order by boxes closed less boxes that the other side can close; then from inside."""
        one, two = left(s, 1), left(s, 2)
        for i in range(n):
            scores[i] = inwards[out[i]]
            for box in beside[out[i]]:
                scores[i] += INNERMOST * (i64(has(one, box + 1)) - i64(has(two, box + 1)))

    @rule
    def both(lying, standing):
        return lying | shl(standing, across)

    @rule
    def side_by_side(lying, standing):
        """Return the edges mirrored from left to right."""
        return both(
            mirrored(lying, columns, first_across), mirrored(standing, columns + 1, first_upright)
        )

    @rule
    def key(s):
        edges = drawn(s)
        for i in range(4):  # the one across of a corner's two is drawn first
            if not edges & corners[i, 0] and edges & corners[i, 1]:
                edges ^= corners[i, 0] | corners[i, 1]
        lying, standing = edges & u64((1 << across) - 1), shr(edges, across)
        over = turned_over(lying, rows + 1, columns), turned_over(standing, rows, columns + 1)
        least = min(edges, both(over[0], over[1]))
        turned = min(side_by_side(lying, standing), side_by_side(over[0], over[1]))
        return add(shl(min(least, turned), 1), u64(s.seat + 1))  # 0 would not be kept

    return {"banked": banked, "bounds": bounds, "reduce": reduce, "order": order, "key": key}
