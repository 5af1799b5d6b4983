"""The subproblems of a cover problem, as bit sets of options: the input of its diagram.

They contain the visible options with a visible item, and those secondary items about which two
options can disagree. An option without a primary item gets one of its own, which may be covered.

The *tree estimate* is the size of a search before it starts, by random descents. A descent goes
from the root to a leaf and takes each branch of a node with the same probability. If it meets nodes
of d1, d2, ... branches, the leaf stands for d1 * d2 * ... leaves, and the sum of these products
along the path for all nodes (Knuth, "Estimating the efficiency of backtrack programs", Mathematics
of Computation 29, 1975). The mean is unbiased; its spread may be wide.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from dragon.compiler.specialise import Constants
from dragon.cover.arrays import first_bits
from dragon.cover.kernel_stream import CoverKernel
from dragon.cover.kernels.diagram import EDGE, FIELD, FRAME, MET, RUN, TOP, Memory
from dragon.errors import ConfigError

if TYPE_CHECKING:
    from dragon.cover.problem import Problem


CLEARLY = 0.8
"""The greatest ratio of the border of a sweep to that of the listed order at which the sweep is
taken. Measured: dominoes 8 x 24, with 0.37, need less than a 500th of the visits; a coloured
puzzle, with 0.99, needs one and a half times as many."""
FIRST_STATES, FIRST_DEPTHS = 1 << 8, 4
"""The subproblems that a kernel's first tables hold, and the choices on a path."""


@frozen
class Secondary:
    """A secondary item: the bit set of the options of each colour; colour 0 is none."""

    classes: dict[int, int]

    @property
    def bits(self) -> int:
        """The number of bits of the item's code in a key: no class, one of them, or several."""
        return (len(self.classes) + (len(self.classes) > 1)).bit_length()

    def strikes(self, colour: int) -> int:
        """Return the options that an option of this colour excludes."""
        others = sum(row for other, row in self.classes.items() if other != colour)
        return others if colour else others | self.classes[0]


@frozen
class Subproblems:
    """The whole problem, and the effect of an option on it. Options have new numbers."""

    numbers: tuple[int, ...]
    """The number of each option in the problem."""
    rows: tuple[int, ...]
    """For each primary item the bit set of its options."""
    items: tuple[tuple[int, ...], ...]
    """For each option its primary items."""
    secondary: tuple[Secondary, ...]
    marks: tuple[tuple[tuple[int, int], ...], ...]
    """For each option its secondary items, each with a colour, 0 for none."""
    low: tuple[int, ...]
    """The number of times that each primary item must be covered, at least"""
    high: tuple[int, ...]
    """and at most."""
    idle: int
    """The first of the items that stand for an idle option, each for one; they may be covered."""

    @property
    def counted(self) -> list[int]:
        """The items that may be covered more than once."""
        return [i for i, high in enumerate(self.high) if high > 1]

    @property
    def levels(self) -> int:
        """The longest path of choices: each takes an option, or closes an item."""
        return min(len(self.numbers), sum(self.high)) + self.low.count(0) + 1


def subproblems_of(problem: Problem, sweep: bool = True) -> Subproblems:
    """Return the bit sets of the visible part of a problem.

    sweep: whether primary items may be put in another order, in which more subproblems are equal.
    """
    arrays = problem.arrays
    seen, allowed = (mask.tolist() for mask in problem.visible)
    numbers, owned, marked = [], [], []
    for number in range(arrays.options):
        begin, end = arrays.start[number], arrays.start[number + 1]
        pairs = arrays.item[begin:end].tolist(), arrays.colour[begin:end].tolist()
        entries = [(item, colour) for item, colour in zip(*pairs, strict=True) if seen[item]]
        own = [item for item, _ in entries if item < arrays.primary]
        if allowed[number] and entries:
            numbers.append(number)
            owned.append(own)
            marked.append([e for e in entries if e[0] >= arrays.primary])
    order = _order(arrays.primary, owned) if sweep else range(arrays.primary)
    place = {item: i for i, item in enumerate(item for item in order if seen[item])}
    new = count(len(place))
    items = [tuple(place[item] for item in own) or (next(new),) for own in owned]
    idle = owned.count([])
    rows = [0] * (len(place) + idle)
    for i, covered in enumerate(items):
        for item in covered:
            rows[item] |= 1 << i
    secondary, marks = _secondary(marked)
    low = (*(int(arrays.low[item]) for item in place), *(0,) * idle)
    high = (*(int(arrays.high[item]) for item in place), *(1,) * idle)
    return Subproblems(
        tuple(numbers), tuple(rows), tuple(items), secondary, marks, low, high, len(place)
    )


