"""Overlapping covers without a redundant option, each found once.

Every item is covered at least once, or as often as its lower bound says; for secondary items and
colours the rules of exact covers hold. The search branches on an uncovered item. Below each option
it forbids the options tried before, so that no cover is found twice. An option is also forbidden if
beside it a chosen one no longer covers an item that needs it (the critical hyperedges of MMCS:
Murakami and Uno, *Efficient algorithms for dualizing large-scale hypergraphs*, 2014).

Sets of columns (items) and of rows (options) are words of 64 bits. Each depth of the stack has the
rows that are still allowed and, in layers, the number of times that each column is covered. It is
made from the depth above, so that nothing has to be undone on the way back. The names of the steps
are those of Algorithm X in `dragon.cover.kernels.dlx`.

The module is imported when a search begins: `searches` has to be quick to import.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

# d depth, o row, c a row chosen before, i column, w word of rows, q word of columns

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dragon.bits import bit, ctz, drop, popcount, u64
from dragon.compiler.specialise import Constants
from dragon.cover.arrays import BitSets, bits, bitsets_of, first_bits
from dragon.cover.kernel_stream import KernelStream
from dragon.cover.stream import DONE, PAUSED, RUN_FIELDS, Events
from dragon.errors import SearchError
from dragon.rules.template import kernel

if TYPE_CHECKING:
    from dragon.cover.problem import Problem
    from dragon.cover.stream import Stream

MEGABYTES = 4000
"""The most memory of the kernel's stack, in units of 10**6 bytes."""
WORDS = 0
"""The words of a set of columns; 0: the number is that of the arrays."""
LAYERS = 0
"""The layers of coverage, one more than the largest lower bound; 0: as WORDS."""

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
        ("step", "i8"),  # what comes next
        ("depth", "i8"),
        ("most", "i8"),  # most rows in a cover
        ("largest", "i8"),  # most columns in a row
        *RUN_FIELDS,
    ],
    align=True,
)
ENTER, TRY, LIST, LEAVE = 0, 1, 2, 3
"""Steps X2 to X4, X5, X2 where one more row completes a cover, X8."""


class Memory(NamedTuple):
    """The arrays of the kernel."""

    options: Any  # int64[rows], the option of each row
    full: Any  # uint64[q], all columns
    rows: Any  # uint64[rows, q]
    users: Any  # uint64[columns, w]
    clash: Any  # uint64[any, w], with the next two as in BitSets
    clash_first: Any  # int64[rows + 1]
    clash_row: Any  # int64[any]
    layers: Any  # uint64[depths, layers, q], layer j: what is covered more than j times;
    # a column that need not be covered so often as others starts in the first layers
    allowed: Any  # uint64[depths, w]
    frames: Any  # FRAME[depths]
    out: Any  # int32[any], for each cover its size and its options
    runs: Any  # RUN[1]


def minimal_stream(problem: Problem, size: int | None = None) -> Stream:
    """Return the irredundant covers of at most `size` options, in the order of the search.

    Raises SearchError where the kernel's stack would take more than MEGABYTES.
    """
    sets = bitsets_of(problem, free_items=False)
    if (sets.low > np.bincount(sets.item, minlength=sets.columns)).any():
        return Events(iter([None]))  # an item has too few options: one node shows it
    most = min(int(sets.low.sum()), sets.rows)  # each option is the only one for some coverage
    return MinimalCovers(sets, most if size is None else min(size, most))


