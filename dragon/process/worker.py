"""Worker: a process under supervision, with a pipe of its own; and a pool of such processes.

A worker runs `main(pipe, ...)`. Its death is noticed at once, whether a signal ended it, a crash or
`os._exit(0)`, and `Died` has the cause. It ends with the process that started it.

A `Pool` has a thread for each worker. A job is one call of a function; it comes back with the
value, with what the function raised, with TimeoutError or with `Died`. The process of a job that
died or was ended is replaced when it is needed, and no other job is affected: no two workers
share a pipe or a lock. In concurrent.futures one death breaks the whole pool.
"""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, wait
from contextlib import suppress
from multiprocessing import current_process, parent_process
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from attrs import define, field

from dragon.process.spawn import Spawn, deaf, how_ended

T = TypeVar("T")
TICK = 0.05
"""Seconds between two checks that a process lives and its job is still wanted."""
GRACE = 1.0
"""Seconds in which a supervising thread ends its process by itself."""
START = 600.0
"""Seconds in which a process must be ready; the first may have kernels to compile."""


class Died(ChildProcessError):
    """A worker ended while it was needed; `exitcode` is that of multiprocessing."""

    def __init__(self, exitcode: int) -> None:
        super().__init__(death(exitcode))
        self.exitcode = exitcode

    def __reduce__(self) -> Any:
        return Died, (self.exitcode,)


def death(exitcode: int) -> str:
    """Describe the end of a process in a clause.

    >>> death(-9)
    'the process was killed by SIGKILL'
    """
    verb = "was killed by" if exitcode < 0 else "ended with"
    return f"the process {verb} {how_ended(exitcode)}"


class Worker:
    """A process that runs `main(pipe, *given)`; one thread at a time uses it.

    orphaned: called in the process once the one that started it has ended, before it ends too.
    ending: called here with its number before it is killed.
    """

    def __init__(
        self,
        main: Callable[..., object],
        *given: Any,
        name: str | None = None,
        orphaned: Callable[[], object] | None = None,
        ending: Callable[[int], object] | None = None,
    ) -> None:
        self.ending = ending
        context = Spawn()  # a copy of a process with threads may hang
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=_run, args=(theirs, main, given, orphaned), name=name, daemon=True
        )
        try:
            self.process.start()
        finally:
            theirs.close()

    def send(self, message: Any) -> None:
        """Send a message; raises Died."""
        try:
            self.pipe.send(message)
        except OSError:
            raise self._died() from None

    def poll(self) -> bool:
        """Wait a moment; return True if `receive` has something to tell. Raises Died."""
        if self.pipe.poll(TICK):
            return True
        if self.process.is_alive():
            return False
        if self.pipe.poll(0):  # its last message
            return True
        raise self._died()  # something that it has started still holds the pipe

    def receive(self, wanted: Callable[[], bool] = lambda: True) -> Any:
        """Return the next message; raises Died, or CancelledError once the job is not `wanted`."""
        while not self.poll():
            if not wanted():
                raise CancelledError
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            raise self._died(wanted) from None

    def _died(self, wanted: Callable[[], bool] = lambda: True) -> Died:
        """Return the cause, once the process has ended that closed its pipe."""
        while self.process.is_alive():
            if not wanted():
                raise CancelledError
            self.process.join(TICK)
        return Died(self.process.exitcode or 0)

    def kill(self) -> None:
        """Kill the process; any thread may do this."""
        with suppress(ValueError):  # it was closed
            if self.ending is not None and self.process.exitcode is None:
                self.ending(self.process.pid or 0)
            self.process.kill()

    def end(self) -> None:
        """Kill the process, and wait until it is gone."""
        self.kill()
        with suppress(ValueError):
            self.process.join()
            self.process.close()
        self.pipe.close()


def _run(
    pipe: Connection,
    main: Callable[..., object],
    given: tuple[Any, ...],
    orphaned: Callable[[], object] | None,
) -> None:
    """Be a worker."""
    current_process().daemon = False  # it may start processes; the parent's own note remains
    if hasattr(os, "register_at_fork"):  # a copy of it must not keep the pipe open
        os.register_at_fork(after_in_child=pipe.close)
    parent = parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        try:
            if orphaned is not None:
                orphaned()
        finally:
            os._exit(1)

    orphan = threading.Thread(target=follow, name="orphan", daemon=True)
    orphan.start()
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):  # it is not needed any more
        main(pipe, *given)
    parent.join(TICK)
    if not parent.is_alive():  # the pipe may tell it before the thread does
        orphan.join()


def bound_memory(megabytes: int) -> None:
    """Limit the memory that this process can add to what it has now, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    pages = 0  # of data that the process has, where the system says it
    with suppress(OSError), open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[5])
    most = pages * os.sysconf("SC_PAGESIZE") + megabytes * 2**20
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


# ---- a pool -------------------------------------------------------------------------------------


def _answer(pipe: Connection, begin: Callable[[], object] | None) -> None:
    """Answer calls, one after another; the main of a pool's workers."""
    if begin is not None:
        begin()
    pipe.send(None)
    while True:
        call = pipe.recv()
        try:
            function, arguments = pickle.loads(call)
            answer = pickle.dumps((function(*arguments), None))
        except BaseException as wrong:  # of the function, or no such function here
            answer = _raised(wrong)
        pipe.send(answer)


def awaited(future: Future[T]) -> T:
    """Return the result of a future; raise what its job has raised.

    It waits in short steps, for a Ctrl-C that comes just before a thread blocks does not wake it.
    """
    while not wait([future], 4 * TICK).done:
        pass
    return future.result()


