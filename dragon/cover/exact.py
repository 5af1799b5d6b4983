"""Exact covers by dancing links, with colours and multiplicities; and their idle options.

Dancing links are nodes that can leave their lists and come back. Nodes 1 to N are the heads of the
items, each in a circular list with the nodes of its options. After them come the options, each a
row of nodes between two spacers. The `top` of a spacer is 0; its `up` is the first node of the
option before it, its `down` the last node of the option after it (TAOCP 4B, 7.2.2.1, Algorithm X,
but `length` is a field of the items and not of `top`)::

    item  0 1 2 3        the root and the heads, linked left and right
    node    1 2 3  4   5 6  7   8 9 10
            a b c  |   a c  |   b c  |

*Idle* options cover secondary items alone: a cover may have any of them that agree. No item has to
be covered by such an option, so the searches do not branch on them. They find the covers of the
other options, and each of these is extended by every set of idle options that agree with it and
with one another. Diagrams and the best covers count them by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
from attrs import frozen

from dragon.compiler.specialise import Constants
from dragon.cover.arrays import idle_of
from dragon.cover.kernel_stream import KernelStream
from dragon.cover.kernels.dlx import RUN, Memory
from dragon.cover.stream import HORIZON, UNLIMITED, Cover

if TYPE_CHECKING:
    from dragon.cover.problem import Problem
    from dragon.cover.stream import Cover, Stream


NODE = np.dtype([("top", "u4"), ("up", "u4"), ("down", "u4"), ("colour", "i4")])
"""A node; `colour` is 0 for none, and -1 while its item has this colour."""
ITEM = np.dtype([("left", "u4"), ("right", "u4"), ("length", "i4"), ("bound", "i4")])
"""A head; `length` is the number of options below it, `bound` the times it may still be covered."""


@frozen(eq=False)
class Links:
    """The nodes of a run; a search changes them in place and restores them."""

    nodes: Any
    """NODE[heads + entries + spacers]."""
    items: Any
    """ITEM[1 + items]; 0 is the root of the list of primary items to be covered."""
    option: Any
    """int32[nodes]: the number of the option that each node belongs to; -1 for heads."""
    slack: Any
    """int32[1 + items]: the upper bound of an item less its lower bound."""
    primary: int
    """Items 1 to `primary` are primary."""

    plain: bool
    """True if every primary item must be covered exactly once."""
    coloured: bool
    """True if any node has a colour. This and `plain` are constants of the kernel: a subtree is
    searched by the kernel of the whole problem, so that both count the same updates."""

    @property
    def levels(self) -> int:
        """The longest line of choices: each takes an option, or closes an item."""
        if self.plain:
            return self.primary + 1
        return self.primary + int(self.option.max(initial=0)) + 2


def links_of(problem: Problem) -> Links:
    """Return the links of a problem's visible part, without idle options (`dragon.cover.exact`)."""
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
    """Return the items; those to be covered form a circular list with the root."""
    arrays = problem.arrays
    items = np.zeros(arrays.items + 1, ITEM)
    items["length"] = np.bincount(item, minlength=arrays.items + 1)
    items["bound"][1:] = arrays.high
    asked = [0, *(np.flatnonzero(seen[: arrays.primary]) + 1)]
    items["right"][asked] = np.roll(asked, -1)
    items["left"][asked] = np.roll(asked, 1)
    return items


def exact_stream(problem: Problem, size: int | None = None) -> Stream:
    """Return the exact covers of at most `size` options."""
    stream = DancingLinks(links_of(problem), UNLIMITED if size is None else size)
    return extended(stream, problem, size)


