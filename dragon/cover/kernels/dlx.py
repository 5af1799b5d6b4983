"""Dancing links on an explicit stack: Algorithm X, with COLOURS Algorithm C, with BOUNDED M.

The names and the steps X1 to X8 and M1 to M9 are those of TAOCP 4B, 7.2.2.1; see
`dragon.cover.exact` for the nodes. Steps X1 and M1 are done by `DancingLinks`, and Knuth's x[l] is
`stack[level]`.

Branching on item i with the options x1, x2, ... means in Algorithm M: take x1; or never x1, but
x2; and so on; or none of them, where the item's lower bound allows. An option that has been tried
is *tweaked* out of the lists, so that each set of options comes once. Where every item is covered
exactly once, the compiler leaves out all of this: BOUNDED is a constant.

The kernel stays apart from its driver, `dragon.cover.exact`, as a text to read beside TAOCP.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"
# ruff: noqa: E741

# p, q nodes, i item, l level, d the node below (down), u the node above (up)

from typing import Any, NamedTuple

import numpy as np

from dragon.cover.stream import DONE, HORIZON, PAUSED, RUN_FIELDS
from dragon.rules.template import kernel

COLOURS = True
"""True if any option colours a secondary item."""
BOUNDED = True
"""True if any primary item has bounds of its own."""

RUN = np.dtype(
    [
        ("step", "i8"),  # what comes next
        ("level", "i8"),
        ("taken", "i8"),  # options chosen; with bounds a level may choose none
        ("most", "i8"),  # no cover has more options
        ("horizon", "i8"),  # pause before a level so deep is entered
        ("primary", "i8"),  # items 1 to `primary` are primary
        *RUN_FIELDS,
    ],
    align=True,
)
ENTER, TRY, RETRY, RESTORE, LEAVE = 0, 1, 2, 3, 4
"""Steps X2 to X4, X5, X6, X7, X8; M2 to M4, M5 and M6, M7, M8, M9."""
ONE = np.uint64(1)  # unsigned: an index that may be negative costs a test each time


class Memory(NamedTuple):
    """The arrays of the kernel; the links are changed in place and put back."""

    nodes: Any  # NODE[heads + entries + spacers]
    items: Any  # ITEM[1 + items]
    option: Any  # int32[nodes], the option of each node
    slack: Any  # int32[1 + items], at most less at least
    stack: Any  # uint32[levels], the node chosen on each level
    first: Any  # uint32[levels], with bounds the top option when the level was entered
    degree: Any  # int32[levels], how many branches a level has,
    rank: Any  # int32[levels], and how many of them are done
    out: Any  # int32[any], for each cover its size and its options
    runs: Any  # RUN[1]


@kernel
def hide(nodes, items, p):
    """Take the other nodes of p's option out of their lists; return their number."""
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
    """Undo hide(p), last out first in."""
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
    """Hide the options of item i; return the number of nodes that left their lists."""
    updates = 0
    p = nodes[i].down
    while p != i:
        updates += hide(nodes, items, p)
        p = nodes[p].down
    return updates


@kernel
def uncover(nodes, items, i):
    """Undo cover(i)."""
    p = nodes[i].up
    while p != i:
        unhide(nodes, items, p)
        p = nodes[p].up


@kernel
def unlink(items, i):
    """Take item i out of the list of items to be covered."""
    l = items[i].left
    r = items[i].right
    items[l].right = r
    items[r].left = l


@kernel
def relink(items, i):
    """Undo unlink(i)."""
    l = items[i].left
    r = items[i].right
    items[l].right = np.uint32(i)
    items[r].left = np.uint32(i)


@kernel
def purify(nodes, items, p):
    """Hide the options that give p's item another colour, and mark those that agree."""
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
    """Undo purify(p)."""
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
    """Cover the item of p, or give it p's colour; return the number of links that changed.

    A primary item with bounds is covered only when no further option may cover it.
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
    """Undo commit(p)."""
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
def take(nodes, items, p, primary):
    """Commit the other items of p's option, from left to right (steps X5, M6)."""
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
    """Undo take(p), from right to left (steps X6, M7)."""
    q = np.uint64(p) - ONE
    while q != p:
        if nodes[q].top == 0:
            q = np.uint64(nodes[q].down)
            continue
        uncommit(nodes, items, q, primary)
        q -= ONE


@kernel
def tweak(nodes, items, p, i):
    """Take option p, the first below item i, out of its list, and hide it unless i is covered."""
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
    """Undo every tweak since `first` was the first option below item i, in the same order."""
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
def branches(items, slack, i):
    """The number of ways to go on with item i; 0 if it cannot be covered often enough."""
    if not BOUNDED:
        return items[i].length
    needed = max(items[i].bound - slack[i], 0)
    return max(items[i].length + 1 - needed, 0)


