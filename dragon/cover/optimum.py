"""The best covers of a problem, proven: branch and bound over exact or overlapping covers.

A cover costs what its options cost, and for each primary item that it covers the least
weight that one of the covering options gives it. Lower is better; at the same cost fewer
options are, and then the one whose sorted names come first.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from dragon.core import Bound, Limit
from dragon.cover.bitsets import UNBOUNDED, BitSets, bitsets_of, first_bits
from dragon.cover.kernels import optimum as template
from dragon.errors import ConfigError, SearchError
from dragon.modes import jit_enabled
from dragon.search.budget import Pace
from dragon.specialise import Constants, specialise

if TYPE_CHECKING:
    from dragon.cover.problem import Problem

AMONG = ("minimal", "all")
FIRST_SLICE, SLICE = 1, 1 << 22
"""Nodes between two looks at the clock, at first and at most."""
FINEST = 16
"""Taxes are reckoned in units of 2**-16, or coarser where costs are so large."""
MEGABYTES = 4000
"""What the covers that are kept may take, 10**6 bytes each."""
LARGEST_BITS = 58
"""Costs and weights whose absolute values add up to 2**58 or more are refused."""


@frozen
class Ranked:
    """A cover and what it costs."""

    cost: int
    options: tuple[int, ...]
    """The numbers of its options, in the order of their names."""


@frozen
class Best:
    """The best covers known."""

    covers: tuple[Ranked, ...]
    """The best first; fewer than asked for where there are no more."""
    bound: Bound
    """EXACT: these are the best, proven; UPPER: the best of those met so far."""
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
    """The `top` best covers of at most `size` options; what `improve` comes to.

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
    """Ever better covers, and at last the best; one value at least, however tight the limit.

    exact: covers in Knuth's sense, with secondary items, colours and bounds. Otherwise
    overlapping ones, and `among` says which: the "minimal" ones, which need all their
    options, or "all". limit: its seconds and nodes. Raises ConfigError for a setting that
    makes no sense, SearchError for costs too large to add up, or for more covers than MEGABYTES
    hold.
    """
    wrong = [f"top is {top}; ask for one cover at least"] * (top < 1)
    wrong += [f"among is {among!r}; write {' or '.join(map(repr, AMONG))}"] * (among not in AMONG)
    if size is not None and size < 0:
        wrong.append(f"size is {size}; a cover has 0 options at least")
    if wrong:
        raise ConfigError(wrong)
    start = time.perf_counter()
    run = _Run(problem, top, exact, among, size)
    return _improve(run, limit or Limit(), time.perf_counter() - start)


def _improve(run: _Run, limit: Limit, seconds: float) -> Iterator[Best]:
    pace, shown = Pace(FIRST_SLICE, SLICE, timed=True), -1
    run.compile()
    while True:
        nodes = pace.steps
        if limit.nodes is not None:
            nodes = min(nodes, limit.nodes - run.nodes)
        start = time.perf_counter()
        done = run.advance(nodes)
        spent = time.perf_counter() - start
        seconds += spent
        late = limit.seconds is not None and seconds >= limit.seconds
        over = done or late or (limit.nodes is not None and run.nodes >= limit.nodes)
        if over or run.improved != shown:
            shown = run.improved
            yield Best(run.covers(), Bound.EXACT if done else Bound.UPPER, run.nodes, seconds)
        if over:
            return
        pace.took(spent)


