"""The best covers by branch and bound, with an explicit stack that stops and goes on anywhere.

The search branches on an uncovered column, and below each row forbids the rows tried before it.
When everything is covered it may go on with further rows. It leaves a state if every cover below it
is worse than the worst one kept, in cost, or in size at the same cost.

The kernel stays apart from `dragon.cover.optimum`, its driver and the settings of a question.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

# d depth, o row, c a row chosen before, i column, e entry (a column of a row), w word of rows

from typing import Any, NamedTuple

import numpy as np

from dragon.bits import bit, ctz, drop, popcount, u64
from dragon.cover.kernels.ranking import NEVER, behind, gain_of, hopeless, keep, survey
from dragon.cover.stream import DONE, GROW, PAUSED
from dragon.rules.template import kernel

FRAME = np.dtype(
    [
        ("option", "i8"),  # the row being tried
        ("total", "i8"),  # costs of the rows chosen and the weights in `least`
        ("missing", "i8"),  # coverage still missing: columns times how often
        ("start", "i8"),  # where the rows to try begin on the stack
        ("n", "i8"),
        ("at", "i8"),  # the next of them
        ("rest", "i8"),  # what the picks after the next can gain at most
        ("few", "i8"),  # how many rows at least are still to be chosen
    ],
    align=True,
)
SETTINGS = np.dtype(
    [
        ("most", "i8"),  # most rows in a cover
        ("largest", "i8"),  # most columns in a row
        ("shift", "i8"),  # shares are in units of 2**-shift
        ("exact", "i8"),  # whether upper bounds bind
        ("disjoint", "i8"),  # whether no column can be covered twice
        ("minimal", "i8"),  # whether every row must be needed
    ],
    align=True,
)
"""The question, and two figures of the problem."""
RUN = np.dtype(
    [
        ("step", "i8"),  # what comes next
        ("depth", "i8"),
        ("nodes", "i8"),
        ("stop", "i8"),  # pause when this many nodes have been visited
    ],
    align=True,
)
RESULTS = np.dtype(
    [
        ("kept", "i8"),  # covers kept
        ("improved", "i8"),  # how often the covers kept have changed
    ],
    align=True,
)
ENTER, TRY = 0, 1
"""Steps X2 to X4, X5."""


class Memory(NamedTuple):
    """The arrays of the kernel; the first ones are those of BitSets."""

    first: Any  # int64[rows + 1]
    item: Any  # int64[entries]
    weight: Any  # int64[entries]
    share: Any  # int64[entries], least cost of covering the column by the row, in 2**-shift
    cost: Any  # int64[rows]
    low: Any  # int64[columns]
    high: Any  # int64[columns]
    users: Any  # uint64[columns, words]
    clash: Any  # uint64[any, words]
    clash_first: Any  # int64[rows + 1]
    clash_row: Any  # int64[any]
    allowed: Any  # uint64[depths, words], the rows that may be chosen
    times: Any  # int64[depths, columns], how often a column is covered
    least: Any  # int64[depths, columns], its least weight; before it is covered the largest
    # of the column, or 0 if it need not be covered
    frames: Any  # FRAME[depths]
    tops: Any  # int64[2, any], scratch
    stack: Any  # int64[any], the rows to try,
    gains: Any  # int64[any], and what each can gain
    kept_cost: Any  # int64[top + 1], the best covers met so far; see `ranking`
    kept_size: Any  # int64[top + 1]
    kept_rows: Any  # int64[top + 1, depths]
    settings: Any  # SETTINGS[1]
    runs: Any  # RUN[1]
    results: Any  # RESULTS[1]


@kernel
def bar_redundant(m, d):
    """Forbid the rows that would make a chosen one redundant."""
    first, allowed = m.first, m.allowed
    for k in range(d):
        c = u64(m.frames[k].option)
        waits = False
        for e in range(first[c], first[c + u64(1)]):
            i = u64(m.item[u64(e)])
            waits |= m.times[d, i] < m.low[i]  # even one more row leaves the column in need
        if waits:
            continue
        for w in range(allowed.shape[1]):
            x = allowed[d, w]
            for e in range(first[c], first[c + u64(1)]):
                i = u64(m.item[u64(e)])
                if m.times[d, i] == m.low[i]:
                    x &= m.users[i, w]
            allowed[d, w] &= ~x


@kernel
def complete(m, d):
    """Allow only rows that cover all that is missing."""
    low, allowed = m.low, m.allowed
    for i in range(len(low)):
        if m.times[d, i] < low[i]:
            once = m.times[d, i] + 1 == low[i]
            for w in range(allowed.shape[1]):
                allowed[d, w] = allowed[d, w] & m.users[i, w] if once else u64(0)


@kernel
def choose(m, d):
    """Return the first column with the fewest rows to try; -1 if one has too few."""
    low = m.low
    fewest, item = np.int64(NEVER), np.int64(-1)
    for i in range(len(low)):
        if m.times[d, i] >= low[i]:
            continue
        n = 1 + m.times[d, i] - low[i]
        for w in range(m.allowed.shape[1]):
            n += popcount(m.allowed[d, w] & m.users[i, w])
        if n <= 0:
            return np.int64(-1)
        if n < fewest:
            fewest, item = n, np.int64(i)
    return item


@kernel
def enlist(m, d, column):
    """List the rows to try at depth d: those of a column, or all for column -1."""
    frame = m.frames[d]
    frame.n = frame.at = 0
    for w in range(m.allowed.shape[1]):
        x = m.allowed[d, w]
        if column >= 0:
            x &= m.users[column, w]
        while x:
            o = u64(64 * w + ctz(x))
            x = drop(x)
            m.stack[frame.start + frame.n] = np.int64(o)
            m.gains[frame.start + frame.n] = gain_of(m, o, d)
            frame.n += 1


@kernel
def has_room(m, d):
    """Put the rows of depth d after those of the depth above; return whether there is room."""
    frames = m.frames
    frame = frames[d]
    frame.start = frames[d - 1].start + frames[d - 1].n if d > 0 else 0
    room = len(m.stack) - frame.start
    for w in range(m.allowed.shape[1]):
        room -= popcount(m.allowed[d, w])
    return room >= 0 and d + 2 <= len(frames)


@kernel
def pick(m, frame):
    """Bring the row with the largest gain, of equals the first, to the front, and return it."""
    stack, gains = m.stack, m.gains
    start, end = frame.start + frame.at, frame.start + frame.n
    k = start
    for j in range(start + 1, end):
        if gains[j] > gains[k] or (gains[j] == gains[k] and stack[j] < stack[k]):
            k = j
    stack[start], stack[k] = stack[k], stack[start]
    gains[start], gains[k] = gains[k], gains[start]
    return stack[start]


@kernel
def take(m, d):
    """Make depth d + 1 by choosing frames[d].option, and forbid this at depth d."""
    exact = m.settings[0].exact
    allowed, times, least = m.allowed, m.times, m.least
    frame, child = m.frames[d], m.frames[d + 1]
    o = u64(frame.option)
    allowed[d, o >> u64(6)] &= ~bit(o & u64(63))
    for w in range(allowed.shape[1]):
        allowed[d + 1, w] = allowed[d, w]
    for i in range(len(m.low)):
        times[d + 1, i] = times[d, i]
        least[d + 1, i] = least[d, i]
    child.total = frame.total + m.cost[o]
    child.missing = frame.missing
    for e in range(m.first[o], m.first[o + u64(1)]):
        i = u64(m.item[u64(e)])
        old = least[d, i]
        new = m.weight[u64(e)] if times[d, i] == 0 else min(old, m.weight[u64(e)])
        child.total += new - old
        least[d + 1, i] = new
        times[d + 1, i] += 1
        if times[d, i] < m.low[i]:
            child.missing -= 1
        if exact and times[d + 1, i] == m.high[i]:
            for w in range(allowed.shape[1]):
                allowed[d + 1, w] &= ~m.users[i, w]
    for e in range(m.clash_first[o], m.clash_first[o + u64(1)]):
        k = u64(m.clash_row[u64(e)])
        for w in range(allowed.shape[1]):
            allowed[d + 1, w] &= ~m.clash[k, w]


@kernel
def enter(m, d):
    """Keep depth d if it is a cover, and list the rows to try next; return whether to try any."""
    settings, frame = m.settings[0], m.frames[d]
    picks = settings.most - d
    if frame.missing == 0:
        if not hopeless(m, frame.total, d):
            keep(m, d)
        if settings.minimal:
            return False
    elif frame.missing > picks * settings.largest:
        return False
    if picks == 0:
        return False
    if settings.minimal:
        bar_redundant(m, d)
    if picks == 1 and frame.missing > 0:
        complete(m, d)
    bound = survey(m, d)
    if bound == NEVER or hopeless(m, bound, d + frame.few):
        return False
    tie = bound == m.kept_cost[0] and d + frame.few == m.kept_size[0]
    if tie and behind(m, d):
        return False
    column = np.int64(-1)
    if frame.missing > 0:
        column = choose(m, d)
        if column < 0:
            return False
    enlist(m, d, column)
    return True


@kernel
def resume(m):
    """Visit nodes until `run.stop`, and return the status; GROW: the stack is too short."""
    run = m.runs[0]
    d, step = run.depth, run.step
    while d >= 0:
        if step == ENTER:
            # X2. Enter level l, and X3. Choose i.
            if run.nodes >= run.stop:
                run.step, run.depth = step, d
                return PAUSED
            if not has_room(m, d):
                run.step, run.depth = step, d
                return GROW
            run.nodes += 1
            step = TRY
            if not enter(m, d):
                d -= 1
            continue
        # X5. Try x[l].
        frame = m.frames[d]
        if frame.at == frame.n:
            d -= 1  # X8. Leave level l; nothing has to be put back (X6, X7).
            continue
        o = pick(m, frame)
        bound = frame.total - m.gains[frame.start + frame.at] - frame.rest
        if hopeless(m, bound, d + 1):
            d -= 1  # the rows after it gain no more
            continue
        frame.at += 1
        frame.option = o
        take(m, d)
        d += 1
        step = ENTER
    run.step, run.depth = TRY, -1
    return DONE
