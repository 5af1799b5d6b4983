"""Algorithm M on an explicit stack: items that are covered several times, within bounds.

Branching on item i with the options x1, x2, ... means: take x1; or never x1, but x2; and so
on; or none of them, where its lower bound allows. An option that has been tried is
*tweaked* out of the lists, so that each set of options comes once (TAOCP 4B, 7.2.2.1,
Algorithm M, whose names and steps these are). To be read in `dragon.cover.recursive`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import numpy as np

from dragon.cover.kernels.dlx import (
    cover,
    hide,
    put_back,
    relink,
    take,
    uncover,
    unhide,
    unlink,
)
from dragon.template import kernel

ENTER, TRY, RETRY, LEAVE, DONE = 0, 1, 2, 3, 4
"""What comes next: branch on an item, take an option, put it back, leave the item; or nothing."""
LEVEL, MODE, NODES, UPDATES, FOUND, WRITTEN, TAKEN = 0, 1, 2, 3, 4, 5, 6
"""The places of int64[7]; TAKEN is how many options are chosen, the others as in `dlx`."""


@kernel
def branches(items, slack, i):
    """How many ways there are to go on with item i; 0: it cannot be covered often enough."""
    needed = max(items[i].bound - slack[i], 0)
    return max(items[i].length + 1 - needed, 0)


@kernel
def choose(items, slack):
    """The fewest branches; of equals the least slack, then the most options, then the first."""
    best = items[0].right
    fewest = branches(items, slack, best)
    i = best
    while i != 0 and fewest > 0:
        n = branches(items, slack, i)
        closer = slack[i] - slack[best]
        if n < fewest or (
            n == fewest and (closer < 0 or (closer == 0 and items[i].length > items[best].length))
        ):
            best = i
            fewest = n
        i = items[i].right
    return best


@kernel
def tweak(nodes, items, p, i):
    """Option p, the first below item i, leaves its list, and all others unless i is covered."""
    updates = 1
    if items[i].bound > 0:
        updates += hide(nodes, items, p)
    d = nodes[p].down
    nodes[i].down = d
    nodes[d].up = np.uint32(i)
    items[i].length -= 1
    return updates


@kernel
def untweak(nodes, items, first, i):
    """Every option tweaked since `first` was the first comes back, in the order it left."""
    x = first
    above = np.uint32(i)
    rest = nodes[i].down
    nodes[i].down = x
    while x != rest:
        nodes[x].up = above
        items[i].length += 1
        if items[i].bound > 0:
            unhide(nodes, items, x)
        above = x
        x = nodes[x].down
    nodes[rest].up = above


@kernel
def resume(
    nodes, items, option, primary, slack, stack, first, degree, rank, run, out, room, budget, size
):
    """Goes on from where `run` stands, for `budget` nodes or until `out` has `room` covers.

    slack: int32[items + 1], at most less at least; first: uint32[levels], the top option of
    the branching item when its level was entered; run: int64[7]; the rest as in `dlx`.
    """
    level, mode, taken = run[LEVEL], run[MODE], run[TAKEN]
    nodes_left, updates, found, written = budget, 0, 0, 0
    while mode != DONE:
        if mode == ENTER:
            if nodes_left == 0:
                break
            nodes_left -= 1
            i = items[0].right
            if i == 0:
                found += 1
                mode = RETRY if level > 0 else DONE
                if room > 0:
                    out[written] = taken
                    for k in range(level):
                        if nodes[stack[k]].top != 0:
                            written += 1
                            out[written] = option[stack[k]]
                    written += 1
                level -= 1
                if found == room:
                    break
                continue
            i = choose(items, slack)
            degree[level] = branches(items, slack, i)
            rank[level] = 0
            if degree[level] == 0:
                mode = RETRY if level > 0 else DONE
                level -= 1
                continue
            items[i].bound -= 1
            if items[i].bound == 0:
                unlink(items, i)
                updates += 1 + cover(nodes, items, i)
            first[level] = stack[level] = nodes[i].down
            mode = TRY
        elif mode == TRY:
            p = stack[level]
            i = nodes[p].top if nodes[p].top != 0 else p
            simple = items[i].bound == 0 and slack[i] == 0
            if p == i or taken == size:
                if items[i].bound >= slack[i]:  # its lower bound asks for another option
                    mode = LEAVE
                    continue
                stack[level] = np.uint32(i)  # done with item i
                if items[i].bound > 0:
                    unlink(items, i)
            else:
                if not simple:
                    if items[i].length <= items[i].bound - slack[i]:
                        mode = LEAVE
                        continue
                    updates += tweak(nodes, items, p, i)
                updates += take(nodes, items, p, primary)
                taken += 1
            level += 1
            mode = ENTER
        elif mode == RETRY:
            p = stack[level]
            rank[level] += 1
            if nodes[p].top == 0:
                if items[p].bound > 0:
                    relink(items, p)
                mode = LEAVE
                continue
            put_back(nodes, items, p, primary)
            taken -= 1
            stack[level] = nodes[p].down
            mode = TRY
        else:
            p = stack[level]
            i = nodes[p].top if nodes[p].top != 0 else p
            if items[i].bound > 0 or slack[i] > 0:
                untweak(nodes, items, first[level], i)
            if items[i].bound == 0:
                uncover(nodes, items, i)
                relink(items, i)
            items[i].bound += 1
            mode = RETRY if level > 0 else DONE
            level -= 1
    run[LEVEL], run[MODE], run[TAKEN] = level, mode, taken
    run[NODES] += budget - nodes_left
    run[UPDATES] += updates
    run[FOUND] += found
    run[WRITTEN] = written
