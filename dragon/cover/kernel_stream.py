"""Streams by kernels: what the drivers of all kernels that enumerate covers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

import numpy as np

from dragon.compiler.specialise import Constants, specialise
from dragon.cover.stream import Cover
from dragon.modes import jit_enabled


class KernelStream(ABC):
    """A stream by the function `resume(m)` of a kernel, which goes on where it was.

    `m` is a NamedTuple of arrays, all that the kernel knows. Among them are `out`, where it
    writes the size of each cover and then its options, and `runs`, one record with at least the
    fields of `dragon.cover.stream.RUN_FIELDS`.
    """

    def __init__(self, kernel: str, constants: Constants, m: Any, longest: int) -> None:
        """longest: no cover has more options."""
        self.m, self._longest = m, longest
        self._kernel = kernel_of(kernel, constants)
        self._resume()  # with 0 nodes to visit: compiles while no clock runs

    @property
    def nodes(self) -> int:
        """Nodes of the search tree entered so far."""
        return int(self.m.runs[0]["nodes"])

    @property
    def updates(self) -> int:
        """Links or counters changed so far, on the way down."""
        return int(self.m.runs[0]["updates"])

    @property
    def found(self) -> int:
        """Covers found so far."""
        return int(self.m.runs[0]["found"])

    @property
    def done(self) -> bool:
        """Return whether all covers have been found."""
        return bool(self.m.runs[0]["done"])

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for `nodes` nodes at most, or until `keep` covers are in hand; 0 only counts."""
        run = self.m.runs[0]
        if len(self.m.out) < keep * (self._longest + 1):
            self.m = self.m._replace(out=np.empty(keep * (self._longest + 1), np.int32))
        run["stop"], run["keep"], run["written"] = run["nodes"] + nodes, keep, 0
        self._resume()
        return list(cut(self.m.out[: run["written"]].tolist()))

    def _resume(self) -> Any:
        """Lets the kernel work; what it returns."""
        return self._kernel.resume(self.m)

    def fraction(self) -> float:
        """Knuth's estimate of the part of the tree that is done, from 0 to 1."""
        return 1.0 if self.done else passed(self._levels())

    @abstractmethod
    def _levels(self) -> Iterable[tuple[int, int]]:
        """Return for each level that has been entered the branches done, and all branches."""


def kernel_of(name: str, constants: Constants) -> Any:
    """A kernel of `dragon.cover.kernels` compiled, or under DRAGON_JIT=0 its source as it stands.

    The source's own constants are those of the general case.
    """
    template = f"dragon.cover.kernels.{name}"
    return specialise(template, constants) if jit_enabled() else Source(template)


class Source:
    """A kernel's source in plain Python, where records are objects with an attribute a field."""

    def __init__(self, template: str) -> None:
        self._module = import_module(template)
        self._records: dict[str, tuple[Any, list[Any]]] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)

    def resume(self, m: Any) -> Any:
        """Lets the kernel go on; what it returns."""
        for name, array in m._asdict().items():
            if array.dtype.names and self._records.get(name, (None, []))[0] is not array:
                self._records[name] = array, records(array)
        return self._module.resume(m._replace(**{k: r for k, (_, r) in self._records.items()}))


def records(array: Any) -> list[Any]:
    """An object for each record of an array; its attributes are the record's fields in memory.

    numpy's own record arrays take many times as long. The fields must be aligned.
    """

    def field(values: Any) -> property:
        def read(record: Any) -> Any:
            return values[record._at]

        def write(record: Any, value: Any) -> None:
            values[record._at] = value

        return property(read, write)

    fields = {name: field(memoryview(array[name])) for name in array.dtype.names}
    record_type: Any = type("Record", (), {"__slots__": ("_at",), **fields})
    made = [record_type() for _ in range(len(array))]
    for at, record in enumerate(made):
        record._at = at
    return made


def cut(numbers: list[int]) -> Iterator[Cover]:
    """Covers from a row of sizes, each followed by so many options."""
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
