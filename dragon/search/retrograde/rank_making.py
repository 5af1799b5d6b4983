"""The maker of tables by rank: level by level, by several threads, with checkpoints."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path
from typing import Any

import numpy as np
from attrs import asdict, define, field

from dragon.errors import Objection, SearchError
from dragon.rules.record import RecordState
from dragon.search.driver import DONE, Kernel
from dragon.search.retrograde.kept import CHUNK, CODE, NUMBERED, codes_for, save, saved
from dragon.search.retrograde.making import MEGABYTES, SECONDS, Watch, objection
from dragon.search.retrograde.rank_kernel import (
    BLOCK,
    CHECK,
    COUNT,
    DRAWABLE,
    FULL,
    MOST_LEVELS,
    PART,
    PROPAGATE,
    RUN,
    SCORED,
    SWEEP,
    WRONG,
    Memory,
)
from dragon.search.retrograde.table import RankTable, text_of

SLICE = 1 << 14
"""Codes that a thread takes at a time: some milliseconds."""
LEAST = 1 << 12
"""Positions that propagate; slices are longer where there are fewer, but not for less than this."""
ROUND = 0.2
"""Seconds that threads work between two looks at Ctrl-C and at what they have listed."""
ROOM = 1 << 24
"""Entries of the lists of one thread, at most."""
NO_MARKS = np.zeros((2, 0), np.uint8)
DOING = {COUNT: "counting moves", CHECK: "verifying"}


@define
class Progress:
    """The state of the making of a table, as checkpoints keep it."""

    phase: int = COUNT
    level: int = 0
    settled: int = 0
    """Positions settled on this level so far,"""
    before: int = 0
    """on those before,"""
    last: int = 0
    """and on the last of these."""
    win: int = 0
    """Units of a decisive end, 0 as long as none is known."""
    waiting: list[list[int]] = field(factory=list)
    """Ranges of numbers, first and end, that are still to be done on this level."""


class Worker(Kernel):
    """The kernel of one thread, and its lists."""

    statuses = Kernel.statuses | {FULL, WRONG, SCORED}

    def __init__(self, state: RecordState, codes: Any, fresh: Any = NO_MARKS, room: int = 0):
        """fresh: see `Memory`; room: entries of all lists."""
        width, parts = 2 * state.rules.width, -(-fresh.shape[1] >> PART - BLOCK)
        m = Memory(
            states=np.zeros(3, state.rules.layout),
            codes=codes,
            lists=np.zeros((parts, max(room // max(parts, 1), 2 * width)), np.uint32),
            filled=np.zeros(parts, np.int64),
            fresh=fresh,
            out=np.zeros(width, np.int64),
            runs=np.zeros(1, RUN),
        )
        super().__init__(f"{__package__}.rank_kernel", state, m)
        self.run = m.runs[0]
        self.run["stop"] = 1

    def work(self, waiting: deque[tuple[int, int]]) -> int:
        """Take slices for a round, until none is left or a list is full; put the rest back."""
        end, status = time.monotonic() + ROUND, DONE
        while status == DONE:
            try:
                self.run["at"], self.run["end"] = waiting.popleft()
            except IndexError:
                break
            status = self._resume()
            if status != DONE:
                waiting.appendleft((int(self.run["at"]), int(self.run["end"])))
            elif time.monotonic() > end:
                break
        return status

    def apply(self, workers: list[Worker], parts: deque[int]) -> int:
        """Apply the lists of all workers, part by part; return how many positions it settles."""
        level, total = int(self.run["level"]), 0
        fresh = self.m.fresh[level & 1]
        while True:
            try:
                part = parts.popleft()
            except IndexError:
                return total
            own = self.m.codes[part << PART : part + 1 << PART]
            marks = fresh[part << PART - BLOCK : part + 1 << PART - BLOCK]
            for each in workers:
                if n := int(each.m.filled[part]):
                    total += int(self._kernel.apply(own, each.m.lists[part, :n], level, marks))
                    each.m.filled[part] = 0


class Crew:
    """Some workers, each in a thread."""

    def __init__(self, workers: list[Worker]) -> None:
        self.workers = workers
        self._pool = ThreadPoolExecutor(len(workers)) if len(workers) > 1 else None

    def each(self, do: Callable[[Worker], int]) -> list[int]:
        """Return the answer of each worker, when all have one."""
        return [*(map if self._pool is None else self._pool.map)(do, self.workers)]

    def apply(self) -> int:
        """Apply the lists of all workers; return how many positions it settles."""
        parts = deque(range(len(self.workers[0].m.lists)))
        return sum(self.each(lambda worker: worker.apply(self.workers, parts)))

    def rounds(self, p: Progress, watch: Watch) -> Iterator[list[int]]:
        """Go through the ranges that wait, and yield the statuses of all after each round."""
        size = SLICE
        if p.phase == PROPAGATE:  # where fewer positions propagate, more codes are looked over
            size *= max(1, len(self.workers[0].m.codes) // max(2 * p.last, LEAST))
        waiting = deque(
            (at, min(at + size, end)) for first, end in p.waiting
            for at in range(first, end, size)
        )  # fmt: skip
        total = sum(end - at for at, end in waiting)
        while waiting:
            for worker in self.workers:
                worker.run["phase"], worker.run["level"], worker.run["win"] = (
                    p.phase,
                    p.level,
                    p.win,
                )
            statuses = self.each(lambda worker: worker.work(waiting))
            p.waiting = joined(waiting)
            p.settled += sum(int(worker.run["settled"]) for worker in self.workers)
            wins = {p.win, *(int(worker.run["win"]) for worker in self.workers)} - {0}
            for worker in self.workers:
                worker.run["settled"] = 0
            if SCORED in statuses or len(wins) > 1:
                raise SearchError(
                    f"{self.workers[0].rules.label} has scores, and tables by rank know wins, "
                    "draws and losses only; leave out rank, and a table lists positions"
                )
            p.win = max(wins, default=0)
            watch(
                DOING.get(p.phase, f"level {p.level}"),
                total - sum(end - at for at, end in waiting),
                total,
            )
            yield statuses


def joined(slices: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return ranges in order, those that touch as one."""
    found: list[list[int]] = []
    for at, end in sorted(slices):
        if found and found[-1][1] == at:
            found[-1][1] = end
        else:
            found.append([at, end])
    return found


