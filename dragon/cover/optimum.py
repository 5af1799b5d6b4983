"""The best covers of a problem, proven: branch and bound over exact or overlapping covers.

The cost of a cover is the sum of the costs of its options and, for each primary item that it
covers, of the least weight that one of the options gives the item. Lower is better. Of equal costs
the cover with fewer options is better, and then the one whose sorted names come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from dragon.compiler.specialise import Constants
from dragon.core import Bound, Limit
from dragon.cover.arrays import UNBOUNDED, BitSets, bitsets_of, first_bits, idle_of
from dragon.cover.kernel_stream import CoverKernel
from dragon.cover.kernels.optimum import FRAME, RESULTS, RUN, SETTINGS, Memory
from dragon.cover.kernels.ranking import TOPS
from dragon.cover.stream import DONE, Slices
from dragon.errors import ConfigError, SearchError
from dragon.search.budget import Counted, lengthened, now

if TYPE_CHECKING:
    from dragon.cover.problem import Problem

AMONG = ("minimal", "all")
FIRST_SLICE, SLICE = 1, 1 << 22
"""Nodes between two looks at the clock, at first and at most."""
FINEST = 16
"""Taxes are counted in units of 2**-16, or in larger ones where costs are large."""
MEGABYTES = 4000
"""The most memory that the kept covers may take, in units of 10**6 bytes."""
LARGEST_BITS = 58
"""Costs and weights are refused if the sum of their absolute values is 2**58 or more."""


@frozen
class Ranked:
    """A cover and its cost."""

    cost: int
    options: tuple[int, ...]
    """The numbers of its options, in the order of their names."""


@frozen
class Best:
    """The best covers found so far."""

    covers: tuple[Ranked, ...]
    """The best first; fewer than asked for if there are no more."""
    bound: Bound
    """EXACT: they are proven to be the best; UPPER: the best of those found so far."""
    nodes: int
    seconds: float
    """Wall-clock seconds of the search and of setting it up."""

    @property
    def verdict(self) -> str:
        """`cover`: there is one; `no cover`: there is none; `unknown`: neither is proven."""
        if self.covers:
            return "cover"
        return "no cover" if self.bound is Bound.EXACT else "unknown"


def best(
    problem: Problem,
    top: int = 1,
    exact: bool = True,
    among: str = "minimal",
    size: int | None = None,
    limit: Limit | None = None,
) -> Best:
    """Return the `top` best covers of at most `size` options: the last value of `improve`.

    >>> from dragon.cover import Option, Problem
    >>> options = Option("ab", cost=3), Option("a", cost=1), Option("b", cost=1)
    >>> best(Problem("ab", options)).covers
    (Ranked(cost=2, options=(1, 2)),)
    """
    *_, last = improve(problem, top, exact, among, size, limit)
    return last


def improve(
    problem: Problem,
    top: int = 1,
    exact: bool = True,
    among: str = "minimal",
    size: int | None = None,
    limit: Limit | None = None,
) -> Iterator[Best]:
    """Yield better and better covers, at last the best; at least one value within any limit.

    exact: covers as `dragon.cover.problem` defines them. Otherwise overlapping ones, of which
    `among` allows the "minimal" ones, which need all their options, or "all" sets of visible
    options that cover each item, also with options of no visible item. Raises ConfigError for an
    impossible setting, SearchError for costs that are too large, or for more covers than MEGABYTES
    hold.
    """
    wrong = [f"top is {top}; ask for at least one cover"] * (top < 1)
    wrong += [f"among is {among!r}; write {' or '.join(map(repr, AMONG))}"] * (among not in AMONG)
    if size is not None and size < 0:
        wrong.append(f"size is {size}; write 0 or more")
    if wrong:
        raise ConfigError(wrong)
    slices, shown, start = Slices(limit, FIRST_SLICE, SLICE), -1, now()
    sets, m = _memory(problem, top, exact, among, size)
    slices.seconds = now() - start
    run = _Run(sets, m)
    while True:
        done = slices.next(run.nodes, run.advance)
        over = done or slices.over(run.nodes)
        if over or run.improved != shown:
            shown, bound = run.improved, Bound.EXACT if done else Bound.UPPER
            yield Best(run.covers(), bound, run.nodes, slices.seconds)
        if over:
            return


class _Run(CoverKernel):
    """The kernel at work."""

    stack = ("allowed", "times", "least", "frames", "stack", "gains")

    def __init__(self, sets: BitSets, m: Memory) -> None:
        super().__init__("dragon.cover.kernels.optimum", Constants("best covers"), m)
        self._options = sets.options
        self.advance(0)  # compile while no clock runs

    nodes = Counted("nodes")
    """States entered so far."""

    improved = Counted("improved", "results")
    """The number of changes of the covers kept."""

    def advance(self, nodes: int) -> bool:
        """Visit at most `nodes` nodes; return whether the search is over."""
        self.m.runs["stop"] = self.nodes + nodes
        return self._resume() == DONE

    def lengthen(self) -> None:
        """Double the stack, which also bounds the size of a cover."""
        rows = self.m.kept_rows
        arrays = {name: getattr(self.m, name) for name in self.stack}
        longer = {name: lengthened(array, 2 * len(array)) for name, array in arrays.items()}
        self.hold(self.m._replace(kept_rows=lengthened(rows, 2 * rows.shape[1], axis=1), **longer))

    def covers(self) -> tuple[Ranked, ...]:
        """The covers kept, the best first."""
        m, kept = self.m, []
        for slot in range(int(m.results[0]["kept"])):
            size = int(m.kept_size[slot])
            kept.append((int(m.kept_cost[slot]), size, m.kept_rows[slot, :size].tolist()))
        return tuple(
            Ranked(cost, tuple(self._options[rows].tolist())) for cost, _, rows in sorted(kept)
        )


def _memory(
    problem: Problem, top: int, exact: bool, among: str, size: int | None
) -> tuple[BitSets, Memory]:
    """Return the problem's bit sets, and the kernel's arrays with nothing chosen."""
    minimal = not exact and among == "minimal"
    names = problem.names
    by_name = sorted(range(len(names)), key=names.__getitem__)  # the row decides ties
    idle = np.full(len(names), not minimal)
    if exact:
        idle = idle_of(problem)
    sets = bitsets_of(problem, by_name, idle=idle)
    high = sets.high if exact else np.full(sets.columns, UNBOUNDED)
    most = sets.rows
    if minimal or exact:  # each option is the only one for some coverage
        covering = int((sets.low if minimal else high).sum())
        most = min(most, covering + int((np.diff(sets.first) == 0).sum()))
    room = most if size is None else min(size, most)
    gaining = (np.diff(sets.first) == 0) & (sets.cost < 0)  # no item has a share of such a cost
    disjoint = bool(exact and (high == 1).all() and not gaining.any())
    share, shift = _shares(sets, disjoint)
    depths = min(room, 62) + 2
    if (most := MEGABYTES * 10**6 // (8 * (room + 4))) < top:
        raise SearchError(
            f"top is {top:,}; of covers of up to {room:,} options ask for {most:,} at most"
        )
    m = Memory(
        sets.first, sets.item, sets.weight, share, sets.cost, sets.low, high,
        sets.users, sets.clash, sets.clash_first, sets.clash_row,
        allowed=np.zeros((depths, max(1, -(-sets.rows // 64))), np.uint64),
        times=np.zeros((depths, sets.columns), np.int64),
        least=np.zeros((depths, sets.columns), np.int64),
        frames=np.zeros(depths, FRAME),
        tops=np.zeros((2, max(sets.columns, TOPS)), np.int64),
        stack=np.zeros(4 * sets.rows + 64, np.int64),
        gains=np.zeros(4 * sets.rows + 64, np.int64),
        kept_cost=np.zeros(top + 1, np.int64),
        kept_size=np.zeros(top + 1, np.int64),
        kept_rows=np.zeros((top + 1, depths), np.int64),
        settings=np.zeros(1, SETTINGS),
        runs=np.zeros(1, RUN),
        results=np.zeros(1, RESULTS),
    )  # fmt: skip
    largest = np.diff(sets.first).max(initial=1)
    m.settings[0] = room, largest, shift, exact, disjoint, minimal
    m.allowed[0] = first_bits(sets.rows)
    # With nothing chosen, items that must be covered weigh as much as by their heaviest option.
    heaviest = np.full(sets.columns, -UNBOUNDED)
    np.maximum.at(heaviest, sets.item, sets.weight)
    heaviest[(sets.low == 0) | (heaviest == -UNBOUNDED)] = 0
    m.least[0] = heaviest
    m.frames[0]["total"], m.frames[0]["missing"] = heaviest.sum(), sets.low.sum()
    return sets, m


def _shares(sets: BitSets, disjoint: bool) -> tuple[Any, int]:
    """Return the tax of each entry, in units of 2**-shift, and the shift.

    An option's cost is divided evenly among its items. A negative cost is divided only where no
    item can be covered twice: otherwise other options may cover its items more cheaply.
    """
    total = sum(abs(sets.cost.astype(object))) + sum(abs(sets.weight.astype(object)))
    if total >> LARGEST_BITS:
        raise SearchError(f"costs and weights add up to {total}; scale them down, below 2**58")
    shift = min(FINEST, LARGEST_BITS - int(total).bit_length())
    lengths = np.diff(sets.first)
    cost = sets.cost if disjoint else np.maximum(sets.cost, 0)
    each = (cost << shift) // np.maximum(lengths, 1)
    return (sets.weight << shift) + np.repeat(each, lengths), shift
