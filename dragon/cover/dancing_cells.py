"""Dancing cells: exact covers by sparse sets, as a stream.

Unlike dancing links they need not put back what they take away: the options of an item
stand in cells, those that can be chosen first, and to go back is to recall how many those
were. They see at once when an item is left without options (Knuth, SSXCC).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from dragon.compiler.specialise import Constants
from dragon.cover.kernel_stream import KernelStream
from dragon.cover.kernels.dancing_cells import FRAME, ITEM, NODE, RUN, SIZE, Memory
from dragon.cover.links import Links, links_of
from dragon.cover.stream import UNLIMITED
from dragon.errors import Objection, SearchError

if TYPE_CHECKING:
    from dragon.cover.problem import Problem

MEGABYTES = 4000
"""What the sizes that the levels have noted may take, 10**6 bytes each."""


def stream_of(problem: Problem, size: int | None = None) -> DancingCells:
    """The exact covers of at most `size` options; raises Objection for items with bounds."""
    links = links_of(problem)
    if not links.plain:
        raise Objection("dancing cells know no items with bounds; take dlx")
    return DancingCells(links, UNLIMITED if size is None else size)


def memory_of(links: Links) -> Memory:
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
    primary, i = [], int(links.items["right"][0])
    while i != 0:
        primary.append(i)
        i = int(links.items["right"][i])
    active = [*primary, *(i for i in range(links.primary + 1, len(items)) if items["live"][i])]
    order = np.array([*active, *sorted(set(range(1, len(items))) - {*active})], np.uint32)
    items["place"][order] = np.arange(len(order))
    items["place"][0] = len(order)
    items["primary"][1 : links.primary + 1] = 1

    runs = np.zeros(1, RUN)
    runs["active"], runs["left"] = len(active), len(primary)
    return Memory(
        nodes, items, ranked.astype(np.uint32), order, links.option,
        frames=np.zeros(len(primary) + 1, FRAME), sizes=np.zeros(2 * len(active), SIZE),
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

    def _resume(self) -> None:
        """Raises SearchError where the levels have noted more than MEGABYTES of sizes."""
        most = int(MEGABYTES * 1e6) // SIZE.itemsize
        while needed := super()._resume():
            if needed > most:
                raise SearchError(
                    f"dancing cells would note the sizes of {needed:,} items, more than "
                    f"{MEGABYTES:,} megabytes of them; take dlx"
                )
            sizes = np.zeros(min(max(2 * len(self.m.sizes), needed), most), SIZE)
            sizes[: len(self.m.sizes)] = self.m.sizes
            self.m = self.m._replace(sizes=sizes)

    def _levels(self) -> Iterable[tuple[int, int]]:
        frames = self.m.frames[: max(int(self.m.runs[0]["level"]), 0)]
        cell, first, end = (frames[name].astype(np.int64) for name in ("cell", "first", "end"))
        return zip((cell - first).tolist(), (end - first).tolist(), strict=True)
