"""Subproblems of a cover problem, each solved once: depth first, with an explicit stack.

A subproblem is the set of options that may still be chosen, with the bounds that each item still
has. Its key holds all of that in a few words. Keys are compared whole; the hash only gives the
first slot to look at.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call,assignment"

# d, e depth, f the depth below, p item, r row, w word, h hash

from typing import Any, NamedTuple

import numpy as np

from dragon.bits import GOLDEN, add, bit, ctz, mix, mul, popcount, shl, shr, u64
from dragon.cover.stream import DONE, GROW, PAUSED
from dragon.rules.template import kernel

RUN = np.dtype(
    [
        ("depth", "i8"),
        ("entering", "i8"),  # whether the subproblem at `depth` is new
        ("pending", "i8"),  # edges of unfinished nodes
        ("visits", "i8"),  # of subproblems, known or not
        ("stop", "i8"),  # pause after this many visits
        ("states", "i8"),  # keys in the table
        ("nodes", "i8"),  # nodes of the diagram
        ("edges", "i8"),
        ("root", "i8"),
        ("by_options", "i8"),  # which of the two keys
        ("idle", "i8"),  # from this item on each stands for an idle option: they come last
    ],
    align=True,
)
FRAME = np.dtype(
    [("branch", "i4"), ("option", "i4"), ("begin", "i8"), ("tried", "i4"), ("total", "i4")],
    align=True,
)
"""The item branched on, the option just chosen, the first of the frame's pending edges, the number
of branches that have been begun, and of all branches."""
EDGE = np.dtype([("option", "i4"), ("child", "i4")])
FIELD = np.dtype([("word", "i4"), ("shift", "i4"), ("bits", "i4"), ("first", "i4"), ("last", "i4")])
"""The place in the key of a secondary item's code, and the item's classes of options that agree on
it, first to last - 1."""
BOTTOM, TOP = 0, 1  # the nodes without a cover, and with nothing left to cover
NONE = -1  # the edge on which no option is chosen
UNMET, MET = -2, -1
MANY = 1 << 60
"""A number larger than any length, and a count that stands for at least as many."""


class Memory(NamedTuple):
    """The arrays of the kernel: the problem, the stack of d depths, the tables of states."""

    start: Any  # int64[options + 1] into `effects`
    effects: Any  # int64[any], the rows that an option strikes out; items only when they are full
    rows: Any  # uint64[rows, words], sets of options: of each item, then whatever effects name
    classes: Any  # int64[any], the rows that `fields` name
    fields: Any  # FIELD[secondary items]
    counted: Any  # int64[any], the items that may be covered more than once
    avail: Any  # uint64[d, words], the options left
    low: Any  # int32[d, items], how often an item must still be covered,
    high: Any  # int32[d, items], and how often it may be
    frames: Any  # FRAME[d]
    key: Any  # uint64[d, key words]
    pending: Any  # EDGE[any], those of unfinished nodes
    keys: Any  # uint64[states, key words]
    ids: Any  # int32[states], the node of each
    slots: Any  # int32[2**k] into `keys`, -1 where free
    first: Any  # int64[nodes + 1] into `edges`
    counts: Any  # int64[nodes], the ways from each node to a cover, or MANY
    edges: Any  # EDGE[any]
    runs: Any  # RUN[1]


@kernel
def select(m, d):
    """Return the item to branch on; UNMET if one can no longer be covered, MET if all are."""
    avail, low, high, rows = m.avail, m.low, m.high, m.rows
    best = MET
    least = MANY
    words = u64(avail.shape[1])
    e = u64(d)
    for p in range(u64(low.shape[1])):
        need = np.int64(low[e, p])
        if need == 0 and high[e, p] == 0:
            continue
        if need == 0 and best != MET and np.int64(p) >= m.runs[0].idle:
            break
        n = 0
        for w in range(words):
            n += popcount(avail[e, w] & rows[p, w])
            if n >= least + need - 1:
                break
        if n < need:
            return UNMET
        if n == 0:
            continue
        ways = n - need + 1
        if need == 0:
            ways = n + 1
        if ways < least:
            least = ways
            best = np.int64(p)
    return best


@kernel
def branches(m, d, item):
    """Return the number of options left for an item, and one more if it may have none."""
    avail, low, rows = m.avail, m.low, m.rows
    n = 1 if low[u64(d), u64(item)] == 0 else 0
    for w in range(u64(avail.shape[1])):
        n += popcount(avail[u64(d), w] & rows[u64(item), w])
    return n


@kernel
def meets(avail, rows, d, row):
    """Return whether an option of the row may still be chosen."""
    e = u64(d)
    r = u64(row)
    for w in range(u64(avail.shape[1])):
        if avail[e, w] & rows[r, w] != u64(0):
            return True
    return False


@kernel
def write_by_items(m, d):
    """Write the key if no item may be covered twice: bits of the open items, then the codes.

    The code of a secondary item is 0 if no option of it is left, i if all options left are of its
    class i (such as its colour i), and otherwise one more than the number of its classes. Together
    with the open items it determines the options left, so that equal subproblems have equal keys.
    """
    avail, low, high, rows, key, fields = m.avail, m.low, m.high, m.rows, m.key, m.fields
    e = u64(d)
    for w in range(u64(key.shape[1])):
        key[e, w] = u64(0)
    for p in range(u64(low.shape[1])):
        if low[e, p] > 0 or (high[e, p] > 0 and meets(avail, rows, d, p)):
            key[e, p >> u64(6)] |= bit(p & u64(63))
    for x in range(u64(len(fields))):
        field = fields[x]
        first = field.first
        last = field.last
        many = last - first + 1
        if d > 0:  # nothing else can be left here than above
            mask = bit(field.bits) - u64(1)
            above = shr(key[u64(d - 1), u64(field.word)], field.shift) & mask
            if above == u64(0):
                continue
            if above < u64(many):
                first += np.int64(above) - 1
                last = first + 1
        code = 0
        for c in range(first, last):
            if meets(avail, rows, d, m.classes[u64(c)]):
                if code != 0:
                    code = many
                    break
                code = c - field.first + 1
        key[e, u64(field.word)] |= shl(u64(code), field.shift)


@kernel
def write_by_options(m, d):
    """Write the key if items may be covered more often: the options left, then the bounds left.

    An upper bound is never larger than the number of options left.
    """
    avail, low, high, rows, key = m.avail, m.low, m.high, m.rows, m.key
    e = u64(d)
    words = u64(avail.shape[1])
    for w in range(words):
        key[e, w] = avail[e, w]
    for i in range(u64(len(m.counted))):
        p = u64(m.counted[i])
        n = 0
        for w in range(words):
            n += popcount(avail[e, w] & rows[p, w])
        key[e, words + i] = u64(low[e, p]) << u64(32) | u64(min(high[e, p], n))


@kernel
def slot_of(slots, keys, key, d):
    """Return the slot with the number of this key's state, or the free slot for it."""
    e = u64(d)
    words = u64(key.shape[1])
    h = u64(GOLDEN)
    for w in range(words):
        h = mix(add(mul(h, u64(GOLDEN)), key[e, w]))
    mask = u64(len(slots) - 1)
    at = h & mask
    while slots[at] >= 0:
        known = u64(slots[at])
        same = True
        for w in range(words):
            if keys[known, w] != key[e, w]:
                same = False
                break
        if same:
            return at
        at = add(at, u64(1)) & mask
    return at


