"""Chains of dots and boxes: the moves that may be best.

A *chain* is of boxes with two free edges, each of which leads to the next. Drawing one of its
edges gives all of them away, and only the last boxes of an open chain are worth leaving.

Sources: E. Berlekamp, *The Dots and Boxes Game*, 2000; J. Barker and R. Korf, *Solving
Dots-And-Boxes*, AAAI 2012.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Any

from dragon import rule
from dragon.bits import bit, ctz, has, members, popcount, u64


def chains(around: Any, beside: Any, drawn: Any) -> tuple[Any, Any]:
    """Return the rules `left` and `reduce`; the arguments are those of `boxes.knowledge`."""

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
        """Return the other free edge of a box that has two."""
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
