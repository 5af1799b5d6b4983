"""The best covers met so far: a heap with the worst in front, and who ranks behind it.

A cover ranks by its cost, then by its size, then by its rows in rising order. Slots hold
covers: kept_cost, kept_size: int64[top + 1]; kept_rows: int64[top + 1, depths], of each
its rows in rising order. The last slot is scratch. `run` and `frames` are those of the search.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

# a, b slots, d depth, k and j places in a slot, w word of rows

import numpy as np

from dragon.bits import ctz, drop, u64
from dragon.template import kernel

NEVER = 1 << 62
"""More than any cost, and behind any row."""


@kernel
def worse(kept_cost, kept_size, kept_rows, a, b):
    """Whether the cover in slot a ranks behind that in slot b: cost, size, then rows."""
    if kept_cost[a] != kept_cost[b]:
        return kept_cost[a] > kept_cost[b]
    if kept_size[a] != kept_size[b]:
        return kept_size[a] > kept_size[b]
    for k in range(kept_size[a]):
        if kept_rows[a, k] != kept_rows[b, k]:
            return kept_rows[a, k] > kept_rows[b, k]
    return False


@kernel
def swap(kept_cost, kept_size, kept_rows, a, b):
    """Exchanges two slots."""
    kept_cost[a], kept_cost[b] = kept_cost[b], kept_cost[a]
    kept_size[a], kept_size[b] = kept_size[b], kept_size[a]
    for k in range(max(kept_size[a], kept_size[b])):
        kept_rows[a, k], kept_rows[b, k] = kept_rows[b, k], kept_rows[a, k]


@kernel
def sort_chosen(frames, d, kept_rows, a):
    """Writes the d rows chosen into slot a, in order."""
    for k in range(d):
        o = frames[k].option
        j = k
        while j > 0 and kept_rows[a, j - 1] > o:
            kept_rows[a, j] = kept_rows[a, j - 1]
            j -= 1
        kept_rows[a, j] = o


@kernel
def keep(run, frames, d, kept_cost, kept_size, kept_rows):
    """Keeps the cover of the d rows chosen if it ranks among the first.

    The slots but the last, which is scratch, are a heap with the worst cover in slot 0.
    """
    top = len(kept_cost) - 1
    kept_cost[top] = frames[d].total
    kept_size[top] = d
    sort_chosen(frames, d, kept_rows, top)
    if run.kept < top:
        a = run.kept
        run.kept += 1
        swap(kept_cost, kept_size, kept_rows, a, top)
        while a > 0 and worse(kept_cost, kept_size, kept_rows, a, (a - 1) >> 1):
            swap(kept_cost, kept_size, kept_rows, a, (a - 1) >> 1)
            a = (a - 1) >> 1
    elif worse(kept_cost, kept_size, kept_rows, 0, top):
        swap(kept_cost, kept_size, kept_rows, 0, top)
        a, b = 0, 1
        while b < top:
            if b + 1 < top and worse(kept_cost, kept_size, kept_rows, b + 1, b):
                b += 1
            if not worse(kept_cost, kept_size, kept_rows, b, a):
                break
            swap(kept_cost, kept_size, kept_rows, a, b)
            a, b = b, 2 * b + 1
    else:
        return
    run.improved += 1


@kernel
def hopeless(run, kept_cost, kept_size, cost, size):
    """Whether covers of at least this cost, and this size at least, rank behind all kept."""
    if run.kept < len(kept_cost) - 1:
        return False
    return cost > kept_cost[0] or (cost == kept_cost[0] and size > kept_size[0])


@kernel
def behind(run, frames, allowed, d, kept_size, kept_rows):
    """Whether no cover below depth d as large as the worst kept comes before it in order of rows.

    The first that there could be has the first allowed rows besides those chosen.
    """
    top = len(kept_size) - 1
    if run.kept < top:
        return False
    sort_chosen(frames, d, kept_rows, top)
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
