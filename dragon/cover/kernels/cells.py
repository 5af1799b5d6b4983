"""Dancing cells on an explicit stack: sparse sets that shrink by swapping and grow by recalling.

An item's options stand in consecutive cells, those that can still be chosen first; one that
no longer can changes places with the last that can, and coming back means no more than
recalling how many there were (Knuth, SSXCC, 2020-23; sparse sets: Briggs and Torczon 1993).
To be read in `dragon.cover.cells`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import numpy as np

from dragon.template import kernel

COLOURS = False
"""Whether any option colours a secondary item."""

ENTER, TRY, RETRY, DONE = 0, 1, 2, 3
"""What comes next: branch on an item, take an option, put it back; or nothing."""
LEVEL, MODE, NODES, UPDATES, FOUND, WRITTEN, ACTIVE, LEFT = 0, 1, 2, 3, 4, 5, 6, 7
"""The places of int64[8]; ACTIVE items are to be settled, LEFT primary ones to be covered."""
ONE = np.uint64(1)


@kernel
def retire(items, order, run, i):
    """Item i leaves the active items; False if it had left already."""
    at = items[i].place
    last = run[ACTIVE] - 1
    if at > last:
        return False
    other = order[last]
    order[at] = other
    items[other].place = at
    order[last] = i
    items[i].place = last
    run[ACTIVE] = last
    if items[i].primary:
        run[LEFT] -= 1
    return True


@kernel
def hide(nodes, items, cells, run, i, colour, before, strict):
    """The options of item i leave all cells of items that came before, but for those of `colour`.

    before: how many items were active; those that have retired since lose options too, lest
    these be hidden twice. False, at once, where `strict` and an active primary item is left
    without options.
    """
    active = run[ACTIVE]
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
                q = np.uint64(nodes[q].cell)  # a spacer leads back to its option's first node
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
    run[UPDATES] += updates
    return possible


@kernel
def choose(items, order, run):
    """An active primary item to branch on: the fewest options, the first in the order."""
    best = np.uint32(0)
    fewest = np.int32(2147483647)
    for k in range(run[ACTIVE]):
        i = order[k]
        if items[i].primary and items[i].live < fewest:
            best = i
            fewest = items[i].live
            if fewest <= 1:
                break
    return best


@kernel
def save(items, order, run, kept, base):
    """Notes the sizes of the active items, for `recall`."""
    for k in range(run[ACTIVE]):
        i = order[k]
        kept[base + k].owner = i
        kept[base + k].live = items[i].live


@kernel
def recall(items, run, kept, frame):
    """Every item that was active then is so again, with as many options."""
    for k in range(frame.base, frame.base + frame.active):
        items[kept[k].owner].live = kept[k].live
    run[ACTIVE] = frame.active
    run[LEFT] = frame.left


@kernel
def take(nodes, items, cells, order, run, p):
    """Settles the other items of p's option; False where an item is left without options."""
    before = run[ACTIVE]
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
def resume(nodes, items, cells, order, option, frames, kept, run, out, room, budget, size):
    """Goes on from where `run` stands, for `budget` nodes or until `out` has `room` covers.

    Stops early where `kept` is too short, and returns how long it has to be; else 0.
    frames: FRAME[levels]; kept: KEPT[any], a stack: the sizes that each level noted, after
    those of the level above; run: int64[8]; the rest as in `dlx`.
    """
    level, mode = run[LEVEL], run[MODE]
    needed = 0
    nodes_left, found, written = budget, 0, 0
    while mode != DONE:
        if mode == ENTER:
            if nodes_left == 0:
                break
            base = frames[level - 1].base + frames[level - 1].active if level > 0 else 0
            if base + run[ACTIVE] > len(kept):
                needed = base + run[ACTIVE]
                break
            nodes_left -= 1
            if run[LEFT] == 0:
                found += 1
                if room > 0:
                    out[written] = level
                    for k in range(level):
                        out[written + 1 + k] = option[cells[frames[k].cell]]
                    written += 1 + level
                level -= 1
                mode = RETRY if level >= 0 else DONE
                if found == room:
                    break
                continue
            if level == size:
                level -= 1
                mode = RETRY if level >= 0 else DONE
                continue
            i = choose(items, order, run)
            retire(items, order, run, i)
            hide(nodes, items, cells, run, i, 0, run[ACTIVE], False)
            frames[level].cell = items[i].first
            frames[level].end = items[i].first + items[i].live
            frames[level].first = items[i].first
            frames[level].active = run[ACTIVE]
            frames[level].left = run[LEFT]
            frames[level].base = base
            save(items, order, run, kept, base)
            mode = TRY
        elif mode == TRY:
            if frames[level].cell == frames[level].end:
                level -= 1
                mode = RETRY if level >= 0 else DONE
            elif take(nodes, items, cells, order, run, cells[frames[level].cell]):
                level += 1
                mode = ENTER
            else:
                mode = RETRY
        else:
            recall(items, run, kept, frames[level])
            frames[level].cell += np.uint32(1)
            mode = TRY
    run[LEVEL], run[MODE] = level, mode
    run[NODES] += budget - nodes_left
    run[FOUND] += found
    run[WRITTEN] = written
    return needed
