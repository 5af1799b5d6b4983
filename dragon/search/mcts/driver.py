"""The driver of the kernel of Monte Carlo tree search: a tree of one thread, or of several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from functools import lru_cache
from typing import Any

import numpy as np

from dragon.bits import Random
from dragon.core import TERMINAL, Game, State
from dragon.rules.record import RecordState, defines, has_kernels
from dragon.search.budget import FOREVER
from dragon.search.driver import CompiledBackend, Kernel, run_of
from dragon.search.mcts.settings import FEW, SLICE_NODES, Settings
from dragon.search.mcts.statistics.transpositions import SHARED_VALUE, SHORTEST
from dragon.search.mcts.tree import (
    BLOCK,
    BUDGET,
    LANES,
    RUN,
    SETTINGS,
    SMALLEST,
    UNPROVEN,
    UNSEEN,
    VALUE,
    Children,
    Memory,
    lengths,
    node_of,
    reserved,
)

COMMON = ("tree", "blocks", "shared", "amaf", "history", "grams", "tablebase", "lock", "settings")
"""The arrays that all threads of a tree share."""
SAMPLED = 32
"""The most plies of the random game from which `_has_few` takes an average."""
ALONE = 64
"""The number of simulations below which one thread does all: another would take longer to start."""


def merged(trees: list[Children]) -> Children:
    """Return the root moves of all trees, with their visits and totals added up."""
    if len(trees) == 1:
        return trees[0]
    known: dict[Any, int] = {}
    at = [known.setdefault(key, len(known)) for tree in trees for key in tree.keys]
    visits, totals = np.zeros((2, len(known)), np.int64)
    np.add.at(visits, at, np.concatenate([tree.visits for tree in trees]))
    np.add.at(totals, at, np.concatenate([tree.totals for tree in trees]))
    proofs = np.full(len(known), UNPROVEN)
    np.maximum.at(proofs, at, np.concatenate([tree.proofs for tree in trees]))
    return Children(np.arange(len(known)), list(known), visits, totals, proofs)


def tree_of(
    settings: Settings, state: State[Any], depth: int | None, seed: int, old: Tree | None
) -> Tree:
    """Return the tree of one run, for as many threads as grow it."""
    if settings.shares_tree and has_kernels(state):
        return SharedTree(settings, state, depth, seed, old)
    return Tree(settings, state, depth, seed, old)


@lru_cache
def _has_few(game: Game[Any]) -> bool:
    """Return True if positions of a game have few moves, though its `width` is large: at most the
    size of a block, on average over a random game.

    Then a record for each child is quicker: 1.26 times at sokoban, 1.19 at peg solitaire, 1.09 at
    checkers. The same game is played each time, so that trees depend on seeds alone.
    """
    state, random = game.start(), Random(0)
    moves = plies = 0
    while plies < SAMPLED and state.turn != TERMINAL and moves <= LANES * SAMPLED:
        listed = state.moves()
        moves, plies = moves + len(listed), plies + 1
        state = state.after(listed[random(len(listed))])
    return moves <= LANES * plies


class RecordBackend(CompiledBackend):
    """The maker of the memory and the functions of a compiled tree."""

    def lanes(self, blocks: Any, first: int, n: int) -> Sequence[int]:
        """Return the indices of the first `n` children in the blocks from `first` on."""
        lanes: Sequence[int] = blocks["child"][first : first - (-n // LANES)].reshape(-1)[:n]
        return lanes

    def children(self, tree: Any, places: Sequence[int]) -> Children:
        """Return those of these nodes that have been visited; proofs are of seat 0."""
        at = np.asarray(places, np.int64)
        at = at[tree["visits"][at] > 0]
        nodes = tree[at]
        totals, proofs = nodes["total"], nodes["proof_seat0"]
        return Children(at, nodes["code"].tolist(), nodes["visits"], totals, proofs)


def _backend_of(settings: Settings, state: State[Any], bound: dict[str, Any]) -> Any:
    if has_kernels(state):
        return RecordBackend(state)
    from dragon.search.mcts.interpreted import TreeBackend

    return TreeBackend(settings, state, bound)


class Tree(Kernel):
    """The working memory of one run, compiled or interpreted."""

    stack = ("tree",)
    growing = False
    """True in a browser, where memory cannot be reserved: the tree is short at first and grows."""

    def __init__(
        self,
        settings: Settings,
        state: State[Any],
        depth: int | None,
        seed: int,
        old: Tree | None = None,
    ) -> None:
        self.width: int
        """The most moves; of a game without Rules those of the first root, by which all trees of a
        run have one layout."""
        if isinstance(state, RecordState):
            self.width = state.rules.width
        else:
            self.width = len(state.moves()) if old is None else old.width
        few = isinstance(state, RecordState) and self.width > FEW and _has_few(state.game)
        self.policies, self.teams = settings.policies_for(0 if few else self.width), state.teams
        bound, keeps, blocked = self.policies.bound, self.policies.keeps, self.policies.blocked

        def reserve(length: int, record: Any) -> Any:
            compiled = arrays.compiled
            return reserved(length, record) if compiled else arrays.zeros(length, kind=record)

        arrays = _backend_of(settings, state, bound)
        solver, seats, plies = settings.backs_up_proofs(state), len(self.teams), arrays.plies + 2
        first, room = max(2 * self.width, SMALLEST), settings.room()
        tree = reserve(min(first, room) if self.growing else room, node_of(keeps, blocked))
        self._most_shared = 1 << (3 * room // 2).bit_length() - 1
        shared = min(SHORTEST, self._most_shared) if arrays.compiled else self._most_shared
        shared = shared if settings.transpositions else 1
        blocks = reserve(len(tree) + 1 if blocked else 1, BLOCK)
        self.longest = room
        if not self.growing:
            self.longest = min(room, len(tree), len(blocks) if blocked else room)
        states = arrays.states(3)
        m = Memory(
            states=states,
            words=arrays.words(states),
            shared=reserve(shared, SHARED_VALUE),
            tree=tree,
            blocks=blocks,
            path=arrays.zeros(plies),
            slots=arrays.zeros(plies if blocked else 1),
            played=arrays.zeros(plies if bound["NOTES"] else 1),
            pay=arrays.zeros(seats),
            out=arrays.full(self.width, value=0),
            weights=arrays.full(
                self.width if defines(state, "odds") or "priors" in keeps else 1, value=0.0
            ),
            scores=arrays.full(self.width if "priors" in keeps else 1, value=0),
            random=arrays.random(seed),
            tablebase=arrays.tablebase(settings.solved and solver),
            lock=arrays.zeros(4),
            settings=arrays.runs(run_of(
                SETTINGS, settings, solver=solver, solved=settings.solved and solver, seats=seats,
                largest=arrays.largest, fpu=settings.urgency,
            )),
            budget=arrays.runs(run_of(
                BUDGET, room=self.longest, depth=min(depth or FOREVER, FOREVER),
                tables=settings.tables(seats), shared=shared,
            )),
            runs=arrays.runs(run_of(RUN, size=1, blocks=1)),
            **{name: arrays.zeros(n, kind=VALUE) for name, n in lengths(settings, seats).items()},
        )  # fmt: skip
        m.tree[0]["proof_seat0"], m.tree[0]["seat"] = UNPROVEN, UNSEEN
        super().__init__("dragon.search.mcts.kernel", state, m, bound, arrays)
        self.nodes = self.simulations = 0
        """Plies played, in the tree and beyond, and simulations of this run."""
        self.size = 1
        if old is not None and self._continues(old):
            self._take(old)

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulate until this many simulations or plies in all, or until proven.

        An interpreted tree gives up a simulation when it is `late`; a slice of a compiled one is
        short.
        """
        if self.policies.transpositions and self.backend.compiled:
            self._lengthen_shared()
        run, budget = self.m.runs[0], self.m.budget[0]
        budget["simulations"], budget["nodes"] = simulations, nodes
        budget["entries"] = self.size + int(run["blocks"]) + SLICE_NODES
        if not self.resume_until(late):
            self.backend.give_up(self.m)
        self.nodes, self.simulations = int(run["nodes"]), int(run["simulated"])
        self.size = int(run["size"])

    def _lengthen_shared(self) -> None:
        """Lengthen the table of shared values where it is half full."""
        old = self.m.shared
        if 2 * int(self.m.runs[0]["shared"]) < len(old) or len(old) >= self._most_shared:
            return
        new = np.zeros(min(4 * len(old), self._most_shared), SHARED_VALUE)
        places = np.zeros(len(old) + 2, np.int64)
        self._kernel.lengthen_shared(old, new, places)
        nodes = self.m.tree["shared"][: self.size]
        nodes[:] = places[nodes]  # entry NOTHING is 0, so that its nodes are looked up again
        self.m = self.m._replace(shared=new)
        self.m.budget[0]["shared"] = len(new)

    def _continues(self, old: Tree) -> bool:
        """Return True if an earlier tree has the layout of this one."""
        same = self.rules is old.rules or not (self.backend.compiled or old.backend.compiled)
        return same and self.policies == old.policies

    def _take(self, old: Tree) -> None:
        """Tree reuse: start with the subtree of an earlier tree that belongs to this state, and
        with its history."""
        self.m = self.m._replace(history=old.m.history, grams=old.m.grams)
        arrays, plies, run = self.backend, 2 * len(self.teams), self.m.runs[0]
        states, target = arrays.states(plies + 1), arrays.words(self.m.states)[0]
        states[0] = old.m.states[0]
        path, places = arrays.zeros(plies + 1), arrays.zeros(plies + 1)
        at = self._kernel.find(states, arrays.words(states), target, old.m, path, places, plies)
        if at < 0 or not (old.m.tree[at]["count"] or old.m.tree[at]["proof_seat0"] == UNPROVEN):
            return
        self._kernel.graft(old.m.tree, old.m.blocks, at, self.m.tree, self.m.blocks, run)
        if self.m.budget[0]["tables"]:
            self._kernel.take_tables(self.m, old.m.amaf, run)
        self.size = int(run["size"])
        if self.proof() not in (None, *self.children().proofs):  # an equal state was proven
            self.m.tree[0]["proof_seat0"] = UNPROVEN

    def proof(self) -> int | None:
        """Return the root's exact units for the seat to move there, once proven."""
        proof = int(self.m.tree[0]["proof_seat0"])
        return None if proof == UNPROVEN else self._sign * proof

    @property
    def _sign(self) -> int:
        """1 if the seat to move at the root is on the side of seat 0, else -1."""
        teams = self.teams
        return 1 if teams[max(self.root.turn, 0)] == teams[0] else -1

    def _below(self, at: int) -> Children:
        """Return the children of a node that have been visited."""
        node, blocks = self.m.tree[at], self.m.blocks
        first = int(node["first"])
        places: Sequence[int] = range(first, first + int(node["count"]))
        if self.policies.blocked:
            places = self.backend.lanes(blocks, first, int(node["tried"]))
        below: Children = self.backend.children(self.m.tree, places)
        if self._sign > 0:
            return below
        return below._replace(proofs=np.where(below.proofs == UNPROVEN, UNPROVEN, -below.proofs))

    def children(self) -> Children:
        """Return the root's children that have been visited."""
        return self._below(0)

    def move(self, key: Any) -> Any:
        """Return the move of a child of the root."""
        root = self.root
        return root.text(key) if isinstance(root, RecordState) else key

    def line(self, first: Any) -> tuple[Any, ...]:
        """Return the principal variation from the move `first`: the most visited moves, or those of
        a proof, as far as the tree has it: a proof by a transposition is without moves."""
        line, tree, below = [first], self.m.tree, self._below(0)
        if first not in below.keys:
            return self.moves_of(line)
        i = below.keys.index(first)
        while tree[place := int(below.places[i])]["seat"] >= 0:
            proof, below = below.proofs[i], self._below(place)
            if not below.keys:
                break
            proving = (below.proofs == proof) & (proof != UNPROVEN)
            if proof != UNPROVEN and not proving.any():
                break
            i = int(np.lexsort((-np.arange(len(proving)), below.visits, proving))[-1])
            line.append(below.keys[i])
        return self.moves_of(line)


class SharedTree(Tree):
    """A tree that several threads grow; their order is not determined."""

    def __init__(
        self,
        settings: Settings,
        state: RecordState,
        depth: int | None,
        seed: int,
        old: Tree | None = None,
    ) -> None:
        super().__init__(settings, state, depth, seed, old)
        run, bound = self.m.runs[0], self.policies.bound
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
        """Simulate in all threads, each its share; a small number in the first alone."""
        runs, more = [each.m.runs[0] for each in self.threads], simulations - self.simulations
        count = len(runs) if more >= ALONE else 1
        for i, (thread, run) in enumerate(zip(self.threads[:count], runs, strict=False)):
            budget = thread.m.budget[0]
            budget["simulations"] = run["simulated"] + (more + i) // count
            budget["nodes"] = run["nodes"] + -(-(nodes - self.nodes) // count)
            budget["entries"] = self.size + int(self.m.lock[3]) + SLICE_NODES
        others = [self._pool.submit(self._simulate, each) for each in self.threads[1:count]]
        try:
            self._simulate(self)
        finally:
            wait(others)  # no thread may use the tree when this ends, even by an exception
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
