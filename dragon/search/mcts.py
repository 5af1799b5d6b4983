"""Monte Carlo tree search: UCT with proofs, tree reuse, a memory cap and root parallelism.

This file says how long to search and what a result says. The tree is `mcts_plain`, to be
read aloud, or `mcts_compiled`, which drives the kernel; both grow the same one.

Sources: Coulom 2006 (the four phases); Kocsis and Szepesvari 2006 (UCT); Winands,
Bjornsson and Saito 2008 (MCTS-Solver); Chaslot, Winands and van den Herik 2008 (root
parallelism).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from attrs import field, frozen, validators

from dragon.core import Bound, Limit, Position, Result, Run, Search, State, Trait
from dragon.record import has_kernels
from dragon.search.budget import FOREVER, MOST_MEGABYTES, Budget, Pace, simulations_budget

if TYPE_CHECKING:
    import numpy as np

    from dragon.core import Game

DEFAULT_SIMULATIONS = 100_000
FIRST_SLICE, LAST_SLICE = 64, 4096
"""Simulations between two looks at the clock; under a limit in seconds the first slice is one."""
SLICE_NODES = 50_000
"""Or so many new nodes of the tree, where lists of moves are long."""


@frozen
class Child:
    """What a tree knows of one root move; units from the side of the seat to move at the root."""

    key: Any
    """The move, or what the tree writes for it."""
    visits: int
    total: int
    proof: int | None


class Tree(Protocol):
    """The working memory of one run; simulations go on where they stopped."""

    @property
    def nodes(self) -> int:
        """Plies played, in the tree and beyond."""

    @property
    def simulations(self) -> int:
        """Simulations of this run."""

    @property
    def size(self) -> int:
        """Nodes in the tree."""

    def advance(self, simulations: int, nodes: int, late: Callable[[], bool]) -> None:
        """Simulates until this many simulations or plies in all, until proven or `late`.

        It may stop before, when the tree has grown by SLICE_NODES. Where a ply may take any
        time, `late` is asked at each; a kernel is quick and asks nobody.
        """

    def children(self) -> list[Child]:
        """The root's children that have been visited."""

    def proof(self) -> int | None:
        """The root's exact units for the seat to move there, once proven."""

    def value(self) -> float:
        """The root's mean units, for the seat to move there."""

    def move(self, child: Child) -> Any:
        """The move that a child stands for."""

    def line(self, first: Any) -> tuple[Any, ...]:
        """The most visited moves, beginning with the one of that key."""


@frozen
class MCTS(Search):
    """Random playouts gathered in a tree that grows where they do well."""

    name = "mcts"
    excludes = frozenset({Trait.HIDDEN})

    c: float = field(default=1.0, validator=[validators.ge(0), validators.le(1e6)])
    """UCT's exploration constant, for values from 0 to 1."""
    selection: str = field(default="uct", validator=validators.in_(("uct", "wins")))
    """"uct", or "wins": wins by visits alone, a draw being half a win."""
    solver: bool = True
    """Back up proven wins, losses and draws."""
    reduce: bool = True
    """Put into the tree one of several moves that the game calls equivalent."""
    solved: bool = False
    """With `solver`: ask the game's own `solved` at every new node, and search none it knows."""
    reduce_playouts: bool = False
    """Draw the moves of playouts, too, from those that `reduce` leaves: its wins in one, say."""
    reuse: bool = True
    """Keep the part of the tree that is still of use for the next move of a game."""
    megabytes: float = field(
        default=256.0, validator=[validators.gt(0), validators.le(MOST_MEGABYTES)]
    )
    """Size of the tree, for each thread; when it is full, playouts go on from its leaves."""
    threads: int = field(default=1, validator=[validators.ge(1), validators.le(256)])
    """Trees grown side by side, their root moves added up."""
    simulations: int | None = field(default=None)
    """Simulations for each move; none: until the limit, or 100,000 where there is none."""

    @simulations.validator
    def _check_simulations(self, attribute: Any, value: int | None) -> None:
        if value is not None and value < 1:
            raise ValueError(f"simulations must be at least 1, not {value}")

    def open(self, game: Game[Any] | None = None) -> MCTSRun:
        """A run that keeps its trees."""
        return MCTSRun(self, game)

    def tree(self, state: State[Any], limit: Limit, seed: int, old: Any) -> Tree:
        """A tree that grows from a state, or with what an old one knows of it."""
        if has_kernels(state):
            from dragon.search.mcts_compiled import CompiledTree

            return CompiledTree(self, state, limit.depth, seed, old)
        from dragon.search.mcts_plain import PlainTree

        return PlainTree(self, state, limit.depth, seed, old)


