"""Death: how a process ended, and whether that was its own doing."""

from __future__ import annotations

import os
import signal
from concurrent.futures.process import BrokenProcessPool

from dragon.spawn import how_ended

OUTSIDE = frozenset(
    getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Signals that come from somebody else: who closes the machine down, or wants its memory back."""


def alive(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def death_of(wrong: BaseException) -> str:
    """How a process died, as a sentence; `wrong` is what its pool raised."""
    code = getattr(wrong, "exitcode", None)
    if code is None:
        return f"the process failed: {type(wrong).__name__}: {wrong}"
    if code < 0:
        return f"the process was killed by {how_ended(code)}"
    return f"the process ended with {how_ended(code)}"


def by_outsider(wrong: BaseException) -> bool:
    """Whether somebody else may have ended the process: by a signal, or it is not known how.

    A pool that breaks takes its other processes along, and does not say whose fault it was.
    """
    code = getattr(wrong, "exitcode", None)
    if code is None:
        return isinstance(wrong, ChildProcessError | BrokenProcessPool)
    return -code in OUTSIDE