class DancingLinks(KernelStream):
    """The covers of links in their present state; they change while the stream runs.

    It stops at each node on level `horizon`, and skips the subtree of that node.
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
        """True if it has stopped on that level."""
        label = "covers with colours" if links.coloured else "covers"
        constants = (("COLOURS", links.coloured), ("BOUNDED", not links.plain))
        super().__init__("dragon.cover.kernels.dlx", Constants(label, constants), m, links.levels)

    def here(self) -> tuple[Cover, Links]:
        """Return the options chosen so far, and a copy of the links in their present state."""
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


BATCH = 1024
"""The most covers that are waiting to be extended."""
Marks = dict[str, str | None]
"""The visible secondary items of some options, each with its colour; None: without one."""


@frozen(eq=False)
class Idle:
    """The idle options of a problem."""

    problem: Problem
    options: tuple[int, ...]
    """Their numbers."""

    def marks(self, option: int) -> Marks:
        """Return the visible secondary items of an option."""
        own, problem = self.problem.options[option], self.problem
        seen = (item for item in own.items if item not in problem.hidden_items)
        first = len(problem.primary)
        return {n: own.colours.get(n) for n in seen if problem.item_index[n] >= first}

    def extensions(self, cover: Cover, room: int | None, before: Cover = ()) -> Iterator[Cover]:
        """Yield a cover, then every extension of it by at most `room` idle options.

        before: options that have been chosen as well, and are not a part of what is yielded.
        """
        used: Marks = {}
        for option in (*before, *cover):
            used |= self.marks(option)
        stack = [(cover, used, self.options)]
        most = len(self.options) if room is None else room
        while stack:
            chosen, used, left = stack.pop()
            yield chosen
            if len(chosen) - len(cover) < most:
                fitting = [o for o in left if self._agrees(o, used)]
                for i in reversed(range(len(fitting))):
                    more = used | self.marks(fitting[i])
                    stack.append(((*chosen, fitting[i]), more, tuple(fitting[i + 1 :])))

    def _agrees(self, option: int, used: Marks) -> bool:
        marks = self.marks(option).items()
        return all(item not in used or (colour is not None and used[item] == colour)
                   for item, colour in marks)  # fmt: skip


class Extended:
    """A stream of covers of the other options, each followed by its extensions.

    Each idle option is taken or left: an extension adds two nodes to the tree of the search.
    """

    def __init__(self, stream: Stream, idle: Idle, size: int | None, before: Cover = ()) -> None:
        """size: the most options of a cover; before: options chosen besides those of a cover."""
        self._stream, self._idle, self._size, self._before = stream, idle, size, before
        self._waiting: Iterator[Cover] = iter(())
        self._current: Iterator[Cover] = iter(())
        self._added = self.found = 0
        self.done = False
        """True if all covers have been found."""

    @property
    def nodes(self) -> int:
        return self._stream.nodes + 2 * self._added

    @property
    def updates(self) -> int:
        return self._stream.updates

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        stop = self.nodes + nodes
        kept: list[Cover] = []
        while self.nodes < stop and not (keep and len(kept) == keep):
            cover = next(self._current, None)
            if cover is not None:
                self._added += 1
            else:
                cover = next(self._waiting, None)
                if cover is None and self._stream.done:
                    self.done = True
                    break
                if cover is None:
                    most = min(BATCH, keep - len(kept)) if keep else BATCH
                    self._waiting = iter(self._stream.advance(stop - self.nodes, most))
                    continue
                room = None if self._size is None else self._size - len(cover)
                self._current = self._idle.extensions(cover, room, self._before)
                next(self._current)  # the cover itself
            self.found += 1
            if keep:
                kept.append(cover)
        return kept

    def fraction(self) -> float:
        """Return the part of the stream's own tree that is done, from 0 to 1."""
        return 1.0 if self.done else self._stream.fraction()


def idle_in(problem: Problem) -> Idle | None:
    """Return the idle options of a problem, None if it has none."""
    numbers = idle_of(problem).nonzero()[0].tolist()
    return Idle(problem, tuple(numbers)) if numbers else None


def extended(stream: Stream, problem: Problem, size: int | None) -> Stream:
    """Return the stream, with the extensions of its covers if the problem has idle options."""
    idle = idle_in(problem)
    return stream if idle is None else Extended(stream, idle, size)
