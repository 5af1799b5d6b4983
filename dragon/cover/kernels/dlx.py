"""Dancing links on an explicit stack: Algorithm X, and with COLOURS Algorithm C.

The names are those of TAOCP 4B, 7.2.2.1, as are the steps; see `dragon.cover.links` for
the nodes. The same algorithm to be read is in `dragon.cover.recursive`: both find the
same covers in the same order and count nodes and updates alike.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: E741

import numpy as np

from dragon.template import kernel

COLOURS = False
"""Whether any option colours a secondary item."""
BOUNDED = False
"""Whether it is counted how often primary items are covered; see `multiplicity`."""

ENTER, TRY, RETRY, DONE = 0, 1, 2, 3
"""What comes next: branch on an item, take an option, put it back; or nothing."""
LEVEL, MODE, NODES, UPDATES, FOUND, WRITTEN = 0, 1, 2, 3, 4, 5
"""The places of int64[6], what a run knows of itself between two calls."""
ONE = np.uint64(1)  # unsigned: an index that may be negative costs a test each time


@kernel
def hide(nodes, items, p):
    """The other nodes of p's option leave their lists; how many did."""
    updates = 0
    q = np.uint64(p) + ONE
    while q != p:
        x = nodes[q].top
        if x == 0:
            q = np.uint64(nodes[q].up)
            continue
        if not COLOURS or nodes[q].colour >= 0:
            u = nodes[q].up
            d = nodes[q].down
            nodes[u].down = d
            nodes[d].up = u
            items[x].length -= 1
            updates += 1
        q += ONE
    return updates


@kernel
def unhide(nodes, items, p):
    """They come back, last out first in."""
    q = np.uint64(p) - ONE
    while q != p:
        x = nodes[q].top
        if x == 0:
            q = np.uint64(nodes[q].down)
            continue
        if not COLOURS or nodes[q].colour >= 0:
            u = nodes[q].up
            d = nodes[q].down
            nodes[u].down = np.uint32(q)
            nodes[d].up = np.uint32(q)
            items[x].length += 1
        q -= ONE


@kernel
def cover(nodes, items, i):
    """Item i leaves the list of items, its options all other lists; how many links changed."""
    updates = 0
    p = nodes[i].down
    while p != i:
        updates += hide(nodes, items, p)
        p = nodes[p].down
    return updates


@kernel
def uncover(nodes, items, i):
    """Undoes cover(i)."""
    p = nodes[i].up
    while p != i:
        unhide(nodes, items, p)
        p = nodes[p].up


@kernel
def unlink(items, i):
    """Item i leaves the list of items to be covered."""
    l = items[i].left
    r = items[i].right
    items[l].right = r
    items[r].left = l


@kernel
def relink(items, i):
    """It comes back."""
    l = items[i].left
    r = items[i].right
    items[l].right = np.uint32(i)
    items[r].left = np.uint32(i)


@kernel
def purify(nodes, items, p):
    """Options that give p's item another colour are hidden; those that agree stay."""
    updates = 0
    x = nodes[p].colour
    i = nodes[p].top
    q = nodes[i].down
    while q != i:
        if nodes[q].colour != x:
            updates += hide(nodes, items, q)
        else:
            nodes[q].colour = -1
        q = nodes[q].down
    return updates


@kernel
def unpurify(nodes, items, p):
    """Undoes purify(p)."""
    x = nodes[p].colour
    i = nodes[p].top
    q = nodes[i].up
    while q != i:
        if nodes[q].colour < 0:
            nodes[q].colour = x
        else:
            unhide(nodes, items, q)
        q = nodes[q].up