class RankMaker:
    """The codes of all positions of a game that has `rank`, and the threads at work on them."""

    def __init__(
        self,
        state: RecordState,
        megabytes: float = MEGABYTES,
        threads: int | None = None,
        kept: Path | None = None,
        every: float = SECONDS,
    ) -> None:
        """Go on from the checkpoint beside `kept`, where one is left.

        megabytes: the limit of codes and lists; more codes lie on the disk, beside `kept`.
        threads: as many as there are cores by default. every: seconds between two checkpoints.
        Raises Objection, ConfigError and SearchError.
        """
        if (sentence := objection(state.game)) is not None:
            raise Objection(sentence)
        if state.rules.width >= DRAWABLE:
            raise Objection(
                f"tables by rank count up to {DRAWABLE - 1:,} moves of a position, and width is "
                "higher; make the table from a list, by --list"
            )
        self.root, self.kept, self.every = state, kept, every
        self.codes = codes_for(state, megabytes, kept)
        n = len(self.codes)
        self.progress, self.resumed = Progress(waiting=[[0, n]]), False
        held = None if kept is None else saved(kept, state, NUMBERED, {"codes": CODE})
        if held is not None:
            for at in range(0, n, CHUNK):
                self.codes[at : at + CHUNK] = held[1]["codes"][at : at + CHUNK]
            self.progress, self.resumed = Progress(**held[0]["progress"]), True
        self.threads = min(threads or cpu_count() or 1, -(-n // SLICE))
        self._propagates = state.rules.before is not None
        self._fresh = np.zeros((2, -(-n >> BLOCK) if self._propagates else 0), np.uint8)
        for level in (self.progress.level - 1, self.progress.level):  # marks are not kept
            self._fresh[level & 1] = level & 255
        room = min(ROOM, int(megabytes * 1e6) // (16 * self.threads))
        self._crew = Crew(
            [Worker(state, self.codes, self._fresh, room) for _ in range(self.threads)]
        )

    @property
    def count(self) -> int:
        """The number of positions that are settled."""
        return self.progress.before + self.progress.settled

    @property
    def megabytes_taken(self) -> float:
        """The memory of codes and lists."""
        lists = sum(each.m.lists.nbytes for each in self._crew.workers)
        return float(self.codes.nbytes + lists) / 1e6

    def make(self, watch: Watch = lambda *_: None) -> RankTable:
        """Return the finished table; raise SearchError where games end with scores."""
        p, n = self.progress, len(self.codes)
        while True:
            self._level(watch)
            if p.level and not p.settled:
                return RankTable(self.root.game, self.codes, p.win, self.root.data)
            p.before, p.last, p.settled = self.count, p.settled, 0
            p.phase, p.level = (PROPAGATE if self._propagates else SWEEP), p.level + 1
            if p.level > MOST_LEVELS:
                raise SearchError(f"{self.root.game} has wins of more than {MOST_LEVELS:,} plies, "
                                  "which tables by rank do not count")  # fmt: skip
            p.waiting = [[0, n]]

    def _level(self, watch: Watch) -> None:
        """Go through the ranges that wait on this level."""
        saved = time.monotonic()
        for statuses in self._crew.rounds(self.progress, watch):
            if WRONG in statuses:
                raise SearchError(f"{self.root.game}: rank gives a number of which unrank says "
                                  "that it is not a position; dragon laws shows more")  # fmt: skip
            if self.progress.phase == PROPAGATE:
                self.progress.settled += self._crew.apply()
            if self.kept is not None and time.monotonic() - saved > self.every:
                about = {"progress": asdict(self.progress)}
                save(self.kept, self.root, NUMBERED, about, {"codes": self.codes})
                saved = time.monotonic()

    def verify(self, table: RankTable, watch: Watch = lambda *_: None) -> str | None:
        """See `verify`."""
        return verify(table, self.root, self.threads, watch)


def verify(
    table: RankTable, root: RecordState, threads: int, watch: Watch = lambda *_: None
) -> str | None:
    """Return a position whose entry does not follow from those after it, or None.

    Every position is opened again by `unrank` and the rules, and what follows is looked up; of
    `before` nothing is used.
    """
    crew = Crew([Worker(root, table.codes) for _ in range(threads)])
    every = Progress(CHECK, MOST_LEVELS + 1, win=table.win, waiting=[[0, len(table.codes)]])
    for statuses in crew.rounds(every, watch):
        if WRONG in statuses:
            wrong = crew.workers[statuses.index(WRONG)]
            return text_of(root, int(wrong.run["at"]))
    return None
