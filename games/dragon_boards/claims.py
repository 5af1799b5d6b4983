"""Knowledge of domineering for searches: the winner, move ordering, bounds and symmetry.

A side *claims* dominoes that fit beside one another. Every second cell of each line of empty cells
is *marked*, so that each domino that the other side can ever place covers exactly one mark: it has
at most as many dominoes as marks, and loses one for each mark that a claim covers. A claim is safe
if no domino of the other side reaches its cells. A domino takes away at most two of the other
claims: one by its marked cell, and one by its cell without a mark. A side that is sure of as many
dominoes as the other side has left, or of one more if it moves first, wins.

Such counts are those of D. Breuker, J. Uiterwijk and J. van den Herik, *Solving 8x8 Domineering*,
Theoretical Computer Science 230, 2000, and N. Bullock, *Domineering: solving large combinatorial
search spaces*, ICGA Journal 25, 2002; neither weighs what claims take from the other side.

It stays apart from the game, whose rules are to be read alone.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

from dragon import rule
from dragon.bits import add, mix, popcount, shl, shr, u64
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


def knowledge(
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