@kernel
def commit(nodes, items, p, primary):
    """The item of p is settled: covered, or given p's colour; how many links changed.

    Where items are BOUNDED a primary one may be covered once more before it is settled.
    """
    i = nodes[p].top
    if BOUNDED and i <= primary:
        items[i].bound -= 1
        if items[i].bound > 0:
            return 0
        unlink(items, i)
        return 1 + cover(nodes, items, i)
    if COLOURS and nodes[p].colour != 0:
        return purify(nodes, items, p) if nodes[p].colour > 0 else 0
    if i <= primary:
        unlink(items, i)
    return 1 + cover(nodes, items, i)


@kernel
def uncommit(nodes, items, p, primary):
    """Undoes commit(p)."""
    i = nodes[p].top
    if BOUNDED and i <= primary:
        items[i].bound += 1
        if items[i].bound == 1:
            uncover(nodes, items, i)
            relink(items, i)
        return
    if COLOURS and nodes[p].colour != 0:
        if nodes[p].colour > 0:
            unpurify(nodes, items, p)
        return
    uncover(nodes, items, i)
    if i <= primary:
        relink(items, i)


@kernel
def choose(items):
    """An item to branch on: the fewest options, the first of equals (step X3, MRV)."""
    best = items[0].right
    fewest = items[best].length
    i = best
    while i != 0 and fewest > 0:
        if items[i].length < fewest:
            best = i
            fewest = items[i].length
        i = items[i].right
    return best


@kernel
def take(nodes, items, p, primary):
    """Settles the other items of p's option, from left to right (steps X5, M6)."""
    updates = 0
    q = np.uint64(p) + ONE
    while q != p:
        if nodes[q].top == 0:
            q = np.uint64(nodes[q].up)
            continue
        updates += commit(nodes, items, q, primary)
        q += ONE
    return updates


@kernel
def put_back(nodes, items, p, primary):
    """Undoes take(p), from right to left (steps X6, M7)."""
    q = np.uint64(p) - ONE
    while q != p:
        if nodes[q].top == 0:
            q = np.uint64(nodes[q].down)
            continue
        uncommit(nodes, items, q, primary)
        q -= ONE


@kernel
def resume(nodes, items, option, primary, stack, degree, rank, run, out, room, budget, size):
    """Goes on from where `run` stands, for `budget` nodes or until `out` has `room` covers.

    stack: uint32[levels], the node chosen on each level; degree, rank: int32[levels], among
    how many options it was chosen, and as which; run: int64[6], see LEVEL and the others;
    out: int32[any], for each cover its size and its options; room: 0 counts only; size: no
    cover has more options.
    """
    level, mode = run[LEVEL], run[MODE]
    nodes_left, updates, found, written = budget, 0, 0, 0
    while mode != DONE:
        if mode == ENTER:
            if nodes_left == 0:
                break
            nodes_left -= 1
            if items[0].right == 0:
                found += 1
                mode = RETRY if level > 0 else DONE
                if room > 0:
                    out[written] = level
                    for k in range(level):
                        out[written + 1 + k] = option[stack[k]]
                    written += 1 + level
                level -= 1
                if found == room:
                    break
                continue
            if level == size:
                mode = RETRY if level > 0 else DONE
                level -= 1
                continue
            i = choose(items)
            degree[level] = items[i].length
            rank[level] = 0
            unlink(items, i)
            updates += 1 + cover(nodes, items, i)
            stack[level] = nodes[i].down
            mode = TRY
        elif mode == TRY:
            p = stack[level]
            i = nodes[p].top
            if i != 0:
                updates += take(nodes, items, p, primary)
                level += 1
                mode = ENTER
            else:  # a head: all options of its item have been tried
                uncover(nodes, items, p)
                relink(items, p)
                mode = RETRY if level > 0 else DONE
                level -= 1
        else:
            p = stack[level]
            put_back(nodes, items, p, primary)
            stack[level] = nodes[p].down
            rank[level] += 1
            mode = TRY
    run[LEVEL], run[MODE] = level, mode
    run[NODES] += budget - nodes_left
    run[UPDATES] += updates
    run[FOUND] += found
    run[WRITTEN] = written
