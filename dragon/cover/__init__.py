"""Exact and overlapping covers: items, options, and the ways to choose (TAOCP 4B, 7.2.2.1).

Read `problem` with `option` first, then `arrays`, the input of all kernels; after them

- listing: `stream` (the interface), `kernel_stream` (by a kernel), `exact` (dancing links and
  dancing cells), `minimal` (overlapping covers), `enumeration` (the iterator), `parallel`;
- counting: `subproblems`, `diagram_builder`, `diagram`; `sizes`, `tree_estimate`;
- the best: `optimum`; the reason for none: `conflict`;
- as a game: `game`, `search`, and the searches in `searches`, one file each;
- `kernels`: the templates, each named as the module that runs it; `knuth_format`: text.

The names below are cheap to import. Those that need numpy are imported from their modules:
`optimum.best`, `sizes.covers_by_size`, `diagram_builder.diagram_of`, `tree_estimate.estimate`
and `parallel.Parallel`.
"""

from __future__ import annotations

from typing import Any

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


def __getattr__(name: str) -> Any:
    """Raise AttributeError that says what replaced a name of former versions."""
    if name in ("mutable", "MutableProblem"):
        raise AttributeError(
            f"dragon.cover.{name} is gone; Problem.hide(items, options) and Problem.only give "
            "views that leave the problem as it was; to take a step back, keep the view before it"
        )
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
