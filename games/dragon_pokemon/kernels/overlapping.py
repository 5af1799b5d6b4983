"""The overlapping collection on an explicit stack; to be read in `dragon_pokemon.overlapping`."""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

import numpy as np

from dragon.bits import ctz, popcount
from dragon.rules.template import kernel

ENTER, TRY, DONE = 0, 1, 2
"""The next step: look at a set of picks, make the next pick, or stop."""
LEVEL, MODE, NODES, FOUND, WRITTEN = 0, 1, 2, 3, 4
"""The places of int64[5], what a run knows of itself between two calls."""
ONE = np.uint64(1)
NONE = np.uint64(0)


@kernel
def covers_item(mask, item):
    """Return True if the set of items has the item."""
    return (mask >> np.uint64(item)) & ONE != NONE


@kernel
def can_finish(masks, picks, n, used, covered, full, sets, unions, tries):
    """Return True if all picks not in `used` can be made, each for the rarest item then left.

    picks: int64[n]; used: which of them are made, a bit each, that together cover
    `covered`; sets, unions: uint64[n + 1], tries: int64[n + 1], memory to work in.
    """
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
            (sets[d] >> np.uint64(k)) & ONE == NONE and covers_item(masks[picks[k]], item)
        ):
            k += 1
        if k == n:
            d -= 1
            continue
        tries[d] = k + 1
        sets[d + 1] = sets[d] | (ONE << np.uint64(k))
        unions[d + 1] = unions[d] | masks[picks[k]]
        tries[d + 1] = 0
        d += 1
    return False


@kernel
def is_first(masks, picks, n, covered, full, sets, unions, tries):
    """Return True if no order of the same picks that is as good comes before this one."""
    used = NONE
    for d in range(n):
        item = ctz(~covered[d])
        for k in range(d + 1, n):
            if picks[k] < picks[d] and covers_item(masks[picks[k]], item):
                more = used | (ONE << np.uint64(k))
                union = covered[d] | masks[picks[k]]
                if can_finish(masks, picks, n, more, union, full, sets, unions, tries):
                    return False
        used |= ONE << np.uint64(d)
    return True


@kernel
def cost_of(strong, base, picks, n):
    """base less the items that a pick covers strongly, and less those it does doubly so.

    strong: uint64[2, options].
    """
    first, second = NONE, NONE
    for k in range(n):
        first |= strong[0, picks[k]]
        second |= strong[1, picks[k]]
    return base - popcount(first) - popcount(second)


@kernel
def resume(
    masks, strong, base, start, column, full, picks, at, covered, sets, unions, tries,
    run, sizes, out, room, budget, size, most,
):  # fmt: skip
    """Goes on for `budget` nodes, or until `out` has `room` sets whose cost is at most `most`.

    masks: uint64[options], items by rarity, the rarest is bit 0; start: int64[items + 1],
    column: int64[any], the options of each item; picks, at, tries: int64[size + 1];
    covered, sets, unions: uint64[size + 1]; run: int64[5]; sizes: int64[size + 1], sets
    found by size; out: int64[any], for each set its size and its picks; room: 0 only counts.
    """
    level, mode = run[LEVEL], run[MODE]
    left, found, written, kept = budget, 0, 0, 0
    while mode != DONE:
        if mode == ENTER:
            if left == 0:
                break
            left -= 1
            mode = TRY
            if covered[level] == full:
                n = level
                level -= 1
                if is_first(masks, picks, n, covered, full, sets, unions, tries):
                    found += 1
                    sizes[n] += 1
                    if room > 0 and cost_of(strong, base, picks, n) <= most:
                        out[written] = n
                        for k in range(n):
                            out[written + 1 + k] = picks[k]
                        written += 1 + n
                        kept += 1
            elif level == size:
                level -= 1
            else:
                at[level] = start[ctz(~covered[level])]
            if level < 0:
                mode = DONE
            if kept == room and room > 0:
                break
            continue
        item = ctz(~covered[level])
        if at[level] == start[item + 1]:
            level -= 1
            if level < 0:
                mode = DONE
            continue
        option = column[at[level]]
        at[level] += 1
        picks[level] = option
        covered[level + 1] = covered[level] | masks[option]
        level += 1
        mode = ENTER
    run[LEVEL], run[MODE] = level, mode
    run[NODES] += budget - left
    run[FOUND] += found
    run[WRITTEN] = written
