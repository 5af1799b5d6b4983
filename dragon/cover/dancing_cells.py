"""Dancing cells on an explicit stack: sparse sets, which shrink by swaps (Knuth, SSXCC, 2020-23).

The options of an item are in consecutive cells, those that can still be chosen first. An option
that no longer can is swapped with the last one that can. To go back, it is enough to restore the
number of options (sparse sets: Briggs and Torczon 1993). The names of the steps are those of
Algorithm X in `dragon.cover.kernels.dlx`.

The module is imported when the search begins: `searches` has to be quick to import.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

# p, q nodes, i, j items, l level

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dragon.compiler.specialise import Constants
from dragon.cover.exact import Links, extended, links_of
from dragon.cover.kernel_stream import KernelStream
from dragon.cover.stream import DONE, GROW, PAUSED, RUN_FIELDS, UNLIMITED
from dragon.errors import Objection, SearchError
from dragon.moved import missing
from dragon.rules.template import kernel
from dragon.search.budget import lengthened

if TYPE_CHECKING:
    from dragon.cover.problem import Problem
    from dragon.cover.stream import Stream

MEGABYTES = 4000
"""The most memory of the sizes that dancing cells save, in units of 10**6 bytes."""
COLOURS = True
"""True if any option colours a secondary item."""

RUN = np.dtype(
    [
        ("step", "i8"),  # what comes next
        ("level", "i8"),
        ("active", "i8"),  # items that are to be settled,
        ("left", "i8"),  # and how many of them are primary: to be covered
        ("most", "i8"),  # no cover has more options
        *RUN_FIELDS,
    ],
    align=True,
)
NODE = np.dtype([("owner", "u4"), ("cell", "u4"), ("colour", "i4")])
"""A node; `cell` is its place, or for a spacer the first node of the option before it."""
ITEM = np.dtype([("first", "i4"), ("live", "i4"), ("place", "i4"), ("primary", "i4")])
"""An item: its first cell, the number of its options that can be chosen, its place in `order`."""
FRAME = np.dtype(
    [
        ("cell", "u4"),  # of the option being tried
        ("end", "u4"),  # where the item's cells end
        ("first", "u4"),  # and begin
        ("active", "i8"),  # items, as in RUN
        ("left", "i8"),
        ("noted", "i8"),  # where the sizes that the level has noted begin
    ],
    align=True,
)
SIZE = np.dtype([("owner", "u4"), ("live", "i4")])
"""An item, and the number of its options that could be chosen."""
ENTER, TRY, RETRY, LEAVE = 0, 1, 2, 3
"""Steps X2 to X4, X5, X6, X8."""
ONE = np.uint64(1)


class Memory(NamedTuple):
    """The arrays of the kernel: a problem as sparse sets, changed in place."""

    nodes: Any  # NODE[heads + entries + spacers], numbered as the nodes of dancing links
    items: Any  # ITEM[1 + items]; 0 is not an item
    cells: Any  # uint32[entries], nodes, those of an item side by side
    order: Any  # uint32[items], the items, the active ones first
    option: Any  # int32[nodes], the option of each node
    frames: Any  # FRAME[levels]
    sizes: Any  # SIZE[any], a stack: what each level noted, after the level above
    out: Any  # int32[any], for each cover its size and its options
    runs: Any  # RUN[1]


def cells_stream(problem: Problem, size: int | None = None) -> Stream:
    """Return the exact covers of at most `size` options; raise Objection for items with bounds."""
    links = links_of(problem)
    if not links.plain:
        raise Objection("dancing cells do not support items with bounds; take dlx")
    return extended(DancingCells(links, UNLIMITED if size is None else size), problem, size)


def memory_of(links: Links) -> Memory:
    """Return the sparse sets of a problem's links."""
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
    """The covers of links that no search has changed."""

    def __init__(self, links: Links, size: int = UNLIMITED) -> None:
        m = memory_of(links)
        m.runs["most"] = size
        label = "cells with colours" if links.coloured else "cells"
        constants = Constants(label, (("COLOURS", links.coloured),))
        super().__init__(__name__, constants, m, len(m.frames))

    def lengthen(self) -> None:
        """Make room for more sizes; raise SearchError if they need more than MEGABYTES."""
        run, frames = self.m.runs[0], self.m.frames
        most = int(MEGABYTES * 1e6) // SIZE.itemsize
        above = frames[run["level"] - 1] if run["level"] else np.zeros((), FRAME)
        needed = int(above["noted"] + above["active"] + run["active"])
        if needed > most:
            raise SearchError(
                f"dancing cells would save the sizes of {needed:,} items, more than "
                f"{MEGABYTES:,} megabytes of them; take dlx"
            )
        length = min(max(2 * len(self.m.sizes), needed), most)
        self.hold(self.m._replace(sizes=lengthened(self.m.sizes, length)))

    def _levels(self) -> Iterable[tuple[int, int]]:
        frames = self.m.frames[: max(int(self.m.runs[0]["level"]), 0)]
        cell, first, end = (frames[name].astype(np.int64) for name in ("cell", "first", "end"))
        return zip((cell - first).tolist(), (end - first).tolist(), strict=True)


@kernel
def retire(items, order, run, i):
    """Take item i out of the active items; return False if it was not one of them."""
    at = items[i].place
    last = run.active - 1
    if at > last:
        return False
    other = order[last]
    order[at] = other
    items[other].place = at
    order[last] = i
    items[i].place = last
    run.active = last
    if items[i].primary:
        run.left -= 1
    return True


