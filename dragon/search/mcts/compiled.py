"""The memory of the kernel of Monte Carlo tree search, and its driver."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from dragon.bits import Random
from dragon.rules.record import RecordState
from dragon.search.budget import FOREVER
from dragon.search.driver import Kernel, run_of
from dragon.search.mcts.kernel import UNPROVEN, UNSEEN
from dragon.search.mcts.settings import SLICE_NODES, Child, Settings
from dragon.search.move_ordering import HISTORY

NODE = np.dtype(
    [
        ("code", "i8"),  # the move that leads here
        ("total", "i8"),  # units, for the seat that moved here (at the root: that moves)
        ("visits", "i8"),
        ("first", "i8"),  # index of the first child
        ("proof", "i8"),  # exact units of seat 0's side, or UNPROVEN
        ("best", "i8"),  # the most that a proven child gives the mover
        ("count", "i4"),  # children; 0 before expansion
        ("tried", "i4"),  # children visited at least once; of GRAVE its table, from 1 on, or 0
        ("unproven", "i4"),  # children without proof
        ("seat", "i4"),  # to move, CHANCE, TERMINAL or UNSEEN
    ],
    align=True,
)
AMAF = np.dtype([("total", "i8"), ("visits", "i8")])
"""Of one move of one seat: units for that seat, and simulations in which it was played."""
RUN = np.dtype(
    [
        ("nodes", "i8"),  # plies played, in the tree and beyond
        ("simulated", "i8"),  # simulations of this run
        ("stop", "i8"),  # pause when so many are done,
        ("stop_nodes", "i8"),  # so many plies are played,
        ("stop_size", "i8"),  # or the tree has so many nodes
        ("size", "i8"),  # nodes in the tree
        ("room", "i8"),  # and how many it may have
        ("depth", "i8"),  # no node this deep is expanded
        ("tables", "i8"),  # tables of AMAF values in use,
        ("most_tables", "i8"),  # how many there may be,
        ("table", "i8"),  # and the one that counts at the node looked at
        ("ref", "i8"),
        ("c", "f8"),
        ("bias", "f8"),
        ("uct", "i1"),
        ("grave", "i1"),
        ("solver", "i1"),
        ("reduce", "i1"),
        ("reduce_playouts", "i1"),
        ("solved", "i1"),
    ],
    align=True,
)


class Memory(NamedTuple):
    """What a simulation works on."""

    states: Any  # records[2], the second is scratch
    tree: Any  # NODE[any]
    path: Any  # int64[PLIES + 2]
    played: Any  # int64[PLIES + 2], with AMAF: each ply's seat and slot; -1 of chance
    amaf: Any  # AMAF[tables * SEATS * HISTORY]
    pay: Any  # int64[SEATS]
    out: Any  # int64[WIDTH]
    weights: Any  # float64[WIDTH], empty for a game without `odds`
    random: Any  # uint64[1]
    tablebase: Any  # uint8[any]
    runs: Any  # RUN[1]


class CompiledTree(Kernel):
    """The working memory of one run on a game by Rules."""

    stack = ("tree",)

    def __init__(
        self, settings: Settings, state: RecordState, depth: int | None, seed: int, old: Any
    ) -> None:
        rules = state.rules
        self.longest = max(int(settings.megabytes * 1e6) // NODE.itemsize, 1)
        solver = settings.backs_up_proofs(state)
        seats = len(rules.teams)
        tables = settings.tables(seats)
        runs = run_of(
            RUN, settings, room=self.longest, depth=min(depth or FOREVER, FOREVER), size=1,
            uct=settings.selection == "uct", grave=settings.selection == "grave",
            solver=solver, solved=settings.solved and solver, most_tables=tables,
        )  # fmt: skip
        m = Memory(
            states=np.zeros(2, rules.layout),
            tree=np.zeros(min(max(2 * rules.width, 1 << 12), self.longest), NODE),
            path=np.zeros(rules.plies + 2, np.int64),
            played=np.zeros(rules.plies + 2 if tables else 1, np.int64),
            amaf=np.zeros(max(tables * seats * HISTORY, 1), AMAF),
            pay=np.zeros(seats, np.int64),
            out=np.zeros(rules.width, np.int64),
            weights=np.zeros(rules.width if rules.odds is not None else 1),
            random=Random(seed).state,
            tablebase=rules.opened(settings.solved and solver),
            runs=runs,
        )
        m.tree[0]["proof"], m.tree[0]["seat"] = UNPROVEN, UNSEEN
        super().__init__("dragon.search.mcts.kernel", state, m)
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
        """Begins with the part of an earlier tree that lies below this state."""
        plies = 2 * len(self.rules.teams)
        states = np.zeros(plies + 1, self.rules.layout)
        states[0] = old.m.states[0]
        words = states.view(np.uint64).reshape(plies + 1, -1)
        target = np.frombuffer(self.root.data, np.uint64)
        path = np.zeros(plies + 1, np.int64)
        at = self._kernel.find(states, words, target, old.m.tree, path, plies)
        if at >= 0 and (old.m.tree[at]["count"] or old.m.tree[at]["proof"] == UNPROVEN):
            self.m = self.m._replace(tree=np.zeros(len(old.m.tree), NODE))
            self.size = self._kernel.graft(old.m.tree, at, self.m.tree)
            self.m.runs[0]["size"] = self.size
            if self.m.runs[0]["grave"]:
                self._take_tables(old)

    def _take_tables(self, old: CompiledTree) -> None:
        """Takes the AMAF values of the nodes that were taken, numbered anew."""
        numbers = self.m.tree["tried"][: self.size]
        kept = np.flatnonzero(numbers)
        shape = -1, len(self.rules.teams) * HISTORY
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
        return self.root.text(child.key)

    def proof(self) -> int | None:
        """The root's exact units for the seat to move there, once proven."""
        return self._units(int(self.m.tree[0]["proof"]))

    def line(self, first: int) -> tuple[str, ...]:
        """The most visited moves, beginning with the one of that code; in a proof, those of it."""
        tree, line, state = self.m.tree, [self.root.text(first)], self.root.play(first)
        at = next((i for i in self._visited(0) if tree[i]["code"] == first), -1)
        while at >= 0 and tree[at]["seat"] >= 0:
            exact = int(tree[at]["proof"])
            ranks = {
                i: (exact != UNPROVEN and int(tree[i]["proof"]) == exact, int(tree[i]["visits"]))
                for i in self._visited(at)
            }
            at = max(ranks, key=ranks.__getitem__, default=-1)
            if at >= 0:
                code = int(tree[at]["code"])
                line.append(state.text(code))
                state = state.play(code)
        return tuple(line)
