"""Tiers: a kernel that works in slices starts in code that was compiled hastily.

Without LLVM's optimisation, code takes a tenth of the time to compile and two or three times as
long to run, with equal results. So the first answer comes sooner; a kernel that has run for LONG is
compiled again, fully optimised, and the next slice runs that. Code that measures time, or plays by
the clock, sets the mode `OPTIMISED`, under which nothing is compiled hastily.
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
    """Hastily compiled code, which is called until it has run for LONG."""

    def __init__(
        self,
        code: Callable[..., Any],
        improve: Callable[[tuple[Any, ...]], Callable[..., Any]],
    ) -> None:
        """improve: returns optimised code for arguments like those of a call."""
        self._code, self._improve = code, improve
        self.spent = 0.0

    def __call__(self, *arguments: Any) -> Any:
        """Run the hasty code, or replace it and run the optimised code."""
        if self.spent > LONG or optimised():
            return self._improve(arguments)(*arguments)
        begun = time.perf_counter()
        try:
            return self._code(*arguments)
        finally:
            self.spent += time.perf_counter() - begun
