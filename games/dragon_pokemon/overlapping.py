"""The original program's collection: sets whose picks come in an order that it would try.

It picks for the *statically* rarest item still uncovered, the one that the fewest options
cover at the outset (of equals the first), any option that covers it, and goes on until
everything is covered. A set belongs to the collection when its picks, in some order, are
such a sequence. That holds of every irredundant cover within the limit, and of some others.

The program met a set once for each such sequence, and kept what it had found to drop those
that came again. Here a set is told at the first of its sequences only, in the order in
which sequences are tried: whether a sequence is the first can be seen from the set alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import frozen

from dragon.compiler.specialise import Constants, specialise
from dragon.modes import jit_enabled

if TYPE_CHECKING:
    from dragon.cover import Problem

Cover = tuple[int, ...]
WORD = 63
"""More items than this are left to plain Python."""
END = object()


@frozen
class Rows:
    """Options as bit sets over the items, the statically rarest of which is bit 0."""

    number: tuple[int, ...]
    """The number in the problem of each visible option."""
    mask: tuple[int, ...]
    weight: tuple[dict[int, int], ...]
    """The amount that each adds to the cost for the items that it covers."""
    columns: tuple[tuple[int, ...], ...]
    """For each item the options that cover it, as they come."""

    @property
    def full(self) -> int:
        """All items."""
        return (1 << len(self.columns)) - 1

    def cost(self, picks: Cover) -> int:
        """The cost of a cover, independent of the order of its picks."""
        return sum(
            min(self.weight[pick][i] for pick in picks if self.mask[pick] >> i & 1)
            for i in range(len(self.columns))
        )


def rows_of(problem: Problem) -> Rows:
    """The visible part of a problem, items by rarity."""
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
    return Rows(tuple(numbers), masks, weights, tuple(held[name] for name in place))


def plain(rows: Rows, size: int) -> Iterator[Cover | None]:
    """The sets of the collection, by recursion; None for each node that is none.

    One step for each node, so that a caller can stop anywhere.
    """

    def sequence(picks: Cover, covered: int) -> Iterator[Cover | None]:
        if covered == rows.full:
            yield picks if is_first(rows, picks) else None
            return
        yield None
        if len(picks) < size:
            for option in rows.columns[lowest(~covered)]:
                yield from sequence((*picks, option), covered | rows.mask[option])

    return sequence((), 0)


def lowest(items: int) -> int:
    """The rarest item of a set."""
    return (items & -items).bit_length() - 1


def is_first(rows: Rows, picks: Cover) -> bool:
    """Return True for the first sequence of these picks: the least, compared pick by pick."""
    return next(sequences(rows, tuple(sorted(picks)), 0)) == picks


def sequences(rows: Rows, picks: Cover, covered: int) -> Iterator[Cover]:
    """The orders in which all the picks can be made, each for the rarest item then left."""
    if covered == rows.full:
        if not picks:
            yield ()
        return
    rarest = lowest(~covered)
    for pick in picks:
        if rows.mask[pick] >> rarest & 1:
            others = tuple(p for p in picks if p != pick)
            for rest in sequences(rows, others, covered | rows.mask[pick]):
                yield (pick, *rest)


class PlainStream:
    """The collection by recursion, as a stream that stops and goes on anywhere."""

    def __init__(self, rows: Rows, size: int) -> None:
        self.rows, self.size = rows, size
        self.nodes = self.found = 0
        self.done = False
        self.sizes: dict[int, int] = {}
        self.most: int | None = None
        """Sets that cost more are counted, not listed."""
        self._walk = plain(rows, size)

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for `nodes` nodes at most, or until `keep` sets are in hand; 0 only counts."""
        kept: list[Cover] = []
        while nodes > 0 and not (self.done or len(kept) == keep > 0):
            nodes -= 1
            picks = next(self._walk, END)
            if picks is END:
                self.done = True
                break
            self.nodes += 1
            if isinstance(picks, tuple):
                self.found += 1
                self.sizes[len(picks)] = self.sizes.get(len(picks), 0) + 1
                if keep and (self.most is None or self.rows.cost(picks) <= self.most):
                    kept.append(tuple(self.rows.number[pick] for pick in picks))
        return kept

    def fraction(self) -> float:
        """Not known before the end."""
        return float(self.done)