class MCTSRun(Run):
    """Doubles its simulations until proven or out of budget; its trees stay from move to move."""

    search: MCTS

    def __init__(self, search: MCTS, game: Game[Any] | None = None) -> None:
        super().__init__(search, game)
        self.trees: list[Tree] = []

    def close(self) -> None:
        """Lets the trees go."""
        self.trees = []

    def improve(
        self, position: Position, limit: Limit, rng: np.random.Generator
    ) -> Iterator[Result]:
        """A result for each doubling of the simulations."""
        search, state = self.search, position.state
        budget, told = simulations_budget(search.simulations, limit, DEFAULT_SIMULATIONS)
        trees = self._planted(state, limit, rng)
        clock = Budget(limit)
        timed = limit.seconds is not None
        pace = Pace(1 if timed else FIRST_SLICE, LAST_SLICE, timed)
        target = search.threads
        while True:
            target = min(2 * target, budget)
            more = _advance(trees, target, clock, pace)
            done = not more or target >= budget
            yield _result(state, trees, clock.seconds, told)
            if done:
                return

    def _planted(self, state: State[Any], limit: Limit, rng: np.random.Generator) -> list[Tree]:
        """One tree for each thread: the rest of the last move's, or a new one."""
        kept = self.trees
        trees: list[Tree] = []
        for i in range(self.search.threads):
            seed = int(rng.integers(1 << 63))
            old = kept[i] if i < len(kept) else None
            trees.append(self.search.tree(state, limit, seed, old))
        self.trees = trees if self.search.reuse else []
        return trees


def _advance(trees: list[Tree], target: int, clock: Budget, pace: Pace) -> bool:
    """Brings the trees to `target` simulations in all, in slices; False if the run is over."""
    share = [target // len(trees) + (i < target % len(trees)) for i in range(len(trees))]
    most = clock.limit.nodes
    nodes = min(-(-most // len(trees)), FOREVER) if most is not None else FOREVER
    while True:
        goals = [min(n, t.simulations + pace.steps) for t, n in zip(trees, share, strict=True)]
        began = clock.seconds
        _side_by_side(trees, goals, nodes, clock.late)
        if any(t.proof() is not None for t in trees) or all(t.nodes >= nodes for t in trees):
            return False
        if clock.late():
            return False
        if all(t.simulations >= n or t.nodes >= nodes for t, n in zip(trees, share, strict=True)):
            return True
        pace.took(clock.seconds - began)


def _result(state: State[Any], trees: list[Tree], seconds: float, budget: str) -> Result:
    proofs = [proof for t in trees if (proof := t.proof()) is not None]
    merged = _merged(trees)
    simulations = sum(t.simulations for t in trees)
    best = _best(merged, proofs[0] if proofs else None, round(state.largest / state.unit))
    if proofs:
        value, bound = proofs[0] * state.unit, Bound.EXACT
    elif best is None or state.turn < 0:
        value, bound = trees[0].value() * state.unit, Bound.ESTIMATE
    else:
        mean = best.proof if best.proof is not None else best.total / best.visits
        value, bound = mean * state.unit, Bound.ESTIMATE
    line: tuple[Any, ...] = ()
    if best is not None and state.turn >= 0:
        proving = [t for t in trees if t.proof() is not None] or trees
        line = max((t.line(best.key) for t in proving), key=len)
    elif state.turn >= 0:
        line = (state.moves()[0],)
    top = sorted(merged, key=lambda child: -child.visits)[:10]
    extra = {
        "simulations": simulations,
        "tree": sum(t.size for t in trees),
        "budget": budget,
        "moves": {
            str(trees[0].move(x)): {
                "visits": x.visits,
                "value": x.total / x.visits * state.unit,
            }
            for x in top
        },
    }
    return Result(
        value, bound, line, nodes=sum(t.nodes for t in trees), seconds=seconds, extra=extra
    )


def _side_by_side(
    trees: list[Tree], goals: list[int], nodes: int, late: Callable[[], bool]
) -> None:
    """Advances every tree, each in its own thread (kernels release the GIL)."""
    if len(trees) == 1:
        trees[0].advance(goals[0], nodes, late)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(trees)) as pool:
        list(pool.map(lambda tree, goal: tree.advance(goal, nodes, late), trees, goals))


def _merged(trees: list[Tree]) -> list[Child]:
    """The root moves of all trees, visits and totals added up."""
    if len(trees) == 1:
        return trees[0].children()
    merged: dict[Any, Child] = {}
    for child in (child for t in trees for child in t.children()):
        known = merged.get(child.key)
        if known is None:
            merged[child.key] = child
        else:
            proof = known.proof if known.proof is not None else child.proof
            merged[child.key] = Child(
                child.key, known.visits + child.visits, known.total + child.total, proof
            )
    return list(merged.values())


def _best(children: list[Child], proof: int | None, largest: int) -> Child | None:
    """The move to play: one that proves the root, else the most visited that is not lost."""
    if proof is not None:
        proving = [child for child in children if child.proof == proof]
        if proving:
            return proving[0]
    sound = [child for child in children if child.proof != -largest]
    return max(sound or children, key=lambda child: (child.visits, child.total), default=None)
