"""The maker of tables: threads at work on the positions of a game, level by level.

Positions that the game's rules do not number are listed first, by one thread, within a limit of
megabytes. A checkpoint is written every minute where the table is to be kept.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from attrs import asdict, define, field

from dragon.core import TERMINAL, Game, Trait
from dragon.errors import GameError, Objection, SearchError
from dragon.rules.evaluator import interpreted_of
from dragon.rules.record import RecordGame, RecordState
from dragon.search.retrograde.kernel import NO_UNITS, PositionList, Worker, memory
from dragon.search.retrograde.positions import (
    BATCH,
    BLOCK,
    CHECK,
    COUNT,
    DRAWABLE,
    FOR_LISTS,
    LIST,
    NONE,
    PART,
    PROPAGATE,
    SETTLED,
    SWEEP,
    WRONG,
)
from dragon.search.retrograde.table import CHUNK, CODE, Table, codes_for, save, saved

Watch: TypeAlias = Callable[[str, int, int | None], object]
"""A function of the step's name, the positions done, and the number of all if it is known."""
SLICE = 1 << 14
"""Codes that a thread takes at a time: some milliseconds."""
LEAST = 1 << 12
"""The least positions to propagate in a slice: slices are longer where fewer positions
propagate."""
ROOM = 1 << 24
"""Entries of the lists of one thread, at most."""
MEGABYTES = 1024.0
"""The default limit of the memory for making a table."""
SECONDS = 60.0
"""Between two checkpoints."""
MOST_LEVELS = (NONE - SETTLED) // 4 - 1
"""The most levels of a table of ranked positions."""
DOING = {COUNT: "counting moves", CHECK: "verifying"}


def objection(game: Game[Any]) -> str | None:
    """Return why there is no table of a game, or None."""
    if not isinstance(game, RecordGame):
        return f"tables are made of games by Rules, and {game} is not one"
    if Trait.DUEL not in game.traits:
        return f"tables need two sides whose payoffs sum to zero (not so in {game})"
    if found := sorted(map(str, game.traits & {Trait.CHANCE, Trait.HIDDEN})):
        return f"tables do not support {' or '.join(found)} ({game})"
    return None


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