def _raised(wrong: BaseException) -> bytes:
    """Pickle an exception; one that cannot be had back becomes a RuntimeError with its message."""
    try:
        found = pickle.dumps((None, wrong))
        pickle.loads(found)
    except Exception:
        found = pickle.dumps((None, RuntimeError(f"{type(wrong).__name__}: {wrong}")))
    return found


@define(eq=False)
class _Job:
    call: bytes
    seconds: float | None
    future: Future[Any] = field(factory=Future)
    cancelled: bool = False


class Pool:
    """A pool of at most `workers` processes, which call functions.

    begin: called in each new process. patience: jobs must have waited this many times as long as a
    start takes before another process is started beside those that are there, since that may cost
    more than the jobs do. orphaned, ending: as for `Worker`. Functions, arguments and return values
    are pickled.
    """

    def __init__(
        self,
        workers: int,
        begin: Callable[[], object] | None = None,
        patience: float = 0.0,
        orphaned: Callable[[], object] | None = None,
        ending: Callable[[int], object] | None = None,
    ) -> None:
        self.begin, self.patience, self.orphaned, self.ending = begin, patience, orphaned, ending
        self.closed = False
        self._jobs: deque[_Job] = deque()
        self._running: dict[_Job, Worker | None] = {}
        self._changed = threading.Condition()
        self._live = self._idle = 0  # processes; those of them without a job
        self._behind = 0.0  # the time since which jobs have been waiting
        self._cost = 0.0  # seconds that the last start of a process took
        self._threads = [threading.Thread(target=self._supervise) for _ in range(workers)]
        for thread in self._threads:
            thread.daemon = True

    def submit(
        self, function: Callable[..., Any], *arguments: Any, seconds: float | None = None
    ) -> Future[Any]:
        """Let a worker call a function, for at most `seconds` from the beginning of the call."""
        job = _Job(pickle.dumps((function, arguments)), seconds)
        with self._changed:
            if self.closed:
                raise RuntimeError("the pool is closed")
            if not self._jobs:
                self._behind = time.monotonic()
            self._jobs.append(job)
            self._changed.notify_all()
            with deaf():  # Ctrl-C is for the main thread
                for thread in self._threads:
                    if thread.ident is None:
                        thread.start()
        return job.future

    def cancel(self, future: Future[Any]) -> None:
        """Give a job up; if it is running, its process is ended."""
        with self._changed:
            for job in (*self._jobs, *self._running):
                if job.future is future:
                    job.cancelled = True
                    future.cancel()

    def close(self) -> None:
        """End the processes, and the jobs in them; those that wait are cancelled."""
        with self._changed:
            self.closed = True
            waiting = list(self._jobs)
            self._jobs.clear()
            self._changed.notify_all()
        for job in waiting:
            job.future.cancel()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(GRACE)
        with self._changed:
            for worker in filter(None, self._running.values()):  # in the midst of a message
                worker.kill()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _take(self, worker: Worker | None) -> _Job | None:
        """Wait for the next job; None once the pool is closed.

        One without a process leaves it to those with one, unless there are too few of them.
        """
        with self._changed:
            self._idle += worker is not None
            try:
                while not self.closed:
                    wait = None
                    if self._jobs:
                        wait = self._behind + self.patience * self._cost - time.monotonic()
                        crowded = wait <= 0 and len(self._jobs) > self._idle
                        if worker is not None or crowded or not self._live:
                            job = self._jobs.popleft()
                            self._live += worker is None
                            self._running[job] = worker
                            return job
                        wait = wait if wait > 0 else None
                    self._changed.wait(wait)
            finally:
                self._idle -= worker is not None
        return None

    def _supervise(self) -> None:
        """Do jobs in one process after another; each pool's thread does this."""
        worker: Worker | None = None
        while (job := self._take(worker)) is not None:
            value, wrong = None, None
            if job.future.set_running_or_notify_cancel():
                try:
                    if worker is not None and not worker.process.is_alive():
                        worker.end()  # it died while it had nothing to do
                        worker = None
                    if worker is None:
                        worker = self._started(job)
                    value, wrong = self._called(worker, job)
                except BaseException as ended:  # the thread outlives it; the job has it
                    wrong = ended
                    if worker is not None:
                        worker.end()
                        worker = None
            with self._changed:
                self._live -= worker is None
                del self._running[job]
                self._changed.notify_all()
            if job.future.cancelled():
                continue
            if wrong is None:
                job.future.set_result(value)
            else:
                job.future.set_exception(wrong)
        if worker is not None:
            worker.end()

    def _started(self, job: _Job) -> Worker:
        begun = time.monotonic()
        worker = Worker(_answer, self.begin, orphaned=self.orphaned, ending=self.ending)
        with self._changed:
            self._running[job] = worker
        until = begun + START
        try:
            worker.receive(lambda: self._wanted(job) and time.monotonic() < until)
            self._cost = time.monotonic() - begun
        except BaseException:
            worker.end()
            raise
        return worker

    def _wanted(self, job: _Job) -> bool:
        return not (job.cancelled or self.closed)

    def _called(self, worker: Worker, job: _Job) -> tuple[Any, BaseException | None]:
        """Return the value of a call, or what it raised; raises Died, or TimeoutError."""
        until = None if job.seconds is None else time.monotonic() + job.seconds
        late = False

        def wanted() -> bool:
            nonlocal late
            late = until is not None and time.monotonic() > until
            return self._wanted(job) and not late

        try:
            worker.send(job.call)
            found = worker.receive(wanted)
        except CancelledError:
            if late:
                raise TimeoutError(f"no answer after {job.seconds:g} seconds") from None
            raise
        try:
            value, wrong = pickle.loads(found)
        except Exception as unread:
            return None, RuntimeError(f"its answer cannot be read: {unread}")
        return value, wrong
