"""Algorithm M on an explicit stack: items that are covered several times, within bounds.

Branching on item i with the options x1, x2, ... means: take x1; or never x1, but x2; and so
on; or none of them, where its lower bound allows. An option that has been tried is
*tweaked* out of the lists, so that each set of options comes once (TAOCP 4B, 7.2.2.1,
Algorithm M, whose names and steps these are). The memory is that of `dlx`.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

# p node, i item, l level

import numpy as np

from dragon.cover.kernels.dlx import (
    ENTER,
    LEAVE,
    RESTORE,
    RETRY,
    TRY,
    cover,
    hide,
    put_back,
    relink,
    take,
    uncover,
    unhide,
    unlink,
    visit,
)
from dragon.rules.template import kernel


@kernel
def branches(items, slack, i):
    """The number of ways to go on with item i; 0 if it cannot be covered often enough."""
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
def resume(m):
    """Goes on for so many nodes or covers as `m.runs` says; whether it stopped at the horizon."""
    run, nodes, items, slack = m.runs[0], m.nodes, m.items, m.slack
    step, level, taken, keep, written = run.step, run.level, run.taken, run.keep, run.written
    left, updates, found = run.stop - run.nodes, 0, 0
    horizon, most, primary = run.horizon, run.most, run.primary
    met = False
    while level >= 0:
        if step == ENTER:
            # M2. Enter level l.
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
            # M3. Choose i.
            i = choose(items, slack)
            m.degree[level] = branches(items, slack, i)
            m.rank[level] = 0
            if m.degree[level] == 0:
                step = LEAVE
                continue
            # M4. Prepare to branch on i.
            items[i].bound -= 1
            if items[i].bound == 0:
                unlink(items, i)
                updates += 1 + cover(nodes, items, i)
            m.first[level] = m.stack[level] = nodes[i].down
            step = TRY
        elif step == TRY:
            # M5. Possibly tweak x[l].
            p = m.stack[level]
            i = nodes[p].top if nodes[p].top != 0 else p
            if p == i or taken == most:
                if items[i].bound >= slack[i]:  # its lower bound asks for another option
                    step = RESTORE
                    continue
                m.stack[level] = np.uint32(i)  # done with item i
                if items[i].bound > 0:
                    unlink(items, i)
            else:
                if items[i].bound > 0 or slack[i] > 0:
                    if items[i].length <= items[i].bound - slack[i]:
                        step = RESTORE
                        continue
                    updates += tweak(nodes, items, p, i)
                # M6. Try x[l].
                updates += take(nodes, items, p, primary)
                taken += 1
            level += 1
            step = ENTER
        elif step == RETRY:
            # M7. Try again.
            p = m.stack[level]
            m.rank[level] += 1
            if nodes[p].top == 0:
                if items[p].bound > 0:
                    relink(items, p)
                step = RESTORE
                continue
            put_back(nodes, items, p, primary)
            taken -= 1
            m.stack[level] = nodes[p].down
            step = TRY
        elif step == RESTORE:
            # M8. Restore i.
            p = m.stack[level]
            i = nodes[p].top if nodes[p].top != 0 else p
            if items[i].bound > 0 or slack[i] > 0:
                untweak(nodes, items, m.first[level], i)
            if items[i].bound == 0:
                uncover(nodes, items, i)
                relink(items, i)
            items[i].bound += 1
            step = LEAVE
        else:
            # M9. Leave level l.
            level -= 1
            step = RETRY
    run.nodes = run.stop - left
    run.step, run.level, run.taken, run.keep, run.written = step, level, taken, keep, written
    run.updates += updates
    run.found += found
    run.done = level < 0
    return met
