"""Dancing cells: exact covers by sparse sets, as a stream; the kernel, or plain Python.

The twin of dancing links that need not put back what it takes away: the options of an item
stand in cells, those that can be chosen first, and to go back is to recall how many those
were. It sees at once when an item is left without options (Knuth, SSXCC).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from dragon.cover.dlx import cut, fraction
from dragon.cover.enumeration import Events
from dragon.cover.kernels import cells as template
from dragon.cover.links import Links, links_of
from dragon.cover.recursive import UNLIMITED, Found
from dragon.errors import Objection, SearchError
from dragon.modes import jit_enabled
from dragon.specialise import Constants, specialise

if TYPE_CHECKING:
    from dragon.cover.enumeration import Cover, Stream
    from dragon.cover.problem import Problem

NODE = np.dtype([("owner", "u4"), ("cell", "u4"), ("colour", "i4")])
"""A node; `cell` is where it stands, of a spacer the first node of the option before it."""
ITEM = np.dtype([("first", "i4"), ("live", "i4"), ("place", "i4"), ("primary", "i4")])
"""An item: its first cell, how many of its options can be chosen, its place in the order."""
FRAME = np.dtype(
    [
        ("cell", "u4"),
        ("end", "u4"),
        ("first", "u4"),
        ("active", "i8"),
        ("left", "i8"),
        ("base", "i8"),
    ]
)
"""A level: the cell of the option being tried, where the item's cells end and begin, how many
items are active and how many of them primary, and where what it has noted begins."""
KEPT = np.dtype([("owner", "u4"), ("live", "i4")])
"""An item, and how many of its options could be chosen."""
MEGABYTES = 4000
"""What the sizes that the levels have noted may take, 10**6 bytes each."""


@frozen(eq=False)
class Cells:
    """A problem as sparse sets; whoever searches changes them in place."""

    nodes: Any
    """NODE[heads + entries + spacers], numbered as the nodes of dancing links."""
    items: Any
    """ITEM[1 + items]; 0 is nobody."""
    cells: Any
    """uint32[entries]: nodes, those of an item side by side."""
    order: Any
    """uint32[items]: the items, the active ones first."""
    option: Any
    """int32[nodes]: the option of each node."""
    active: int
    """Items that are to be settled at first."""
    left: int
    """Primary items that are to be covered."""


def cells_of(links: Links) -> Cells:
    """The sparse sets of a problem's links."""
    nodes = np.zeros(len(links.nodes), NODE)
    nodes["owner"] = links.nodes["top"]
    nodes["colour"] = links.nodes["colour"]
    nodes["cell"] = links.nodes["up"]  # of spacers: the first node of the option before
    entries = np.flatnonzero(nodes["owner"])
    ranked = entries[np.argsort(nodes["owner"][entries], kind="stable")]
    nodes["cell"][ranked] = np.arange(len(ranked))

    items = np.zeros(len(links.items), ITEM)
    items["live"] = np.bincount(nodes["owner"][entries], minlength=len(items))
    items["first"][1:] = np.cumsum(items["live"])[:-1]
    asked, i = [], int(links.items["right"][0])
    while i != 0:
        asked.append(i)
        i = int(links.items["right"][i])
    second = [i for i in range(links.primary + 1, len(items)) if items["live"][i]]
    idle = sorted(set(range(1, len(items))) - {*asked, *second})
    order = np.array([*asked, *second, *idle], np.uint32)
    items["place"][order] = np.arange(len(order))
    items["place"][0] = len(order)
    items["primary"][1 : links.primary + 1] = 1
    return Cells(
        nodes, items, ranked.astype(np.uint32), order, links.option,
        len(asked) + len(second), len(asked),
    )  # fmt: skip


