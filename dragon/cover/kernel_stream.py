"""Streams by kernels: the part that the drivers of all kernels that enumerate covers share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np

from dragon.compiler.specialise import Constants, specialise
from dragon.cover.stream import DONE, Cover
from dragon.modes import jit_enabled
from dragon.moved import missing
from dragon.search.budget import Counted, SlicedKernel


class CoverKernel(SlicedKernel):
    """A kernel for covers and its memory `m`: compiled, or interpreted under DRAGON_JIT=0.

    names: further names of the kernel, which is then interpreted in any case; its memory may be
    made of lists.
    """

    stack: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self, template: str, constants: Constants, m: Any, names: dict[str, Any] | None = None
    ) -> None:
        self._template = template
        self.hold(m)
        if jit_enabled() and names is None:
            self._kernel = specialise(template, constants)
        else:
            self._kernel = Interpreted(template, {**constants.bindings(), **(names or {})})


class KernelStream(CoverKernel):
    """A stream by a kernel.

    Among the arrays of `m` are `out`, where the kernel writes the size of each cover and then its
    options, and `runs`, one record with at least the fields of `dragon.cover.stream.RUN_FIELDS`.
    """

    def __init__(
        self,
        template: str,
        constants: Constants,
        m: Any,
        longest: int,
        names: dict[str, Any] | None = None,
    ) -> None:
        """longest: no cover has more options."""
        super().__init__(template, constants, m, names)
        self.longest = longest
        self.done = False
        """True if all covers have been found."""
        self._resume()  # with 0 nodes to visit: compile while no clock runs

    nodes = Counted("nodes")

    updates = Counted("updates")

    found = Counted("found")

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        run = self.m.runs[0]
        if len(self.m.out) < keep * (self.longest + 1):
            self.hold(self.m._replace(out=np.empty(keep * (self.longest + 1), np.int32)))
        run["stop"], run["keep"], run["written"] = run["nodes"] + nodes, keep, 0
        self.done = self._resume() == DONE
        return list(cut(self.m.out[: run["written"]].tolist()))

    def fraction(self) -> float:
        return 1.0 if self.done else passed(self._levels())

    @abstractmethod
    def _levels(self) -> Iterable[tuple[int, int]]:
        """The branches done and all branches of each level that has been entered."""


class Interpreted:
    """A kernel's source as plain Python, where records are objects with an attribute a field."""

    def __init__(self, template: str, names: dict[str, Any]) -> None:
        from dragon.rules.interpreted import bind
        from dragon.search.interpreted import viewed

        self._viewed = viewed
        self._functions = SimpleNamespace(**bind(template, names, numbers={}))
        self._records: dict[str, tuple[Any, list[Any]]] = {}

    def __getattr__(self, name: str) -> Any:
        function = getattr(self._functions, name)

        def call(m: Any, *more: Any) -> Any:
            return function(self._own(m) if hasattr(m, "_replace") else m, *more)

        return call

    def _own(self, m: Any) -> Any:
        """Return memory in numpy's arrays, or in lists, with objects in the place of records."""
        for name, array in m._asdict().items():
            fields = isinstance(array, np.ndarray) and array.dtype.names
            if fields and self._records.get(name, (None, []))[0] is not array:
                view = self._viewed(array)
                made = [view() for _ in range(len(array))]
                for at, record in enumerate(made):
                    record._at = at
                self._records[name] = array, made
        return m._replace(**{name: made for name, (_, made) in self._records.items()})


def cut(numbers: list[int]) -> Iterator[Cover]:
    """Yield the covers of a row of sizes, each followed by its options."""
    at = 0
    while at < len(numbers):
        end = at + 1 + numbers[at]
        yield tuple(numbers[at + 1 : end])
        at = end


def passed(levels: Iterable[tuple[int, int]]) -> float:
    """The part of a tree that is done, from (branches done, branches) of each level.

    The branch that the search is in counts as not begun (TAOCP 4B, 7.2.2.1, on progress).
    """
    part, share = 0.0, 1.0
    for done, branches in levels:
        share /= max(branches, 1)
        part += done * share
    return part


def __getattr__(name: str) -> Any:
    raise missing(__name__, name)