@kernel
def hide(nodes, items, cells, run, i, colour, before, strict):
    """Take the options of item i, except those of `colour`, out of the cells of other items.

    before: the number of items that were active. Those that have retired since lose their options
    too, so that no option is hidden twice. Returns False, at once, where `strict` and an active
    primary item is left without options.
    """
    active = run.active
    begin = np.uint64(items[i].first)
    end = begin + np.uint64(items[i].live)
    cell = begin
    updates = 0
    possible = True
    while cell < end and possible:
        p = np.uint64(cells[cell])
        cell += ONE
        if COLOURS and colour > 0 and nodes[p].colour == colour:
            continue
        q = p + ONE
        while q != p:
            j = nodes[q].owner
            if j == 0:
                q = np.uint64(nodes[q].cell)  # from the spacer back to the option's first node
                continue
            place = items[j].place
            if place < before:
                size = items[j].live - 1
                if strict and size == 0 and place < active and items[j].primary:
                    possible = False
                    break
                last = np.uint64(items[j].first + size)
                mine = nodes[q].cell
                other = cells[last]
                cells[last] = np.uint32(q)
                cells[mine] = other
                nodes[other].cell = mine
                nodes[q].cell = np.uint32(last)
                items[j].live = size
                updates += 1
            q += ONE
    run.updates += updates
    return possible


@kernel
def choose(items, order, run):
    """Return the active primary item with the fewest options, the first in the order (MRV)."""
    best = np.uint32(0)
    fewest = np.int32(2147483647)
    for k in range(run.active):
        i = order[k]
        if items[i].primary and items[i].live < fewest:
            best = i
            fewest = items[i].live
            if fewest <= 1:
                break
    return best


@kernel
def save(items, order, run, sizes, noted):
    """Save the sizes of the active items for `recall`."""
    for k in range(run.active):
        i = order[k]
        sizes[noted + k].owner = i
        sizes[noted + k].live = items[i].live


@kernel
def recall(items, run, sizes, frame):
    """Restore the active items of a level, each with its number of options."""
    for k in range(frame.noted, frame.noted + frame.active):
        items[sizes[k].owner].live = sizes[k].live
    run.active = frame.active
    run.left = frame.left


@kernel
def take(nodes, items, cells, order, run, p):
    """Settle the other items of p's option; return False if an item is left without options."""
    before = run.active
    q = np.uint64(p) + ONE
    while q != p:
        j = nodes[q].owner
        if j == 0:
            q = np.uint64(nodes[q].cell)
            continue
        retire(items, order, run, j)
        q += ONE
    q = np.uint64(p) + ONE
    while q != p:
        j = nodes[q].owner
        if j == 0:
            q = np.uint64(nodes[q].cell)
            continue
        fresh = items[j].place < before  # it was active until now
        if fresh and not hide(nodes, items, cells, run, j, nodes[q].colour, before, True):
            return False
        q += ONE
    return True


@kernel
def visit(m, level, written):
    """Write the options chosen above `level` into `out`; return where the next cover begins."""
    m.out[written] = level
    for k in range(level):
        m.out[written + 1 + k] = m.option[m.cells[m.frames[k].cell]]
    return written + 1 + level


@kernel
def resume(m):
    """Visit nodes until `runs` says that enough nodes or covers are found; return the status."""
    run, nodes, items, cells, order = m.runs[0], m.nodes, m.items, m.cells, m.order
    frames, sizes = m.frames, m.sizes
    step, level, keep, written = run.step, run.level, run.keep, run.written
    left, found, status = run.stop - run.nodes, 0, PAUSED
    while level >= 0:
        if step == ENTER:
            # X2. Enter level l.
            if left == 0:
                break
            noted = frames[level - 1].noted + frames[level - 1].active if level > 0 else 0
            if noted + run.active > len(sizes):
                status = GROW
                break
            left -= 1
            if run.left == 0:
                found += 1
                step = LEAVE
                if keep > 0:
                    written = visit(m, level, written)
                    keep -= 1
                    if keep == 0:
                        break
                continue
            if level == run.most:
                step = LEAVE
                continue
            # X3. Choose i.
            i = choose(items, order, run)
            # X4. Cover i.
            retire(items, order, run, i)
            hide(nodes, items, cells, run, i, 0, run.active, False)
            frames[level].cell = items[i].first
            frames[level].end = items[i].first + items[i].live
            frames[level].first = items[i].first
            frames[level].active = run.active
            frames[level].left = run.left
            frames[level].noted = noted
            save(items, order, run, sizes, noted)
            step = TRY
        elif step == TRY:
            if frames[level].cell == frames[level].end:
                # X7. Backtrack: nothing has to be put back.
                step = LEAVE
            elif take(nodes, items, cells, order, run, cells[frames[level].cell]):
                # X5. Try x[l].
                level += 1
                step = ENTER
            else:
                step = RETRY
        elif step == RETRY:
            # X6. Try again.
            recall(items, run, sizes, frames[level])
            frames[level].cell += np.uint32(1)
            step = TRY
        else:
            # X8. Leave level l.
            level -= 1
            step = RETRY
    run.nodes = run.stop - left
    run.step, run.level, run.keep, run.written = step, level, keep, written
    run.found += found
    return DONE if level < 0 else status


def __getattr__(name: str) -> Any:
    raise missing(__name__, name)
