"""The driver of the kernel of Monte Carlo tree search."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dragon.bits import Random
from dragon.rules.preparation import RulesWith
from dragon.rules.record import RecordState
from dragon.search.budget import FOREVER
from dragon.search.driver import Kernel, run_of
from dragon.search.mcts.amaf import length_of
from dragon.search.mcts.kernel import UNPROVEN, UNSEEN
from dragon.search.mcts.memory import RUN, Memory, node_of, values
from dragon.search.mcts.settings import SLICE_NODES, Child, Settings


class CompiledTree(Kernel):
    """The working memory of one run on a game by Rules."""

    stack = ("tree",)

    def __init__(
        self, settings: Settings, state: RecordState, depth: int | None, seed: int, old: Any
    ) -> None:
        rules, policies = state.rules, settings.policies
        self.longest = settings.room()
        solver = settings.backs_up_proofs(state)
        seats, plies = len(rules.teams), rules.plies + 2
        runs = run_of(
            RUN, settings, room=self.longest, depth=min(depth or FOREVER, FOREVER), size=1,
            solver=solver, solved=settings.solved and solver, most_tables=settings.tables(seats),
            seats=seats, largest=rules.largest, fpu=settings.urgency,
        )  # fmt: skip
        first = min(max(2 * rules.width, 1 << 12), self.longest)
        if policies.shared:  # what other threads are at cannot be put elsewhere
            first = self.longest
        priors = "priors" in policies.keeps
        m = Memory(
            states=np.zeros(3, rules.layout),
            tree=np.zeros(first, node_of(policies.keeps)),
            path=np.zeros(plies, np.int64),
            played=np.zeros(plies if policies.bound["NOTES"] else 1, np.int64),
            pay=np.zeros(seats, np.int64),
            out=np.zeros(rules.width, np.int64),
            weights=np.zeros(rules.width if rules.odds is not None or priors else 1),
            scores=np.zeros(rules.width if priors else 1, np.int64),
            random=Random(seed).state,
            tablebase=rules.opened(settings.solved and solver),
            lock=np.zeros(3, np.int64),
            runs=runs,
            **values(settings, seats),
        )
        m.tree[0]["proof"], m.tree[0]["seat"] = UNPROVEN, UNSEEN
        super().__init__("dragon.search.mcts.kernel", state, m, RulesWith(rules, policies.bound))
        self.nodes = self.simulations = 0
        """Plies played, in the tree and beyond, and simulations of this run."""
        self.size = 1
        if isinstance(old, CompiledTree) and old.rules is rules:
            self._take(old)

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulates until this many simulations or plies in all, or until proven.

        A kernel is quick, so that nobody asks whether it is `late`.
        """
        run = self.m.runs[0]
        run["stop"], run["stop_nodes"] = simulations, nodes
        run["stop_size"] = self.size + SLICE_NODES
        self._resume()
        self.nodes, self.simulations = int(run["nodes"]), int(run["simulated"])
        self.size = int(run["size"])

    def _take(self, old: CompiledTree) -> None:
        """Begins with the part of an earlier tree that lies below this state, and its history."""
        self.m = self.m._replace(history=old.m.history, grams=old.m.grams)
        plies = 2 * len(self.rules.teams)
        states = np.zeros(plies + 1, self.rules.layout)
        states[0] = old.m.states[0]
        words = states.view(np.uint64).reshape(plies + 1, -1)
        target = np.frombuffer(self.root.data, np.uint64)
        path = np.zeros(plies + 1, np.int64)
        at = self._kernel.find(states, words, target, old.m.tree, path, plies)
        if at >= 0 and (old.m.tree[at]["count"] or old.m.tree[at]["proof"] == UNPROVEN):
            self.m = self.m._replace(tree=np.zeros(old.m.tree.shape, old.m.tree.dtype))
            self.size = self._kernel.graft(old.m.tree, at, self.m.tree)
            self.m.runs[0]["size"] = self.size
            if self.m.runs[0]["most_tables"]:
                self._take_tables(old)

    def _take_tables(self, old: CompiledTree) -> None:
        """Takes the AMAF values of the nodes that were taken, numbered anew."""
        numbers = self.m.tree["tried"][: self.size]
        kept = np.flatnonzero(numbers)
        shape = -1, length_of(len(self.rules.teams))
        if len(kept):
            tables = old.m.amaf.reshape(shape)[numbers[kept] - 1]
            self.m.amaf.reshape(shape)[: len(kept)] = tables
            numbers[kept] = np.arange(1, len(kept) + 1)
            self.m.runs[0]["tables"] = len(kept)

    def _units(self, proof: int) -> int | None:
        """The proof of a node for the seat to move at the root; None where there is none."""
        if proof == UNPROVEN:
            return None
        teams = self.rules.teams
        return proof if teams[max(self.root.turn, 0)] == teams[0] else -proof

    def _visited(self, at: int) -> list[int]:
        tree = self.m.tree
        first, count = int(tree[at]["first"]), int(tree[at]["count"])
        return [first + int(i) for i in np.flatnonzero(tree["visits"][first : first + count])]

    def children(self) -> list[Child]:
        """The root's children that have been visited."""
        nodes = self.m.tree[self._visited(0)]
        fields = (nodes[name].tolist() for name in ("code", "visits", "total", "proof"))
        return [
            Child(code, visits, total, self._units(proof))
            for code, visits, total, proof in zip(*fields, strict=True)
        ]

    def move(self, child: Child) -> str:
        """The move that a child stands for."""
        text: str = self.root.text(child.key)
        return text

    def proof(self) -> int | None:
        """The root's exact units for the seat to move there, once proven."""
        return self._units(int(self.m.tree[0]["proof"]))

    def line(self, first: int) -> tuple[str, ...]:
        """The most visited moves, beginning with the one of that code; in a proof, those of it."""
        tree, codes = self.m.tree, [first]
        at = next((i for i in self._visited(0) if tree[i]["code"] == first), -1)
        while at >= 0 and tree[at]["seat"] >= 0:
            exact = int(tree[at]["proof"])
            ranks = {
                i: (exact != UNPROVEN and int(tree[i]["proof"]) == exact, int(tree[i]["visits"]))
                for i in self._visited(at)
            }
            at = max(ranks, key=ranks.__getitem__, default=-1)
            if at >= 0:
                codes.append(int(tree[at]["code"]))
        return self.moves_of(codes)
