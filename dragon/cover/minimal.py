"""Overlapping covers that can do without none of their options, each found once.

Every item is covered at least once, or as often as its lower bound says; secondary items
and colours bind as ever. The search branches on an uncovered item, and forbids beneath each
option those tried before it, so that it need not remember what it has found. It keeps to
options beside which every one chosen still covers an item that needs it (the critical
hyperedges of MMCS: Murakami and Uno, *Efficient algorithms for dualizing large-scale
hypergraphs*, 2014).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from dragon.cover.bitsets import BitSets, bits, bitsets_of, first_bits
from dragon.cover.dlx import passed
from dragon.cover.enumeration import Events
from dragon.cover.kernels.minimal import DONE, FRAME, RUN
from dragon.errors import SearchError
from dragon.modes import jit_enabled
from dragon.specialise import Constants, specialise

if TYPE_CHECKING:
    from dragon.cover.enumeration import Cover, Stream
    from dragon.cover.problem import Problem

Found = tuple[int, ...] | None
"""A cover as rows in the order of choice, or None for a node entered."""
MEGABYTES = 4000
"""What the kernel's stack may take, 10**6 bytes each."""


def minimal_stream(problem: Problem, size: int | None = None) -> Stream:
    """The irredundant covers of at most `size` options, in the order of the search.

    Raises SearchError where the kernel's stack would take more than MEGABYTES.
    """
    sets = bitsets_of(problem, free_items=False)
    if (sets.low > np.bincount(sets.item, minlength=sets.columns)).any():
        return Events(iter([None]))  # more is asked for than there are options: one node tells
    most = min(int(sets.low.sum()), sets.rows)  # each option has coverage that it alone gives
    room = most if size is None else min(size, most)
    return Compiled(sets, room) if jit_enabled() else Interpreted(sets, room)


