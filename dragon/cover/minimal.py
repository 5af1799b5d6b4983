"""Overlapping covers without a redundant option, each found once.

Every item is covered at least once, or as often as its lower bound says; for secondary items and
colours the rules of exact covers hold. The search branches on an uncovered item. Below each option
it forbids the options tried before, so that no cover is found twice. An option is also forbidden if
beside it a chosen one no longer covers an item that needs it (the critical hyperedges of MMCS:
Murakami and Uno, *Efficient algorithms for dualizing large-scale hypergraphs*, 2014).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from dragon.compiler.specialise import Constants
from dragon.cover.arrays import BitSets, bits, bitsets_of, first_bits
from dragon.cover.kernel_stream import KernelStream
from dragon.cover.kernels.minimal import FRAME, RUN, Memory
from dragon.cover.stream import Events
from dragon.errors import SearchError

if TYPE_CHECKING:
    from dragon.cover.problem import Problem
    from dragon.cover.stream import Stream

MEGABYTES = 4000
"""The most memory of the kernel's stack, in units of 10**6 bytes."""


def minimal_stream(problem: Problem, size: int | None = None) -> Stream:
    """Return the irredundant covers of at most `size` options, in the order of the search.

    Raises SearchError where the kernel's stack would take more than MEGABYTES.
    """
    sets = bitsets_of(problem, free_items=False)
    if (sets.low > np.bincount(sets.item, minlength=sets.columns)).any():
        return Events(iter([None]))  # an item has too few options: one node shows it
    most = min(int(sets.low.sum()), sets.rows)  # each option is the only one for some coverage
    return MinimalCovers(sets, most if size is None else min(size, most))


class MinimalCovers(KernelStream):
    """The irredundant covers of at most `size` options.

    The last option of a cover does not count as a node if bit sets alone have found it.
    """

    def __init__(self, sets: BitSets, size: int) -> None:
        members = sets.members()
        depths, words, row_words = size + 2, members.shape[1], max(1, -(-sets.rows // 64))
        layers = int(sets.low.max(initial=1)) + 1
        asked = depths * (8 * (layers * words + row_words) + FRAME.itemsize) / 1e6
        if asked > MEGABYTES:
            raise SearchError(
                f"overlapping covers of up to {size:,} options ask for {asked:,.0f} megabytes "
                f"of stack, more than {MEGABYTES:,}; give a smaller size, or lower bounds"
            )
        m = Memory(
            sets.options, first_bits(sets.columns), members, sets.users,
            sets.clash, sets.clash_first, sets.clash_row,
            layers=np.zeros((depths, layers, words), np.uint64),
            allowed=np.zeros((depths, row_words), np.uint64),
            frames=np.zeros(depths, FRAME), out=np.zeros(0, np.int32), runs=np.zeros(1, RUN),
        )  # fmt: skip
        m.allowed[0] = first_bits(sets.rows)
        for j in range(layers - 2):  # an item with a smaller bound begins as covered
            early = np.flatnonzero(sets.low < layers - 1 - j)
            m.layers[0, j] = bits(1, sets.columns, [0] * len(early), early)[0]
        m.runs["most"], m.runs["largest"] = size, np.diff(sets.first).max(initial=0)
        small = words == 1 and layers == 2
        constants = (("WORDS", 1), ("LAYERS", 2)) if small else (("WORDS", 0), ("LAYERS", 0))
        label = "overlapping covers" if small else "large overlapping covers"
        super().__init__("dragon.cover.kernels.minimal", Constants(label, constants), m, depths)

    def _levels(self) -> Iterable[tuple[int, int]]:
        frames = self.m.frames[: max(int(self.m.runs[0]["depth"]), 0)]
        return zip((frames["tried"] - 1).tolist(), frames["degree"].tolist(), strict=True)
