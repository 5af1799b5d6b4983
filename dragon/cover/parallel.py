"""Covers by several processes: the upper levels here, and what hangs below them elsewhere.

The covers come in the order in which one process alone finds them. Once all have been found
the nodes and updates are as many, too: a worker goes down the upper levels itself, and from
there on with the kernel of the whole problem, on the links as they stand at that place.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from multiprocessing.connection import wait
from typing import TYPE_CHECKING

import attrs
from attrs import define, field, frozen

from dragon.cover.dlx import stream_of, stream_on
from dragon.cover.enumeration import BATCH, TICK, Cover
from dragon.cover.links import Links, links_of
from dragon.cover.recursive import UNLIMITED, Dance
from dragon.errors import SearchError
from dragon.search.budget import Pace
from dragon.spawn import Spawn

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from types import TracebackType
    from typing import Self

    from dragon.cover.problem import Problem

PIECES = 16
"""For each worker: enough that none is idle for long at the end."""
PATIENCE = 120
"""Seconds in which workers must be up, their kernels loaded."""
FIRST_SLICE, SLICE = 1 << 6, 1 << 16
"""Nodes between two messages about a subtree, at first and at most."""
DEEPEST = 12
"""Levels that are searched here before the work is shared out."""
AHEAD = 1 << 16
"""Covers of a subtree that are taken from a worker before their turn; then it has to wait."""


@frozen
class Found:
    """What was found in a moment."""

    covers: tuple[Cover, ...] = ()
    number: int = 0
    nodes: int = 0
    updates: int = 0
    last: bool = False
    """Whether its subtree is done with it."""


@define
class Piece:
    """A subtree: what has been found in it and not yet been told."""

    covers: deque[Cover] = field(factory=deque)
    number: int = 0
    done: bool = False


def walk(dance: Dance, plain: bool, size: int, horizon: int) -> Iterator[Cover | bool]:
    """The nodes above level `horizon`: a cover, True for the root of a subtree, else False.

    At such a root `dance` stands as the search would find it there.
    """
    dance.horizon = horizon
    for event in (dance.covers if plain else dance.multicovers)(size):
        yield len(dance.progress) == horizon if event is None else event


def split(problem: Problem, size: int | None, horizon: int) -> tuple[list[Piece], Found]:
    """The subtrees on level `horizon` and the covers above it in the order of the search.

    A cover is a piece that is done. And what is above them: its nodes and updates, the roots
    of subtrees not counted.
    """
    links = links_of(problem)
    dance = Dance(links)
    pieces: list[Piece] = []
    nodes = 0
    for event in walk(dance, links.plain, UNLIMITED if size is None else size, horizon):
        nodes += event is not True
        if event is True:
            pieces.append(Piece())
        elif event is not False:
            pieces.append(Piece(deque([event]), 1, True))
    return pieces, Found(nodes=nodes, updates=dance.updates)


def _work(problem: Problem, size: int, listing: bool, parent: Connection) -> None:
    """A worker: the subtrees that it is asked for, in rising order, until nobody listens."""
    try:
        stream_of(problem)  # loads the kernels while no clock runs
        parent.send(None)
        links, horizon = links_of(problem), parent.recv()
        dance = Dance(links)
        upper, at = walk(dance, links.plain, size, horizon), -1
        while True:
            asked = parent.recv()
            while at < asked:
                event = next(upper)
                at += event is not False
            chosen, here = tuple(dance.chosen), _standing(links, dance)
            for found in solve(here, chosen, size - len(chosen), listing):
                parent.send(found)
    except (EOFError, OSError):
        return  # the parent has gone, and with it whoever wanted to know


def _standing(links: Links, dance: Dance) -> Links:
    """The links as they stand in `dance`, in arrays of their own."""
    nodes, items = links.nodes.copy(), links.items.copy()
    for name in ("up", "down", "colour"):
        nodes[name] = getattr(dance, name)
    for name in ("left", "right", "length", "bound"):
        items[name] = getattr(dance, name)
    return attrs.evolve(links, nodes=nodes, items=items)


def solve(links: Links, chosen: Cover, room: int, listing: bool) -> Iterator[Found]:
    """What hangs below some choices, moment by moment."""
    stream = stream_on(links, room)
    found = nodes = updates = 0
    pace = Pace(FIRST_SLICE, SLICE, timed=True)
    while not stream.done:
        began = time.perf_counter()
        covers = stream.advance(pace.steps, BATCH if listing else 0)
        pace.took(time.perf_counter() - began)
        whole = tuple(chosen + cover for cover in covers)
        more = (stream.found - found, stream.nodes - nodes, stream.updates - updates)
        found, nodes, updates = stream.found, stream.nodes, stream.updates
        yield Found(whole, *more, stream.done)


class Parallel:
    """A stream whose subtrees are searched by worker processes; use it in `with`, or close it.

    listing: whether the covers themselves are to be had, not their number alone. `nodes` and
    `updates` are those of all workers so far, also of subtrees whose turn has not come. The
    workers end with the process that asked, however that ends.
    """

    def __init__(
        self, problem: Problem, size: int | None = None, workers: int = 2, listing: bool = True
    ) -> None:
        self._problem, self._size = problem, size
        self._horizon, self._shared = 0, False
        self._pieces: list[Piece] = []
        self._asked = self._told = 0
        self.nodes = self.updates = self.found = 0
        context = Spawn()
        self._workers: dict[Connection, Piece | None] = {}
        self._processes = []
        room = UNLIMITED if size is None else size
        for _ in range(workers):
            mine, theirs = context.Pipe()
            process = context.Process(
                target=_work, args=(problem, room, listing, theirs), daemon=True
            )
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
        late, deadline = set(self._workers), time.monotonic() + PATIENCE
        while late:
            ready = wait(list(late), max(0.0, deadline - time.monotonic()))
            if not ready:
                raise SearchError(f"no worker process was ready after {PATIENCE} s")
            for worker in self._workers.keys() & ready:
                _heard(worker)
                late.remove(worker)

    @property
    def done(self) -> bool:
        """Whether every subtree has been searched, and its covers told."""
        return self._shared and self._told == len(self._pieces)

    def advance(self, nodes: int, keep: int) -> list[Cover]:
        """Goes on for a moment, whatever `nodes` says: at most `keep` covers; 0 only counts.

        Raises SearchError if a worker has died.
        """
        if not self._shared:
            self._share_out()
            return []
        if self.done:
            return []
        piece = self._pieces[self._told]
        if not (piece.number or piece.done):
            self._exchange(piece)
        told: list[Cover] = []
        if keep and piece.covers:
            told = [piece.covers.popleft() for _ in range(min(keep, len(piece.covers)))]
            number = len(told)
        else:
            piece.covers.clear()
            number = piece.number
        piece.number -= number
        self.found += number
        if piece.done and not piece.number:
            self._told += 1
        return told

    def _share_out(self) -> None:
        """Takes the subtrees of the next level, if those are enough for every worker."""
        self._horizon += 1
        pieces, above = split(self._problem, self._size, self._horizon)
        open_ = sum(not piece.done for piece in pieces)
        if open_ and open_ < PIECES * len(self._workers) and self._horizon < DEEPEST:
            return
        self._pieces, self._shared = pieces, True
        self.nodes, self.updates = above.nodes, above.updates
        for worker in self._workers:
            _tell(worker, self._horizon)

    def _exchange(self, current: Piece) -> None:
        """Gives the idle something to do, and waits a moment for what the others have found."""
        for worker, piece in self._workers.items():
            if piece is None or piece.done:
                self._workers[worker] = self._assign(worker)
        heard = [
            worker
            for worker, piece in self._workers.items()
            if piece is not None and (piece is current or len(piece.covers) < AHEAD)
        ]
        for worker in self._workers.keys() & wait(heard, TICK):
            piece, found = self._workers[worker], _heard(worker)
            if piece is not None and found is not None:
                piece.covers += found.covers
                piece.number += found.number
                piece.done = found.last
                self.nodes += found.nodes
                self.updates += found.updates

    def _assign(self, worker: Connection) -> Piece | None:
        """Asks a worker for the next subtree that nobody has been asked for."""
        while self._asked < len(self._pieces):
            piece = self._pieces[self._asked]
            self._asked += 1
            if not piece.done:
                _tell(worker, self._asked - 1)
                return piece
        return None

    def fraction(self) -> float:
        """The part of the subtrees that have been searched."""
        return self._told / max(len(self._pieces), 1)

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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _heard(worker: Connection) -> Found | None:
    try:
        found: Found | None = worker.recv()
    except (EOFError, OSError) as dead:
        raise SearchError("a worker process died; is there enough memory?") from dead
    return found


def _tell(worker: Connection, number: int) -> None:
    try:
        worker.send(number)
    except OSError as dead:
        raise SearchError("a worker process died; is there enough memory?") from dead
