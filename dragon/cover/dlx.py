"""Exact covers by dancing links as a stream."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs
import numpy as np

from dragon.compiler.specialise import Constants
from dragon.cover.kernel_stream import KernelStream
from dragon.cover.kernels.dlx import RUN, Memory
from dragon.cover.links import Links, links_of
from dragon.cover.stream import UNLIMITED, Cover

if TYPE_CHECKING:
    from dragon.cover.problem import Problem


def stream_of(problem: Problem, size: int | None = None) -> DancingLinks:
    """The exact covers of at most `size` options."""
    return DancingLinks(links_of(problem), UNLIMITED if size is None else size)


class DancingLinks(KernelStream):
    """The covers of links as they stand, which change while the stream runs.

    It stops at each node as deep as `horizon`, and goes on without looking at what is below.
    """

    def __init__(self, links: Links, size: int = UNLIMITED, horizon: int = UNLIMITED) -> None:
        self.links = links
        stack, first = np.zeros((2, links.levels), np.uint32)
        degree, rank = np.zeros((2, links.levels), np.int32)
        m = Memory(
            links.nodes, links.items, links.option, links.slack, stack, first, degree, rank,
            out=np.zeros(0, np.int32), runs=np.zeros(1, RUN),
        )  # fmt: skip
        run = m.runs[0]
        run["most"], run["horizon"], run["primary"] = size, horizon, links.primary
        self.at_horizon = False
        """Whether it has stopped there."""
        label = "covers with colours" if links.coloured else "covers"
        constants = (("COLOURS", links.coloured), ("BOUNDED", not links.plain))
        kernel = "dlx" if links.plain else "multiplicity"
        super().__init__(kernel, Constants(label, constants), m, links.levels)

    def here(self) -> tuple[Cover, Links]:
        """The options chosen so far, and a copy of the links as they stand."""
        links, chosen = self.links, self.m.stack[: self._level]
        chosen = chosen[links.nodes["top"][chosen] > 0]
        copy = attrs.evolve(links, nodes=links.nodes.copy(), items=links.items.copy())
        return tuple(links.option[chosen].tolist()), copy

    @property
    def _level(self) -> int:
        return max(int(self.m.runs[0]["level"]), 0)

    def _resume(self) -> None:
        self.at_horizon = bool(super()._resume())

    def _levels(self) -> Iterable[tuple[int, int]]:
        ranks, degrees = (each[: self._level].tolist() for each in (self.m.rank, self.m.degree))
        return zip(ranks, degrees, strict=True)