class Compiled:
    """The kernel; what it knows between two calls is in arrays of this object."""

    def __init__(self, sets: BitSets, size: int) -> None:
        self._sets = sets
        self._options = sets.options.tolist()
        self._members = sets.members()
        self._full = first_bits(sets.columns)
        layers = int(sets.low.max(initial=1)) + 1
        words = self._members.shape[1]
        _fit(size + 2, layers * words + max(1, -(-sets.rows // 64)))
        small = words == 1 and layers == 2
        constants = (("WORDS", 1), ("LAYERS", 2)) if small else (("WORDS", 0), ("LAYERS", 0))
        label = "overlapping covers" if small else "large overlapping covers"
        self._kernel = specialise("dragon.cover.kernels.minimal", Constants(label, constants))
        self._frames = np.zeros(size + 2, FRAME)
        self._allowed = np.zeros((size + 2, max(1, -(-sets.rows // 64))), np.uint64)
        self._allowed[0] = first_bits(sets.rows)
        self._layers = np.zeros((size + 2, layers, words), np.uint64)
        for j in range(layers - 2):  # an item that needs less begins as if covered already
            early = np.flatnonzero(sets.low < layers - 1 - j)
            self._layers[0, j] = bits(1, sets.columns, [0] * len(early), early)[0]
        self._runs = np.zeros(1, RUN)
        self._run = self._runs[0]
        self._run["most"] = size
        self._run["largest"] = np.diff(sets.first).max(initial=0)
        self.done = False
        self.advance(0, 0)  # compiles while no clock runs

    @property
    def nodes(self) -> int:
        """Nodes entered so far; a last option found by sets alone is none."""
        return int(self._run["nodes"])

    @property
    def updates(self) -> int:
        """Options tried, and sets of options forbidden beside them, so far."""
        return int(self._run["updates"])

    @property
    def found(self) -> int:
        """Covers found so far."""
        return int(self._run["found"])

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for `nodes` nodes at most, or until `keep` covers are in hand; 0 only counts."""
        sets, run = self._sets, self._run
        if self.done:
            return []
        run["stop"], run["listed"] = run["nodes"] + nodes, 0
        out = np.empty((keep, len(self._frames)), np.int64)
        lengths = np.zeros(keep, np.int64)
        status = self._kernel.resume(
            self._runs, self._full, self._members, sets.users,
            sets.clash, sets.clash_first, sets.clash_row,
            self._layers, self._allowed, self._frames, out, lengths,
        )  # fmt: skip
        self.done = status == DONE
        count = int(run["listed"])
        told = zip(out[:count].tolist(), lengths[:count].tolist(), strict=True)
        return [tuple(map(self._options.__getitem__, rows[:n])) for rows, n in told]

    def fraction(self) -> float:
        """Knuth's estimate of the part of the tree that is done."""
        if self.done:
            return 1.0
        frames = self._frames[: int(self._run["depth"])]
        begun = (frames["tried"] - 1).tolist()
        return passed(zip(begun, frames["degree"].tolist(), strict=True))[0]


def _fit(depths: int, words: int) -> None:
    """Raises SearchError where so many depths of so many words are too large."""
    asked = depths * (8 * words + FRAME.itemsize) / 1e6
    if asked > MEGABYTES:
        raise SearchError(
            f"overlapping covers of up to {depths - 2:,} options ask for {asked:,.0f} megabytes "
            f"of stack, more than {MEGABYTES:,}; give a smaller size, or lower bounds"
        )


class Search:
    """The search to be read: the kernel's twin, with Python's sets."""

    def __init__(self, sets: BitSets, size: int) -> None:
        cut = zip(sets.first.tolist(), sets.first[1:].tolist(), strict=False)
        self.covered_by = [sets.item[a:b].tolist() for a, b in cut]
        self.users = [{o for o in range(sets.rows) if i in self.covered_by[o]}
                      for i in range(sets.columns)]  # fmt: skip
        self.clashes = [
            [_rows(sets.clash[k]) for k in sets.clash_row[a:b].tolist()]
            for a, b in zip(sets.clash_first[:-1], sets.clash_first[1:], strict=True)
        ]
        self.low = sets.low.tolist()
        self.times = [0] * sets.columns
        self.size = size
        self.levels: list[list[int]] = []
        self.updates = 0

    def covers(self, allowed: set[int], chosen: tuple[int, ...] = ()) -> Iterator[Found]:
        """Every irredundant cover that adds options of `allowed` to those chosen.

        Yields None at each node. `allowed` is used up.
        """
        yield None
        missing = {i: self.needs(i) for i in range(len(self.low)) if self.needs(i) > 0}
        if not missing:
            yield chosen
            return
        picks = self.size - len(chosen)
        for c in chosen:
            allowed -= self.making_redundant(c)
        widths = (len(missing.keys() & self.covered_by[o]) for o in allowed)
        if sum(missing.values()) > picks * max(widths, default=0):
            return
        if picks == 1:
            if max(missing.values()) == 1:
                for o in sorted(allowed.intersection(*(self.users[i] for i in missing))):
                    yield (*chosen, o)
            return
        # Of n options of an item that is missing k times, the last k - 1 cannot come first.
        degrees = {i: len(allowed & self.users[i]) - k + 1 for i, k in missing.items()}
        item = min(degrees, key=degrees.__getitem__)
        if degrees[item] > 0:
            yield from self.branch(item, degrees[item], allowed, chosen)

    def branch(
        self, item: int, degree: int, allowed: set[int], chosen: tuple[int, ...]
    ) -> Iterator[Found]:
        """The covers that begin with one of the first `degree` options of an item."""
        level = [0, degree]
        self.levels.append(level)
        for o in sorted(allowed & self.users[item])[:degree]:
            level[0] += 1
            allowed.remove(o)  # for all siblings to come
            self.updates += 1 + len(self.clashes[o])
            for i in self.covered_by[o]:
                self.times[i] += 1
            yield from self.covers(allowed.difference(*self.clashes[o]), (*chosen, o))
            for i in self.covered_by[o]:
                self.times[i] -= 1
        self.levels.pop()

    def needs(self, i: int) -> int:
        """How often item i must still be covered; negative where once too often."""
        return int(self.low[i] - self.times[i])

    def making_redundant(self, c: int) -> set[int]:
        """The options beside which option c, chosen, would cover nothing that needs it."""
        if any(self.needs(i) > 0 for i in self.covered_by[c]):
            return set()
        return set.intersection(*(self.users[i] for i in self.covered_by[c] if not self.needs(i)))


def _rows(words: Any) -> set[int]:
    return {64 * w + b for w, word in enumerate(words.tolist()) for b in range(64) if word >> b & 1}


class Interpreted:
    """The same stream in plain Python: listens to the generator of `Search`."""

    def __init__(self, sets: BitSets, size: int) -> None:
        self._options = sets.options.tolist()
        self._search = Search(sets, size)
        self._events = self._search.covers(set(range(sets.rows)))
        self._entering = False
        self.nodes = self.found = 0
        self.done = False

    @property
    def updates(self) -> int:
        """Options tried, and sets of options forbidden beside them, so far."""
        return self._search.updates

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for `nodes` nodes at most, or until `keep` covers are in hand; 0 only counts."""
        stop, listed = self.nodes + nodes, list[tuple[int, ...]]()
        while not self.done:
            if self._entering:
                if self.nodes >= stop:
                    break
                self.nodes += 1
                self._entering = False
            try:
                event = next(self._events)
            except StopIteration:
                self.done = True
                break
            self._entering = event is None
            if event is not None:
                self.found += 1
                if keep:
                    listed.append(tuple(self._options[o] for o in event))
                if len(listed) == keep > 0:
                    break
        return listed

    def fraction(self) -> float:
        """Knuth's estimate of the part of the tree that is done."""
        levels = ((begun - 1, degree) for begun, degree in self._search.levels)
        return 1.0 if self.done else passed(levels)[0]
