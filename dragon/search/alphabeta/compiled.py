"""The driver of alpha-beta's kernel, and the threads that help it.

A helper searches what the driver does, on the same table, and whoever is done first has the
answer. They work in slices, so that all stand still between two of them: then the clock is looked
at, the table grows, and whoever asked for results has the processor for himself.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from dragon.core import Limit, Trait
from dragon.rules.record import RecordState
from dragon.search.alphabeta.claims import CLAIMS
from dragon.search.alphabeta.kernel import START
from dragon.search.alphabeta.memory import FRAME, RUN, Memory
from dragon.search.alphabeta.settings import (
    STARS,
    Outcome,
    Settings,
    asks_solved,
    counts_distance,
    looks_beyond,
    reduces_late,
)
from dragon.search.budget import Budget
from dragon.search.driver import DONE, PAUSED, Kernel, KernelDriver, room_for, run_of
from dragon.search.move_ordering import HISTORY
from dragon.search.table import ENTRY, FIRST_MEGABYTES, Lease
from dragon.search.two_sided import side

TEMPLATE = "dragon.search.alphabeta.kernel"
STACK = "codes", "scores", "places", "odds", "lows", "highs"
SLICE_MOVES = 100_000
"""Moves listed between two looks at the clock, where lists are long."""
ALONE = 1000
"""Nodes of a search before helpers join: as many as are visited while a thread begins."""

LONGER = 4
"""How many times as long the slices of threads are, which have to wait for one another."""


class Helper(Kernel):
    """A thread's own memory beside that of a driver, and the table that they share."""

    stack = STACK

    def __init__(self, state: RecordState, m: Memory) -> None:
        """`m`: the memory of a driver at that state."""
        own = {name: np.zeros_like(array) for name, array in m._asdict().items()}
        own["words"] = own["states"].view(np.uint64).reshape(len(m.states), -1)
        own["killers"][:] = -1
        own |= {"table": m.table, "claims": m.claims, "tablebase": m.tablebase}
        own["runs"] = m.runs.copy()
        own["runs"]["nodes"] = own["runs"]["hits"] = own["runs"]["stop"] = 0
        own["runs"]["mode"] = START
        super().__init__(TEMPLATE, state, Memory(**own))
        self.status = DONE


