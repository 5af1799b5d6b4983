"""Exact and overlapping covers: items, options, and the ways to choose (TAOCP 4B, 7.2.2.1).

Read `problem` first, then `arrays`, the input of all kernels. The other modules:

- listing: `stream` (the interface, and the iterator over covers), `kernel_stream` (streams by
  kernels), `exact` (dancing links), `dancing_cells`, `minimal` (overlapping covers), `parallel`;
- counting: `subproblems` (also estimates of trees), `diagram_builder`, `diagram`; `sizes`;
- the best covers: `optimum`; the reason why there is none: `conflict`;
- covers as a game: `game`, and its searches in `searches`;
- `kernels`: templates. `exact` runs `dlx`, `diagram_builder` runs `diagram`, and `optimum` runs
  `optimum`, which uses `ranking`; `dancing_cells` and `minimal` contain their own;
- `knuth_format`: problems as text.

The names below are quick to import. Functions that need numpy are imported from their modules:
`optimum.best`, `sizes.covers_by_size`, `diagram_builder.diagram_of`, `subproblems.estimate`
and `parallel.Parallel`.
"""

from __future__ import annotations

from typing import Any

from dragon.cover.conflict import impossible
from dragon.cover.game import CoverGame, CoverState
from dragon.cover.knuth_format import parse, read, write
from dragon.cover.problem import Option, Problem
from dragon.cover.searches import CoverSearch, covers
from dragon.cover.stream import Covers
from dragon.moved import missing

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
    raise missing(__name__, name)
