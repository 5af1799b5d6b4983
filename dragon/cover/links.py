"""Dancing links: a cover problem as nodes that can leave their lists and come back.

Nodes 1 to N are the heads of the items, whose options hang below them in circular lists;
after them come the options, each a row of nodes between two spacers. A spacer has top 0;
its `up` is the first node of the option before it, its `down` the last of the one after
(TAOCP 4B, 7.2.2.1, Algorithm X, but `length` stands with the items and not in `top`)::

    item  0 1 2 3        the root and the heads, linked left and right
    node    1 2 3  4   5 6  7   8 9 10
            a b c  |   a c  |   b c  |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

if TYPE_CHECKING:
    from dragon.cover.problem import Problem

NODE = np.dtype([("top", "u4"), ("up", "u4"), ("down", "u4"), ("colour", "i4")])
"""A node; `colour` is 0 for none, and -1 while its item has been given that colour."""
ITEM = np.dtype([("left", "u4"), ("right", "u4"), ("length", "i4"), ("bound", "i4")])
"""A head; `length` counts the options below it, `bound` how often it may still be covered."""


@frozen(eq=False)
class Links:
    """The nodes of one run; whoever searches changes them in place and puts them back."""

    nodes: Any
    """NODE[heads + entries + spacers]."""
    items: Any
    """ITEM[1 + items]; 0 is the root of the list of primary items to be covered."""
    option: Any
    """int32[nodes]: the number of the option that each node belongs to; -1 for heads."""
    slack: Any
    """int32[1 + items]: by how much less often than at most an item may be covered."""
    primary: int
    """Items 1 to `primary` are primary."""

    plain: bool
    """Whether every primary item is to be covered exactly once: then no bound is counted."""
    coloured: bool
    """Whether any node has a colour. Like `plain`, it chooses the kernel, and what hangs below
    a node is searched by the kernel of the whole problem, whatever is left of that."""

    @property
    def levels(self) -> int:
        """No line of choices is longer: each takes an option or is done with an item."""
        if self.plain:
            return self.primary + 1
        return self.primary + int(self.option.max(initial=0)) + 2


def links_of(problem: Problem) -> Links:
    """The links of a problem. What is hidden gets no node, and no option without primary items."""
    arrays = problem.arrays
    seen, allowed = problem.visible
    owner = np.repeat(np.arange(arrays.options, dtype=np.int32), np.diff(arrays.start))
    primary = (arrays.item < arrays.primary) & seen[arrays.item]
    allowed = allowed & np.isin(np.arange(arrays.options), owner[primary])
    kept = seen[arrays.item] & allowed[owner]
    item, colour, owner = arrays.item[kept] + 1, arrays.colour[kept], owner[kept]

    heads = arrays.items
    _, rank = np.unique(owner, return_inverse=True)  # every option follows its own spacer
    place = heads + 2 + np.arange(len(item)) + rank
    options = int(rank[-1]) + 1 if len(rank) else 0
    size = heads + len(item) + options + 2
    nodes = np.zeros(size, NODE)
    option = np.full(size, -1, np.int32)
    option[place] = owner
    nodes["top"][place] = item
    nodes["colour"][place] = colour

    first = place[np.searchsorted(rank, np.arange(options))]
    last = place[np.searchsorted(rank, np.arange(options), side="right") - 1]
    nodes["down"][first - 1] = last
    nodes["up"][last + 1] = first

    members = np.concatenate([np.arange(1, heads + 1), place])
    lists = np.concatenate([np.arange(1, heads + 1), item])
    ring = members[np.argsort(lists, kind="stable")]  # head, options from above, next head ...
    ends = np.cumsum(np.bincount(lists, minlength=heads + 1)[1:]) - 1
    below = np.roll(ring, -1)
    below[ends] = np.arange(1, heads + 1)
    nodes["down"][ring] = below
    nodes["up"][below] = ring
    once = (arrays.low == 1) & (arrays.high == 1)
    plain = bool(once[: arrays.primary].all())
    items = _heads(problem, seen, item)
    slack = np.append(0, arrays.high - arrays.low).astype(np.int32)
    return Links(nodes, items, option, slack, arrays.primary, plain, bool(colour.any()))


def _heads(problem: Problem, seen: Any, item: Any) -> Any:
    """The items, those that are to be covered linked in a ring with the root."""
    arrays = problem.arrays
    items = np.zeros(arrays.items + 1, ITEM)
    items["length"] = np.bincount(item, minlength=arrays.items + 1)
    items["bound"][1:] = arrays.high
    asked = [0, *(np.flatnonzero(seen[: arrays.primary]) + 1)]
    items["right"][asked] = np.roll(asked, -1)
    items["left"][asked] = np.roll(asked, 1)
    return items
