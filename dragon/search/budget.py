"""Budgets: nodes and seconds spent of a run's limit; and kernels that run in slices.

A kernel is the function `resume(m)` of a template. `m` is a NamedTuple of arrays, which hold all of
the kernel's state: it continues from there, and returns a status. `SlicedKernel` is what drivers
for games and streams of covers have in common.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from math import inf
from typing import Any, ClassVar

from attrs import Attribute, define, field, validators

from dragon.core import Bound, Limit, Result
from dragon.errors import RuleError

FOREVER = 1 << 62
MOST_MEGABYTES = 1e7
"""The most megabytes that a setting accepts: ten terabytes."""
PLAYOUTS = 10_000
"""The default number of playouts, or hands, of a search without a tree, where no limit is given."""
QUICK = 0.01
"""The seconds below which a slice is quick, so that the next one may be longer."""


def simulations_budget(own: int | None, limit: Limit, default: int = PLAYOUTS) -> tuple[int, str]:
    """Return the simulations that a run may make, and the origin of that limit, in words.

    The smaller of the search's own number and the limit's; without either, as many as the
    seconds or nodes allow; without any limit, the default.
    """
    given = [n for n in (own, limit.simulations) if n is not None]
    if given:
        return min(*given, FOREVER), f"{min(given)} simulations"
    if limit.seconds is not None or limit.nodes is not None:
        return FOREVER, "the limit"
    return default, f"{default} simulations (default)"


def count_setting() -> Any:
    """A setting that is a number of plies, simulations or worlds, at least one; or none."""

    def check(instance: object, attribute: Attribute[Any], value: int | None) -> None:
        if value is not None and value < 1:
            raise ValueError(f"{attribute.name} must be at least 1, not {value}")

    return field(default=None, validator=check)


def megabytes_setting(default: float) -> Any:
    """A setting that is the size of a table or a tree."""
    return field(default=default, validator=[validators.gt(0), validators.le(MOST_MEGABYTES)])


class OutOfBudget(Exception):
    """Raised inside a search when its limit is reached, and caught there."""


unwanted = threading.Event()
"""Set when the client of this process has gone away: all runs end at their next look
at the clock, with or without a limit in seconds."""
_processor = False
"""True while runs count processor time; see `processor_time`."""


@contextmanager
def processor_time() -> Iterator[None]:
    """Within, runs count processor time instead of wall-clock time, so that other processes do not
    disturb measurements.

    A limit in seconds is then one of processor time.
    """
    global _processor
    before, _processor = _processor, True
    try:
        yield
    finally:
        _processor = before


def now() -> float:
    """The seconds of the clock by which runs are timed; only differences are meaningful."""
    return time.process_time() if _processor else time.perf_counter()


class Budget:
    """Counts nodes and watches the clock of one run."""

    def __init__(self, limit: Limit) -> None:
        self.limit = limit
        self.nodes = 0
        self._start = now()

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return now() - self._start

    @property
    def left(self) -> float:
        """Seconds that are left; infinite without a limit."""
        return inf if self.limit.seconds is None else self.limit.seconds - self.seconds

    def late(self) -> bool:
        """Return True if the seconds are over, or the client has gone away."""
        if unwanted.is_set():
            return True
        return self.limit.seconds is not None and self.seconds >= self.limit.seconds

    def spent(self) -> bool:
        """Return True if the nodes or the seconds are over."""
        return self.late() or (self.limit.nodes is not None and self.nodes >= self.limit.nodes)

    def visit(self) -> None:
        """Count one node; raise OutOfBudget instead if there is none left, or no time.

        A node in plain Python takes longer than a look at the clock, and may take any time.
        """
        if self.spent():
            raise OutOfBudget
        self.nodes += 1

    def stopped(self, stop: OutOfBudget | RecursionError) -> dict[str, Any]:
        """Return the notes of `extra` on an early end.

        Under a limit in nodes or seconds, lines too long for Python's stack are an early end;
        without one, the error is raised again.
        """
        if isinstance(stop, OutOfBudget):
            return {}
        if self.limit.seconds is None and self.limit.nodes is None:
            raise stop
        return {"stopped": "the lines are too long for plain Python; limit the depth"}

    def result(
        self,
        value: float,
        bound: Bound = Bound.ESTIMATE,
        line: tuple[Any, ...] = (),
        error: float = 0.0,
        extra: dict[str, Any] | None = None,
    ) -> Result:
        """A claim after the nodes and seconds that are spent so far."""
        return Result(value, bound, line, error, self.nodes, self.seconds, extra or {})


@define
class Pace:
    """The number of steps that a kernel takes between two looks at the clock.

    Without a limit in seconds they only grow, whatever the clock says, so that runs repeat.
    """

    steps: int
    most: int
    timed: bool

    def took(self, seconds: float, left: float = inf) -> None:
        """Twice as many steps after a quick slice, half as many after a slow one.

        But no more than the last slice would have made in the seconds that are left.
        """
        before = self.steps
        if not self.timed or seconds < QUICK:
            self.grow()
        elif seconds > 2 * QUICK:
            self.steps = max(1, self.steps // 2)
        if self.timed and seconds and self.steps * seconds > before * left:
            self.steps = max(1, int(before * left / seconds))

    def grow(self) -> None:
        """Twice as many steps, but no more than the most."""
        self.steps = min(2 * self.steps, self.most)


PAUSED, DONE, GROW, CHANCE_MET = 0, 1, 2, 3
"""The statuses of a kernel: the slice is done; the search is done; arrays are too short; there is a
chance node at ply + 1."""
LONGER = 4
"""The factor by which an array grows; its unused part takes no memory. Trees of millions of nodes
are grown in 0.8 to 0.97 of the time that doubling takes, which copies more."""
GROWN = 100
"""The most calls in a row that return GROW; a kernel with more is refused."""


class Counted:
    """An attribute of a kernel that is a number of its run, or of another record, whole."""

    def __init__(self, field: str, record: str = "runs") -> None:
        self.field, self.record = field, record

    def __get__(self, kernel: Any, cls: type | None = None) -> int:
        return int(getattr(kernel.m, self.record)[0][self.field])


class SlicedKernel:
    """A kernel and its memory."""

    stack: ClassVar[tuple[str, ...]] = ("codes",)
    """The arrays that grow, along their last axis, where the kernel returns GROW."""
    longest = FOREVER
    """The length at which they stop growing."""
    statuses: ClassVar[frozenset[int]] = frozenset({PAUSED, DONE, GROW, CHANCE_MET})
    """The statuses that the kernel may return."""
    _template: str
    _kernel: Any
    """The functions of the template."""

    def hold(self, m: Any) -> None:
        """Use this memory from now on."""
        self.m = m

    def _resume(self) -> int:
        """Run the kernel, with longer arrays where it asks for them; return its status."""
        for _ in range(GROWN):
            status = int(self._kernel.resume(self.m))
            if status not in self.statuses:
                known = ", ".join(map(str, sorted(self.statuses)))
                raise self.refusal(
                    f"returns the status {status}, which its driver does not know; return one of "
                    f"{known} (0 to 3 are PAUSED, DONE, GROW, CHANCE_MET of dragon.search.driver)"
                )
            if status != GROW:
                return status
            self.lengthen()
        names = " and ".join(self.stack) or "none"
        raise self.refusal(
            f"returns GROW {GROWN} times in a row; does the `stack` of its driver, which is "
            f"{names}, name the array that is too short?"
        )

    def refusal(self, reason: str) -> RuleError:
        """The error of a kernel that does not keep to its statuses, with its file and line."""
        code = import_module(self._template).resume.__code__
        return RuleError("resume", code.co_filename, code.co_firstlineno, reason)

    def lengthen(self) -> None:
        """Grow the arrays of the stack, keeping their contents."""
        longer = {}
        for name in self.stack:
            old = getattr(self.m, name)
            longer[name] = lengthened(old, min(LONGER * old.shape[-1], self.longest), axis=-1)
        self.hold(self.m._replace(**longer))


def lengthened(array: Any, length: int, axis: int = 0) -> Any:
    """Return a longer array with the same items at its front, and zeros after them."""
    import numpy as np

    shape = list(array.shape)
    shape[axis] = length
    found = np.zeros(shape, array.dtype)
    found[tuple(slice(n) for n in array.shape)] = array
    return found
