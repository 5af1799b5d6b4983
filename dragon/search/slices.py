"""A kernel at work in slices: the common part of drivers for games and streams of covers.

A kernel is the function `resume(m)` of a template. `m` is a NamedTuple of arrays, and all that the
kernel knows: it goes on where it was, and returns a status.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar

from dragon.errors import RuleError
from dragon.search.budget import FOREVER

PAUSED, DONE, GROW, CHANCE_MET = 0, 1, 2, 3
"""The statuses: as much is done as was asked; all is done; arrays are too short; chance decides at
ply + 1."""
LONGER = 4
"""The factor by which an array grows; its unused part takes no memory. Trees of millions of nodes
are grown in 0.8 to 0.97 of the time that doubling takes, which copies more."""
GROWN = 100
"""Calls in a row that ask for longer arrays after which a kernel is refused."""


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
        """Work on this memory from now on."""
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
    """A longer array with the same beginning, and zeros behind it."""
    import numpy as np

    shape = list(array.shape)
    shape[axis] = length
    found = np.zeros(shape, array.dtype)
    found[tuple(slice(n) for n in array.shape)] = array
    return found
