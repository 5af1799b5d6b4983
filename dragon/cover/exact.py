"""Exact covers as streams: dancing links, with colours and multiplicities, and dancing cells.

Dancing links are nodes that can leave their lists and come back. Nodes 1 to N are the heads of
the items, whose options hang below them in circular lists; after them come the options, each a
row of nodes between two spacers. A spacer has top 0; its `up` is the first node of the option
before it, its `down` the last of the one after (TAOCP 4B, 7.2.2.1, Algorithm X, but `length`
stands with the items and not in `top`)::

    item  0 1 2 3        the root and the heads, linked left and right
    node    1 2 3  4   5 6  7   8 9 10
            a b c  |   a c  |   b c  |

Dancing cells do not have to put back what they take away: the options of an item stand in cells,
those that can be chosen first, and to go back is to recall how many those were. They see at once
when an item is left without options (Knuth, SSXCC).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from attrs import frozen

from dragon.compiler.specialise import Constants
from dragon.cover.kernel_stream import KernelStream
from dragon.cover.kernels import dancing_cells as cells
from dragon.cover.kernels.dlx import RUN, Memory
from dragon.cover.stream import HORIZON, UNLIMITED, Cover
from dragon.errors import Objection, SearchError
from dragon.search.slices import lengthened

if TYPE_CHECKING:
    from dragon.cover.problem import Problem

MEGABYTES = 4000
"""What the sizes that the levels of dancing cells have noted may take, 10**6 bytes each."""
NODE = np.dtype([("top", "u4"), ("up", "u4"), ("down", "u4"), ("colour", "i4")])
"""A node; `colour` is 0 for none, and -1 while its item has been given that colour."""
ITEM = np.dtype([("left", "u4"), ("right", "u4"), ("length", "i4"), ("bound", "i4")])
"""A head; `length` counts the options below it, `bound` how often it may still be covered."""


@frozen(eq=False)
class Links:
    """The nodes of one run; a search changes them in place and puts them back."""

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


def exact_stream(problem: Problem, size: int | None = None) -> DancingLinks:
    """The exact covers of at most `size` options."""
    return DancingLinks(links_of(problem), UNLIMITED if size is None else size)


class DancingLinks(KernelStream):
    """The covers of links as they stand, which change while the stream runs.

    It stops at each node as deep as `horizon`, and goes on without looking at what is below.
    """

    statuses = KernelStream.statuses | {HORIZON}

    def __init__(self, links: Links, size: int = UNLIMITED, horizon: int = UNLIMITED) -> None:
        self.links = links
        stack, first = np.zeros((2, links.levels), np.uint32)
        degree, rank = np.zeros((2, links.levels), np.int32)
        m = Memory(
            links.nodes, links.items, links.option, links.slack, stack, first, degree, rank,
            out=np.zeros(0, np.int32), runs=np.zeros(1, RUN),
        )  # fmt: skip
        run = m.runs[0]
        run["most"], run["horizon"], run["primary"] = size, horizon, links.primary
        self.at_horizon = False
        """Whether it has stopped there."""
        label = "covers with colours" if links.coloured else "covers"
        constants = (("COLOURS", links.coloured), ("BOUNDED", not links.plain))
        super().__init__("dlx", Constants(label, constants), m, links.levels)

    def here(self) -> tuple[Cover, Links]:
        """The options chosen so far, and a copy of the links as they stand."""
        links, chosen = self.links, self.m.stack[: self._level]
        chosen = chosen[links.nodes["top"][chosen] > 0]
        copy = attrs.evolve(links, nodes=links.nodes.copy(), items=links.items.copy())
        return tuple(links.option[chosen].tolist()), copy

    @property
    def _level(self) -> int:
        return max(int(self.m.runs[0]["level"]), 0)

    def _resume(self) -> int:
        status = super()._resume()
        self.at_horizon = status == HORIZON
        return status

    def _levels(self) -> Iterable[tuple[int, int]]:
        ranks, degrees = (each[: self._level].tolist() for each in (self.m.rank, self.m.degree))
        return zip(ranks, degrees, strict=True)


def cells_stream(problem: Problem, size: int | None = None) -> DancingCells:
    """The exact covers of at most `size` options; raises Objection for items with bounds."""
    links = links_of(problem)
    if not links.plain:
        raise Objection("dancing cells know no items with bounds; take dlx")
    return DancingCells(links, UNLIMITED if size is None else size)


def memory_of(links: Links) -> cells.Memory:
    """The sparse sets of a problem's links."""
    nodes = np.zeros(len(links.nodes), cells.NODE)
    nodes["owner"] = links.nodes["top"]
    nodes["colour"] = links.nodes["colour"]
    nodes["cell"] = links.nodes["up"]  # of spacers: the first node of the option before
    entries = np.flatnonzero(nodes["owner"])
    ranked = entries[np.argsort(nodes["owner"][entries], kind="stable")]
    nodes["cell"][ranked] = np.arange(len(ranked))

    items = np.zeros(len(links.items), cells.ITEM)
    items["live"] = np.bincount(nodes["owner"][entries], minlength=len(items))
    items["first"][1:] = np.cumsum(items["live"])[:-1]
    primary, i = [], int(links.items["right"][0])
    while i != 0:
        primary.append(i)
        i = int(links.items["right"][i])
    active = [*primary, *(i for i in range(links.primary + 1, len(items)) if items["live"][i])]
    order = np.array([*active, *sorted(set(range(1, len(items))) - {*active})], np.uint32)
    items["place"][order] = np.arange(len(order))
    items["place"][0] = len(order)
    items["primary"][1 : links.primary + 1] = 1

    runs = np.zeros(1, cells.RUN)
    runs["active"], runs["left"] = len(active), len(primary)
    return cells.Memory(
        nodes, items, ranked.astype(np.uint32), order, links.option,
        frames=np.zeros(len(primary) + 1, cells.FRAME), sizes=np.zeros(2 * len(active), cells.SIZE),
        out=np.zeros(0, np.int32), runs=runs,
    )  # fmt: skip


class DancingCells(KernelStream):
    """The covers of links that have not been changed."""

    def __init__(self, links: Links, size: int = UNLIMITED) -> None:
        m = memory_of(links)
        m.runs["most"] = size
        label = "cells with colours" if links.coloured else "cells"
        constants = Constants(label, (("COLOURS", links.coloured),))
        super().__init__("dancing_cells", constants, m, len(m.frames))

    def lengthen(self) -> None:
        """Make room for more sizes; raise SearchError where MEGABYTES do not hold them."""
        run, frames = self.m.runs[0], self.m.frames
        most = int(MEGABYTES * 1e6) // cells.SIZE.itemsize
        above = frames[run["level"] - 1] if run["level"] else np.zeros((), cells.FRAME)
        needed = int(above["noted"] + above["active"] + run["active"])
        if needed > most:
            raise SearchError(
                f"dancing cells would note the sizes of {needed:,} items, more than "
                f"{MEGABYTES:,} megabytes of them; take dlx"
            )
        length = min(max(2 * len(self.m.sizes), needed), most)
        self.hold(self.m._replace(sizes=lengthened(self.m.sizes, length)))

    def _levels(self) -> Iterable[tuple[int, int]]:
        frames = self.m.frames[: max(int(self.m.runs[0]["level"]), 0)]
        cell, first, end = (frames[name].astype(np.int64) for name in ("cell", "first", "end"))
        return zip((cell - first).tolist(), (end - first).tolist(), strict=True)
