"""Exact and overlapping covers: items, options, and every way to choose (TAOCP 4B, 7.2.2.1)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dragon.cover.problem import Option, Problem

if TYPE_CHECKING:
    from dragon.cover.conflict import impossible
    from dragon.cover.descent import estimate
    from dragon.cover.drawing import diagram_of
    from dragon.cover.enumeration import Covers, covers
    from dragon.cover.game import CoverGame, CoverState
    from dragon.cover.knuth import parse, read, write
    from dragon.cover.live import Live
    from dragon.cover.optimum import Best, Ranked, best
    from dragon.cover.parallel import Parallel
    from dragon.cover.search import CoverSearch
    from dragon.cover.sizes import covers_by_size

HOMES = {
    "Best": "optimum",
    "CoverGame": "game",
    "CoverSearch": "search",
    "CoverState": "game",
    "Covers": "enumeration",
    "Live": "live",
    "Parallel": "parallel",
    "Ranked": "optimum",
    "best": "optimum",
    "covers": "enumeration",
    "covers_by_size": "sizes",
    "diagram_of": "drawing",
    "estimate": "descent",
    "impossible": "conflict",
    "parse": "knuth",
    "read": "knuth",
    "write": "knuth",
}
"""The module of each name that is loaded when first asked for: kernels and numpy cost time."""


def __getattr__(name: str) -> Any:
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"dragon.cover.{HOMES[name]}"), name)


__all__ = [
    "Best",
    "CoverGame",
    "CoverSearch",
    "CoverState",
    "Covers",
    "Live",
    "Option",
    "Parallel",
    "Problem",
    "Ranked",
    "best",
    "covers",
    "covers_by_size",
    "diagram_of",
    "estimate",
    "impossible",
    "parse",
    "read",
    "write",
]
