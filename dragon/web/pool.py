"""A pool of worker processes, each supervised by a thread of the server, and a bounded queue.

A job is one call of a function in a process. It ends when the function has answered, when
its client has disconnected, or when its time is over; then its process is asked to stop
between two objects, and replaced if it does not.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

from attrs import define, field, frozen

from dragon.process.worker import START, TICK, Worker
from dragon.web import worker
from dragon.web.problem import Problem, problem_of

log = logging.getLogger("dragon.web")
GRACE, PATIENCE = 1.0, 60.0
"""Seconds for a process to stop by itself, if other jobs wait for it, and if none does.

It may be compiling rules, which the next request can use.
"""
AHEAD = 64
"""Objects that may wait for a slow client before its search is stopped until it has read some."""
USUAL = 2
"""Seconds to compile what Play needs, measured on two cores; a fifth of that from the cache."""


CLOSING = "the server is shutting down"


@define(eq=False)
class Job:
    """A call, and `tell`, which the supervisor's thread calls with its messages."""

    function: str
    given: dict[str, Any]
    seconds: float
    tell: Callable[[tuple[Any, ...]], None]
    client: str = ""
    """The client: jobs of different clients take turns."""
    room: threading.Semaphore = field(factory=lambda: threading.Semaphore(AHEAD))
    """Released by the reader for each object that it has taken."""
    unwanted: threading.Event = field(factory=threading.Event)
    begun: threading.Event = field(factory=threading.Event)
    """Set once a process works on it."""

    def cancel(self) -> None:
        """Give the job up: the client has disconnected."""
        self.unwanted.set()


@frozen
class Plan:
    """The settings of a pool."""

    name: str
    processes: int
    waiting: int
    """Jobs that may wait; more are refused."""
    warm: tuple[str, ...] = ()
    megabytes: int = 1024
    """Memory of a process beyond what it begins with."""
    patient: bool = True
    """True if its processes search: with kernels, and giving way to others."""