def stream_of(problem: Problem, size: int | None = None) -> Stream:
    """The exact covers of at most `size` options; raises Objection for items with bounds."""
    links = links_of(problem)
    if not links.plain:
        raise Objection("dancing cells know no items with bounds; take dlx")
    room = UNLIMITED if size is None else size
    return Compiled(cells_of(links), room) if jit_enabled() else Interpreted(cells_of(links), room)


class Compiled:
    """The kernel; what it knows between two calls is in arrays of this object."""

    def __init__(self, cells: Cells, size: int = UNLIMITED) -> None:
        self._cells, self._size = cells, size
        coloured = bool(cells.nodes["colour"].any())
        label = "cells with colours" if coloured else "cells"
        constants = Constants(label, (("COLOURS", coloured),))
        self._kernel = specialise("dragon.cover.kernels.cells", constants)
        self._run = np.zeros(8, np.int64)
        self._run[template.ACTIVE], self._run[template.LEFT] = cells.active, cells.left
        self._frames = np.zeros(cells.left + 1, FRAME)
        self._kept = np.zeros(2 * cells.active, KEPT)
        self._resume(0, 0, np.zeros(0, np.int32))  # compiles while no clock runs

    @property
    def nodes(self) -> int:
        """Levels entered so far."""
        return int(self._run[template.NODES])

    @property
    def updates(self) -> int:
        """Options taken out of an item's cells so far."""
        return int(self._run[template.UPDATES])

    @property
    def found(self) -> int:
        """Covers found so far."""
        return int(self._run[template.FOUND])

    @property
    def done(self) -> bool:
        """Whether all covers have been found."""
        return bool(self._run[template.MODE] == template.DONE)

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for `nodes` nodes at most, or until `keep` covers are in hand; 0 only counts.

        Raises SearchError where the levels have noted more than MEGABYTES of sizes.
        """
        out = np.empty(keep * (len(self._frames) + 1), np.int32)
        covers: list[Cover] = []
        stop = self.nodes + nodes
        while needed := self._resume(stop - self.nodes, keep - len(covers), out):
            covers += self._told(out)
            self._lengthen(needed)
        return covers + self._told(out)

    def _told(self, out: Any) -> list[Cover]:
        return list(cut(out[: self._run[template.WRITTEN]].tolist()))

    def _lengthen(self, needed: int) -> None:
        """Makes room for what the levels note; raises SearchError where there is too much."""
        most = int(MEGABYTES * 1e6) // KEPT.itemsize
        if needed > most:
            raise SearchError(
                f"dancing cells would note the sizes of {needed:,} items, more than "
                f"{MEGABYTES:,} megabytes of them; take dlx"
            )
        kept = np.zeros(min(max(2 * len(self._kept), needed), most), KEPT)
        kept[: len(self._kept)] = self._kept
        self._kept = kept

    def fraction(self) -> float:
        """Knuth's estimate of the part of the tree that is done."""
        frames = self._frames[: max(int(self._run[template.LEVEL]), 0) + 1]
        cell, first, end = (frames[name].tolist() for name in ("cell", "first", "end"))
        return fraction([(c - f, e - f) for c, f, e in zip(cell, first, end, strict=True)])

    def _resume(self, nodes: int, keep: int, out: Any) -> int:
        c = self._cells
        needed: int = self._kernel.resume(
            c.nodes, c.items, c.cells, c.order, c.option, self._frames, self._kept, self._run, out,
            keep, nodes, self._size,
        )  # fmt: skip
        return needed


class Interpreted(Events):
    """The same in plain Python: the generator of `Shuffle`, listened to."""

    def __init__(self, cells: Cells, size: int = UNLIMITED) -> None:
        self._shuffle = Shuffle(cells)
        super().__init__(self._shuffle.covers(size))

    @property
    def updates(self) -> int:
        """Options taken out of an item's cells so far."""
        return self._shuffle.updates

    def fraction(self) -> float:
        """Knuth's estimate of the part of the tree that is done."""
        return fraction(self._shuffle.progress)