def _secondary(
    marked: list[list[tuple[int, int]]],
) -> tuple[tuple[Secondary, ...], tuple[tuple[tuple[int, int], ...], ...]]:
    """Return the secondary items about which options can disagree, and each option's marks."""
    classes: dict[int, dict[int, int]] = {}
    for i, marks in enumerate(marked):
        for item, colour in marks:
            own = classes.setdefault(item, {})
            own[colour] = own.get(colour, 0) | 1 << i
    kept: dict[int, Secondary] = {}
    for item in sorted(classes):
        only = next(iter(classes[item]))
        if len(classes[item]) > 1 or (only == 0 and classes[item][0].bit_count() > 1):
            kept[item] = Secondary(dict(sorted(classes[item].items())))
    place = {item: i for i, item in enumerate(kept)}
    kept_marks = (tuple((place[item], c) for item, c in marks if item in place) for marks in marked)
    return tuple(kept.values()), tuple(kept_marks)


def _order(items: int, options: list[list[int]]) -> list[int]:
    """Return the order in which items with as many branches are chosen: as listed, or a sweep.

    A subproblem is identified by the open items next to covered ones, and the fewer these are, the
    more subproblems are equal: so the sweep is taken if its border is clearly smaller. It goes from
    item to item through their options, and starts at an item with few neighbours (Cuthill and
    McKee 1969).
    """
    near: list[set[int]] = [set() for _ in range(items)]
    for own in options:
        for item in own:
            near[item].update(own)
    listed = list(range(items))
    swept: dict[int, None] = {}
    for seed in sorted(listed, key=lambda item: len(near[item])):
        queue = [seed] if seed not in swept else []
        swept.setdefault(seed)
        for item in queue:
            fresh = sorted(near[item] - swept.keys(), key=lambda other: (len(near[other]), other))
            swept.update(dict.fromkeys(fresh))
            queue += fresh
    clear = _border(list(swept), near) <= CLEARLY * _border(listed, near)
    return list(swept) if clear else listed


def _border(order: list[int], near: list[set[int]]) -> int:
    """Return the sum, over the steps along an order, of the items ahead with a neighbour behind."""
    place = {item: i for i, item in enumerate(order)}
    return sum(place[item] - min(map(place.__getitem__, near[item] | {item})) for item in order)


