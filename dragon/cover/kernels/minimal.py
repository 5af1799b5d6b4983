"""Irredundant covers with an explicit stack: `dragon.cover.minimal.visit`, compiled.

Sets are words of 64 bits: of columns (items) and of rows (options). A depth of the stack
holds the rows still allowed and, in layers, how often each column is covered. Nothing is
undone on the way back: what a depth holds is made from the depth above.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

# d depth, o row, c a row chosen before, i column, w word of rows, q word of columns

import numpy as np

from dragon.bits import bit, ctz, drop, popcount, u64
from dragon.template import kernel

WORDS = 0
"""Words of a set of columns; 0: as many as the arrays have."""
LAYERS = 0
"""Layers of coverage, one more than the largest lower bound; 0: as many as the arrays have."""

FRAME = np.dtype(
    [
        ("option", "i8"),  # the row being tried
        ("column", "i8"),  # the column branched on
        ("word", "i8"),  # rows below this word are tried
        ("degree", "i8"),  # how many rows are to be tried,
        ("tried", "i8"),  # and how many have been begun
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
        ("updates", "i8"),
        ("found", "i8"),
        ("listed", "i8"),  # covers in the list
    ],
    align=True,
)
ENTER, NEXT, LIST, LEAVE = 0, 1, 2, 3
PAUSED, DONE = 0, 1


@kernel
def lacking(full, layers, d, j, q):
    """Word q of the columns that layer j of depth d has not."""
    return full[q] & ~layers[d, j, q]


@kernel
def needs(layers, d, i, last):
    """How often column i must still be covered: the layers up to `last` that have it not."""
    if LAYERS == 2:
        return 1
    n = last + 1
    for j in range(last + 1):
        n -= np.int64((layers[d, j, i >> 6] >> u64(i & 63)) & u64(1))
    return n


@kernel
def bar_redundant(rows, users, layers, allowed, frames, d):
    """Forbids the rows beside which a chosen one would cover no column that needs it.

    A row needs to stay as long as one of its columns is covered no oftener than it must.
    Only rows that share such a column with the newest can have lost one.
    """
    last = (LAYERS if LAYERS else layers.shape[1]) - 1
    words = WORDS if WORDS else rows.shape[1]
    newest = u64(frames[d - 1].option)
    for k in range(d):
        c = u64(frames[k].option)
        touched, waits = k == d - 1, False
        for q in range(words):
            if rows[c, q] & rows[newest, q] & ~layers[d - 1, last, q]:
                touched = True
            if LAYERS != 2 and rows[c, q] & ~layers[d, last - 1, q]:
                waits = True  # for a column that even one more row leaves in need
        if not touched or waits:
            continue
        for w in range(allowed.shape[1]):
            x = allowed[d, w]
            for q in range(words):
                own = rows[c, q] & ~layers[d, last, q]
                while own and x:
                    x &= users[u64(64 * q + ctz(own)), w]
                    own = drop(own)
            allowed[d, w] &= ~x


@kernel
def complete(full, users, layers, allowed, d):
    """Leaves of the allowed rows those that cover all that is missing; whether there are any."""
    last = (LAYERS if LAYERS else layers.shape[1]) - 1
    words = WORDS if WORDS else full.shape[0]
    if LAYERS != 2 and last > 1:
        for q in range(words):
            if lacking(full, layers, d, last - 2, q):
                return False  # twice missing
    some = u64(0)
    for w in range(allowed.shape[1]):
        x = allowed[d, w]
        for q in range(words):
            rest = lacking(full, layers, d, last - 1, q)
            while rest and x:
                x &= users[u64(64 * q + ctz(rest)), w]
                rest = drop(rest)
        allowed[d, w] = x
        some |= x
    return some != u64(0)


@kernel
def choose(full, users, layers, allowed, frames, d):
    """Branches on the column with the fewest rows to try, the first of them; False if it has none.

    Of n rows that cover a column missing k times the last k - 1 need not be tried first.
    """
    last = (LAYERS if LAYERS else layers.shape[1]) - 1
    words = WORDS if WORDS else full.shape[0]
    least, item = np.int64(1) << 62, np.int64(-1)
    for q in range(words):
        rest = lacking(full, layers, d, last - 1, q)
        while rest:
            i = u64(64 * q + ctz(rest))
            rest = drop(rest)
            n = 1 - needs(layers, d, np.int64(i), last - 1)
            for w in range(allowed.shape[1]):
                n += popcount(allowed[d, w] & users[i, w])
                if n >= least:
                    break
            if n < least:
                least, item = n, np.int64(i)
                if n <= 0:
                    return False
    frame = frames[d]
    frame.column, frame.degree, frame.tried, frame.word = item, least, 0, 0
    return True


@kernel
def missing(full, layers, d):
    """How much coverage is missing, columns times how often."""
    last = (LAYERS if LAYERS else layers.shape[1]) - 1
    n = 0
    for j in range(last):
        for q in range(WORDS if WORDS else full.shape[0]):
            n += popcount(lacking(full, layers, d, j, q))
    return n


@kernel
def out_of_reach(full, rows, layers, allowed, d, lack, picks):
    """Whether so many picks cannot cover `lack`, each as much as the widest allowed row does."""
    if lack <= picks:
        return False
    last = (LAYERS if LAYERS else layers.shape[1]) - 1
    for w in range(allowed.shape[1]):
        x = allowed[d, w]
        while x:
            o = u64(64 * w + ctz(x))
            x = drop(x)
            width = 0
            for q in range(WORDS if WORDS else full.shape[0]):
                width += popcount(rows[o, q] & lacking(full, layers, d, last - 1, q))
            if width * picks >= lack:
                return False
    return True


@kernel
def take(run, rows, users, clash, clash_first, clash_row, layers, allowed, frames, d):
    """Tries the next row of frame d: makes depth d + 1 of it; False if none is left."""
    frame = frames[d]
    if frame.tried == frame.degree:
        return False
    w, item = u64(frame.word), u64(frame.column)
    x = allowed[d, w] & users[item, w]
    while not x:
        w = u64(w + u64(1))
        x = allowed[d, w] & users[item, w]
    low = ctz(x)
    allowed[d, w] &= ~bit(low)
    o = u64(w * u64(64) + u64(low))
    frame.word, frame.option = np.int64(w), np.int64(o)
    frame.tried += 1
    last = (LAYERS if LAYERS else layers.shape[1]) - 1
    for q in range(WORDS if WORDS else rows.shape[1]):
        for j in range(last, 0, -1):
            layers[d + 1, j, q] = layers[d, j, q] | (layers[d, j - 1, q] & rows[o, q])
        layers[d + 1, 0, q] = layers[d, 0, q] | rows[o, q]
    for v in range(allowed.shape[1]):
        allowed[d + 1, v] = allowed[d, v]
    run.updates += 1
    for e in range(clash_first[o], clash_first[o + u64(1)]):
        k = u64(clash_row[u64(e)])
        for v in range(allowed.shape[1]):
            allowed[d + 1, v] &= ~clash[k, v]
        run.updates += 1
    return True


@kernel
def tell(run, frames, d, out, lengths, final):
    """Lists the rows chosen, and `final` after them unless it is -1."""
    n = run.listed
    for k in range(d):
        out[n, k] = frames[k].option
    lengths[n] = d
    if final >= 0:
        out[n, d] = final
        lengths[n] = d + 1
    run.listed += 1
    run.found += 1


@kernel
def finals(run, allowed, frames, d, out, lengths):
    """Counts, or lists, the covers that one more allowed row makes; False if the list is full."""
    for w in range(allowed.shape[1]):
        if len(lengths) == 0:
            run.found += popcount(allowed[d, w])
            continue
        while allowed[d, w]:
            tell(run, frames, d, out, lengths, 64 * w + ctz(allowed[d, w]))
            allowed[d, w] = drop(allowed[d, w])
            if run.listed == len(lengths):
                return False
    return True


@kernel
def enter(run, full, rows, users, layers, allowed, frames, out, lengths, d):
    """Enters a node: what to do there, LEAVE, LIST the rows that complete a cover, or NEXT."""
    last = (LAYERS if LAYERS else layers.shape[1]) - 1
    run.nodes += 1
    left = u64(0)
    for q in range(WORDS if WORDS else full.shape[0]):
        left |= lacking(full, layers, d, last - 1, q)
    if left == u64(0):
        if len(lengths) == 0:
            run.found += 1
        else:
            tell(run, frames, d, out, lengths, -1)
        return LEAVE
    picks = run.most - d
    if picks == 1:
        if not complete(full, users, layers, allowed, d):
            return LEAVE
        if d > 0:
            bar_redundant(rows, users, layers, allowed, frames, d)
        return LIST
    lack = missing(full, layers, d)
    if lack > picks * run.largest:
        return LEAVE
    if d > 0:
        bar_redundant(rows, users, layers, allowed, frames, d)
    if out_of_reach(full, rows, layers, allowed, d, lack, picks):
        return LEAVE
    return NEXT if choose(full, users, layers, allowed, frames, d) else LEAVE


@kernel
def resume(
    runs,
    full,
    rows,
    users,
    clash,
    clash_first,
    clash_row,
    layers,
    allowed,
    frames,
    out,
    lengths,
):
    """Goes on until done, runs[0].stop nodes, or a full list.

    full: uint64[q], all columns; rows: uint64[rows, q]; users: uint64[columns, w];
    clash: uint64[any, w] with clash_first, clash_row as in BitSets;
    layers: uint64[depths, layers, q], where layer j holds what is covered more than j times
    (a column that need not be covered so often as others starts in the first layers);
    allowed: uint64[depths, w]; frames: FRAME[depths]; out: int64[n, depths] and
    lengths: int64[n], the list of covers; n = 0 counts them only.
    """
    run = runs[0]
    d, mode = run.depth, run.mode
    while d >= 0:
        if mode == ENTER:
            if run.nodes >= run.stop:
                break
            mode = enter(run, full, rows, users, layers, allowed, frames, out, lengths, d)
            if 0 < len(lengths) == run.listed:
                break
        elif mode == LIST:
            if not finals(run, allowed, frames, d, out, lengths):
                break
            mode = LEAVE
        elif mode == LEAVE:
            d -= 1
            mode = NEXT
        elif take(run, rows, users, clash, clash_first, clash_row, layers, allowed, frames, d):
            d += 1
            mode = ENTER
        else:
            mode = LEAVE
    run.mode, run.depth = mode, d
    return PAUSED if d >= 0 else DONE
