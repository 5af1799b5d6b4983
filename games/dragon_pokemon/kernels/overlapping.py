"""The overlapping collection on an explicit stack; to be read in `dragon_pokemon.overlapping`.

A set of items or of picks is an integer: a word of 64 bits, or interpreted one of Python's, of any
size.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

# d depth, k place of a pick, n number of picks

from typing import Any, NamedTuple

import numpy as np

from dragon.bits import ctz, popcount
from dragon.cover.stream import DONE, PAUSED, RUN_FIELDS
from dragon.rules.template import kernel

RUN = np.dtype(
    [
        ("step", "i8"),  # the next step
        ("level", "i8"),  # how many options are picked
        ("size", "i8"),  # the most options of a set
        ("base", "i8"),  # see `cost_of`
        ("most", "i8"),  # sets that cost more are counted, and not listed
        *RUN_FIELDS,
    ],
    align=True,
)
ENTER, TRY = 0, 1
"""Look at a set of picks, or make the next pick."""
ONE = np.uint64(1)
NONE = np.uint64(0)


class Memory(NamedTuple):
    """The arrays of the kernel; items are in the order of rarity, the rarest is bit 0."""

    number: Any  # int64[options], the number of each option in the problem
    masks: Any  # uint64[options], the items of each option
    strong: Any  # uint64[options], see `cost_of`
    double: Any  # uint64[options]
    start: Any  # int64[items + 1] into `column`
    column: Any  # int64[any], the options of each item
    cap_start: Any  # int64[options + 1] into `cap`
    cap: Any  # int64[any], the caps that each option falls under
    cap_most: Any  # int64[caps], how many options under a cap a set has at most
    full: Any  # uint64[1], all items
    picks: Any  # int64[size + 2], the options picked
    at: Any  # int64[size + 2], for each level the next place in `column`
    covered: Any  # uint64[size + 2], for each level the items covered
    sets: Any  # uint64[size + 2], the stack of `can_finish`,
    unions: Any  # uint64[size + 2]
    tries: Any  # int64[size + 2]
    sizes: Any  # int64[size + 1], the number of sets found of each size
    out: Any  # int32[any], for each set its size and its options
    runs: Any  # RUN[1]


@kernel
def covers_item(mask, item):
    """Return True if the set of items has the item."""
    return (mask >> np.uint64(item)) & ONE != NONE


@kernel
def can_finish(m, n, used, covered):
    """Return True if all picks not in `used` can be made, each for the rarest item then left.

    used: the picks that are made, as bits; together they cover `covered`.
    """
    picks, sets, unions, tries, full = m.picks, m.sets, m.unions, m.tries, m.full[0]
    all_picks = (ONE << np.uint64(n)) - ONE
    d = 0
    sets[0], unions[0], tries[0] = used, covered, 0
    while d >= 0:
        if unions[d] == full:
            if sets[d] == all_picks:
                return True
            d -= 1
            continue
        item = ctz(~unions[d])
        k = tries[d]
        while k < n and not (
            (sets[d] >> np.uint64(k)) & ONE == NONE and covers_item(m.masks[picks[k]], item)
        ):
            k += 1
        if k == n:
            d -= 1
            continue
        tries[d] = k + 1
        sets[d + 1] = sets[d] | (ONE << np.uint64(k))
        unions[d + 1] = unions[d] | m.masks[picks[k]]
        tries[d + 1] = 0
        d += 1
    return False


@kernel
def is_first(m, n):
    """Return True if no other order of the same picks comes before this one in the search."""
    masks, picks, covered = m.masks, m.picks, m.covered
    used = NONE
    for d in range(n):
        item = ctz(~covered[d])
        for k in range(d + 1, n):
            if picks[k] < picks[d] and covers_item(masks[picks[k]], item):
                more = used | (ONE << np.uint64(k))
                if can_finish(m, n, more, covered[d] | masks[picks[k]]):
                    return False
        used |= ONE << np.uint64(d)
    return True


@kernel
def keeps_caps(m, n):
    """Return True if the last of n picks breaks no cap."""
    last = m.picks[n - 1]
    for i in range(m.cap_start[last], m.cap_start[last + 1]):
        cap, under = m.cap[i], 0
        for k in range(n):
            for j in range(m.cap_start[m.picks[k]], m.cap_start[m.picks[k] + 1]):
                if m.cap[j] == cap:
                    under += 1
        if under > m.cap_most[cap]:
            return False
    return True


@kernel
def cost_of(m, n):
    """Return `base` less the items in `strong` of a pick, and less those in `double` of one."""
    first, second = NONE, NONE
    for k in range(n):
        first |= m.strong[m.picks[k]]
        second |= m.double[m.picks[k]]
    return m.runs[0].base - popcount(first) - popcount(second)


@kernel
def visit(m, n):
    """Count the set of n picks, and list it if it is not too expensive."""
    run = m.runs[0]
    run.found += 1
    m.sizes[n] += 1
    if run.keep > 0 and cost_of(m, n) <= run.most:
        m.out[run.written] = n
        for k in range(n):
            m.out[run.written + 1 + k] = m.number[m.picks[k]]
        run.written += 1 + n
        run.keep -= 1
        return run.keep > 0
    return True


@kernel
def resume(m):
    """Visit nodes until `runs` says that enough nodes or sets are found; return the status."""
    run, at, covered, full = m.runs[0], m.at, m.covered, m.full[0]
    level, step = run.level, run.step
    left, enough = run.stop - run.nodes, False
    while level >= 0 and not enough:
        if step == ENTER:
            if left == 0:
                break
            left -= 1
            step = TRY
            if covered[level] == full:
                n = level
                level -= 1
                enough = is_first(m, n) and not visit(m, n)
            elif level == run.size:
                level -= 1
            else:
                at[level] = m.start[ctz(~covered[level])]
            continue
        item = ctz(~covered[level])
        if at[level] == m.start[item + 1]:
            level -= 1
            continue
        option = m.column[at[level]]
        at[level] += 1
        m.picks[level] = option
        if not keeps_caps(m, level + 1):
            continue
        covered[level + 1] = covered[level] | m.masks[option]
        level += 1
        step = ENTER
    run.nodes = run.stop - left
    run.level, run.step = level, step
    return DONE if level < 0 else PAUSED
