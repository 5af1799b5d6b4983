"""The original program's collection: sets whose picks come in an order that it would try.

For the *statically* rarest item that is not covered, the one that the fewest options cover at the
beginning (of equals the first), it picks any option that covers the item, and so on until
everything is covered. A set belongs to the collection if its picks, in some order, are such a
sequence. Every irredundant cover of limited size does, and some others.

The program met a set once for each such sequence, and remembered the sets to drop repetitions. Here
a set counts at the first of its sequences only, in the order in which the search tries them. The
set alone shows whether a sequence is the first.

The kernel has an explicit stack. A set of items or of picks is an integer: a word of 64 bits, or
interpreted one of Python's, of any size. Short names in it: d depth, k place of a pick, n number
of picks.
"""
# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from attrs import frozen

from dragon.bits import ctz, popcount
from dragon.compiler.specialise import Constants
from dragon.cover.kernel_stream import KernelStream
from dragon.cover.stream import DONE, PAUSED, RUN_FIELDS
from dragon.modes import jit_enabled
from dragon.rules.template import kernel

if TYPE_CHECKING:
    from dragon.cover import Problem
    from dragon_pokemon.problem import Cap


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


Cover = tuple[int, ...]
WORD = 63
"""The most items of a compiled kernel; with more it is interpreted."""


@frozen
class Rows:
    """Options as bit sets of items; the statically rarest item is bit 0."""

    number: tuple[int, ...]
    """The number in the problem of each visible option."""
    mask: tuple[int, ...]
    weight: tuple[dict[int, int], ...]
    """The weight that each gives to the items that it covers."""
    columns: tuple[tuple[int, ...], ...]
    """The options that cover each item, in their order."""
    caps: tuple[tuple[frozenset[int], int], ...] = ()
    """Sets of options, and how many of each a set has at most."""

    @property
    def full(self) -> int:
        """All items."""
        return (1 << len(self.columns)) - 1

    def cost(self, picks: Cover) -> int:
        """Return the cost of a cover, in any order of its picks."""
        return sum(
            min(self.weight[pick][i] for pick in picks if self.mask[pick] >> i & 1)
            for i in range(len(self.columns))
        )


def rows_of(problem: Problem, caps: Sequence[Cap] = ()) -> Rows:
    """Return the visible part of a problem, items by rarity, and the caps on its options."""
    numbers = [i for i, name in enumerate(problem.names) if name not in problem.hidden_options]
    names = [name for name in problem.primary if name not in problem.hidden_items]
    held = {
        name: tuple(k for k, i in enumerate(numbers) if name in problem.options[i].items)
        for name in names
    }
    place = {name: at for at, name in enumerate(sorted(names, key=lambda name: len(held[name])))}
    weights = tuple(
        {
            place[name]: problem.options[i].weights.get(name, 0)
            for name in problem.options[i].items
            if name in place
        }
        for i in numbers
    )
    masks = tuple(sum(1 << at for at in row) for row in weights)
    at = {problem.names[number]: k for k, number in enumerate(numbers)}
    bound = tuple((frozenset(at[kind] for kind in cap.kinds & {*at}), cap.most) for cap in caps)
    return Rows(tuple(numbers), masks, weights, tuple(held[name] for name in place), bound)


def lowest(items: int) -> int:
    """Return the rarest item of a set."""
    return (items & -items).bit_length() - 1


PYTHON = {
    "np": SimpleNamespace(uint64=int), "ONE": 1, "NONE": 0, "ctz": lowest,
    "popcount": int.bit_count,
}  # fmt: skip
"""Names of the kernel for sets that are Python's integers."""


class Collection(KernelStream):
    """The sets of at most `size` options, as a stream."""

    def __init__(self, rows: Rows, size: int) -> None:
        self.rows = rows
        compiled = jit_enabled() and 0 < len(rows.columns) <= WORD

        def numbers(values: Iterable[int], word: bool = False) -> Any:
            return np.array([*values], np.uint64 if word else np.int64) if compiled else [*values]

        base, strong, double = strengths(rows)
        spans = np.cumsum([0, *map(len, rows.columns)]).tolist()
        capped = [[c for c, (held, _) in enumerate(rows.caps) if option in held]
                  for option in range(len(rows.mask))]  # fmt: skip
        nothing = [0] * (size + 2)
        m = Memory(
            numbers(rows.number), numbers(rows.mask, True), numbers(strong, True),
            numbers(double, True), numbers(spans),
            numbers(option for column in rows.columns for option in column),
            numbers(np.cumsum([0, *map(len, capped)]).tolist()),
            numbers(cap for each in capped for cap in each),
            numbers(most for _, most in rows.caps),
            numbers([rows.full], True), numbers(nothing), numbers(nothing), numbers(nothing, True),
            numbers(nothing, True), numbers(nothing, True), numbers(nothing),
            sizes=np.zeros(size + 1, np.int64), out=np.zeros(0, np.int32), runs=np.zeros(1, RUN),
        )  # fmt: skip
        run = m.runs[0]
        run["size"], run["base"], run["most"] = size, base, np.iinfo(np.int64).max
        names = None if compiled else PYTHON
        constants = Constants("overlapping covers")
        super().__init__("dragon_pokemon.overlapping", constants, m, size, names)

    def limit_cost(self, most: int) -> None:
        """Count the sets that cost more from now on, without listing them."""
        self.m.runs["most"] = most

    @property
    def sizes(self) -> dict[int, int]:
        """The number of sets found of each size."""
        return {n: count for n, count in enumerate(self.m.sizes.tolist()) if count}

    def _levels(self) -> Iterable[tuple[int, int]]:
        m, run = self.m, self.m.runs[0]
        for d in range(int(run["level"]) + int(run["step"] == TRY)):
            item = lowest(~int(m.covered[d]))
            yield max(0, int(m.at[d]) - int(m.start[item]) - 1), len(self.rows.columns[item])


def strengths(rows: Rows) -> tuple[int, list[int], list[int]]:
    """Return the largest cost of a cover, and the items that each option covers for 1 and 2 less.

    The options of an item differ by 2 at most: half, a quarter and no damage score 3, 2 and 1,
    double and fourfold damage 5 and 6.
    """
    dearest = [max((rows.weight[option][item] for option in column), default=0)
               for item, column in enumerate(rows.columns)]  # fmt: skip
    strong, double = (
        [sum(1 << i for i, w in weight.items() if w <= dearest[i] - less) for weight in rows.weight]
        for less in (1, 2)
    )
    return sum(dearest), strong, double


def collection_of(problem: Problem, size: int, caps: Sequence[Cap] = ()) -> Collection:
    """Return the collection of a problem, sets of at most `size` options that keep the caps."""
    rows = rows_of(problem, caps)
    return Collection(rows, min(size, len(rows.columns)))
