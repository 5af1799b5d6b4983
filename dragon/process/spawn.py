"""Spawn: child processes that start afresh, and import nothing from the current folder.

Python puts the current folder in front of the modules of a child that it starts (`python -c`):
a file `pickle.py` there would be run. PYTHONSAFEPATH keeps a child from that. It is set only
while a process is started, and taken from the child's own environment: programs that are
started there, such as engines written in Python, may need their folder.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import reduction, spawn, util
from multiprocessing.context import SpawnContext, SpawnProcess, set_spawning_popen
from typing import Any

from dragon.process import MARK, VARIABLE, is_command

_lock = threading.RLock()

if os.environ.get(VARIABLE) == MARK:  # this is a child, which has come up
    del os.environ[VARIABLE]


@contextmanager
def safe_path() -> Iterator[None]:
    """Within, a Python that is started does not look for modules in the current folder."""
    with _lock:
        if VARIABLE in os.environ:
            yield
            return
        os.environ[VARIABLE] = MARK
        try:
            yield
        finally:
            del os.environ[VARIABLE]


@contextmanager
def deaf() -> Iterator[None]:
    """Within, Ctrl-C waits; a process or thread that is started does not see it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def how_ended(code: int) -> str:
    """Describe the end of a process by its exit code: a signal, or the code.

    >>> how_ended(-9), how_ended(3)
    ('SIGKILL', 'exit code 3')
    """
    if code >= 0:
        return f"exit code {code}"
    return signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"


def cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


if sys.platform != "win32":
    from multiprocessing.popen_spawn_posix import Popen

    system: Any = util  # whose helpers have no types

    class Started(Popen):
        """A process that is started without the resource tracker of multiprocessing.

        The tracker is one more Python beside it, which clears semaphores away; workers have none.
        """

        _fds: list[int]

        def _launch(self, process_obj: Any) -> None:
            given = io.BytesIO()
            set_spawning_popen(self)
            try:
                reduction.dump(_preparation(process_obj.name), given)
                reduction.dump(process_obj, given)
            finally:
                set_spawning_popen(None)
            self.sentinel, open_there = os.pipe()  # closed by its end
            reader, writer = os.pipe()  # and by the end of this process
            self.finalizer = system.Finalize(self, system.close_fds, (self.sentinel, writer))
            try:
                command = spawn.get_command_line(pipe_handle=reader)
                passed = (*self._fds, reader, open_there)
                self.pid = system.spawnv_passfds(spawn.get_executable(), command, passed)
                with open(writer, "wb", closefd=False) as file:
                    file.write(given.getbuffer())
            finally:
                os.close(reader)
                os.close(open_there)


def _preparation(name: str) -> dict[str, Any]:
    """Return what a process hears first: paths, and the main module unless it is the command."""
    given = spawn.get_preparation_data(name)
    if is_command(sys.argv, sys.orig_argv):  # whose script imports what a worker does not need
        given.pop("init_main_from_path", None)
    return given


class Process(SpawnProcess):
    """A process that is started so; Ctrl-C is left to the process that started it."""

    @staticmethod
    def _Popen(process_obj: Any) -> Any:  # noqa: N802 - its name there
        with safe_path(), deaf():
            if sys.platform == "win32":
                return SpawnProcess._Popen(process_obj)
            return Started(process_obj)

    def _bootstrap(self, *args: Any, **kwargs: Any) -> int:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        code: int = super()._bootstrap(*args, **kwargs)  # type: ignore[misc]
        return code


class Spawn(SpawnContext):
    """The context that starts processes, not by fork, because the compiler has threads."""

    Process = Process
