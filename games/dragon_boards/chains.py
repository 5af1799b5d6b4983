"""Chains of dots and boxes: which moves may be best.

A *chain* is of boxes with two free edges, each of which leads to the next. Who draws one of its
edges gives all of them away, and of an open chain only the last boxes are worth leaving.

Sources: E. Berlekamp, *The Dots and Boxes Game*, 2000; J. Barker and R. Korf, *Solving
Dots-And-Boxes*, AAAI 2012.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

from dragon import rule
from dragon.bits import bit, ctz, has, members, popcount, u64


def chains(around: Any, beside: Any, drawn: Any) -> tuple[Any, Any]:
    """The rules `left` and `reduce`; the arguments are those of `boxes.knowledge`."""

    @rule
    def left(s, number):
        """The boxes with so many free edges, a set of their places from 1 on."""
        found, free = u64(0), ~drawn(s)
        for box in range(len(around)):
            if popcount(around[box] & free) == number:
                found |= bit(box + 1)
        return found

    @rule
    def other(free, edge, box):
        """The other free edge of a box that has two."""
        return ctz(around[box] & free & ~bit(edge))

    @rule
    def beyond(edge, box):
        """The box on the other side of an edge, -1 for none."""
        return beside[edge, 0] + beside[edge, 1] - box

    @rule
    def follow(free, two, edge, box):
        """Goes along a chain of boxes with two free edges: its edges, how many boxes, what is next.

        From `edge` into `box`; a loop ends where it began.
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
        """Leaves an edge that closes a box, and one that gives away the last of a chain instead.

        Whoever closes a box and then draws another edge is better off than who draws that one at
        once, unless it closes a box by then, too. So boxes are closed, but for the last two of a
        chain, or four that both ends are open of; and of several chains all but one, which is
        rather one of two.
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
        """What may be best where boxes can be closed; else all edges, but one of each chain.

        It does not matter which one opens a chain; but of two boxes it is the edge between them,
        which gives away both and no choice.
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
