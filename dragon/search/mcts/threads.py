"""Threads that grow one tree: each has memory of its own beside it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from dragon.bits import Random
from dragon.rules.preparation import RulesWith
from dragon.rules.record import RecordState
from dragon.search.driver import Kernel
from dragon.search.mcts.compiled import CompiledTree
from dragon.search.mcts.memory import Memory
from dragon.search.mcts.settings import SLICE_NODES, Settings

COMMON = ("tree", "amaf", "history", "grams", "tablebase", "lock")
"""The arrays that all threads of a tree share."""
ALONE = 64
"""Fewer simulations are done before another thread begins."""


def tree_of(
    settings: Settings, state: RecordState, depth: int | None, seed: int, old: Any
) -> CompiledTree:
    """The tree of one run, for as many threads as grow it."""
    kind = SharedTree if settings.shares_tree else CompiledTree
    return kind(settings, state, depth, seed, old)


class SharedTree(CompiledTree):
    """A tree that several threads grow; which of them comes first is left to the machine."""

    def __init__(
        self, settings: Settings, state: RecordState, depth: int | None, seed: int, old: Any
    ) -> None:
        super().__init__(settings, state, depth, seed, old)
        run, bound = self.m.runs[0], RulesWith(self.rules, settings.policies.bound)
        self.m.lock[:] = 0, run["size"], run["tables"]
        self._pool = ThreadPoolExecutor(settings.threads)
        self.threads: list[Kernel] = [self]
        for more in range(1, settings.threads):
            own = {
                name: array if name in COMMON else array.copy()
                for name, array in self.m._asdict().items()
            }
            own["random"] = Random(seed + more).state
            self.threads.append(Kernel("dragon.search.mcts.kernel", state, Memory(**own), bound))

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """The same by all threads, each of which takes its share; of a few, by the first alone."""
        runs, more = [each.m.runs[0] for each in self.threads], simulations - self.simulations
        count = len(runs) if more >= ALONE else 1
        for i, run in enumerate(runs[:count]):
            run["stop"] = run["simulated"] + (more + i) // count
            run["stop_nodes"] = run["nodes"] + -(-(nodes - self.nodes) // count)
            run["stop_size"] = self.size + SLICE_NODES
        others = [self._pool.submit(self._simulate, each) for each in self.threads[1:count]]
        try:
            self._simulate(self)
        finally:
            wait(others)  # none is at the tree when this ends, however it does
        for each in others:
            each.result()
        self.nodes = int(sum(run["nodes"] for run in runs))
        self.simulations = int(sum(run["simulated"] for run in runs))
        self.size = int(self.m.lock[1])

    def _simulate(self, thread: Kernel) -> None:
        try:
            thread._resume()
        except BaseException:
            self.m.lock[0] = 0  # or others wait for ever for who has ended with it
            raise
