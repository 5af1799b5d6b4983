"""Covers by several processes: the upper levels here, and what hangs below them elsewhere.

The covers come in the order in which one process alone finds them. Once all have been found
the nodes and updates are as many, too: a worker goes down the upper levels itself, and from
there on with the kernel of the whole problem, on the links as they stand at that place.

The processes are no pool of a library: a pool hands back one value for a task, and only when
that is over. Here a task may take hours, and its covers are wanted at once, in order, and not
faster than they are taken.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

from attrs import define, field, frozen

from dragon.cover.enumeration import BATCH
from dragon.cover.exact import DancingLinks, Links, exact_stream, links_of
from dragon.cover.stream import UNLIMITED, Cover
from dragon.errors import SearchError
from dragon.process.spawn import Spawn
from dragon.search.budget import Pace

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from typing import Self

    from dragon.cover.problem import Problem

SUBTREES = 16
"""For each worker: enough that none is idle for long at the end."""
STARTING = 120
"""Seconds in which workers must be up, their kernels loaded."""
FIRST_SLICE, SLICE = 1 << 6, 1 << 16
"""Nodes between two messages about a subtree, at first and at most."""
DEEPEST = 12
"""Levels that are searched here before the work is shared out."""
AHEAD = 1 << 16
"""Covers of a subtree that are taken from a worker before their turn; then it has to wait."""
TICK = 0.02
"""Seconds to wait for the next message."""


@frozen
class Batch:
    """A part of what a worker has found."""

    covers: tuple[Cover, ...]
    number: int
    nodes: int
    updates: int
    last: bool
    """Whether its subtree is done with it."""


@define
class Subtree:
    """A subtree: what has been found in it and not yet been handed on."""

    covers: deque[Cover] = field(factory=deque)
    number: int = 0
    done: bool = False


def walk(upper: DancingLinks) -> Iterator[Cover | None]:
    """The covers above the horizon of `upper`, and None for each node on it, in their order.

    At such a node `upper` stands as the search would find it there.
    """
    while not upper.done:
        yield from upper.advance(UNLIMITED, 1)
        if upper.at_horizon:
            yield None


def split(problem: Problem, size: int, horizon: int) -> tuple[list[Subtree], DancingLinks]:
    """The subtrees on level `horizon` and the covers above it in the order of the search.

    A cover is a subtree that is done. And the search of what is above them, which has counted
    its nodes and updates; the roots of subtrees are not among them.
    """
    upper = DancingLinks(links_of(problem), size, horizon)
    found = [Subtree() if c is None else Subtree(deque([c]), 1, True) for c in walk(upper)]
    return found, upper


def solve(chosen: Cover, links: Links, size: int, listing: bool) -> Iterator[Batch]:
    """Yield what hangs below some choices, part by part; `size`: with these choices."""
    stream = DancingLinks(links, size - len(chosen))
    pace = Pace(FIRST_SLICE, SLICE, timed=True)
    while not stream.done:
        found, nodes, updates = stream.found, stream.nodes, stream.updates
        began = time.perf_counter()
        covers = stream.advance(pace.steps, BATCH if listing else 0)
        pace.took(time.perf_counter() - began)
        more = (stream.found - found, stream.nodes - nodes, stream.updates - updates)
        yield Batch(tuple(chosen + cover for cover in covers), *more, stream.done)


def _work(problem: Problem, size: int, horizon: int, listing: bool, parent: Connection) -> None:
    """A worker: the subtrees that it is asked for, in rising order, until the parent has gone."""
    try:
        exact_stream(problem)  # loads the kernel while no clock runs
        parent.send(None)
        upper = DancingLinks(links_of(problem), size, horizon)
        places = enumerate(walk(upper))
        while True:
            asked = parent.recv()
            next(number for number, _ in places if number == asked)
            for batch in solve(*upper.here(), size, listing):
                parent.send(batch)
    except (EOFError, OSError):
        return  # the parent has gone: the answer has no reader


class Parallel:
    """A stream whose subtrees are searched by worker processes; use it in `with`, or close it.

    listing: whether the covers themselves are to be had, not their number alone. `nodes` and
    `updates` are those of all workers so far, also of subtrees whose turn has not come. The
    workers end with the process that asked, however that ends.
    """

    def __init__(
        self, problem: Problem, size: int | None = None, workers: int = 2, listing: bool = True
    ) -> None:
        room = UNLIMITED if size is None else size
        for horizon in range(1, DEEPEST + 1):
            self._subtrees, upper = split(problem, room, horizon)
            unsolved = sum(not subtree.done for subtree in self._subtrees)
            if not 0 < unsolved < SUBTREES * workers:
                break
        self.nodes, self.updates, self.found = upper.nodes, upper.updates, 0
        self._asked = self._over = 0  # subtrees that workers have been asked for; that are over
        self._workers: dict[Connection, Subtree | None] = {}
        self._processes = []
        context = Spawn()
        for _ in range(workers):
            mine, theirs = context.Pipe()
            given = (problem, room, horizon, listing, theirs)
            process = context.Process(target=_work, args=given, daemon=True)
            process.start()
            theirs.close()
            self._workers[mine] = None
            self._processes.append(process)
        try:
            self._await_workers()
        except BaseException:
            self.close()
            raise

    def _await_workers(self) -> None:
        late, deadline = set(self._workers), time.monotonic() + STARTING
        while late:
            ready = late.intersection(wait(late, max(0.0, deadline - time.monotonic())))
            if not ready:
                raise SearchError(f"no worker process was ready after {STARTING} s")
            for worker in ready:
                with _living():
                    worker.recv()
            late -= ready

    @property
    def done(self) -> bool:
        """Return whether every subtree has been searched, and its covers handed on."""
        return self._over == len(self._subtrees)

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for a moment, whatever `nodes` says: at most `keep` covers; 0 only counts.

        Raises SearchError if a worker has died.
        """
        if self.done:
            return []
        current = self._subtrees[self._over]
        if not (current.number or current.done):
            self._exchange(current)
        covers: list[Cover] = []
        if keep and current.covers:
            covers = [current.covers.popleft() for _ in range(min(keep, len(current.covers)))]
            number = len(covers)
        else:
            current.covers.clear()
            number = current.number
        current.number -= number
        self.found += number
        if current.done and not current.number:
            self._over += 1
        return covers

    def _exchange(self, current: Subtree) -> None:
        """Gives the idle something to do, and waits a moment for what the others have found."""
        for worker, subtree in self._workers.items():
            if subtree is None or subtree.done:
                self._workers[worker] = self._assign(worker)
        heard = [
            worker
            for worker, subtree in self._workers.items()
            if subtree is not None and (subtree is current or len(subtree.covers) < AHEAD)
        ]
        for worker in self._workers.keys() & wait(heard, TICK):
            with _living():
                batch: Batch = worker.recv()
            subtree = self._workers[worker]
            assert subtree is not None
            subtree.covers += batch.covers
            subtree.number += batch.number
            subtree.done = batch.last
            self.nodes += batch.nodes
            self.updates += batch.updates

    def _assign(self, worker: Connection) -> Subtree | None:
        """Asks a worker for the next subtree that no worker has been asked for."""
        while self._asked < len(self._subtrees):
            subtree = self._subtrees[self._asked]
            self._asked += 1
            if not subtree.done:
                with _living():
                    worker.send(self._asked - 1)
                return subtree
        return None

    def fraction(self) -> float:
        """The part of the subtrees that have been searched."""
        return self._over / max(len(self._subtrees), 1)

    def close(self) -> None:
        """Ends the workers, whatever they are at."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()
        for worker in self._workers:
            worker.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


@contextmanager
def _living() -> Iterator[None]:
    """Within, a worker that has died is reported."""
    try:
        yield
    except (EOFError, OSError) as dead:
        raise SearchError("a worker process died; is there enough memory?") from dead
