"""Count the sets of options that cover every item, by size: all of them, irredundant or not.

No set is listed. If there are few items, inclusion and exclusion over the sets of items that the
options leave uncovered gives

    covers(k) = sum over sets T of items of (-1)**|items - T| * C(c(T), k)

where c(T) is the number of options inside T. The zeta transform gives it for all T at once (Yates
1937; Bjoerklund, Husfeldt and Koivisto, "Set partitioning via inclusion-exclusion", 2009). If there
are few options, every set of them is looked at.

The module stays apart from its one user here: it is for plugins, and needs no search.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from dragon.errors import SearchError

if TYPE_CHECKING:
    from dragon.cover.problem import Problem

FITS = 25
"""The most items, or options, of which all 2**n sets are tabulated: 134 megabytes."""
CHUNK = 1 << 20


def covers_by_size(problem: Problem, size: int | None = None) -> dict[int, int]:
    """Return the number of sets of visible options that cover all visible items, for each size.

    The numbers are exact, however large; sizes without a cover are left out. size: the most options
    of a set. Raises SearchError where there are too many items and too many options, or where items
    are secondary or have bounds.

    >>> from dragon.cover import Problem
    >>> covers_by_size(Problem.of("abc", ["ab", "c", "bc"]))
    {2: 2, 3: 1}
    """
    if secondary := set(problem.secondary) - problem.hidden_items:
        raise SearchError(
            f"covers by size: item {min(secondary)!r} is secondary, which forbids some sets; "
            "hide the secondary items or enumerate"
        )
    if not problem.plain:
        bounded = problem.bounded[0]
        raise SearchError(
            f"covers by size: item {bounded!r} has bounds; hide it, give it none, or enumerate"
        )
    items, options = _masks(problem)
    most = options if size is None else min(size, options)
    if options <= min(len(items), FITS):
        counts = _by_options(items, options)[: most + 1]
    elif len(items) <= FITS:
        counts = _by_items(items, options, most)
    else:
        raise SearchError(
            f"covers by size: {len(items)} items, none implied by another, and {options} "
            f"options are too many; one of the two must be at most {FITS}: hide some, or "
            "enumerate the irredundant covers (exact=False)"
        )
    return {k: count for k, count in enumerate(counts) if count}


def _masks(problem: Problem) -> tuple[list[int], int]:
    """Return the bit sets of the options of each item, and the number of visible options.

    Items implied by another, all of whose options cover them too, are left out.
    """
    options = [o for o in problem.options if str(o) not in problem.hidden_options]
    sets = dict.fromkeys((n for n in problem.primary if n not in problem.hidden_items), 0)
    for i, option in enumerate(options):
        for name in option.items:
            if name in sets:
                sets[name] |= 1 << i
    kept: list[int] = []
    for mask in sorted(set(sets.values()), key=int.bit_count):
        if all(mask & other != other for other in kept):
            kept.append(mask)
    return kept, len(options)


def _by_items(items: list[int], options: int, most: int) -> list[int]:
    """Return counts[k], by sums over all sets of items."""
    n = len(items)
    inside = np.zeros(1 << n, np.int32)
    for i in range(options):
        inside[sum(1 << j for j in range(n) if items[j] >> i & 1)] += 1
    for j in range(n):
        halves = inside.reshape(-1, 2, 1 << j)
        halves[:, 1] += halves[:, 0]
    odd = _popcounts(n) % 2 != n % 2
    total = np.zeros(
        options + 1, np.int64
    )  # for each c, the even sets with c options inside less the odd ones
    for at in range(0, len(inside), CHUNK):
        part, minus = inside[at : at + CHUNK], odd[at : at + CHUNK]
        total += np.bincount(part[~minus], minlength=options + 1)
        total -= np.bincount(part[minus], minlength=options + 1)
    signed = [(c, int(total[c])) for c in np.flatnonzero(total).tolist()]
    return [sum(s * comb(c, k) for c, s in signed) for k in range(most + 1)]


def _by_options(items: list[int], n: int) -> list[int]:
    """Return counts[k], by a look at every set of options."""
    covers = np.ones(1 << n, bool)
    for at in range(0, len(items), 64):
        word = items[at : at + 64]
        full = np.uint64((1 << len(word)) - 1)
        union = np.zeros(1 << n, np.uint64)
        for i in range(n):
            own = np.uint64(sum(1 << j for j in range(len(word)) if word[j] >> i & 1))
            union[1 << i : 2 << i] = union[: 1 << i] | own
        covers &= union == full
    counts: list[int] = np.bincount(_popcounts(n)[covers], minlength=n + 1).tolist()
    return counts


def _popcounts(n: int) -> Any:
    """Return uint8[2**n]: the number of bits set in each number."""
    return np.bitwise_count(np.arange(1 << n, dtype=np.uint32))