class Shuffle:
    """The algorithm to be read, on plain lists; the kernel shuffles its cells alike."""

    def __init__(self, cells: Cells) -> None:
        self.owner = cells.nodes["owner"].tolist()
        self.cell = cells.nodes["cell"].tolist()
        self.colour = cells.nodes["colour"].tolist()
        self.first = cells.items["first"].tolist()
        self.live = cells.items["live"].tolist()
        self.place = cells.items["place"].tolist()
        self.primary = cells.items["primary"].tolist()
        self.cells = cells.cells.tolist()
        self.order = cells.order.tolist()
        self.option = cells.option.tolist()
        self.active, self.left = cells.active, cells.left
        self.updates = 0
        self.chosen: list[int] = []
        self.progress: list[tuple[int, int]] = []
        """Branches done, and all branches, of each level of the line being tried."""

    def covers(self, size: int = UNLIMITED) -> Iterator[Found]:
        """Every exact cover of at most `size` options; yields once for each level entered."""
        if self.left == 0:
            yield tuple(self.chosen)
            return
        yield None
        if len(self.chosen) == size:
            return
        i = self.choose()
        self.retire(i)
        self.hide(i, 0, self.active, strict=False)
        active, left = self.active, self.left
        sizes = {j: self.live[j] for j in self.order[:active]}
        options = self.those_left(i)
        for done, p in enumerate(options):
            self.progress.append((done, len(options)))
            if self.take(p):
                self.chosen.append(self.option[p])
                yield from self.covers(size)
                self.chosen.pop()
            for j, n in sizes.items():
                self.live[j] = n
            self.active, self.left = active, left
            self.progress.pop()

    def choose(self) -> int:
        """An active primary item to branch on: the fewest options, the first in the order."""
        asked = (j for j in self.order[: self.active] if self.primary[j])
        return int(min(asked, key=lambda j: max(self.live[j], 1)))

    def retire(self, i: int) -> None:
        """Item i leaves the active items, if it has not yet."""
        at, last = self.place[i], self.active - 1
        if at <= last:
            other = self.order[last]
            self.order[at], self.order[last] = other, i
            self.place[other], self.place[i] = at, last
            self.active -= 1
            self.left -= self.primary[i]

    def hide(self, i: int, colour: int, before: int, strict: bool) -> bool:
        """The options of item i leave all cells of items that came before, not those of `colour`.

        before: how many items were active; those that have retired since lose options too, lest
        these be hidden twice. False, at once, where `strict` and an active primary item is left
        without options.
        """
        for p in self.those_left(i):
            if colour and self.colour[p] == colour:
                continue
            for q in self.others(p):
                j = self.owner[q]
                if self.place[j] >= before:
                    continue
                asked = self.primary[j] and self.place[j] < self.active
                if strict and asked and self.live[j] == 1:
                    return False
                mine, last = self.cell[q], self.first[j] + self.live[j] - 1
                other = self.cells[last]
                self.cells[last], self.cells[mine] = q, other
                self.cell[other], self.cell[q] = mine, last
                self.live[j] -= 1
                self.updates += 1
        return True

    def take(self, p: int) -> bool:
        """Settles the other items of p's option; False where an item is left without options."""
        before = self.active
        for q in self.others(p):
            self.retire(self.owner[q])
        settled = [q for q in self.others(p) if self.place[self.owner[q]] < before]
        return all(self.hide(self.owner[q], self.colour[q], before, strict=True) for q in settled)

    def those_left(self, i: int) -> list[int]:
        """The nodes of the options of item i that can be chosen."""
        nodes: list[int] = self.cells[self.first[i] : self.first[i] + self.live[i]]
        return nodes

    def others(self, p: int) -> Iterator[int]:
        """The other nodes of p's option."""
        q = p + 1
        while q != p:
            if self.owner[q]:
                yield q
                q += 1
            else:
                q = self.cell[q]
