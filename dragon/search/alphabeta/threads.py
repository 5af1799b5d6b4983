"""Threads: helpers of the driver, each with memory of its own, on one table.

A helper searches what the driver does, and whoever is done first has the answer. They work in
slices, so that all stand still between two of them: then the clock is looked at, the table grows,
their history is made one, and whoever asked for results has the processor for himself.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from dragon.core import Limit
from dragon.rules.preparation import RulesWith
from dragon.rules.record import RecordState
from dragon.search.alphabeta.compiled import SLICE_MOVES, CompiledDriver, Deep, Searcher, begin
from dragon.search.alphabeta.memory import Memory
from dragon.search.alphabeta.settings import Outcome, Settings
from dragon.search.driver import DONE, PAUSED, Bound, Fields, Kernel, words_of
from dragon.search.table import Lease, Table

ALONE = 1000
"""Nodes of a search before helpers join: as many as are visited while a thread begins."""
SHARING = {"SHARED": True}
"""What kernels of threads are compiled with; see `claims`."""
LONGER = 8
"""How many times as long the slices of threads are, which have to wait for one another."""


class Helper(Deep):
    """A thread's own memory beside that of a driver, and the table that they share."""

    def __init__(self, state: RecordState, m: Memory, deepest: int) -> None:
        """`m`: the memory of a driver at that state; deepest: its plies."""
        own = {"table": m.table, "claims": m.claims, "tablebase": m.tablebase}
        own |= {name: np.zeros_like(a) for name, a in m._asdict().items() if name not in own}
        own["words"] = words_of(own["states"])
        own["killers"][:] = -1
        own["history"][:] = m.history
        own["runs"] = m.runs.copy()
        own["runs"]["nodes"] = own["runs"]["hits"] = own["runs"]["stop"] = 0
        self.run, self.deepest = Fields(own["runs"]), deepest
        bound = RulesWith(state.rules, SHARING)
        super().__init__("dragon.search.alphabeta.kernel", state, Memory(**own), bound)
        self.status = DONE


class ThreadedDriver(CompiledDriver):
    """A driver with helpers, as soon as the search is long enough for them."""

    def __init__(
        self, settings: Settings, state: RecordState, limit: Limit, seed: int, lease: Lease
    ) -> None:
        self.helpers: list[Helper] = []
        self._pool = ThreadPoolExecutor(settings.threads)
        super().__init__(settings, state, limit, seed, lease)

    def prepare(self, template: str, bound: Bound) -> None:
        """Compiles the kernel for threads, or loads it."""
        super().prepare(template, RulesWith(self.rules, SHARING))

    def allow(self, limit: Limit) -> None:
        """From now on it keeps to this limit."""
        super().allow(limit)
        longer = LONGER * self.settings.threads
        self._pace.most *= longer
        self.run["pause"][0] = longer * SLICE_MOVES

    def restart(self, state: Any, limit: Limit) -> None:
        """Turns to another state of the same game; what was learnt of it stays."""
        super().restart(state, limit)
        for helper in self.helpers:
            helper.turn_to(state)
            run = helper.run
            run["nodes"][0], run["hits"][0], run["root_best"][0] = 0, 0, -1

    def search(self, depth: int, low: int, high: int) -> Outcome:
        """One iteration, of all threads."""
        self.m.claims[:] = 0
        self._asked = depth, low, high
        self._first: Helper | None = None
        for helper in self.helpers:
            self._begin(helper)
        try:
            return super().search(depth, low, high)
        except BaseException:
            self.release()
            raise

    def _begin(self, helper: Helper) -> None:
        begin(helper, *self._asked)
        helper.status = PAUSED

    def found(self, searcher: Searcher) -> Outcome:
        """What the first to be done has found."""
        first = self._first or searcher
        best = first.run["root_best"][0]
        for run in self._runs():
            run["root_best"][0] = best
        return super().found(first)

    def work(self, stop: int) -> int:
        """The same with helpers, of which the first that is done counts; all stop when one does."""
        if self.budget.nodes < ALONE:
            return super().work(min(stop, ALONE))
        if not self.helpers:
            for _ in range(self.settings.threads - 1):
                self.helpers.append(Helper(self.root, self.m, self.deepest))
                self._begin(self.helpers[-1])
        self._agree()
        runs = self._runs()
        share, rest = divmod(stop - self.budget.nodes, self.settings.threads)
        for run in runs:
            run["stop"][0] = run["nodes"][0] + share
        runs[0]["stop"][0] += rest

        def advance(searcher: Kernel) -> int:
            try:
                return searcher._resume()
            finally:  # who stands still at the end of a slice waits for nobody
                for run in runs:
                    run["stop"][0] = 0

        # Helpers without a share would end at once, and the others with them, before they begin.
        searching = [helper for helper in self.helpers if share and helper.status == PAUSED]
        futures = [self._pool.submit(advance, helper) for helper in searching]
        try:
            status = advance(self)
        finally:
            wait(futures)
        for helper, future in zip(searching, futures, strict=True):
            helper.status = future.result()
        self.budget.nodes = sum(run["nodes"][0] for run in runs)
        done = [helper for helper in searching if helper.status == DONE]
        if status == PAUSED and done:
            self._first, status = done[0], DONE
        return status

    def _agree(self) -> None:
        """Gives all the mean of what they have learnt of moves: the same should be late to all.

        One history for all would do so at once, but a counter that two write to is slow for both.
        """
        learnt = [each.m.history for each in (self, *self.helpers)]
        mean = sum(learnt) // len(learnt)
        for history in learnt:
            history[:] = mean

    def paused(self) -> None:
        """The same of all threads."""
        super().paused()
        for helper in self.helpers:
            self.hits += helper.run["hits"][0]
            helper.run["listed"][0] = 0

    def take(self, table: Table) -> None:
        """Works on this table from now on, in all threads."""
        super().take(table)
        for helper in self.helpers:
            helper.m = helper.m._replace(table=self.m.table)
            helper.run["age"][0] = table.age

    def release(self) -> None:
        """Ends the threads, until it searches again; nothing of it serves other searches."""
        self._pool.shutdown()
        self._pool = ThreadPoolExecutor(self.settings.threads)

    def _runs(self) -> list[Fields]:
        return [self.run, *(helper.run for helper in self.helpers)]