class MinimalCovers(KernelStream):
    """The irredundant covers of at most `size` options.

    The last option of a cover does not count as a node if bit sets alone have found it.
    """

    def __init__(self, sets: BitSets, size: int) -> None:
        members = sets.members()
        depths, words, row_words = size + 2, members.shape[1], max(1, -(-sets.rows // 64))
        layers = int(sets.low.max(initial=1)) + 1
        asked = depths * (8 * (layers * words + row_words) + FRAME.itemsize) / 1e6
        if asked > MEGABYTES:
            raise SearchError(
                f"overlapping covers of up to {size:,} options ask for {asked:,.0f} megabytes "
                f"of stack, more than {MEGABYTES:,}; give a smaller size, or lower bounds"
            )
        m = Memory(
            sets.options, first_bits(sets.columns), members, sets.users,
            sets.clash, sets.clash_first, sets.clash_row,
            layers=np.zeros((depths, layers, words), np.uint64),
            allowed=np.zeros((depths, row_words), np.uint64),
            frames=np.zeros(depths, FRAME), out=np.zeros(0, np.int32), runs=np.zeros(1, RUN),
        )  # fmt: skip
        m.allowed[0] = first_bits(sets.rows)
        for j in range(layers - 2):  # an item with a smaller bound begins as covered
            early = np.flatnonzero(sets.low < layers - 1 - j)
            m.layers[0, j] = bits(1, sets.columns, [0] * len(early), early)[0]
        m.runs["most"], m.runs["largest"] = size, np.diff(sets.first).max(initial=0)
        small = words == 1 and layers == 2
        constants = (("WORDS", 1), ("LAYERS", 2)) if small else (("WORDS", 0), ("LAYERS", 0))
        label = "overlapping covers" if small else "large overlapping covers"
        super().__init__(__name__, Constants(label, constants), m, depths)

    def _levels(self) -> Iterable[tuple[int, int]]:
        frames = self.m.frames[: max(int(self.m.runs[0]["depth"]), 0)]
        return zip((frames["tried"] - 1).tolist(), frames["degree"].tolist(), strict=True)


@kernel
def lacking(full, layers, d, j, q):
    """Return word q of the columns that layer j of depth d lacks."""
    return full[q] & ~layers[d, j, q]


@kernel
def needs(layers, d, i, last):
    """Return the number of layers up to `last` that lack column i."""
    if LAYERS == 2:
        return 1
    n = last + 1
    for j in range(last + 1):
        n -= np.int64((layers[d, j, i >> 6] >> u64(i & 63)) & u64(1))
    return n


@kernel
def bar_redundant(m, d):
    """Forbid the rows that would make a chosen one redundant.

    A row is needed if one of its columns is covered no more often than it must be. Only rows that
    share such a column with the newest one can have become redundant.
    """
    rows, users, layers, allowed, frames = m.rows, m.users, m.layers, m.allowed, m.frames
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
def complete(m, d):
    """Allow only rows that cover all that is missing; return whether there are any."""
    full, users, layers, allowed = m.full, m.users, m.layers, m.allowed
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
def choose(m, d):
    """Branch on the first column with the fewest rows to try; return False if it has none.

    If a column is missing k times, the last k - 1 of its rows need not be tried first.
    """
    full, users, layers, allowed = m.full, m.users, m.layers, m.allowed
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
    frame = m.frames[d]
    frame.column, frame.degree, frame.tried, frame.word = item, least, 0, 0
    return True


@kernel
def missing(m, d):
    """Return the missing coverage: the sum over columns of the times that each must be covered."""
    last = (LAYERS if LAYERS else m.layers.shape[1]) - 1
    n = 0
    for j in range(last):
        for q in range(WORDS if WORDS else m.full.shape[0]):
            n += popcount(lacking(m.full, m.layers, d, j, q))
    return n


@kernel
def out_of_reach(m, d, lack, picks):
    """Return whether `picks` rows, each as wide as the widest allowed one, cannot cover `lack`."""
    full, rows, layers, allowed = m.full, m.rows, m.layers, m.allowed
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
def take(m, d):
    """Make depth d + 1 with the next row of frame d; return False if none is left."""
    run, rows, layers, allowed = m.runs[0], m.rows, m.layers, m.allowed
    frame = m.frames[d]
    if frame.tried == frame.degree:
        return False
    w, item = u64(frame.word), u64(frame.column)
    x = allowed[d, w] & m.users[item, w]
    while not x:
        w = u64(w + u64(1))
        x = allowed[d, w] & m.users[item, w]
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
    for e in range(m.clash_first[o], m.clash_first[o + u64(1)]):
        k = u64(m.clash_row[u64(e)])
        for v in range(allowed.shape[1]):
            allowed[d + 1, v] &= ~m.clash[k, v]
        run.updates += 1
    return True


@kernel
def visit(m, d, final):
    """Count or list the chosen rows, with `final` after them unless it is -1.

    Returns False if as many covers have been listed as were asked for.
    """
    run = m.runs[0]
    run.found += 1
    if run.keep == 0:
        return True
    n = run.written + 1
    m.out[run.written] = d + 1 if final >= 0 else d
    for k in range(d):
        m.out[n + k] = m.options[u64(m.frames[k].option)]
    n += d
    if final >= 0:
        m.out[n] = m.options[u64(final)]
        n += 1
    run.written = n
    run.keep -= 1
    return run.keep > 0


@kernel
def finals(m, d):
    """Count or list the covers that one more allowed row completes; return False as `visit`."""
    allowed, run = m.allowed, m.runs[0]
    for w in range(allowed.shape[1]):
        if run.keep == 0:
            run.found += popcount(allowed[d, w])
            continue
        while allowed[d, w]:
            o = 64 * w + ctz(allowed[d, w])
            allowed[d, w] = drop(allowed[d, w])
            if not visit(m, d, o):
                return False
    return True


@kernel
def enter(m, d, lack):
    """Return the step for a node that lacks coverage: TRY, LIST the completing rows, or LEAVE."""
    run = m.runs[0]
    picks = run.most - d
    if picks == 1:
        if not complete(m, d):
            return LEAVE
        if d > 0:
            bar_redundant(m, d)
        return LIST
    if lack > picks * run.largest:
        return LEAVE
    if d > 0:
        bar_redundant(m, d)
    if out_of_reach(m, d, lack, picks):
        return LEAVE
    # X3. Choose i.
    return TRY if choose(m, d) else LEAVE


@kernel
def resume(m):
    """Visit nodes until `runs` says that enough nodes or covers are found; return the status."""
    run = m.runs[0]
    d, step = run.depth, run.step
    while d >= 0:
        if step == ENTER:
            # X2. Enter level l.
            if run.nodes >= run.stop:
                break
            run.nodes += 1
            lack = missing(m, d)
            if lack == 0:
                step = LEAVE
                if not visit(m, d, -1):
                    break
            else:
                step = enter(m, d, lack)
        elif step == LIST:
            if not finals(m, d):
                break
            step = LEAVE
        elif step == TRY:
            # X5. Try x[l].
            if take(m, d):
                d += 1
                step = ENTER
            else:
                step = LEAVE
        else:
            # X8. Leave level l; nothing has to be put back (X6, X7).
            d -= 1
            step = TRY
    run.step, run.depth = step, d
    return DONE if d < 0 else PAUSED
