"""Dancing links on an explicit stack: Algorithm X, and with COLOURS Algorithm C.

The names and the steps X1 to X8 are those of TAOCP 4B, 7.2.2.1; see `dragon.cover.exact` for
the nodes. Step X1 is done by `DancingLinks`, and Knuth's x[l] is `stack[level]`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: E741

# p, q nodes, i item, l level, d the node below (down), u the node above (up)

from typing import Any, NamedTuple

import numpy as np

from dragon.cover.stream import RUN_FIELDS
from dragon.rules.template import kernel

COLOURS = True
"""Whether any option colours a secondary item."""
BOUNDED = True
"""Whether it is counted how often primary items are covered; see `multiplicity`."""

RUN = np.dtype(
    [
        ("step", "i8"),  # what comes next
        ("level", "i8"),
        ("taken", "i8"),  # options chosen; Algorithm M has levels that choose none
        ("most", "i8"),  # no cover has more options
        ("horizon", "i8"),  # pause before a level so deep is entered
        ("primary", "i8"),  # items 1 to `primary` are primary
        *RUN_FIELDS,
    ],
    align=True,
)
ENTER, TRY, RETRY, RESTORE, LEAVE = 0, 1, 2, 3, 4
"""Steps X2 to X4, X5, X6, X7, X8."""
ONE = np.uint64(1)  # unsigned: an index that may be negative costs a test each time


class Memory(NamedTuple):
    """The arrays of the kernel; the links are changed in place and put back."""

    nodes: Any  # NODE[heads + entries + spacers]
    items: Any  # ITEM[1 + items]
    option: Any  # int32[nodes], the option of each node
    slack: Any  # int32[1 + items], at most less at least
    stack: Any  # uint32[levels], the node chosen on each level
    first: Any  # uint32[levels], in Algorithm M the top option when the level was entered
    degree: Any  # int32[levels], how many branches a level has,
    rank: Any  # int32[levels], and how many of them are done
    out: Any  # int32[any], for each cover its size and its options
    runs: Any  # RUN[1]


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
    """The options of item i leave all other lists; how many nodes did."""
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
def visit(m, level, written):
    """Writes the options chosen on the levels above into `out`; where the next cover begins."""
    at = written + 1
    for k in range(level):
        if not BOUNDED or m.nodes[m.stack[k]].top != 0:  # of a head none is chosen
            m.out[at] = m.option[m.stack[k]]
            at += 1
    m.out[written] = at - written - 1
    return at


@kernel
def resume(m):
    """Goes on for so many nodes or covers as `m.runs` says; whether it stopped at the horizon."""
    run, nodes, items = m.runs[0], m.nodes, m.items
    step, level, keep, written = run.step, run.level, run.keep, run.written
    left, updates, found = run.stop - run.nodes, 0, 0
    horizon, most, primary = run.horizon, run.most, run.primary
    met = False
    while level >= 0:
        if step == ENTER:
            # X2. Enter level l.
            if left == 0:
                break
            if items[0].right == 0:
                left -= 1
                found += 1
                step = LEAVE
                if keep > 0:
                    written = visit(m, level, written)
                    keep -= 1
                    if keep == 0:
                        break
                continue
            if level == horizon:
                met = True
                step = LEAVE
                break
            left -= 1
            if level == most:
                step = LEAVE
                continue
            # X3. Choose i.
            i = choose(items)
            m.degree[level] = items[i].length
            m.rank[level] = 0
            # X4. Cover i.
            unlink(items, i)
            updates += 1 + cover(nodes, items, i)
            m.stack[level] = nodes[i].down
            step = TRY
        elif step == TRY:
            p = m.stack[level]
            if nodes[p].top != 0:
                # X5. Try x[l].
                updates += take(nodes, items, p, primary)
                level += 1
                step = ENTER
            else:
                # X7. Backtrack: p is the head of item i, all options of which have been tried.
                uncover(nodes, items, p)
                relink(items, p)
                step = LEAVE
        elif step == RETRY:
            # X6. Try again.
            p = m.stack[level]
            put_back(nodes, items, p, primary)
            m.stack[level] = nodes[p].down
            m.rank[level] += 1
            step = TRY
        else:
            # X8. Leave level l.
            level -= 1
            step = RETRY
    run.nodes = run.stop - left
    run.step, run.level, run.keep, run.written = step, level, keep, written
    run.updates += updates
    run.found += found
    run.done = level < 0
    return met
