"""Exact covers by dancing links as a stream: the kernel, or what it does in plain Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from dragon.cover.enumeration import Events
from dragon.cover.kernels import dlx, multiplicity
from dragon.cover.links import Links, links_of
from dragon.cover.recursive import UNLIMITED, Dance
from dragon.modes import jit_enabled
from dragon.specialise import Constants, specialise

if TYPE_CHECKING:
    from dragon.cover.enumeration import Cover, Stream
    from dragon.cover.problem import Problem


def stream_of(problem: Problem, size: int | None = None) -> Stream:
    """The exact covers of at most `size` options."""
    return stream_on(links_of(problem), UNLIMITED if size is None else size)


def stream_on(links: Links, room: int = UNLIMITED) -> Stream:
    """The same for links as they stand; the stream changes them while it runs."""
    return Compiled(links, room) if jit_enabled() else Interpreted(links, room)


class Compiled:
    """The kernels; what they know between two calls is in arrays of this object."""

    def __init__(self, links: Links, size: int = UNLIMITED) -> None:
        self._links, self._size = links, size
        self._bounded = not links.plain
        template = "multiplicity" if self._bounded else "dlx"
        label = "covers with colours" if links.coloured else "covers"
        constants = Constants(label, (("COLOURS", links.coloured), ("BOUNDED", self._bounded)))
        self._kernel = specialise(f"dragon.cover.kernels.{template}", constants)
        self._run = np.zeros(7, np.int64)
        self._stack, self._first = np.zeros((2, links.levels), np.uint32)
        self._degree, self._rank = np.zeros((2, links.levels), np.int32)
        self._resume(0, 0, np.zeros(0, np.int32))  # compiles while no clock runs

    @property
    def nodes(self) -> int:
        """Levels entered so far."""
        return int(self._run[dlx.NODES])

    @property
    def updates(self) -> int:
        """Links changed so far, on the way down."""
        return int(self._run[dlx.UPDATES])

    @property
    def found(self) -> int:
        """Covers found so far."""
        return int(self._run[dlx.FOUND])

    @property
    def done(self) -> bool:
        """Whether all covers have been found."""
        ended = multiplicity.DONE if self._bounded else dlx.DONE
        return bool(self._run[dlx.MODE] == ended)

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for `nodes` nodes at most, or until `keep` covers are in hand; 0 only counts."""
        out = np.empty(keep * (len(self._stack) + 1), np.int32)
        self._resume(nodes, keep, out)
        numbers: list[int] = out[: self._run[dlx.WRITTEN]].tolist() if keep else []
        return list(cut(numbers))

    def fraction(self) -> float:
        """Knuth's estimate of the part of the tree that is done."""
        levels = max(int(self._run[dlx.LEVEL]), 0) + 1
        degrees, ranks = self._degree[:levels].tolist(), self._rank[:levels].tolist()
        return fraction(list(zip(ranks, degrees, strict=True)))

    def _resume(self, nodes: int, keep: int, out: Any) -> None:
        links = self._links
        bounds = (links.slack,) if self._bounded else ()
        first = (self._first,) if self._bounded else ()
        self._kernel.resume(
            links.nodes, links.items, links.option, links.primary, *bounds,
            self._stack, *first, self._degree, self._rank, self._run, out,
            keep, nodes, self._size,
        )  # fmt: skip


def cut(numbers: list[int]) -> Iterator[Cover]:
    """Covers from a row of sizes, each followed by so many options."""
    at = 0
    while at < len(numbers):
        end = at + 1 + numbers[at]
        yield tuple(numbers[at + 1 : end])
        at = end


def fraction(levels: list[tuple[int, int]]) -> float:
    """The part of a tree that is done, from (branches done, branches) of each level.

    Half of what the last level is at counts as done (TAOCP 4B, 7.2.2.1, exercise on progress).
    """
    part, share = passed(levels)
    return min(part + share / 2, 1.0)


def passed(levels: Iterable[tuple[int, int]]) -> tuple[float, float]:
    """The parts of a tree that lie before a node, and below it, from the same of each level."""
    part, share = 0.0, 1.0
    for rank, degree in levels:
        share /= max(degree, 1)
        part += rank * share
    return part, share


class Interpreted(Events):
    """The same in plain Python: the generators of `dragon.cover.recursive`, listened to."""

    def __init__(self, links: Links, size: int = UNLIMITED) -> None:
        self._dance = Dance(links)
        super().__init__((self._dance.covers if links.plain else self._dance.multicovers)(size))

    @property
    def updates(self) -> int:
        """Links changed so far, on the way down."""
        return self._dance.updates

    def fraction(self) -> float:
        """Knuth's estimate of the part of the tree that is done."""
        return fraction(self._dance.progress)
