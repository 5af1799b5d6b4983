"""Drivers of kernels that are interpreted: a kernel's own source as plain Python, over any State.

They are used where a game does not have Rules, or DRAGON_JIT is 0, and do for `bind` of
`dragon.rules.interpreted` what `dragon.search.driver` does for compiled kernels. The kernel looks
at the clock at each node, since one node may take any time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np

from dragon.bits import MASK
from dragon.core import State
from dragon.rules.interpreted import (
    Endless,
    Row,
    Rows,
    Slots,
    StateRules,
    bind,
    record_class,
)


def record_of(records: Any, kind: Any = None) -> Any:
    """Return the first of some records as an object with its fields, Python's numbers."""
    record = (kind or record_class(records.dtype))()
    for name, value in zip(records.dtype.names, records[0].tolist(), strict=True):
        setattr(record, name, value)
    return record


def watched(records: Any, late: Callable[[], bool]) -> Any:
    """Return `runs[0]` of a kernel, whose `stop` is 0 as soon as it is `late`."""
    run_class = type("Run", (record_class(records.dtype),), {
        "__slots__": ("_stop",),
        "stop": property(
            lambda run: 0 if late() else run._stop, lambda run, nodes: setattr(run, "_stop", nodes)
        ),
    })  # fmt: skip
    return record_of(records, run_class)


def viewed(array: Any) -> Any:
    """Return a class of views of an array's records: of the record `_at`, its fields as attributes.

    numpy's own record arrays take many times as long. The fields must be aligned.
    """

    def field(values: memoryview) -> property:
        def write(record: Any, value: Any) -> None:
            values[record._at] = value

        return property(lambda record: values[record._at], write)

    fields = {name: field(memoryview(array[name])) for name in array.dtype.names}
    return type("Record", (), {"__slots__": ("_at",), "array": array, **fields})


class Entries:
    """A transposition table in the memory that compiled kernels use, so that it is reused and grows
    in the same way."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.entry = viewed(array)

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, at: int) -> Any:
        entry = self.entry()
        entry._at = at
        return entry

    def __setitem__(self, at: int, entry: Any) -> None:
        self.array[at] = entry.array[entry._at]


class GivenUp(Exception):
    """Raised at a move of a playout when the time is over."""


class Cells(dict[str, Any]):
    """The fields of a record, each as an array of one: see `dragon.search.driver.Fields`."""

    def __init__(self, record: Any) -> None:
        super().__init__()
        self.record = record

    def __missing__(self, name: str) -> Any:
        self[name] = Cell(self.record, name)
        return self[name]


class Cell:
    """A field of a record as an array of one."""

    __slots__ = ("name", "record")

    def __init__(self, record: Any, name: str) -> None:
        self.record, self.name = record, name

    def __getitem__(self, at: int) -> Any:
        return getattr(self.record, self.name)

    def __setitem__(self, at: int, value: Any) -> None:
        setattr(self.record, self.name, value)


def sort_rows(codes: Row, places: Row, scores: Row, n: int) -> None:
    """Replace `dragon.search.move_ordering.sort` by Python's sort, which is stable too.

    The kernel's merge sort, interpreted, took a third of a search with hundreds of moves.
    """
    given = scores.read(n)
    order = sorted(range(n), key=given.__getitem__, reverse=True)
    for row in (codes, places, scores):
        values = row.read(n)
        row.write([values[i] for i in order])


class InterpretedBackend:
    """The maker of the memory and the functions of an interpreted kernel, for any State.

    `dragon.search.driver.CompiledBackend` has the same methods.
    """

    compiled = False
    width = room = 0

    def __init__(
        self,
        state: State[Any],
        units: Callable[[State[Any], float], int],
        visit: Callable[[State[Any]], object],
        interruptible: bool,
        rules: Callable[..., Any] = StateRules,
    ) -> None:
        """See `dragon.search.driver.backend_of`; rules: the class of the rules."""
        self.late: Callable[[], bool] = bool
        """Return True if the kernel has to pause: called at each read of `stop`."""
        self.rules = rules(state, units, visit)
        self.names = self.rules.names() | {"sort": sort_rows}
        self.plies: int = self.names["PLIES"]
        self.largest: int = self.rules.most
        if interruptible:
            self.names["play"] = self._play_in_time

    def _play_in_time(self, s: Any, code: Any) -> None:
        if self.late():
            raise GivenUp
        self.rules.play(s, code)

    def load(self, template: str, bound: Mapping[str, Any] | None = None) -> Any:
        return SimpleNamespace(**bind(template, {**self.names, **(bound or {})}))

    def states(self, n: int) -> Slots:
        return Slots()

    def words(self, states: Slots) -> Slots:
        """Return a substitute for the words of these records, which have none."""
        return states

    def zeros(self, *shape: int, kind: Any = np.int64) -> Any:
        if getattr(kind, "names", None):
            return Endless(record_class(kind))
        return self.full(*shape, value=0)

    def full(self, *shape: int, value: Any) -> Any:
        return Row(default=value) if len(shape) == 1 else Rows(shape[0], value)

    def runs(self, records: Any) -> Any:
        """Return the array `runs`, one record with the values of `records`."""
        return [watched(records, lambda: self.late())]

    def first(self, records: Any) -> Cells:
        return Cells(records[0])

    def listed(self, array: Row, n: int) -> list[Any]:
        """Return the first n numbers, or codes, of an array."""
        return [array[i] for i in range(n)]

    def random(self, seed: int) -> list[int]:
        return [seed & MASK]

    def tablebase(self, wanted: bool) -> None:
        """Return nothing: a State answers `solved` itself."""

    def table(self, entries: Any) -> Entries:
        return Entries(entries)

    def transfer(self, kernels: Any) -> Callable[..., None]:

        def transfer(old: Any, age: int, new: Any, new_age: int) -> None:
            kernels.transfer(Entries(old), age, Entries(new), new_age)

        return transfer

    def turn_to(self, m: Any, state: State[Any]) -> None:
        m.states[0].state = state

    def state_at(self, m: Any, ply: int) -> State[Any]:
        state: State[Any] = m.states[ply].state
        return state

    def moves_of(self, codes: Iterable[Any]) -> tuple[Any, ...]:
        """Return the moves of a line, given their codes."""
        return tuple(code.move for code in codes)