@kernel
def choose(items, slack):
    """The item to branch on: the fewest branches (steps X3, M3, MRV).

    Of equals the first; with bounds the one with the least slack, then with the most options.
    """
    best = items[0].right
    i = best
    if not BOUNDED:  # a loop of its own: by `branches`, Latin squares took 2 percent longer
        fewest = items[best].length
        while i != 0 and fewest > 0:
            if items[i].length < fewest:
                best = i
                fewest = items[i].length
            i = items[i].right
        return best
    fewest = branches(items, slack, best)
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
def visit(m, level, written):
    """Write the options chosen above `level` into `out`; return where the next cover begins."""
    at = written + 1
    for k in range(level):
        if not BOUNDED or m.nodes[m.stack[k]].top != 0:  # a head stands for no option
            m.out[at] = m.option[m.stack[k]]
            at += 1
    m.out[written] = at - written - 1
    return at


@kernel
def resume(m):
    """Visit nodes until `runs` says that enough nodes or covers are found; return the status."""
    # One function, unlike the steps' parts above: the steps share these registers, which a function
    # for each would take and give back, or keep in memory.
    run, nodes, items, slack = m.runs[0], m.nodes, m.items, m.slack
    step, level, taken, keep, written = run.step, run.level, run.taken, run.keep, run.written
    left, updates, found = run.stop - run.nodes, 0, 0
    horizon, most, primary = run.horizon, run.most, run.primary
    status = PAUSED
    while level >= 0:
        if step == ENTER:
            # X2, M2. Enter level l.
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
                status = HORIZON
                step = LEAVE
                break
            left -= 1
            if not BOUNDED and level == most:  # with bounds the rest may ask for no option
                step = LEAVE
                continue
            # X3, M3. Choose i.
            i = choose(items, slack)
            m.degree[level] = branches(items, slack, i)
            m.rank[level] = 0
            if BOUNDED and m.degree[level] == 0:
                step = LEAVE
                continue
            # X4, M4. Cover i, unless a further option may cover it.
            if BOUNDED:
                items[i].bound -= 1
            if not BOUNDED or items[i].bound == 0:
                unlink(items, i)
                updates += 1 + cover(nodes, items, i)
            m.stack[level] = nodes[i].down
            if BOUNDED:
                m.first[level] = nodes[i].down
            step = TRY
        elif step == TRY:
            p = m.stack[level]
            if BOUNDED:
                # M5. Possibly tweak x[l].
                i = nodes[p].top if nodes[p].top != 0 else p
                if p == i or taken == most:
                    if items[i].bound >= slack[i]:  # its lower bound asks for another option
                        step = RESTORE
                        continue
                    m.stack[level] = np.uint32(i)  # done with item i
                    if items[i].bound > 0:
                        unlink(items, i)
                    level += 1
                    step = ENTER
                    continue
                if items[i].bound > 0 or slack[i] > 0:
                    if items[i].length <= items[i].bound - slack[i]:
                        step = RESTORE
                        continue
                    updates += tweak(nodes, items, p, i)
            elif nodes[p].top == 0:  # all options have been tried
                step = RESTORE
                continue
            # X5, M6. Try x[l].
            updates += take(nodes, items, p, primary)
            if BOUNDED:
                taken += 1
            level += 1
            step = ENTER
        elif step == RETRY:
            # X6, M7. Try again.
            p = m.stack[level]
            m.rank[level] += 1
            if BOUNDED and nodes[p].top == 0:
                if items[p].bound > 0:
                    relink(items, p)
                step = RESTORE
                continue
            put_back(nodes, items, p, primary)
            if BOUNDED:
                taken -= 1
            m.stack[level] = nodes[p].down
            step = TRY
        elif step == RESTORE:
            # X7, M8. Backtrack: restore i.
            p = m.stack[level]
            if BOUNDED:
                i = nodes[p].top if nodes[p].top != 0 else p
                if items[i].bound > 0 or slack[i] > 0:
                    untweak(nodes, items, m.first[level], i)
                if items[i].bound == 0:
                    uncover(nodes, items, i)
                    relink(items, i)
                items[i].bound += 1
            else:
                uncover(nodes, items, p)
                relink(items, p)
            step = LEAVE
        else:
            # X8, M9. Leave level l.
            level -= 1
            step = RETRY
    run.nodes = run.stop - left
    run.step, run.level, run.taken, run.keep, run.written = step, level, taken, keep, written
    run.updates += updates
    run.found += found
    return DONE if level < 0 else status