class KernelStream:
    """The compiled stream, for up to WORD items."""

    def __init__(self, rows: Rows, size: int) -> None:
        import numpy as np

        from dragon_pokemon.kernels import overlapping

        self.rows, self.size = rows, size
        self.most: int | None = None
        self._names = overlapping
        self._kernel = specialise(overlapping.__name__, Constants("overlapping covers"))
        self._base, strong = strengths(rows)
        self._mask = np.array(rows.mask, np.uint64)
        self._strong = np.array(strong, np.uint64).reshape(2, len(rows.mask))
        self._start = np.cumsum([0, *map(len, rows.columns)], dtype=np.int64)
        self._column = np.array([o for column in rows.columns for o in column], np.int64)
        self._picks, self._at, self._tries = np.zeros((3, size + 2), np.int64)
        self._covered, self._sets, self._unions = np.zeros((3, size + 2), np.uint64)
        self._run = np.zeros(5, np.int64)
        self._sizes = np.zeros(size + 1, np.int64)
        self._full = np.uint64(rows.full)
        self._out = np.zeros(0, np.int64)
        self.advance(0, 0)  # compiles while no clock runs

    @property
    def nodes(self) -> int:
        """Sets of picks looked at."""
        return int(self._run[self._names.NODES])

    @property
    def found(self) -> int:
        """Sets of the collection so far."""
        return int(self._run[self._names.FOUND])

    @property
    def done(self) -> bool:
        """True if the collection is complete."""
        return bool(self._run[self._names.MODE] == self._names.DONE)

    @property
    def sizes(self) -> dict[int, int]:
        """The number of sets found of each size."""
        return {n: count for n, count in enumerate(self._sizes.tolist()) if count}

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for `nodes` nodes at most, or until `keep` sets are in hand; 0 only counts."""
        import numpy as np

        from dragon.cover.kernel_stream import cut

        if len(self._out) < keep * (self.size + 1):
            self._out = np.zeros(keep * (self.size + 1), np.int64)
        most = np.iinfo(np.int64).max if self.most is None else self.most
        self._kernel.resume(
            self._mask, self._strong, self._base, self._start, self._column, self._full,
            self._picks, self._at, self._covered, self._sets, self._unions, self._tries,
            self._run, self._sizes, self._out, keep, nodes, self.size, most,
        )  # fmt: skip
        written = self._out[: self._run[self._names.WRITTEN]].tolist()
        return [tuple(map(self.rows.number.__getitem__, picks)) for picks in cut(written)]

    def fraction(self) -> float:
        """Knuth's estimate of the part of the tree that is done."""
        if self.done:
            return 1.0
        part, width = 0.0, 1.0
        level, mode = self._run[self._names.LEVEL], self._run[self._names.MODE]
        for d in range(level + (mode == self._names.TRY)):
            item = lowest(~int(self._covered[d]))
            width /= len(self.rows.columns[item])
            part += width * max(0, int(self._at[d] - self._start[item]) - 1)
        return min(part, 1.0)


def strengths(rows: Rows) -> tuple[int, list[list[int]]]:
    """The largest cost of a cover, and the items that an option covers for 1 less, and for 2.

    The options of one item differ by 2 at most: half, a quarter and no damage score 3, 2
    and 1, double and fourfold damage 5 and 6.
    """
    dearest = [max((rows.weight[option][item] for option in column), default=0)
               for item, column in enumerate(rows.columns)]  # fmt: skip
    strong = [
        [sum(1 << i for i, w in weight.items() if w <= dearest[i] - less) for weight in rows.weight]
        for less in (1, 2)
    ]
    return sum(dearest), strong


def stream_of(problem: Problem, size: int) -> PlainStream | KernelStream:
    """The collection of a problem, sets of at most `size` options."""
    rows = rows_of(problem)
    if jit_enabled() and len(rows.columns) <= WORD and rows.columns:
        return KernelStream(rows, min(size, len(rows.columns)))
    return PlainStream(rows, size)