class Pool:
    """Processes with their supervisors, and a queue; `start`, `submit`, `close`."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.jobs: deque[Job] = deque()
        self.changed = threading.Condition()
        """The lock of the queue; it is notified of a new job, and of the end."""
        self.running: Counter[str] = Counter()
        """Return the number of processes at work for each client."""
        self.closed = threading.Event()
        self.led = threading.Event()
        """Set once the first process is ready, or has failed: the others begin then, so that pages
        are served sooner, and what it has compiled is read from the cache."""
        self.supervisors = [Supervisor(self, number) for number in range(plan.processes)]

    @property
    def busy(self) -> int:
        """Return the number of processes at work."""
        return self.running.total()

    def start(self) -> None:
        """Start the processes; return before they are warm."""
        for each in self.supervisors:
            each.thread.start()

    @property
    def waiting(self) -> int:
        """Return the number of jobs that wait; one that was given up has left the queue."""
        with self.changed:
            if any(job.unwanted.is_set() for job in self.jobs):
                self.jobs = deque(job for job in self.jobs if not job.unwanted.is_set())
            return len(self.jobs)

    def submit(self, job: Job) -> None:
        """Put a job into the queue; raise Problem 503 if it is full.

        In a full queue, the last job of the client with most jobs is dropped for another client.
        """
        with self.changed:
            if self.closed.is_set():
                raise Problem(503, CLOSING)
            waiting, free = self.waiting, self.plan.processes - self.busy
            if waiting >= self.plan.waiting + free:
                full = Problem(
                    503,
                    f"all {self.plan.processes} processes are busy and {waiting} requests wait "
                    "already; try again in a moment",
                    headers={"Retry-After": "2"},
                )
                if (other := self._crowding(job.client)) is None:
                    raise full
                self.jobs.remove(other)
                other.tell(("failed", full))
            self.jobs.append(job)
            self.changed.notify()

    def _crowding(self, client: str) -> Job | None:
        """Return the last job of the client with most in the queue, if that exceeds its share."""
        counts = Counter(job.client for job in self.jobs)
        ((worst, most),) = counts.most_common(1) or [("", 0)]
        if most <= counts[client] + 1:
            return None
        return next(job for job in reversed(self.jobs) if job.client == worst)

    def take(self) -> Job | None:
        """The next job, for which the caller is then busy; None once the pool is closed.

        It is the first job of the client with the fewest processes at work.
        """
        with self.changed:
            self.changed.wait_for(lambda: self.waiting or self.closed.is_set())
            if self.closed.is_set():
                return None
            job = min(self.jobs, key=lambda job: self.running[job.client])
            self.jobs.remove(job)
            self.running[job.client] += 1
            return job

    def done(self, job: Job) -> None:
        """Note that the process of this job is free again."""
        with self.changed:
            self.running -= Counter((job.client,))

    def close(self) -> None:
        """End the processes and their threads; jobs that still wait get a Problem."""
        self.closed.set()
        self.led.set()
        with self.changed:
            self.changed.notify_all()
        for each in self.supervisors:
            each.thread.join(GRACE + 5)
        while self.jobs:
            self.jobs.popleft().tell(("failed", Problem(503, CLOSING)))

    def state(self) -> dict[str, Any]:
        """Return how many processes there are, ready and busy, and how many jobs wait and why."""
        return {
            "processes": self.plan.processes,
            "ready": sum(each.is_warm for each in self.supervisors),
            "busy": self.busy,
            "waiting": self.waiting,
            "starting": next(filter(None, (each.starting for each in self.supervisors)), None),
        }


class Supervisor:
    """One process and the thread that supervises it."""

    def __init__(self, pool: Pool, number: int) -> None:
        self.pool = pool
        self.worker: Worker | None = None
        self.is_warm = False
        self.since, self.doing = 0.0, ""
        """The start of its process, by time.monotonic(), and its last note."""
        self.first = number == 0
        name = f"{pool.plan.name}-{number}"
        self.thread = threading.Thread(target=self.run, name=name, daemon=True)

    def run(self) -> None:
        """Do jobs until the pool is closed."""
        try:
            try:
                if not self.first:
                    self.pool.led.wait()
                if not self.pool.closed.is_set():
                    self.begin()
                    self.ready(None)
            except OSError as gone:  # the first job tries once more
                log.error("a process ended before it was ready (%s)", gone)
            finally:
                self.pool.led.set()
            while (job := self.pool.take()) is not None:
                try:
                    last = self.do(job)
                except Exception as wrong:  # it outlives whatever its process says
                    self.end()
                    last = ("failed", problem_of(wrong))
                self.pool.done(job)  # before the client hears of it, and perhaps asks again
                if last is not None:
                    job.tell(last)
        finally:
            self.end()

    @property
    def starting(self) -> str | None:
        """Return the progress of a process that cannot work yet, as a sentence."""
        if self.worker is None or self.is_warm:
            return None
        doing = f", now {self.doing}" if self.doing else ""
        spent = round(time.monotonic() - self.since)
        usual = f"of about {USUAL} s where nothing is compiled yet"
        if spent > USUAL:
            usual = f"more than the usual {USUAL} s"
        return f"the server is starting{doing}: {spent} s so far, {usual}"

    def begin(self) -> None:
        """Start the process, which sends a message when it is ready."""
        self.since, self.doing = time.monotonic(), ""
        plan, name = self.pool.plan, f"dragon {self.thread.name}"
        asked = plan.warm, plan.megabytes, plan.patient
        self.worker = Worker(worker.main, *asked, name=name)

    def end(self) -> None:
        """End the process at once."""
        if self.worker is not None:
            self.worker.end()
        self.worker, self.is_warm = None, False

    def do(self, job: Job) -> tuple[Any, ...] | None:
        """Do one job, and return its last message; None if it was given up."""
        try:
            if self.worker is None or not self.worker.process.is_alive():
                self.end()
                self.begin()
            assert self.worker is not None
            if not self.ready(job):
                return None
            job.begun.set()
            self.worker.send(("job", job.function, job.given))
            return self.follow(job)
        except (CancelledError, OSError) as gone:
            log.error("a process is lost in the midst of %s (%s)", job.function, gone)
            self.end()
            sentence = "the process that worked on this has ended; it may have asked for too much"
            return "failed", Problem(500, f"{sentence} memory")

    def ready(self, job: Job | None) -> bool:
        """Wait for a process that was just started; return True if the job is still wanted."""
        assert self.worker is not None
        until = time.monotonic() + START
        while not self.is_warm:
            if self.pool.closed.is_set() or (job is not None and job.unwanted.is_set()):
                return False
            if time.monotonic() > until:
                raise TimeoutError("it did not start")
            if not self.worker.poll():
                continue
            kind, *rest = self.worker.receive()
            if kind == "ready":
                self.is_warm = True
            else:
                self.doing = rest[0]["message"]
        return True

    def follow(self, job: Job) -> tuple[Any, ...]:
        """Pass on messages of the process until it is done or must stop; return the last one."""
        assert self.worker is not None
        until, stopped = time.monotonic() + job.seconds, 0.0
        late = False
        while True:
            now = time.monotonic()
            if not stopped and (job.unwanted.is_set() or self.pool.closed.is_set() or now > until):
                late, stopped = now > until, now
                self.worker.send(("stop",))
            grace = GRACE if late or self.pool.waiting or self.pool.closed.is_set() else PATIENCE
            if stopped and now > stopped + grace:
                self.end()
                if not self.pool.closed.is_set():
                    self.begin()
                if late:
                    reason = f"longer than {job.seconds:g} seconds and was ended; ask for less"
                    return "failed", Problem(422, f"this took {reason}")
                return "failed", Problem(503, "the search was stopped")
            if not self.worker.poll():
                continue
            message: tuple[Any, ...] = self.worker.receive(lambda: time.monotonic() < until)
            if message[0] == "object" and not self.room(job, until):
                continue
            if message[0] in ("done", "failed"):
                return message
            job.tell(message)

    def room(self, job: Job, until: float) -> bool:
        """Wait until a slow client has read an object; return True if it is still connected."""
        while not job.room.acquire(timeout=TICK):
            if job.unwanted.is_set() or self.pool.closed.is_set() or time.monotonic() > until:
                return False
        return True