class _Run:
    """The kernel; what it knows between two calls is in arrays of this object."""

    def __init__(
        self, problem: Problem, top: int, exact: bool, among: str, size: int | None
    ) -> None:
        minimal = not exact and among == "minimal"
        names = problem.names
        by_name = sorted(range(len(names)), key=names.__getitem__)  # ties are settled by row
        sets = bitsets_of(problem, by_name, idle_options=not exact and not minimal)
        self._sets = sets
        high = sets.high if exact else np.full(sets.columns, UNBOUNDED)
        most = sets.rows
        if minimal or exact:  # every option has coverage that it alone gives
            most = min(most, int((sets.low if minimal else high).sum()))
        room = most if size is None else min(size, most)
        disjoint = bool(exact and (high == 1).all())
        share, shift = _shares(sets, disjoint)
        self._runs = np.zeros(1, template.RUN)
        self._run = self._runs[0]
        self._run["most"], self._run["shift"] = room, shift
        self._run["largest"] = max(1, np.diff(sets.first).max(initial=0))
        self._run["exact"], self._run["disjoint"], self._run["minimal"] = exact, disjoint, minimal
        self._given = (
            sets.first, sets.item, sets.weight, share, sets.cost, sets.low, high,
            sets.users, sets.clash, sets.clash_first, sets.clash_row,
        )  # fmt: skip
        depths = min(room, 62) + 2
        if (most := MEGABYTES * 10**6 // (8 * (room + 4))) < top:
            raise SearchError(
                f"top is {top:,}; of covers of up to {room:,} options ask for {most:,} at most"
            )
        self._allowed = np.zeros((depths, max(1, -(-sets.rows // 64))), np.uint64)
        self._allowed[0] = first_bits(sets.rows)
        self._count, self._least = np.zeros((2, depths, sets.columns), np.int64)
        self._frames = np.zeros(depths, template.FRAME)
        self._begin(sets)
        self._tops = np.zeros((2, max(sets.columns, template.TOPS)), np.int64)
        self._stack, self._gains = np.zeros((2, 4 * sets.rows + 64), np.int64)
        self._kept_cost, self._kept_size = np.zeros((2, top + 1), np.int64)
        self._kept_rows = np.zeros((top + 1, depths), np.int64)
        self._kernel: Any = template

    def compile(self) -> None:
        """Makes the kernel ready, while no clock runs."""
        if jit_enabled():
            self._kernel = specialise("dragon.cover.kernels.optimum", Constants("best covers"))
        self.advance(0)

    def _begin(self, sets: BitSets) -> None:
        """Nothing chosen: items that must be covered weigh as if by their heaviest option."""
        heaviest = np.full(sets.columns, -UNBOUNDED)
        np.maximum.at(heaviest, sets.item, sets.weight)
        heaviest[(sets.low == 0) | (heaviest == -UNBOUNDED)] = 0
        self._least[0] = heaviest
        self._frames[0]["total"] = heaviest.sum()
        self._frames[0]["missing"] = sets.low.sum()

    @property
    def nodes(self) -> int:
        """States entered so far."""
        return int(self._run["nodes"])

    @property
    def improved(self) -> int:
        """How often the covers kept have changed."""
        return int(self._run["improved"])

    def advance(self, nodes: int) -> bool:
        """Goes on for `nodes` nodes at most; whether the search is over."""
        self._run["stop"] = self._run["nodes"] + nodes
        while True:
            runs, frames = self._runs, self._frames
            if self._kernel is template:  # plain Python reads fields of records only so
                runs, frames = runs.view(np.recarray), frames.view(np.recarray)
            status = self._kernel.resume(
                runs, *self._given, self._allowed, self._count, self._least, frames,
                self._tops, self._stack, self._gains,
                self._kept_cost, self._kept_size, self._kept_rows,
            )  # fmt: skip
            if status != template.GROW:
                return bool(status == template.DONE)
            self._grow()

    def _grow(self) -> None:
        """Twice as many depths, and a stack twice as long; what is in them stays."""
        for name in ("_allowed", "_count", "_least", "_frames", "_stack", "_gains"):
            old = getattr(self, name)
            setattr(self, name, np.concatenate([old, np.zeros_like(old)]))
        self._kept_rows = np.concatenate([self._kept_rows, np.zeros_like(self._kept_rows)], axis=1)

    def covers(self) -> tuple[Ranked, ...]:
        """The covers kept, the best first."""
        kept = []
        for slot in range(int(self._run["kept"])):
            size = int(self._kept_size[slot])
            rows = tuple(self._kept_rows[slot, :size].tolist())
            kept.append((int(self._kept_cost[slot]), size, rows))
        return tuple(
            Ranked(cost, tuple(self._sets.options[list(rows)].tolist()) if rows else ())
            for cost, _, rows in sorted(kept)
        )


def _shares(sets: BitSets, disjoint: bool) -> tuple[Any, int]:
    """What covering an item by an option costs at least, in units of 2**-shift, and the shift.

    An option's cost is shared out evenly among its items; a negative one only where no item
    can be covered twice, for else its items may all be covered more cheaply by others.
    """
    total = sum(abs(sets.cost.astype(object))) + sum(abs(sets.weight.astype(object)))
    if total >> LARGEST_BITS:
        raise SearchError(f"costs and weights add up to {total}; scale them down, below 2**58")
    shift = min(FINEST, LARGEST_BITS - int(total).bit_length())
    lengths = np.diff(sets.first)
    cost = sets.cost if disjoint else np.maximum(sets.cost, 0)
    each = (cost << shift) // np.maximum(lengths, 1)
    return (sets.weight << shift) + np.repeat(each, lengths), shift