@kernel
def rehash(slots, keys, states):
    """Fill a larger table, int32[2**k] of -1, with all states."""
    for i in range(u64(states)):
        slots[slot_of(slots, keys, keys, i)] = i


@kernel
def choose(m, d, option):
    """Write the subproblem after an option to depth d + 1."""
    avail, low, high, rows, start = m.avail, m.low, m.high, m.rows, m.start
    e = u64(d)
    f = u64(d + 1)
    words = u64(avail.shape[1])
    for w in range(words):
        avail[f, w] = avail[e, w]
    for p in range(u64(low.shape[1])):
        low[f, p] = low[e, p]
        high[f, p] = high[e, p]
    if option == NONE:
        return
    for i in range(u64(start[u64(option)]), u64(start[u64(option + 1)])):
        row = u64(m.effects[i])
        if row < u64(low.shape[1]):
            low[f, row] = max(0, low[f, row] - 1)
            high[f, row] -= 1
            if high[f, row] > 0:
                continue
        for w in range(words):
            avail[f, w] &= ~rows[row, w]


@kernel
def take(avail, rows, d, item):
    """Take the first option left for the item and return it; NONE if there is none."""
    e = u64(d)
    p = u64(item)
    for w in range(u64(avail.shape[1])):
        left = avail[e, w] & rows[p, w]
        if left != u64(0):
            first = ctz(left)
            avail[e, w] &= ~bit(first)
            return np.int64(w) * 64 + first
    return NONE


