"""The subproblems of a cover problem, one by one: what the kernel of diagrams does."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from dragon.cover.kernels.diagram import MET, NONE, UNMET
from dragon.cover.subproblems import Subproblems


@frozen
class Subproblem:
    """The items and options that are left after some choices."""

    options: int
    """The bit set of the options that may still be chosen."""
    low: tuple[int, ...]
    """The number of times that each primary item must still be covered."""
    high: tuple[int, ...]
    """The number of times that it may still be covered; 0 for an item that is closed."""


def root_of(whole: Subproblems) -> Subproblem:
    """Return the subproblem of which nothing is chosen yet."""
    return Subproblem((1 << len(whole.numbers)) - 1, whole.low, whole.high)


def select(whole: Subproblems, at: Subproblem) -> int:
    """Return the item to branch on: the one with the fewest branches, the first of equals.

    Items of idle options come after all others. UNMET if an item has too few options left, MET
    if nothing is left to be covered.
    """
    best, least = MET, 0
    for item, need in enumerate(at.low):
        if not need and not at.high[item]:
            continue
        if item >= whole.idle and best != MET:
            break
        n = (at.options & whole.rows[item]).bit_count()
        if n < need:
            return UNMET
        branches = n - need + 1 if need else n + 1
        if n and (best == MET or branches < least):
            best, least = item, branches
    return best


def branches(whole: Subproblems, at: Subproblem, item: int) -> Iterator[tuple[int, Subproblem]]:
    """Yield each option of the item, with those before it forbidden; then none if allowed."""
    options, left = at.options, at.options & whole.rows[item]
    while left:
        first = left & -left
        left ^= first
        options ^= first
        option = first.bit_length() - 1
        yield option, choose(whole, options, at, option)
    if not at.low[item]:
        high = (*at.high[:item], 0, *at.high[item + 1 :])
        yield NONE, Subproblem(options, at.low, high)


def choose(whole: Subproblems, options: int, at: Subproblem, option: int) -> Subproblem:
    low, high = list(at.low), list(at.high)
    for item in whole.items[option]:
        low[item] = max(0, low[item] - 1)
        high[item] -= 1
        if not high[item]:
            options &= ~whole.rows[item]
    for item, colour in whole.marks[option]:
        options &= ~whole.secondary[item].strikes(colour)
    return Subproblem(options, tuple(low), tuple(high))
