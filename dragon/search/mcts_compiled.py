"""The tree of MCTS as an array of nodes, grown by the compiled kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from dragon.bits import Random
from dragon.rehearsal import rehearsed
from dragon.search.budget import FOREVER
from dragon.search.kernels.mcts import GROW, NODE, RUN, UNPROVEN, UNSEEN, Memory
from dragon.search.mcts import SLICE_NODES, Child
from dragon.specialise import specialise

if TYPE_CHECKING:
    from dragon.record import RecordState
    from dragon.search.mcts import MCTS


class CompiledTree:
    """The working memory of one run on a game by Rules."""

    def __init__(
        self,
        search: MCTS,
        state: RecordState,
        depth: int | None,
        seed: int,
        old: Any,
    ) -> None:
        self.state = state
        self.rules = rules = state.rules
        self._kernel = specialise("dragon.search.kernels.mcts", rules)
        runs = np.zeros(1, RUN)
        self._run = run = runs[0]
        run["room"] = int(search.megabytes * 1e6) // NODE.itemsize
        run["depth"] = FOREVER if depth is None else min(depth, FOREVER)
        run["c"] = search.c
        run["uct"] = search.selection == "uct"
        run["reduce"] = search.reduce
        run["reduce_playouts"] = search.reduce_playouts
        run["solver"] = search.solver and state.zero_sum and len(set(rules.teams)) <= 2
        run["solved"] = search.solved and run["solver"]
        self._m = Memory(
            states=np.zeros(2, rules.layout),
            tree=np.zeros(min(max(2 * rules.width, 1 << 12), max(run["room"], 1)), NODE),
            path=np.zeros(rules.plies + 2, np.int64),
            pay=np.zeros(len(rules.teams), np.int64),
            out=np.zeros(rules.width, np.int64),
            weights=np.zeros(rules.width if rules.odds is not None else 1),
            random=Random(seed).state,
            tablebase=rules.opened(bool(run["solved"])),
            runs=runs,
        )
        self._m.states[0] = np.frombuffer(state.data, rules.layout)[0]
        self.tree[0]["proof"], self.tree[0]["seat"] = UNPROVEN, UNSEEN
        run["size"] = 1
        if isinstance(old, CompiledTree) and old.rules is rules:
            self._take(old)
        self.advance(0, 0)  # compiles or loads the kernel before the clock starts

    @property
    def tree(self) -> Any:
        """NODE[any]; the first `size` are in use."""
        return self._m.tree

    @property
    def nodes(self) -> int:
        """Plies played, in the tree and beyond."""
        return int(self._run["nodes"])

    @property
    def simulations(self) -> int:
        """Simulations of this run."""
        return int(self._run["simulations"])

    @property
    def size(self) -> int:
        """Nodes in the tree."""
        return int(self._run["size"])

    @rehearsed
    def advance(self, simulations: int, nodes: int, late: Callable[[], bool] | None = None) -> None:
        """Simulates until this many simulations or plies in all, or until proven."""
        self._run["stop_simulations"], self._run["stop_nodes"] = simulations, nodes
        self._run["stop_size"] = self.size + SLICE_NODES
        while True:
            if self._kernel.advance(self._m) != GROW:
                return
            longer = np.zeros(min(2 * len(self.tree), int(self._run["room"])), NODE)
            longer[: self.size] = self.tree[: self.size]
            self._m = self._m._replace(tree=longer)

    def _take(self, old: CompiledTree) -> None:
        """Begins with the part of an earlier tree that lies below this state."""
        plies = 2 * len(self.rules.teams)
        states = np.zeros(plies + 1, self.rules.layout)
        states[0] = old._m.states[0]
        words = states.view(np.uint64).reshape(plies + 1, -1)
        target = np.frombuffer(self.state.data, np.uint64)
        path = np.zeros(plies + 1, np.int64)
        at = self._kernel.find(states, words, target, old.tree, path, plies)
        if at >= 0 and (old.tree[at]["count"] or old.tree[at]["proof"] == UNPROVEN):
            self._m = self._m._replace(tree=np.zeros(len(old.tree), NODE))
            self._run["size"] = self._kernel.graft(old.tree, at, self.tree)

    def _units(self, proof: int, seat: int) -> int:
        teams = self.rules.teams
        return proof if teams[seat] == teams[0] else -proof

    def _visited(self, at: int) -> list[int]:
        """The children of a node that have been visited."""
        first, count = int(self.tree[at]["first"]), int(self.tree[at]["count"])
        return [first + int(i) for i in np.flatnonzero(self.tree["visits"][first : first + count])]

    def _best_child(self, at: int) -> int:
        """The most visited child, or of a proven node one that proves it; -1 if none."""
        exact = int(self.tree[at]["proof"])

        def rank(i: int) -> tuple[bool, int]:
            node = self.tree[i]
            return exact != UNPROVEN and int(node["proof"]) == exact, int(node["visits"])

        return max(self._visited(at), key=rank, default=-1)

    def children(self) -> list[Child]:
        """The root's children that have been visited."""
        seat = max(self.state.turn, 0)
        nodes = self.tree[self._visited(0)]
        fields = (nodes[name].tolist() for name in ("code", "visits", "total", "proof"))
        return [
            Child(code, visits, total, None if proof == UNPROVEN else self._units(proof, seat))
            for code, visits, total, proof in zip(*fields, strict=True)
        ]

    def move(self, child: Child) -> str:
        """The move that a child stands for."""
        return self.state.text(child.key)

    def proof(self) -> int | None:
        """The root's exact units for the seat to move there, once proven."""
        proof = int(self.tree[0]["proof"])
        return None if proof == UNPROVEN else self._units(proof, max(self.state.turn, 0))

    def value(self) -> float:
        """The root's mean units, for the seat to move there."""
        nodes = self.tree[self._visited(0)]
        return float(nodes["total"].sum() / max(1, nodes["visits"].sum()))

    def line(self, first: int) -> tuple[str, ...]:
        """The most visited moves, beginning with the one of that code."""
        line, state = [self.state.text(first)], self.state.play(first)
        at = next((i for i in self._visited(0) if self.tree[i]["code"] == first), -1)
        while at >= 0 and self.tree[at]["seat"] >= 0:
            at = self._best_child(at)
            if at >= 0:
                code = int(self.tree[at]["code"])
                line.append(state.text(code))
                state = state.play(code)
        return tuple(line)
