"""Processes: what a command needs while its modules are still being imported.

Ctrl-C ends it without a traceback before a handler is set; garbage collection runs less often; and
numpy starts no threads. Imported by the package before anything else; it changes nothing unless
this process is the command `dragon`, or `python -m dragon`.

`say` writes a line to stderr, above a progress bar; `spawn` starts other processes.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from types import FrameType

BEGUN = time.time_ns()
"""A file changed since then may not be the one that was imported."""
INTERRUPTED = 130
KEPT = 200_000
"""The number of new objects between two garbage collections: modules and compiled code stay, and
collections take a fifteenth of the time of a start, and a fifth at the end."""
THREADS, ONE = "OPENBLAS_NUM_THREADS", "01"
"""The variables for numpy's threads for matrix products, and a value of 1 in a spelling that no
user writes.

Dragon does not have large matrices, and to start a thread for each core takes half the processor
time of importing numpy.
"""
VARIABLE, MARK = "PYTHONSAFEPATH", "dragon"
"""The variable, and its value for a process that `dragon.process.spawn` has just started."""


def is_command(argv: list[str], given: list[str]) -> bool:
    """Return True if a process is the command, by its arguments and those of Python.

    >>> is_command(["/usr/bin/dragon", "games"], []), is_command(["-m"], ["python", "-m", "dragon"])
    (True, True)
    >>> is_command(["-m"], ["python", "-m", "pytest", "dragon"])
    False
    """
    if "--multiprocessing-fork" in given:  # a child, which has its parent's arguments
        return False
    if argv[:1] == ["-m"]:
        return ("-m", "dragon") in pairwise(given)
    return bool(argv) and os.path.basename(argv[0]) in ("dragon", "dragon.exe")


def end(number: int, frame: FrameType | None) -> None:
    """End the process with a short message: an exception would show a traceback of the imports."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


def given_environment() -> dict[str, str]:
    """The environment for programs that are not dragon's: without what was set here.

    >>> ONE in given_environment().values()
    False
    """
    return {name: value for name, value in os.environ.items() if (name, value) != (THREADS, ONE)}


if os.environ.get(VARIABLE) == MARK:  # a worker
    gc.set_threshold(KEPT)
elif is_command(sys.argv, sys.orig_argv):
    gc.set_threshold(KEPT)
    atexit.register(gc.freeze)  # else Python looks through all objects again before it ends
    os.environ.setdefault(THREADS, ONE)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end)


@contextmanager
def above_bars() -> Iterator[None]:
    """Keep output to stderr on lines of its own, above any progress bar.

    Whole lines, that is; from any thread.
    """
    bars = sys.modules.get("tqdm")
    if bars is None or sys.stderr is None:
        yield
        return
    with bars.tqdm.external_write_mode(file=sys.stderr):
        yield


def say(message: object) -> None:
    """Print a line."""
    import click  # late, since nothing else needs it this early

    with above_bars():
        click.echo(message, err=True)
