"""Covers by several processes: this one searches the upper levels, workers the subtrees below.

The covers come in the order in which a single process finds them, and when all have been found, the
numbers of nodes and updates are the same too: a worker searches the upper levels itself, and then a
subtree on the links in their state at that node, by the kernel of the whole problem.

The pool of a library would return one value for a task, when the task is over. Here a task may take
hours, and its covers are wanted at once, in order, and not faster than they are used.

The module stays apart from the command, since a program may use it too.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import CancelledError
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from dragon.cover.exact import DancingLinks, Extended, Idle, Links, exact_stream, idle_in, links_of
from dragon.cover.stream import BATCH, UNLIMITED, Cover
from dragon.errors import SearchError
from dragon.process.worker import Died, Worker
from dragon.search.budget import Pace

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from typing import Self

    from dragon.cover.problem import Problem
    from dragon.cover.stream import Stream

SUBTREES = 16
"""Subtrees for each worker: so many that no worker is idle for long at the end."""
STARTING = 120
"""Seconds in which the workers must have loaded their kernels."""
FIRST_SLICE, SLICE = 1 << 6, 1 << 16
"""Nodes between two messages about a subtree, at first and at most."""
DEEPEST = 12
"""The most levels that are searched here."""
AHEAD = 1 << 16
"""Covers of a subtree that are received before their turn; then its worker has to wait."""
TICK = 0.02
"""Seconds to wait for the next message."""


@frozen
class Batch:
    """A part of the covers of a subtree."""

    covers: tuple[Cover, ...]
    number: int
    nodes: int
    updates: int
    last: bool
    """True if the subtree is then done."""


@define
class Subtree:
    """A subtree, and the covers found in it that have not been given to the caller."""

    covers: deque[Cover] = field(factory=deque)
    number: int = 0
    done: bool = False


def walk(upper: DancingLinks) -> Iterator[Cover | None]:
    """Yield the covers above the horizon of `upper`, and None for each node on it, in order.

    At such a node `upper` has the state that the search has there.
    """
    while not upper.done:
        yield from upper.advance(UNLIMITED, 1)
        if upper.at_horizon:
            yield None


def split(problem: Problem, size: int, horizon: int) -> tuple[list[Subtree], DancingLinks]:
    """Return the subtrees on level `horizon` with the covers above it, in the order of the search.

    Such a cover is a subtree that is done. The second value is the search of the levels above,
    whose nodes do not include the roots of the subtrees.
    """
    upper, idle = DancingLinks(links_of(problem), size, horizon), idle_in(problem)
    found = []
    for cover in walk(upper):
        own = deque([] if cover is None else [cover])
        if idle is not None and cover is not None:
            own = deque(idle.extensions(cover, size - len(cover)))
        found.append(Subtree(own, len(own), cover is not None))
    return found, upper


def solve(
    chosen: Cover, links: Links, size: int, listing: bool, idle: Idle | None
) -> Iterator[Batch]:
    """Yield the covers of a subtree in parts; size: of a cover, including `chosen`."""
    stream: Stream = DancingLinks(links, size - len(chosen))
    if idle is not None:
        stream = Extended(stream, idle, size - len(chosen), before=chosen)
    pace = Pace(FIRST_SLICE, SLICE, timed=True)
    while not stream.done:
        found, nodes, updates = stream.found, stream.nodes, stream.updates
        began = time.perf_counter()
        covers = stream.advance(pace.steps, BATCH if listing else 0)
        pace.took(time.perf_counter() - began)
        more = (stream.found - found, stream.nodes - nodes, stream.updates - updates)
        yield Batch(tuple(chosen + cover for cover in covers), *more, stream.done)


def _work(parent: Connection, problem: Problem, size: int, horizon: int, listing: bool) -> None:
    """Search the subtrees that the parent asks for, in ascending order."""
    exact_stream(problem)  # load the kernel while no clock runs
    parent.send(None)
    upper, idle = DancingLinks(links_of(problem), size, horizon), idle_in(problem)
    places = enumerate(walk(upper))
    while True:
        asked = parent.recv()
        next(number for number, _ in places if number == asked)
        for batch in solve(*upper.here(), size, listing, idle):
            parent.send(batch)


class Parallel:
    """A stream whose subtrees are searched by worker processes; use it in `with`, or close it.

    listing: whether the workers send the covers, and not only their number. `nodes` and `updates`
    include those of subtrees whose turn has not come. The workers end with the process that
    started them, however that ends.
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
        added = sum(subtree.number - subtree.done for subtree in self._subtrees)
        self.nodes, self.updates, self.found = upper.nodes + 2 * added, upper.updates, 0
        self._asked = self._over = 0  # numbers of subtrees given to workers; done
        self._workers: dict[Worker, Subtree | None] = {}
        try:
            for _ in range(workers):
                self._workers[Worker(_work, problem, room, horizon, listing)] = None
            deadline = time.monotonic() + STARTING
            for worker in self._workers:
                _heard(worker, deadline)
        except BaseException:
            self.close()
            raise

    @property
    def done(self) -> bool:
        """Return whether every subtree has been searched, and its covers handed on."""
        return self._over == len(self._subtrees)

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Wait a moment for the workers, whatever `nodes` is; return at most `keep` covers.

        With 0 they are only counted. Raises SearchError if a worker has died.
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
        """Give idle workers a subtree, and wait a moment for the covers of the others."""
        for worker, subtree in self._workers.items():
            if subtree is None or subtree.done:
                self._workers[worker] = self._assign(worker)
        heard = {
            worker.pipe: worker
            for worker, subtree in self._workers.items()
            if subtree is not None and (subtree is current or len(subtree.covers) < AHEAD)
        }
        for pipe in heard.keys() & wait(heard, TICK):
            worker = heard[pipe]
            batch: Batch = _heard(worker)
            subtree = self._workers[worker]
            assert subtree is not None
            subtree.covers += batch.covers
            subtree.number += batch.number
            subtree.done = batch.last
            self.nodes += batch.nodes
            self.updates += batch.updates

    def _assign(self, worker: Worker) -> Subtree | None:
        """Ask a worker for the next subtree that no worker has."""
        while self._asked < len(self._subtrees):
            subtree = self._subtrees[self._asked]
            self._asked += 1
            if not subtree.done:
                try:
                    worker.send(self._asked - 1)
                except Died as died:
                    raise _lost(died) from died
                return subtree
        return None

    def fraction(self) -> float:
        """Return the part of the subtrees that have been searched."""
        return self._over / max(len(self._subtrees), 1)

    def close(self) -> None:
        """End the workers at once."""
        for worker in self._workers:
            worker.kill()
        for worker in self._workers:
            worker.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _heard(worker: Worker, deadline: float = math.inf) -> Any:
    """Return the next message; raises SearchError if there is none until then, or ever."""
    try:
        return worker.receive(lambda: time.monotonic() < deadline)
    except CancelledError:
        raise SearchError(f"no worker process was ready after {STARTING} s") from None
    except Died as died:
        raise _lost(died) from died


def _lost(died: Died) -> SearchError:
    return SearchError(f"a worker process is lost: {died}; is there enough memory?")