@kernel
def follow(m, branch):
    """Choose an item at depth 0, and return the number of its branches; or UNMET, or MET.

    branch: the one of the item chosen before that is taken first, or -1. The options before it are
    forbidden; the last branch of an item that need not be covered takes none.
    """
    item = m.frames[0].branch
    if branch >= 0:
        option = NONE
        for _ in range(branch + 1):
            option = take(m.avail, m.rows, 0, item)
        choose(m, 0, option)
        for w in range(m.avail.shape[1]):
            m.avail[0, w] = m.avail[1, w]
        for p in range(m.low.shape[1]):
            m.low[0, p] = m.low[1, p]
            m.high[0, p] = m.high[1, p]
        if option == NONE:
            m.high[0, item] = 0
    chosen = select(m, 0)
    m.frames[0].branch = chosen
    return chosen if chosen < 0 else branches(m, 0, chosen)


@kernel
def close(m, frame):
    """Make a node of a frame's edges, store it under its key, and return it."""
    run, pending, edges, counts = m.runs[0], m.pending, m.edges, m.counts
    d = run.depth
    n = run.pending - frame.begin
    node = BOTTOM
    if n == 1 and pending[frame.begin].option == NONE:
        node = pending[frame.begin].child
    elif n > 0:
        node = run.nodes
        total = 0
        for i in range(n):
            edge = pending[frame.begin + i]
            edges[run.edges + i].option = edge.option
            edges[run.edges + i].child = edge.child
            total = min(MANY, total + counts[edge.child])
        counts[node] = total
        run.edges += n
        run.nodes += 1
        m.first[run.nodes] = run.edges
    m.slots[slot_of(m.slots, m.keys, m.key, d)] = run.states
    for w in range(u64(m.key.shape[1])):
        m.keys[u64(run.states), w] = m.key[u64(d), w]
    m.ids[run.states] = node
    run.states += 1
    run.pending = frame.begin
    return node


@kernel
def enter(m, d):
    """Return the node of the subproblem at depth d if known; otherwise -1, with its frame made."""
    item = select(m, d)
    if item == UNMET:
        return BOTTOM
    if item == MET:
        return TOP
    if m.runs[0].by_options:
        write_by_options(m, d)
    else:
        write_by_items(m, d)
    at = slot_of(m.slots, m.keys, m.key, d)
    if m.slots[at] >= 0:
        return m.ids[m.slots[at]]
    frame = m.frames[d]
    frame.branch, frame.option, frame.tried = item, 0, 0
    frame.begin = m.runs[0].pending
    frame.total = branches(m, d, item)
    return -1


@kernel
def resume(m):
    """Work until `run.stop` visits, and return the status; GROW: a table is too short."""
    run, frames, pending = m.runs[0], m.frames, m.pending
    while True:
        d = run.depth
        if run.entering:
            if run.visits >= run.stop:
                return PAUSED
            run.visits += 1
            run.entering = 0
            node = enter(m, d)
            if node < 0:
                continue
        else:
            if d + 1 == len(frames):
                return GROW
            frame = frames[d]
            last = frame.option
            option = NONE if last == NONE else take(m.avail, m.rows, d, frame.branch)
            if option != NONE or (last != NONE and m.low[d, frame.branch] == 0):
                frame.option = option
                frame.tried += 1
                choose(m, d, option)
                if option == NONE:
                    m.high[d + 1, frame.branch] = 0
                run.depth += 1
                run.entering = 1
                continue
            edges = run.edges + run.pending - frame.begin
            if run.states >= len(m.keys) or run.nodes + 1 >= len(m.first) or edges > len(m.edges):
                return GROW
            node = close(m, frame)
        if d == 0:
            run.root = node
            return DONE
        run.depth = d - 1
        if node != BOTTOM:
            pending[run.pending].option = frames[d - 1].option
            pending[run.pending].child = node
            run.pending += 1
