"""Monte Carlo tree search: the class, runs, and results.

A run has tree reuse, a memory limit, and root or tree parallelism. The kernel grows the tree,
compiled or as plain Python; both grow the same one.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from attrs import frozen

from dragon.core import Bound, Game, Limit, Position, Result, Run, State
from dragon.search.budget import Budget, Pace, simulations_budget
from dragon.search.mcts.settings import Settings
from dragon.search.two_sided import two_sided_objection

if TYPE_CHECKING:
    from numpy.random import Generator

    from dragon.search.mcts.driver import Tree

DEFAULT_SIMULATIONS = 100_000
TIMED_SLICE, FIRST_SLICE, LAST_SLICE = 1, 64, 4096
"""Simulations between two looks at the clock: at first, with and without a limit in seconds, and
the most."""
MOVES_SHOWN = 10
"""Root moves that a result lists, the most visited first."""
MOST_SUM = 1 << 61
"""The largest sum of payoffs in a node: below 2**63 by enough for the last simulation."""
MOST_REUSED = 1 << 40
"""The least plies that a reused tree must still be able to play before its sums are too large."""


@frozen
class MCTS(Settings):
    """Monte Carlo tree search: random playouts in a tree that grows towards the better moves."""

    def objection(self, game: Game[Any]) -> str | None:
        """Return the objection, also to `transpositions` in games where they do not apply."""
        found = super().objection(game)
        if found or not self.transpositions:
            return found
        if self.shares_tree or "squares" in self.policies.keeps:
            other = "parallel" if self.shares_tree else "selection"
            return f"{self} does not share values so; leave out transpositions, or {other}"
        return two_sided_objection(self, game)

    def open(self, game: Game[Any] | None = None) -> MCTSRun:
        """Return a run, which keeps its trees."""
        return MCTSRun(self, game)


class MCTSRun(Run):
    """A run that doubles its simulations until the root is proven or the budget is spent.

    Its trees are kept from move to move.
    """

    search: MCTS

    def __init__(self, search: MCTS, game: Game[Any] | None = None) -> None:
        super().__init__(search, game)
        self.trees: list[Tree] = []

    def close(self) -> None:
        """Release the trees."""
        self.trees = []

    def improve(self, position: Position, limit: Limit, rng: Generator) -> Iterator[Result]:
        """Yield a result each time that the simulations have doubled."""
        search, state = self.search, position.state
        budget, until = simulations_budget(search.simulations, limit, DEFAULT_SIMULATIONS)
        trees = self._planted(state, limit, rng)
        clock = Budget(limit)
        timed = limit.seconds is not None
        pace = Pace(TIMED_SLICE if timed else FIRST_SLICE, LAST_SLICE, timed)
        target = search.threads
        with ThreadPoolExecutor(search.threads) as pool:  # its threads start at the first call
            while True:
                target = min(2 * target, budget)
                more = _advance(trees, target, clock, pace, pool, most_plies(state))
                yield _result(state, trees, clock, until)
                if not more or target >= budget:
                    return

    def _planted(self, state: State[Any], limit: Limit, rng: Generator) -> list[Tree]:
        """Return a tree for each thread: the reused part of the last move's, or a new one."""
        from dragon.search.mcts.driver import tree_of

        search = self.search.fitted(state)
        trees: list[Tree] = []
        count = 1 if search.shares_tree else search.threads
        kept: list[Tree | None] = [*self.trees] or [None] * count
        for old in kept:
            depth, seed = limit.depth, int(rng.integers(1 << 63))
            trees.append(tree_of(search, state, depth, seed, old))
        self.trees = trees if self.search.reuse and most_plies(state) >= MOST_REUSED else []
        return trees


def most_plies(state: State[Any]) -> int:
    """Return the most plies that a tree may play, so that sums of payoffs fit into 64 bits."""
    return MOST_SUM // max(1, round(state.largest / state.unit))


def _advance(
    trees: list[Tree], target: int, clock: Budget, pace: Pace, pool: Executor, plies: int
) -> bool:
    """Bring the trees to `target` simulations in all, in slices; False if the run is over.

    plies: no tree plays more.
    """
    share = [target // len(trees) + (i < target % len(trees)) for i in range(len(trees))]
    most = clock.limit.nodes
    nodes = min(-(-most // len(trees)), plies) if most is not None else plies
    while True:
        goals = [min(n, t.simulations + pace.steps) for t, n in zip(trees, share, strict=True)]
        began = clock.seconds
        others = [
            pool.submit(tree.advance, goal, nodes, clock.late)  # kernels release the GIL
            for tree, goal in zip(trees[1:], goals[1:], strict=True)
        ]
        trees[0].advance(goals[0], nodes, clock.late)
        for each in others:
            each.result()
        if any(t.proof() is not None for t in trees) or all(t.nodes >= nodes for t in trees):
            return False
        if clock.late():
            return False
        if all(t.simulations >= n or t.nodes >= nodes for t, n in zip(trees, share, strict=True)):
            return True
        pace.took(clock.seconds - began, clock.left)


def _result(state: State[Any], trees: list[Tree], clock: Budget, until: str) -> Result:
    from dragon.search.mcts.driver import merged

    proofs = [proof for t in trees if (proof := t.proof()) is not None]
    below = [t.children() for t in trees]
    moves = merged(below)
    best = moves.best(proofs[0] if proofs else None, round(state.largest / state.unit))
    if proofs:
        units: float = proofs[0]
    elif best is None or state.turn < 0:
        units = trees[0].children().mean_of_all()
    else:
        units = moves.value(best)
    line: tuple[Any, ...] = ()
    if best is not None and state.turn >= 0:
        first = moves.keys[best]
        # A tree that proves the value by another move has no proof of this one.
        proving = [
            t for t, own in zip(trees, below, strict=True) if proofs and own.prove(first, proofs[0])
        ]
        line = max((t.line(first) for t in proving or trees), key=len)
    elif state.turn >= 0:
        line = (state.moves()[0],)
    clock.nodes = sum(t.nodes for t in trees)
    extra = {
        "simulations": sum(t.simulations for t in trees),
        "tree": sum(t.size for t in trees),
        "budget": until,
        "moves": {
            str(trees[0].move(moves.keys[i])): {
                "visits": int(moves.visits[i]),
                "value": moves.mean(i) * state.unit,
            }
            for i in moves.most_visited(MOVES_SHOWN)
        },
    }
    if any(t.nodes >= most_plies(state) for t in trees):
        extra["stopped"] = "no more payoffs that are so large can be added up"
    bound = Bound.EXACT if proofs else Bound.ESTIMATE
    return clock.result(units * state.unit, bound, line, extra=extra)
