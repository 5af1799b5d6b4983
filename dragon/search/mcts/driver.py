"""The drivers of the kernel of Monte Carlo tree search: a tree of one thread, or of several."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from dragon.bits import Random
from dragon.rules.record import RecordState
from dragon.rules.rules import RulesWith
from dragon.search.budget import FOREVER
from dragon.search.driver import Kernel, run_of
from dragon.search.mcts.settings import SLICE_NODES, Child, Settings
from dragon.search.mcts.statistics.amaf import length_of
from dragon.search.mcts.tree import (
    BLOCK,
    BUDGET,
    LANES,
    RUN,
    SETTINGS,
    SMALLEST,
    UNPROVEN,
    UNSEEN,
    Memory,
    node_of,
    reserved,
    values,
)  # fmt: skip

COMMON = ("tree", "blocks", "amaf", "history", "grams", "tablebase", "lock", "settings")
"""The arrays that all threads of a tree share."""
ALONE = 64
"""Fewer simulations are done before another thread begins."""


def tree_of(
    settings: Settings, state: RecordState, depth: int | None, seed: int, old: Any
) -> CompiledTree:
    """Return the tree of one run, for as many threads as grow it."""
    kind = SharedTree if settings.shares_tree else CompiledTree
    return kind(settings, state, depth, seed, old)


class Tree(ABC):
    """A tree as results ask it, compiled or interpreted."""

    teams: tuple[int, ...]
    root: Any
    m: Memory

    @abstractmethod
    def _visited(self, at: int) -> list[int]:
        """Return the children of a node that have been visited."""

    def _units(self, proof_seat0: int) -> int | None:
        """Return the proof of a node for the seat to move at the root, or None."""
        if proof_seat0 == UNPROVEN:
            return None
        teams = self.teams
        return proof_seat0 if teams[max(self.root.turn, 0)] == teams[0] else -proof_seat0

    def proof(self) -> int | None:
        """Return the root's exact units for the seat to move there, once proven."""
        return self._units(int(self.m.tree[0]["proof_seat0"]))

    def _path(self, at: int) -> Iterator[int]:
        """Yield a child of the root and the most visited nodes below; in a proof, those of it."""
        tree = self.m.tree
        while at >= 0:
            yield at
            exact = int(tree[at]["proof_seat0"])
            ranks = {
                i: (exact != UNPROVEN and int(tree[i]["proof_seat0"]) == exact, tree[i]["visits"])
                for i in (self._visited(at) if tree[at]["seat"] >= 0 else ())
            }
            at = max(ranks, key=ranks.__getitem__, default=-1)


