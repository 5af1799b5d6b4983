"""Tiers: a kernel that works in slices starts in code that is quickly made.

Without LLVM's optimisation code takes a tenth of the time to make, and two or three times as long
to run, to the same end. So the first answer comes sooner; and what has run for LONG is compiled
again, optimised fully, and takes over at the next slice. Code that measures time, or plays by the
clock, sets the mode `OPTIMISED`, under which nothing is made quickly first.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from dragon.modes import optimised

SLICED = "resume", "playouts"
"""Kernels that are called again and again until their work is done: see `dragon.search.driver` and
`dragon.rules.playout`."""
LONG = 0.2
"""Seconds: about as long as optimising takes."""


class Tiered:
    """Quickly made code, to be called until it has run for LONG."""

    def __init__(
        self,
        code: Callable[..., Any],
        improve: Callable[[tuple[Any, ...]], Callable[..., Any]],
    ) -> None:
        """improve: gives better code for arguments like those of a call, from then on."""
        self._code, self._improve = code, improve
        self.spent = 0.0

    def __call__(self, *arguments: Any) -> Any:
        """The value, by the one code or the other."""
        if self.spent > LONG or optimised():
            return self._improve(arguments)(*arguments)
        begun = time.perf_counter()
        try:
            return self._code(*arguments)
        finally:
            self.spent += time.perf_counter() - begun
