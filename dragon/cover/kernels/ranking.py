"""The order of covers, a heap of the best ones, and lower bounds for branch and bound.

Covers are ordered by cost, then by size, then by their rows in ascending order. A slot contains the
rows of a cover in ascending order; the last slot is scratch. `m` is the memory of
`dragon.cover.kernels.optimum`, which calls these functions.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

# a, b slots, d depth, k and j places in a slot, o row, i column, e entry, w word of rows

import numpy as np

from dragon.bits import ctz, drop, u64
from dragon.rules.template import kernel

NEVER = 1 << 62
"""A number that is larger than any cost and any row."""
TOPS = 32
"""The most picks for which the largest gains are added one by one."""


@kernel
def worse(m, a, b):
    """Return whether the cover in slot a is worse than that in slot b: cost, size, then rows."""
    kept_cost, kept_size, kept_rows = m.kept_cost, m.kept_size, m.kept_rows
    if kept_cost[a] != kept_cost[b]:
        return kept_cost[a] > kept_cost[b]
    if kept_size[a] != kept_size[b]:
        return kept_size[a] > kept_size[b]
    for k in range(kept_size[a]):
        if kept_rows[a, k] != kept_rows[b, k]:
            return kept_rows[a, k] > kept_rows[b, k]
    return False


@kernel
def swap(m, a, b):
    """Swap two slots."""
    kept_cost, kept_size, kept_rows = m.kept_cost, m.kept_size, m.kept_rows
    kept_cost[a], kept_cost[b] = kept_cost[b], kept_cost[a]
    kept_size[a], kept_size[b] = kept_size[b], kept_size[a]
    for k in range(max(kept_size[a], kept_size[b])):
        kept_rows[a, k], kept_rows[b, k] = kept_rows[b, k], kept_rows[a, k]


@kernel
def sort_chosen(m, d, a):
    """Write the d chosen rows into slot a, in ascending order."""
    kept_rows = m.kept_rows
    for k in range(d):
        o = m.frames[k].option
        j = k
        while j > 0 and kept_rows[a, j - 1] > o:
            kept_rows[a, j] = kept_rows[a, j - 1]
            j -= 1
        kept_rows[a, j] = o


@kernel
def keep(m, d):
    """Keep the cover of the d chosen rows if it is one of the best.

    The slots except the last, which is scratch, are a heap with the worst cover in slot 0.
    """
    results = m.results[0]
    top = len(m.kept_cost) - 1
    m.kept_cost[top] = m.frames[d].total
    m.kept_size[top] = d
    sort_chosen(m, d, top)
    if results.kept < top:
        a = results.kept
        results.kept += 1
        swap(m, a, top)
        while a > 0 and worse(m, a, (a - 1) >> 1):
            swap(m, a, (a - 1) >> 1)
            a = (a - 1) >> 1
    elif worse(m, 0, top):
        swap(m, 0, top)
        a, b = 0, 1
        while b < top:
            if b + 1 < top and worse(m, b + 1, b):
                b += 1
            if not worse(m, b, a):
                break
            swap(m, a, b)
            a, b = b, 2 * b + 1
    else:
        return
    results.improved += 1


@kernel
def hopeless(m, cost, size):
    """Return whether covers of at least this cost and size are worse than all kept ones."""
    worst = m.kept_cost[0]
    if m.results[0].kept < len(m.kept_cost) - 1:
        return False
    return cost > worst or (cost == worst and size > m.kept_size[0])


@kernel
def behind(m, d):
    """Return whether the rows of every cover below depth d come after those of the worst one kept.

    They have the same size. The first of them has the first allowed rows besides the chosen ones.
    """
    allowed, kept_size, kept_rows = m.allowed, m.kept_size, m.kept_rows
    top = len(kept_size) - 1
    if m.results[0].kept < top:
        return False
    sort_chosen(m, d, top)
    free = kept_size[0] - d
    k, w = 0, 0
    x = allowed[d, 0]
    for j in range(kept_size[0]):
        while x == u64(0) and w + 1 < allowed.shape[1]:
            w += 1
            x = allowed[d, w]
        row = np.int64(NEVER)
        if free > 0 and x != u64(0):
            row = np.int64(64 * w + ctz(x))
        if k < d and kept_rows[top, k] < row:
            row = kept_rows[top, k]
            k += 1
        else:
            free -= 1
            x = drop(x)
        if row != kept_rows[0, j]:
            return row > kept_rows[0, j]
    return True


@kernel
def gain_of(m, o, d):
    """Return the most by which row o can lower the total of depth d; it may be negative."""
    gain = -m.cost[o]
    for e in range(m.first[o], m.first[o + u64(1)]):
        spared = m.least[d, u64(m.item[u64(e)])] - m.weight[u64(e)]
        if spared > 0:
            gain += spared
    return gain


@kernel
def sum_up(m, d, listed):
    """Sum the gains of the rows allowed at depth d.

    Write the least share of each column into tops[0] and the `listed` largest gains into tops[1].
    Return the sum of all gains, the sum of the negative costs, the least cost if that is negative,
    and the most missing columns that a row covers.
    """
    cost, tops = m.cost, m.tops
    gained, spent, cheapest, widest = np.int64(0), np.int64(0), np.int64(0), np.int64(1)
    for w in range(m.allowed.shape[1]):
        x = m.allowed[d, w]
        while x:
            o = u64(64 * w + ctz(x))
            x = drop(x)
            gain, width = -cost[o], np.int64(0)
            for e in range(m.first[o], m.first[o + u64(1)]):
                i = u64(m.item[u64(e)])
                if m.times[d, i] < m.low[i]:
                    width += 1
                if m.share[u64(e)] < tops[0, i]:
                    tops[0, i] = m.share[u64(e)]
                spared = m.least[d, i] - m.weight[u64(e)]
                if spared > 0:
                    gain += spared
            widest = max(widest, width)
            if cost[o] < 0:
                spent += cost[o]
                cheapest = min(cheapest, cost[o])
            if gain > 0:
                gained += gain
            if gain > tops[1, listed - 1]:
                k = listed - 1
                while k > 0 and tops[1, k - 1] < gain:
                    tops[1, k] = tops[1, k - 1]
                    k -= 1
                tops[1, k] = gain
    return gained, spent, cheapest, widest


@kernel
def survey(m, d):
    """Return a lower bound for the cost of covers with more rows than depth d; NEVER: none exists.

    It is the larger of two bounds. One is the sum over columns of the least cost that the allowed
    rows can give a column, with a row's own cost divided among its columns (Knuth's taxes). The
    other is the total less the largest gains of the remaining picks. Writes frame.few and
    frame.rest.
    """
    settings = m.settings[0]
    low, tops = m.low, m.tops
    frame = m.frames[d]
    picks = settings.most - d
    listed = min(picks, TOPS)
    for i in range(len(low)):
        tops[0, i] = NEVER
    for k in range(listed):
        tops[1, k] = -NEVER
    gained, spent, cheapest, widest = sum_up(m, d, listed)
    if frame.missing > picks * widest:
        return NEVER
    frame.few = max(1, (frame.missing + widest - 1) // widest)
    if picks > TOPS:
        frame.rest = by_gains = gained
    else:
        frame.rest = by_gains = 0
        for k in range(picks):
            gain = tops[1, k]
            if k < frame.few or gain > 0:
                if gain == -NEVER:
                    return NEVER  # fewer rows than are needed
                by_gains += gain
            if k < picks - 1 and gain > 0:
                frame.rest += gain
    lowest = frame.total << settings.shift
    for i in range(len(low)):
        present = m.least[d, i] << settings.shift
        if m.times[d, i] < low[i] and tops[0, i] == NEVER:
            return NEVER
        if tops[0, i] < present or (m.times[d, i] == 0 and low[i] > 0):
            lowest += tops[0, i] - present
    if not settings.disjoint:
        if -cheapest <= -spent // picks:
            spent = picks * cheapest
        lowest += spent << settings.shift
    lowest = (lowest + (np.int64(1) << settings.shift) - 1) >> settings.shift
    return max(lowest, frame.total - by_gains)