class Maker:
    """The positions of a game, and the threads at work on them."""

    def __init__(
        self,
        state: RecordState,
        megabytes: float = MEGABYTES,
        threads: int | None = None,
        kept: Path | None = None,
        listed: bool = False,
        every: float = SECONDS,
        table: Table | None = None,
    ) -> None:
        """Go on from the checkpoint beside `kept`, the file of the table, where one is left.

        megabytes: the limit of all of it; more codes than that lie on the disk, beside `kept`, and
        a list is refused. threads: as many as there are cores by default. listed: positions are
        listed though the rules number them. every: seconds between two checkpoints. table: the one
        that is to be verified, where none is made. Raises Objection, GameError, ConfigError and
        SearchError.
        """
        if (sentence := objection(state.game)) is not None:
            raise Objection(sentence)
        if state.turn == TERMINAL:
            raise GameError(f"the game is over in {state}, so there is no table of it")
        self.root, self.rules, self.megabytes = state, state.rules, megabytes
        self.kept, self.every, self.resumed = kept, every, False
        """The file that the table will be, and whether there was a checkpoint beside it."""
        self.threads = threads or cpu_count() or 1
        self.progress, self.workers = Progress(), list[Worker]()
        rules = self.rules
        self.listed = listed or rules.rank is None or rules.banked is not None
        if table is not None:
            self.listed = table.listed
        self._saved = time.monotonic()
        if self.listed:
            self._prepare_list()
        else:
            self._prepare_codes(table)

    # ---- positions with numbers

    def _prepare_codes(self, table: Table | None) -> None:
        """Make room for codes, or take those of a checkpoint or a table."""
        rules = self.rules
        if rules.width >= DRAWABLE:
            raise Objection(
                f"tables by rank count up to {DRAWABLE - 1:,} moves of a position, and width is "
                "higher; make the table from a list, by --list"
            )
        if table is not None:
            self.codes = table.codes
            return
        self.codes = codes_for(self.root, self.megabytes, self.kept)
        n = len(self.codes)
        self.progress = Progress(waiting=[[0, n]])
        if (held := self._checkpoint({"codes": CODE})) is not None:
            for at in range(0, n, CHUNK):
                self.codes[at : at + CHUNK] = held["codes"][at : at + CHUNK]
        room = min(ROOM, int(self.megabytes * 1e6) // (16 * self.threads))
        threads = self._threads_for(n)
        self._employ(np.zeros((threads, room), np.uint32), codes=self.codes)

    # ---- positions in a list

    def _prepare_list(self) -> None:
        """Make room for positions and moves, or take those of a checkpoint."""
        self.threads = min(self.threads, BATCH)  # as many as spare records
        self.list = PositionList(self.root, self.megabytes)
        self.progress.phase = LIST
        held = self._checkpoint({name: each.dtype for name, each in self.list.held().items()})
        if held is not None:
            self.list.take(held)

    def list_positions(self, watch: Watch = lambda *_: None) -> None:
        """List all positions that the first one leads to; raise SearchError where memory ends."""
        done = self.progress.phase != LIST
        while not done:
            try:
                done = self.list.extend()
            except SearchError:
                self._save()
                raise
            self._save_in_time()
            watch("finding", self.positions, None)
            if done:
                win, n = int(self.list.results["win"]), self.positions
                self.progress = Progress(COUNT, 1, win=win, waiting=[[0, n]])

    def _employ_on_list(self) -> None:
        """Let all threads work on the list; their lists of entries use the memory of `slots`."""
        m, n = self.list.m, self.positions
        threads = self._threads_for(n)
        space = m.slots.view(np.uint32)[: 2 * len(m.slots) // threads * threads]
        self._employ(
            space.reshape(threads, -1)[:, :ROOM], codes=m.codes[:n], nodes=m.nodes[:n],
            edges=m.edges, gains=m.gains,
        )  # fmt: skip

    # ---- checkpoints

    def _checkpoint(self, dtypes: dict[str, Any]) -> dict[str, Any] | None:
        """Return the arrays of the checkpoint beside the table's file, if there is one."""
        held = None if self.kept is None else saved(self.kept, self.root, self.listed, dtypes)
        if held is None:
            return None
        self.progress, self.resumed = Progress(**held[0]["progress"]), True
        return held[1]

    def _save(self) -> None:
        """Write a checkpoint, where a table is to be kept."""
        if self.kept is not None:
            about = {"progress": asdict(self.progress)}
            held = self.list.held() if self.listed else {"codes": self.codes}
            save(self.kept, self.root, self.listed, about, held)

    def _save_in_time(self) -> None:
        """Write a checkpoint if the last one is old."""
        if time.monotonic() - self._saved > self.every:
            self._save()
            self._saved = time.monotonic()

    # ---- threads

    def _employ(self, space: Any, **shared: Any) -> None:
        """Give each thread a worker, with lists of entries, and marks that all share.

        space: uint32[threads, any], the memory of the lists of each.
        """
        n, width = self.positions, self.rules.width
        by_lists = self.listed or self.rules.before is not None
        fresh = np.zeros((2, -(-n >> BLOCK + 6) if by_lists else 0), np.uint64)
        fresh[:] = ~np.uint64(0)  # a checkpoint does not keep marks
        parts = -(-n >> PART) if by_lists else 0
        scores = int(self.list.results["scores"]) if self.listed else 0
        room = space.shape[1] // max(parts << scores, 1)
        if room < (least := 2 * (BATCH + 2 * width)):
            room, space = least, np.zeros((len(space), parts * least << scores), np.uint32)
        self.workers = []
        for own_space in space:
            lists, units = own_space[: parts * room], own_space[parts * room :][: parts * room]
            own = memory(
                self.rules, lists=lists.reshape(parts, room),
                units=units.view(np.int32).reshape(parts, room) if scores else NO_UNITS,
                listed=np.zeros(parts, np.int64), fresh=fresh, **shared,
            )  # fmt: skip
            own.runs["spare"], own.results["scores"] = 2, scores
            self.workers.append(Worker(self.root, own, self.listed))
        self._open_pool()

    def _threads_for(self, n: int) -> int:
        """Return how many threads share this number of positions."""
        return min(self.threads, max(1, -(-n // SLICE)))

    def _open_pool(self) -> None:
        n = len(self.workers)
        self._pool = ThreadPoolExecutor(n) if n > 1 else None

    def _each(self, do: Callable[[Worker], Any]) -> list[Any]:
        """Return the answer of each worker, when all have one."""
        return [*(map if self._pool is None else self._pool.map)(do, self.workers)]

    def _apply(self) -> int:
        """Apply the lists of all workers; return how many positions it settles."""
        parts = deque(range(len(self.workers[0].m.lists)))
        return sum(self._each(lambda worker: worker.apply(self.workers, parts)))

    def _rounds(self, p: Progress, watch: Watch) -> Iterator[list[int]]:
        """Work through the waiting ranges; yield the statuses of all threads after each round."""
        size, workers = SLICE, self.workers
        if p.phase == PROPAGATE:  # where fewer positions propagate, more codes are looked over
            size *= max(1, self.positions // max(2 * p.last, LEAST))
        waiting = deque(
            (at, min(at + size, end)) for first, end in p.waiting
            for at in range(first, end, size)
        )  # fmt: skip
        total = sum(end - at for at, end in waiting)
        while waiting:
            for worker in workers:
                worker.run["phase"], worker.run["level"] = p.phase, p.level
                worker.results["win"] = p.win
            statuses = self._each(lambda worker: worker.work(waiting))
            p.waiting = joined(waiting)
            p.settled += sum(int(worker.results["settled"]) for worker in workers)
            wins = {p.win, *(int(worker.results["win"]) for worker in workers)} - {0}
            for worker in workers:
                worker.results["settled"] = 0
            several = len(wins) > 1 or any(worker.results["scores"] for worker in workers)
            if several and not self.listed:
                raise SearchError(
                    f"{self.rules.label} has scores, and tables by rank know wins, "
                    "draws and losses only; leave out rank, and a table lists positions"
                )
            p.win = max(wins, default=0)
            left = sum(end - at for at, end in waiting)
            watch(DOING.get(p.phase, f"level {p.level}"), total - left, total)
            yield statuses

    # ---- making and verifying

    @property
    def positions(self) -> int:
        """The number of positions in the list so far, or of those that have numbers."""
        return self.list.count if self.listed else len(self.codes)

    @property
    def count(self) -> int:
        """The number of positions in the list, or of those with numbers that are settled."""
        return self.positions if self.listed else self.progress.before + self.progress.settled

    @property
    def megabytes_taken(self) -> float:
        """The memory of positions, moves and slots, or of codes and lists."""
        if self.listed:
            return self.list.megabytes
        lists = sum(each.m.lists.nbytes for each in self.workers)
        return float(self.codes.nbytes + lists) / 1e6

    def make(self, watch: Watch = lambda *_: None) -> Table:
        """Return the finished table; raise SearchError where memory ends, or for some scores."""
        if self.listed:
            self.list_positions(watch)
            self._employ_on_list()
        while True:
            self._level(watch)
            p = self.progress
            if p.level and not p.settled:
                return self._listed_table() if self.listed else Table(
                    self.root.game, codes=self.codes, win=p.win, first=self.root.data
                )  # fmt: skip
            p.before, p.last, p.settled = p.before + p.settled, p.settled, 0
            by_sweeps = not self.listed and self.rules.before is None
            p.phase, p.level = (SWEEP if by_sweeps else PROPAGATE), p.level + 1
            if p.level > MOST_LEVELS and not self.listed:
                raise SearchError(f"{self.root.game} has wins of more than {MOST_LEVELS:,} plies, "
                                  "which tables by rank do not count")  # fmt: skip
            p.waiting = [[0, self.positions]]
            self.workers[0].m.fresh[p.level & 1] = 0

    def _level(self, watch: Watch) -> None:
        """Work through the waiting ranges of this level."""
        for statuses in self._rounds(self.progress, watch):
            if WRONG in statuses:
                raise SearchError(f"{self.root.game}: rank gives a number of which unrank says "
                                  "that it is not a position; dragon laws shows more")  # fmt: skip
            if self.progress.phase == PROPAGATE:
                self.progress.settled += self._apply()
                while any(worker.run["heard"] for worker in self.workers):
                    self._each(Worker.finish)
                    self.progress.settled += self._apply()
            self._save_in_time()

    def _listed_table(self) -> Table:
        """Return the table of a list whose codes are final."""
        m, n, scores = self.list.m, self.positions, bool(self.list.results["scores"])
        settled, most = FOR_LISTS["SETTLED"], self.progress.win
        codes, nodes = m.codes[:n], m.nodes[:n]
        cycles = int((codes < settled).sum())
        if cycles and scores:
            raise SearchError(
                f"{self.rules.label} has scores and {cycles:,} positions whose worth depends on "
                "cycles; with cycles, tables know wins, draws and losses only"
            )
        order = np.argsort(nodes["place"])
        codes = codes[order]
        plies = (codes & settled - 1) >> 2
        if scores:
            values = nodes["value"][order]
        else:
            values = np.where(codes < settled, 0, (codes & 3).astype(np.int32) - 1) * most
            plies[values == 0] = 0
        return Table(
            self.root.game,
            places=nodes["place"][order],
            values=values.astype(np.int32),
            plies=plies.astype(np.int32),
            scores=scores,
            cycles=cycles,
            first=self.root.data,
        )

    def verify(self, table: Table, watch: Watch = lambda *_: None) -> str | None:
        """Return a position whose entry does not follow from those after it, or None.

        Every position is opened again by the rules, and what follows is looked up in the table; of
        `before`, and of moves that were listed, nothing is used.
        """
        if table.listed:
            self.list_positions(watch)
            columns = (np.asarray(each, np.int32) for each in (table.values, table.plies))
            shared = dict(zip(("values", "plies"), columns, strict=True))
            shared |= {"states": self.list.m.states, "places": table.places}
            end, scores = self.positions, int(table.scores)
        else:
            shared, end, scores = {"codes": table.codes}, len(table.codes), 0
        self.workers = []
        for i in range(self._threads_for(end)):
            own = memory(self.rules, **shared)
            own.runs["spare"], own.results["scores"] = (end + i if table.listed else 2), scores
            self.workers.append(Worker(self.root, own, table.listed, "verification"))
        self._open_pool()
        every = Progress(CHECK, 1 << 40, win=table.win, waiting=[[0, end]])
        for statuses in self._rounds(every, watch):
            if WRONG in statuses:
                wrong = self.workers[statuses.index(WRONG)]
                return self._text_of(int(wrong.run["at"]), table.listed)
        return None

    def _text_of(self, number: int, listed: bool) -> str:
        """Return the position of a number, or the number where there is none."""
        record = self.list.m.states[number] if listed else self.root.record
        if not listed and interpreted_of(self.rules).call("unrank", record, number) < 0:
            return f"number {number}"
        return str(RecordState(self.root.game, record.tobytes()))


def joined(slices: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return ranges in order, those that touch as one."""
    found: list[list[int]] = []
    for at, end in sorted(slices):
        if found and found[-1][1] == at:
            found[-1][1] = end
        else:
            found.append([at, end])
    return found