class CompiledTree(Tree, Kernel):
    """The working memory of one run on a game by Rules."""

    stack = ("tree",)
    growing = False
    """True in a page, where memory cannot be reserved: the tree is short at first and grows."""

    def __init__(
        self, settings: Settings, state: RecordState, depth: int | None, seed: int, old: Any
    ) -> None:
        rules = state.rules
        policies = settings.policies_for(rules.width)
        self.longest, self.teams = settings.room(), rules.teams
        solver = settings.backs_up_proofs(state)
        seats, plies = len(rules.teams), rules.plies + 2
        first = max(2 * rules.width, SMALLEST) if self.growing else self.longest
        tree = reserved(min(first, self.longest), node_of(policies.keeps))
        blocks = reserved(len(tree) // 2 + 1 if policies.blocked else 1, BLOCK)
        if policies.blocked and not self.growing:
            self.longest = min(len(tree), 2 * len(blocks))
        elif not self.growing:
            self.longest = len(tree)
        priors = "priors" in policies.keeps
        m = Memory(
            states=np.zeros(3, rules.layout),
            tree=tree,
            blocks=blocks,
            path=np.zeros(plies, np.int64),
            slots=np.zeros(plies if policies.blocked else 1, np.int64),
            played=np.zeros(plies if policies.bound["NOTES"] else 1, np.int64),
            pay=np.zeros(seats, np.int64),
            out=np.zeros(rules.width, np.int64),
            weights=np.zeros(rules.width if rules.odds is not None or priors else 1),
            scores=np.zeros(rules.width if priors else 1, np.int64),
            random=Random(seed).state,
            tablebase=rules.opened(settings.solved and solver),
            lock=np.zeros(4, np.int64),
            settings=run_of(
                SETTINGS, settings, solver=solver, solved=settings.solved and solver,
                seats=seats, largest=rules.largest, fpu=settings.urgency,
            ),
            budget=run_of(
                BUDGET, room=self.longest, depth=min(depth or FOREVER, FOREVER),
                tables=settings.tables(seats),
            ),
            runs=run_of(RUN, size=1, blocks=1),
            **values(settings, seats),
        )  # fmt: skip
        m.tree[0]["proof_seat0"], m.tree[0]["seat"] = UNPROVEN, UNSEEN
        super().__init__("dragon.search.mcts.kernel", state, m, RulesWith(rules, policies.bound))
        self.nodes = self.simulations = 0
        """Plies played, in the tree and beyond, and simulations of this run."""
        self.size = 1
        if isinstance(old, CompiledTree) and old.rules is rules:
            self._take(old)

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulate until this many simulations or plies in all, or until proven.

        A slice of a kernel is short, so `late` is not called within it.
        """
        run, budget = self.m.runs[0], self.m.budget[0]
        budget["simulations"], budget["nodes"] = simulations, nodes
        budget["size"] = self.size + SLICE_NODES
        self._resume()
        self.nodes, self.simulations = int(run["nodes"]), int(run["simulated"])
        self.size = int(run["size"])

    def _take(self, old: CompiledTree) -> None:
        """Begin with the part of an earlier tree that lies below this state, and its history."""
        self.m = self.m._replace(history=old.m.history, grams=old.m.grams)
        plies = 2 * len(self.rules.teams)
        states = np.zeros(plies + 1, self.rules.layout)
        states[0] = old.m.states[0]
        words = states.view(np.uint64).reshape(plies + 1, -1)
        target = np.frombuffer(self.root.data, np.uint64)
        path, places = np.zeros((2, plies + 1), np.int64)
        at = self._kernel.find(states, words, target, old.m, path, places, plies)
        if at >= 0 and (old.m.tree[at]["count"] or old.m.tree[at]["proof_seat0"] == UNPROVEN):
            self._kernel.graft(old.m, at, self.m, self.m.runs[0])
            self.size = int(self.m.runs[0]["size"])
            if self.m.budget[0]["tables"]:
                self._take_tables(old)

    def _take_tables(self, old: CompiledTree) -> None:
        """Take the AMAF tables of the nodes that were taken, and number them from 1 on."""
        numbers = self.m.tree["table"][: self.size]
        kept = np.flatnonzero(numbers)
        shape = -1, length_of(len(self.rules.teams))
        if len(kept):
            tables = old.m.amaf.reshape(shape)[numbers[kept] - 1]
            self.m.amaf.reshape(shape)[: len(kept)] = tables
            numbers[kept] = np.arange(1, len(kept) + 1)
            self.m.runs[0]["tables"] = len(kept)

    def _visited(self, at: int) -> list[int]:
        tree, blocks = self.m.tree, self.m.blocks
        first, count = int(tree[at]["first"]), int(tree[at]["count"])
        if len(blocks) > 1:
            of = blocks["child"][first : first + (count + LANES - 1) // LANES].ravel()
            made = of[: int(tree[at]["tried"])]
        else:
            made = np.arange(first, first + count)
        return [int(i) for i in made[tree["visits"][made] > 0]]

    def children(self) -> list[Child]:
        """Return the root's children that have been visited."""
        nodes = self.m.tree[self._visited(0)]
        fields = (nodes[name].tolist() for name in ("code", "visits", "total", "proof_seat0"))
        return [
            Child(code, visits, total, self._units(proof))
            for code, visits, total, proof in zip(*fields, strict=True)
        ]

    def move(self, child: Child) -> str:
        """Return the move of a child."""
        text: str = self.root.text(child.key)
        return text

    def line(self, first: int) -> tuple[str, ...]:
        """Return the most visited moves, of a proof its moves, beginning with the code `first`."""
        codes = self.m.tree["code"]
        begin = next((i for i in self._visited(0) if codes[i] == first), -1)
        return self.moves_of([int(codes[i]) for i in self._path(begin)] or [first])


class SharedTree(CompiledTree):
    """A tree that several threads grow; their order is not determined."""

    def __init__(
        self, settings: Settings, state: RecordState, depth: int | None, seed: int, old: Any
    ) -> None:
        super().__init__(settings, state, depth, seed, old)
        policies = settings.policies_for(self.rules.width)
        run, bound = self.m.runs[0], RulesWith(self.rules, policies.bound)
        self.m.lock[:] = 0, run["size"], run["tables"], run["blocks"]
        self._pool = ThreadPoolExecutor(settings.threads)
        self.threads: list[Kernel] = [self]
        for more in range(1, settings.threads):
            own = {
                name: array if name in COMMON else array.copy()
                for name, array in self.m._asdict().items()
            }
            m = Memory(**own)._replace(random=Random(seed + more).state)
            self.threads.append(Kernel("dragon.search.mcts.kernel", state, m, bound))

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulate by all threads, each of which takes its share; a few by the first alone."""
        runs, more = [each.m.runs[0] for each in self.threads], simulations - self.simulations
        count = len(runs) if more >= ALONE else 1
        for i, (thread, run) in enumerate(zip(self.threads[:count], runs, strict=False)):
            budget = thread.m.budget[0]
            budget["simulations"] = run["simulated"] + (more + i) // count
            budget["nodes"] = run["nodes"] + -(-(nodes - self.nodes) // count)
            budget["size"] = self.size + SLICE_NODES
        others = [self._pool.submit(self._simulate, each) for each in self.threads[1:count]]
        try:
            self._simulate(self)
        finally:
            wait(others)  # no thread may be at the tree when this ends, also by an exception
        for each in others:
            each.result()
        self.nodes = int(sum(run["nodes"] for run in runs))
        self.simulations = int(sum(run["simulated"] for run in runs))
        self.size = int(self.m.lock[1])

    def _simulate(self, thread: Kernel) -> None:
        try:
            thread._resume()
        except BaseException:
            self.m.lock[0] = 0  # else other threads would wait for ever
            raise
