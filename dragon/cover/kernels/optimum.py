"""The best covers by branch and bound, with an explicit stack that stops and goes on anywhere.

The search branches on an uncovered column and forbids beneath each row those tried before
it; with everything covered it may go on with further rows. A state is left when whatever can
be made of it is worse than the worst cover kept, in cost, or in size at the same cost.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

# d depth, o row, c a row chosen before, i column, e entry (a column of a row), w word of rows

import numpy as np

from dragon.bits import bit, ctz, drop, popcount, u64
from dragon.cover.kernels.ranking import NEVER, behind, hopeless, keep
from dragon.template import kernel

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
RUN = np.dtype(
    [
        ("mode", "i8"),
        ("depth", "i8"),
        ("most", "i8"),  # most rows in a cover
        ("largest", "i8"),  # most columns in a row
        ("nodes", "i8"),
        ("stop", "i8"),  # pause when this many nodes have been visited
        ("kept", "i8"),  # covers kept
        ("improved", "i8"),  # how often the covers kept have changed
        ("shift", "i8"),  # shares are in units of 2**-shift
        ("exact", "i8"),  # whether upper bounds bind
        ("disjoint", "i8"),  # whether no column can be covered twice
        ("minimal", "i8"),  # whether every row must be needed
    ],
    align=True,
)
ENTER, NEXT = 0, 1
PAUSED, DONE, GROW = 0, 1, 2
TOPS = 32
"""Up to so many picks the largest gains are added up one by one."""


@kernel
def bar_redundant(first, item, low, users, allowed, count, frames, d):
    """Forbids the rows beside which a chosen one would cover no column that needs it."""
    for k in range(d):
        c = u64(frames[k].option)
        waits = False
        for e in range(first[c], first[c + u64(1)]):
            i = u64(item[u64(e)])
            waits |= count[d, i] < low[i]  # even one more row leaves the column in need
        if waits:
            continue
        for w in range(allowed.shape[1]):
            x = allowed[d, w]
            for e in range(first[c], first[c + u64(1)]):
                i = u64(item[u64(e)])
                if count[d, i] == low[i]:
                    x &= users[i, w]
            allowed[d, w] &= ~x


@kernel
def complete(low, users, allowed, count, d):
    """Leaves of the allowed rows those that cover all that is missing."""
    for i in range(len(low)):
        if count[d, i] < low[i]:
            once = count[d, i] + 1 == low[i]
            for w in range(allowed.shape[1]):
                allowed[d, w] = allowed[d, w] & users[i, w] if once else u64(0)


@kernel
def gain_of(o, first, item, weight, cost, least, d):
    """By how much row o can lower the total of depth d at most; negative where it costs."""
    gain = -cost[o]
    for e in range(first[o], first[o + u64(1)]):
        spared = least[d, u64(item[u64(e)])] - weight[u64(e)]
        if spared > 0:
            gain += spared
    return gain


@kernel
def tally(first, item, weight, share, cost, low, allowed, count, least, tops, d, listed):
    """Goes through the rows allowed at depth d and tells what is in them.

    Writes the least share of each column into tops[0] and the `listed` largest gains into
    tops[1]; returns the sum of all gains, the sum of the negative costs, the least cost if
    that is negative, and the most columns that a row covers of those missing.
    """
    gained, spent, cheapest, widest = np.int64(0), np.int64(0), np.int64(0), np.int64(1)
    for w in range(allowed.shape[1]):
        x = allowed[d, w]
        while x:
            o = u64(64 * w + ctz(x))
            x = drop(x)
            gain, width = -cost[o], np.int64(0)
            for e in range(first[o], first[o + u64(1)]):
                i = u64(item[u64(e)])
                if count[d, i] < low[i]:
                    width += 1
                if share[u64(e)] < tops[0, i]:
                    tops[0, i] = share[u64(e)]
                spared = least[d, i] - weight[u64(e)]
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
def survey(run, first, item, weight, share, cost, low, allowed, count, least, frames, tops, d):
    """A lower bound for the cost of covers that add rows to those of depth d; NEVER: none does.

    The larger of two. One adds up for every column the least that it can come to with the
    rows allowed, a row's own cost shared out among its columns (Knuth's taxes). The other
    takes from the total the largest gains that the picks left can bring. Writes frame.few
    and frame.rest.
    """
    frame = frames[d]
    picks = run.most - d
    listed = min(picks, TOPS)
    for i in range(len(low)):
        tops[0, i] = NEVER
    for k in range(listed):
        tops[1, k] = -NEVER
    gained, spent, cheapest, widest = tally(
        first, item, weight, share, cost, low, allowed, count, least, tops, d, listed
    )
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
    lowest = frame.total << run.shift
    for i in range(len(low)):
        present = least[d, i] << run.shift
        if count[d, i] < low[i] and tops[0, i] == NEVER:
            return NEVER
        if tops[0, i] < present or (count[d, i] == 0 and low[i] > 0):
            lowest += tops[0, i] - present
    if not run.disjoint:
        if -cheapest <= -spent // picks:
            spent = picks * cheapest
        lowest += spent << run.shift
    lowest = (lowest + (np.int64(1) << run.shift) - 1) >> run.shift
    return max(lowest, frame.total - by_gains)


@kernel
def choose(low, users, allowed, count, d):
    """The column with the fewest rows to try, the first of them; -1: one has too few."""
    fewest, item = np.int64(NEVER), np.int64(-1)
    for i in range(len(low)):
        if count[d, i] >= low[i]:
            continue
        n = 1 + count[d, i] - low[i]
        for w in range(allowed.shape[1]):
            n += popcount(allowed[d, w] & users[i, w])
        if n <= 0:
            return np.int64(-1)
        if n < fewest:
            fewest, item = n, np.int64(i)
    return item


@kernel
def enlist(first, item, weight, cost, users, allowed, least, frames, stack, gains, d, column):
    """Lists the rows to try at depth d, those of one column or, of column -1, all.

    stack and gains: int64[any], the rows and what each can gain.
    """
    frame = frames[d]
    frame.n = frame.at = 0
    for w in range(allowed.shape[1]):
        x = allowed[d, w]
        if column >= 0:
            x &= users[column, w]
        while x:
            o = u64(64 * w + ctz(x))
            x = drop(x)
            stack[frame.start + frame.n] = np.int64(o)
            gains[frame.start + frame.n] = gain_of(o, first, item, weight, cost, least, d)
            frame.n += 1


@kernel
def has_room(allowed, frames, stack, d):
    """Begins the rows to try at depth d behind those of the depth above; whether they will fit."""
    frame = frames[d]
    frame.start = frames[d - 1].start + frames[d - 1].n if d > 0 else 0
    room = len(stack) - frame.start
    for w in range(allowed.shape[1]):
        room -= popcount(allowed[d, w])
    return room >= 0 and d + 2 <= len(frames)


@kernel
def pick(frame, stack, gains):
    """Brings the row with the largest gain to the front, of equals the first; the row."""
    start, end = frame.start + frame.at, frame.start + frame.n
    k = start
    for j in range(start + 1, end):
        if gains[j] > gains[k] or (gains[j] == gains[k] and stack[j] < stack[k]):
            k = j
    stack[start], stack[k] = stack[k], stack[start]
    gains[start], gains[k] = gains[k], gains[start]
    return stack[start]


@kernel
def take(
    run, first, item, weight, cost, low, high, users, clash, clash_first, clash_row,
    allowed, count, least, frames, d,
):  # fmt: skip
    """Makes depth d + 1 of depth d with frames[d].option chosen, which it forbids from now on."""
    frame, child = frames[d], frames[d + 1]
    o = u64(frame.option)
    allowed[d, o >> u64(6)] &= ~bit(o & u64(63))
    for w in range(allowed.shape[1]):
        allowed[d + 1, w] = allowed[d, w]
    for i in range(len(low)):
        count[d + 1, i] = count[d, i]
        least[d + 1, i] = least[d, i]
    child.total = frame.total + cost[o]
    child.missing = frame.missing
    for e in range(first[o], first[o + u64(1)]):
        i = u64(item[u64(e)])
        old = least[d, i]
        new = weight[u64(e)] if count[d, i] == 0 else min(old, weight[u64(e)])
        child.total += new - old
        least[d + 1, i] = new
        count[d + 1, i] += 1
        if count[d, i] < low[i]:
            child.missing -= 1
        if run.exact and count[d + 1, i] == high[i]:
            for w in range(allowed.shape[1]):
                allowed[d + 1, w] &= ~users[i, w]
    for e in range(clash_first[o], clash_first[o + u64(1)]):
        k = u64(clash_row[u64(e)])
        for w in range(allowed.shape[1]):
            allowed[d + 1, w] &= ~clash[k, w]


@kernel
def enter(
    run, first, item, weight, share, cost, low, users,
    allowed, count, least, frames, tops, stack, gains, kept_cost, kept_size, kept_rows, d,
):  # fmt: skip
    """Keeps depth d if it is a cover, and lists the rows to try next; whether to try them."""
    frame = frames[d]
    picks = run.most - d
    if frame.missing == 0:
        if not hopeless(run, kept_cost, kept_size, frame.total, d):
            keep(run, frames, d, kept_cost, kept_size, kept_rows)
        if run.minimal:
            return False
    elif frame.missing > picks * run.largest:
        return False
    if picks == 0:
        return False
    if run.minimal:
        bar_redundant(first, item, low, users, allowed, count, frames, d)
    if picks == 1 and frame.missing > 0:
        complete(low, users, allowed, count, d)
    bound = survey(
        run, first, item, weight, share, cost, low, allowed, count, least, frames, tops, d
    )
    if bound == NEVER or hopeless(run, kept_cost, kept_size, bound, d + frame.few):
        return False
    tie = bound == kept_cost[0] and d + frame.few == kept_size[0]
    if tie and behind(run, frames, allowed, d, kept_size, kept_rows):
        return False
    column = np.int64(-1)
    if frame.missing > 0:
        column = choose(low, users, allowed, count, d)
        if column < 0:
            return False
    enlist(first, item, weight, cost, users, allowed, least, frames, stack, gains, d, column)
    return True


@kernel
def resume(
    runs, first, item, weight, share, cost, low, high, users, clash, clash_first, clash_row,
    allowed, count, least, frames, tops, stack, gains, kept_cost, kept_size, kept_rows,
):  # fmt: skip
    """Goes on until done, or runs[0].stop nodes; GROW: the stack or the depths are too few.

    The first arrays are those of BitSets; share: int64[entries], least cost of covering a
    column by a row, in units of 2**-shift. allowed: uint64[depths, words]; count, least:
    int64[depths, columns], how often a column is covered and its least weight (before it is
    covered: the largest weight of the column, or 0 if it need not be covered);
    frames: FRAME[depths]; tops: int64[2, any], scratch; kept_cost, kept_size: int64[top + 1],
    kept_rows: int64[top + 1, depths].
    """
    run = runs[0]
    d = run.depth
    mode = run.mode
    while d >= 0:
        if mode == ENTER:
            if run.nodes >= run.stop:
                run.mode, run.depth = mode, d
                return PAUSED
            if not has_room(allowed, frames, stack, d):
                run.mode, run.depth = mode, d
                return GROW
            run.nodes += 1
            mode = NEXT
            if not enter(
                run, first, item, weight, share, cost, low, users, allowed, count, least,
                frames, tops, stack, gains, kept_cost, kept_size, kept_rows, d,
            ):  # fmt: skip
                d -= 1
            continue
        frame = frames[d]
        if frame.at == frame.n:
            d -= 1
            continue
        o = pick(frame, stack, gains)
        bound = frame.total - gains[frame.start + frame.at] - frame.rest
        if hopeless(run, kept_cost, kept_size, bound, d + 1):
            d -= 1  # the rows after it gain no more
            continue
        frame.at += 1
        frame.option = o
        take(
            run, first, item, weight, cost, low, high, users, clash, clash_first, clash_row,
            allowed, count, least, frames, d,
        )  # fmt: skip
        d += 1
        mode = ENTER
    run.mode, run.depth = NEXT, -1
    return DONE