def memory_of(sets: Subproblems) -> Memory:
    """Return the problem's bit sets as words, the places of codes in a key, short tables."""
    primary, words = len(sets.rows), max(1, -(-len(sets.numbers) // 64))
    rows, strikes = list(sets.rows), dict[tuple[int, int], int]()
    classes, fields, bits = list[int](), [], primary
    for i, secondary in enumerate(sets.secondary):
        if bits % 64 + secondary.bits > 64:
            bits += 64 - bits % 64
        last = len(classes) + len(secondary.classes)
        fields.append((bits // 64, bits % 64, secondary.bits, len(classes), last))
        bits += secondary.bits
        for colour, row in secondary.classes.items():
            classes.append(len(rows))
            strikes[i, colour] = len(rows) + 1
            rows += [row, secondary.strikes(colour)]
    effects = [
        [*items, *(strikes[mark] for mark in marks)]
        for items, marks in zip(sets.items, sets.marks, strict=True)
    ]
    depths, states = FIRST_DEPTHS, FIRST_STATES
    pending = len(sets.numbers) + sets.levels + 1
    key_words = words + len(sets.counted) if sets.counted else max(1, -(-bits // 64))
    m = Memory(
        start=np.cumsum([0, *map(len, effects)], dtype=np.int64),
        effects=np.array([row for own in effects for row in own], np.int64),
        rows=_words(rows, words),
        classes=np.array(classes, np.int64),
        fields=np.array(fields, FIELD),
        counted=np.array(sets.counted, np.int64),
        avail=np.zeros((depths, words), np.uint64),
        low=np.zeros((depths, primary), np.int32),
        high=np.zeros((depths, primary), np.int32),
        frames=np.zeros(depths, FRAME),
        key=np.zeros((depths, key_words), np.uint64),
        pending=np.zeros(pending, EDGE),
        keys=np.zeros((states, key_words), np.uint64),
        ids=np.zeros(states, np.int32),
        slots=np.full(2 * states, -1, np.int32),
        first=np.zeros(states + 3, np.int64),
        counts=np.zeros(states + 3, np.int64),
        edges=np.zeros(max(2 * states, 2 * pending), EDGE),
        runs=np.zeros(1, RUN),
    )
    m.avail[0] = first_bits(len(sets.numbers))
    m.low[0] = sets.low
    m.high[0] = np.minimum(sets.high, max(1, len(sets.numbers)))
    m.counts[TOP] = 1
    run = m.runs[0]
    run["root"], run["entering"], run["nodes"] = -1, 1, 2
    run["by_options"], run["idle"] = bool(sets.counted), sets.idle
    return m


def _words(rows: list[int], words: int) -> Any:
    """Return bit sets of any length as uint64[rows, words]."""
    data = b"".join(row.to_bytes(8 * words, "little") for row in rows)
    return np.frombuffer(data, "<u8").astype(np.uint64).reshape(len(rows), words)


DESCENTS = 1000
"""The number of descents where neither that nor the time is given."""
FEWEST = 2
"""The fewest descents that have a spread."""


@frozen
class Estimate:
    """Means over random descents, each with its standard error.

    They are integers where they are too large for a float.
    """

    nodes: float | int
    """Nodes of the search tree of exact covers, including the root."""
    nodes_error: float | int
    covers: float | int
    """Covers of any size."""
    covers_error: float | int
    descents: int


def estimate(
    problem: Problem, descents: int | None = None, seed: int = 0, seconds: float | None = None
) -> Estimate:
    """Estimate the size of the tree that dancing links search, and the number of exact covers.

    It stops after the seconds or the descents, but not before the second descent; without either,
    after DESCENTS. Raises ConfigError for fewer than two descents.

    >>> from dragon.cover import Problem
    >>> estimate(Problem.of("abc", ["ab", "c", "bc"]), descents=100).covers
    1.0
    """
    *_, last = estimates(problem, descents, seed, seconds)
    return last


def estimates(
    problem: Problem, descents: int | None = None, seed: int = 0, seconds: float | None = None
) -> Iterator[Estimate]:
    """Yield the estimate after each descent from the second on; `estimate` returns the last."""
    if descents is not None and descents < FEWEST:
        raise ConfigError(f"{descents} descents have no spread; ask for at least {FEWEST}")
    most = DESCENTS if descents is None and seconds is None else descents
    paths, start = Descents(problem), time.perf_counter()
    rng = np.random.default_rng(seed)
    nodes, covers, number = Moments(), Moments(), 0
    while True:
        of_nodes, of_covers = paths.descend(rng)
        nodes.add(of_nodes)
        covers.add(of_covers)
        number += 1
        if number >= FEWEST:
            yield Estimate(*nodes.mean(), *covers.mean(), number)
            late = seconds is not None and time.perf_counter() - start >= seconds
            if late or number == most:
                return


class Descents(CoverKernel):
    """Random paths from the root of a search to a leaf."""

    def __init__(self, problem: Problem) -> None:
        m = memory_of(subproblems_of(problem, sweep=False))
        self._root = m.avail[0].copy(), m.low[0].copy(), m.high[0].copy()
        super().__init__("dragon.cover.kernels.diagram", Constants("cover diagrams"), m)
        self._kernel.follow(m, -1)  # compile while no clock runs

    def descend(self, rng: np.random.Generator) -> tuple[int, int]:
        """Return Knuth's unbiased estimate of nodes and covers from a path; consumes `rng`."""
        self.m.avail[0], self.m.low[0], self.m.high[0] = self._root
        weight = nodes = 1
        degree = int(self._kernel.follow(self.m, -1))
        while degree > 0:
            weight *= degree
            nodes += weight
            degree = int(self._kernel.follow(self.m, int(rng.integers(degree))))
        return nodes, weight if degree == MET else 0


class Moments:
    """The number, the sum and the sum of squares of integers of any size, without rounding."""

    def __init__(self) -> None:
        self.number = self.sum = self.squares = 0

    def add(self, value: int) -> None:
        """Count one more value."""
        self.number += 1
        self.sum += value
        self.squares += value * value

    def mean(self) -> tuple[float | int, float | int]:
        """Return the mean and its standard error; there must be at least two values."""
        n = self.number
        spread = Fraction(n * self.squares - self.sum**2, n * n * (n - 1))
        return as_number(Fraction(self.sum, n)), root(spread)


def as_number(value: Fraction) -> float | int:
    """Return a float, or an integer where the value is too large for a float."""
    try:
        return float(value)
    except OverflowError:
        return round(value)


def root(value: Fraction) -> float | int:
    """Return the square root of a fraction of any size."""
    scale = max(0, 128 - (value.numerator // value.denominator).bit_length()) // 2
    return as_number(
        Fraction(isqrt((value.numerator << 2 * scale) // value.denominator), 1 << scale)
    )