class CompiledDriver(KernelDriver):
    """The working memory of the search of one state, on a game by Rules."""

    stack = STACK

    def __init__(
        self, settings: Settings, state: RecordState, limit: Limit, seed: int, lease: Lease
    ) -> None:
        self.lines, self.met_chance = True, Trait.CHANCE in state.rules.traits
        self.sooner, asks = counts_distance(settings, state), asks_solved(settings, state)
        rules = state.rules
        table = lease.of(state, FIRST_MEGABYTES) if settings.table else None
        beyond, self.late = looks_beyond(settings, state), reduces_late(settings, state)
        depths = [
            depth + 2 + beyond for depth in (settings.depth, limit.depth) if depth is not None
        ]
        p, room = min([rules.plies + 2, *depths]), room_for(rules)
        states = np.zeros(p, rules.layout)
        age = 0 if table is None else table.age
        self.threads = 1 if table is None else settings.threads
        self.helpers: list[Helper] = []
        codes, scores, places, lows, highs = np.zeros((5, room), np.int64)
        m = Memory(
            states=states,
            words=states.view(np.uint64).reshape(p, -1),
            frames=np.zeros(p, FRAME),
            codes=codes,
            odds=np.zeros(room),
            lows=lows,
            highs=highs,
            scores=scores,
            places=places,
            killers=np.full((p, 2), -1, np.int64),
            history=np.zeros((2, HISTORY), np.int64),
            table=np.zeros(4, ENTRY) if table is None else table.entries,
            claims=np.zeros(CLAIMS if self.threads > 1 else 1, np.uint64),
            lines=np.zeros((p, p), np.int64),
            lengths=np.zeros(p, np.int64),
            random=np.zeros(1, np.uint64),
            tablebase=rules.opened(asks),
            runs=run_of(
                RUN, settings, age=age, seed=seed, root_best=-1, sooner=self.sooner, solved=asks,
                mode=START, pause=SLICE_MOVES, refuses=settings.chance is None,
                quiescence=beyond, late=self.late, claims=self.threads > 1,
                star=settings.chance in STARS, probe=settings.chance == STARS[-1],
            ),
        )  # fmt: skip
        super().__init__(TEMPLATE, settings, state, limit, m)
        if self.threads > 1:
            self._pace.most *= LONGER * self.threads
        self._lease, self.stops_at = lease, lease.grows_at()

    @property
    def searchers(self) -> list[Kernel]:
        """The driver and its helpers."""
        return [self, *self.helpers]

    def restart(self, state: Any, limit: Limit) -> None:
        """Turns to another state of the same game; what was learnt of it stays."""
        for each in self.searchers:
            each.turn_to(state)
            run = each.m.runs[0]
            run["nodes"], run["root_best"] = 0, -1
        self.budget = Budget(limit)

    def search(self, depth: int, low: int, high: int) -> Outcome:
        """One iteration; where the budget ended it, what the root had found."""
        self.m.claims[:] = 0
        for each in self.searchers:
            self._begin(each, depth, low, high)
        self._asked = depth, low, high
        self._first: Kernel = self
        if self.go_on():
            m = self._first.m
            run = m.runs[0]
            for each in self.searchers:
                each.m.runs[0]["root_best"] = run["root_best"]
            met_end = any(each.m.runs[0]["met_end"] for each in self.searchers)
            return Outcome(int(run["value"]), self._line(m), bool(run["horizon"]), True, met_end)
        frame = self.m.frames[0]
        if not self.m.lengths[0] or frame["best"] <= frame["first_alpha"]:
            return Outcome(0, (), horizon=True, finished=False)
        best = int(frame["best"]) * side(self.root)
        return Outcome(best, self._line(self.m), horizon=True, finished=False)

    def _begin(self, searcher: Kernel, depth: int, low: int, high: int) -> None:
        run, frame = searcher.m.runs[0], searcher.m.frames[0]
        run["mode"], run["ply"], run["met_end"] = START, 0, False
        frame["depth"], frame["low"], frame["high"], frame["base"] = depth, low, high, 0
        searcher.m.lengths[0] = 0
        if isinstance(searcher, Helper):
            searcher.status = PAUSED

    def work(self, stop: int) -> int:
        """The same with helpers, of which the first that is done counts; all stop when one does."""
        if self.threads == 1:
            return super().work(stop)
        if self.budget.nodes < ALONE:
            return super().work(min(stop, ALONE))
        if not self.helpers:
            for _ in range(self.threads - 1):
                self.helpers.append(Helper(self.root, self.m))
                self._begin(self.helpers[-1], *self._asked)
        runs = [each.m.runs[0] for each in self.searchers]
        share, rest = divmod(stop - self.budget.nodes, self.threads)
        for run in runs:
            run["stop"] = run["nodes"] + share
        runs[0]["stop"] += rest

        def advance(searcher: Kernel) -> int:
            try:
                return searcher._resume()
            finally:  # who stands still at the end of a slice waits for nobody
                for run in runs:
                    run["stop"] = 0

        searching = [each for each in self.helpers if each.status == PAUSED]
        with ThreadPoolExecutor(self.threads) as pool:
            found = [pool.submit(advance, each) for each in searching]
            status = advance(self)
        for each, future in zip(searching, found, strict=True):
            each.status = future.result()
        self.budget.nodes = sum(int(run["nodes"]) for run in runs)
        done = [each for each in searching if each.status == DONE]
        if status == PAUSED and done:
            self._first, status = done[0], DONE
        return status

    def paused(self) -> None:
        """Reads how often the table decided; the next slice, too, lists so many moves at most."""
        self.hits = 0
        for each in self.searchers:
            run = each.m.runs[0]
            self.hits, run["listed"] = self.hits + int(run["hits"]), 0
        if self.budget.nodes >= self.stops_at:
            table = self._lease.grow(self._kernel.transfer)
            for each in self.searchers:
                each.m = each.m._replace(table=table.entries)
                each.m.runs["age"] = table.age
            self.stops_at = self._lease.grows_at()

    def _line(self, m: Memory) -> tuple[str, ...]:
        if not self.lines:
            return ()
        return self.moves_of(m.lines[0, : m.lengths[0]].tolist())
