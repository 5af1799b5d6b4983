"""Drivers of kernels that are interpreted: a kernel's own source as plain Python, over any State.

They stand where a game has no Rules, or DRAGON_JIT is 0, and do for `bind` of
`dragon.rules.interpreted` what `dragon.search.driver` does for compiled kernels. The kernel looks
at the clock at each node, since one node may take any time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dragon.core import Limit, Search, State
from dragon.rules.interpreted import ENDLESS, bind, record_class
from dragon.search.budget import FOREVER, Budget
from dragon.search.driver import CHANCE_MET, DONE
from dragon.search.table import Lease, Table
from dragon.search.two_sided import refuse_chance


def record_of(records: Any) -> Any:
    """Return the first of some records as an object with its fields, Python's numbers."""
    record = record_class(records.dtype)()
    for name, value in zip(records.dtype.names, records[0].tolist(), strict=True):
        setattr(record, name, value)
    return record


def watched(records: Any, late: Callable[[], bool]) -> Any:
    """Return `runs[0]` of a kernel, whose `stop` is 0 as soon as it is `late`, else `most`."""
    run_class = type("Run", (record_class(records.dtype),), {
        "__slots__": ("most",),
        "stop": property(lambda run: 0 if late() else run.most, lambda run, nodes: None),
    })  # fmt: skip
    run = run_class()
    run.most = ENDLESS
    for name, value in zip(records.dtype.names, records[0].tolist(), strict=True):
        setattr(run, name, value)
    return run


class Entries:
    """A table in the memory that compiled kernels use, so that it is lent and grows as theirs."""

    def __init__(self, array: Any) -> None:
        self.array = array
        views = {name: memoryview(array[name]) for name in array.dtype.names}
        fields = {name: _field(view) for name, view in views.items()}
        self.entry: Any = type("Entry", (), {"__slots__": ("at",), "array": array, **fields})

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, at: int) -> Any:
        entry = self.entry()
        entry.at = at
        return entry

    def __setitem__(self, at: int, entry: Any) -> None:
        self.array[at] = entry.array[entry.at]


def _field(view: memoryview) -> property:
    return property(lambda e: view[e.at], lambda e, value: view.__setitem__(e.at, value))


class InterpretedDriver:
    """A kernel that visits nodes until it is done or a budget is spent, with a table on lease."""

    entry: Any
    """The dtype of the table's entries."""
    load: int
    """Nodes for an entry after which the table grows."""
    m: Any
    """The kernel's memory: a NamedTuple with `states` and `table`."""

    def __init__(
        self, template: str, names: dict[str, Any], search: Search, limit: Limit, runs: Any
    ) -> None:
        """Bind a template; runs: its RUN[1], with the settings."""
        self.settings = search
        self.kernel = bind(template, names)
        self.budget = Budget(limit)
        self.run = watched(runs, self.late)
        self.stops_at = FOREVER

    def late(self) -> bool:
        """Return True if the kernel has to pause; asked at each node."""
        return self.budget.late()

    def lend(self, lease: Lease) -> None:
        """Use the table of this lease."""
        self.lease, self.stops_at = lease, lease.grows_at(self.load)

    def take(self, table: Table) -> None:
        """Use this table."""
        self.m = self.m._replace(table=Entries(table.entries.view(self.entry)))
        self.run.age = table.age

    def go_on(self) -> bool:
        """Return True if the kernel is done, or False if the budget is spent."""
        run, budget = self.run, self.budget
        nodes = FOREVER if budget.limit.nodes is None else budget.limit.nodes
        while True:
            run.most = min(self.stops_at, nodes)
            status = self.kernel["resume"](self.m)
            budget.nodes = run.nodes
            if status == CHANCE_MET:
                met: State[Any] = self.m.states[run.ply + 1].state
                refuse_chance(self.settings, met)
            if status == DONE or budget.spent():
                return bool(status == DONE)
            if budget.nodes >= self.stops_at:
                self.take(self.lease.grow(self._transfer, self.entry))
                self.stops_at = self.lease.grows_at(self.load)

    def _transfer(self, old: Any, age: int, new: Any, new_age: int) -> None:
        self.kernel["transfer"](Entries(old), age, Entries(new), new_age)
