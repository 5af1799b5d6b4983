"""Exact and overlapping covers: items, options, and every way to choose (TAOCP 4B, 7.2.2.1).

Here are the names that are cheap to import. What needs numpy is imported from its module:
`optimum.best`, `sizes.covers_by_size`, `diagram_builder.diagram_of`, `tree_estimate.estimate`,
`parallel.Parallel` and `mutable.MutableProblem`.
"""

from __future__ import annotations

from dragon.cover.conflict import impossible
from dragon.cover.enumeration import Covers, covers
from dragon.cover.game import CoverGame, CoverState
from dragon.cover.knuth_format import parse, read, write
from dragon.cover.option import Option
from dragon.cover.problem import Problem
from dragon.cover.search import CoverSearch

__all__ = [
    "CoverGame",
    "CoverSearch",
    "CoverState",
    "Covers",
    "Option",
    "Problem",
    "covers",
    "impossible",
    "parse",
    "read",
    "write",
]
