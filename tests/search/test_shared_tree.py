"""Threads that grow one tree: it is whole, and proofs are right, however they interleave."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import chain, islice
from random import Random as Dice
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import Bound, Limit, State
from dragon.compiler.library import acquire, release, swap
from dragon.compiler.location import Refused
from dragon.laws.kit import random_game
from dragon.modes import JIT
from dragon.search.mcts.driver import SharedTree, Tree, tree_of
from dragon.search.mcts.tree import LANES, UNPROVEN
from tests.compiler.compiled import compile_function

pytestmark = pytest.mark.samples(1)

SHARED = "threads=3, parallel='tree'"
SETTINGS = [
    "solver=false",
    "selection='grave', ref=10",
    "selection='ucb1_tuned'",
    "selection='progressive_history', playout='nst'",
    "fpu=0.6, playout='mast'",
    "style='puct'",
]


def drawn(spec: str, plies: int, seed: int) -> State[Any]:
    """The state after this number of plies of a random game, or the last before its end."""
    game = dragon.game(spec)
    states = islice(random_game(game, game.start(seed), Dice(seed)), plies + 1)
    return [state for state in states if state.turn != dragon.TERMINAL][-1]


def grown(state: Any, settings: str, simulations: int) -> SharedTree:
    """A tree of this number of simulations by three threads."""
    search: Any = dragon.search(f"mcts({SHARED}, {settings})")
    tree = tree_of(search.fitted(state), state, None, 1, None)
    assert isinstance(tree, SharedTree)
    tree.advance(simulations, 1 << 40, lambda: False)
    return tree


def children(tree: SharedTree, node: Any) -> list[int]:
    """Return the children of a node that are in the tree: side by side, or in blocks of eight."""
    first = int(node["first"])
    if tree.m.runs[0]["blocks"] == 1:  # none is in use
        return [*range(first, first + int(node["count"]))]
    blocks = tree.m.blocks
    return [int(blocks[first + i // LANES]["child"][i % LANES]) for i in range(node["tried"])]


def check_whole(tree: SharedTree) -> None:
    """Every node has one parent, no virtual loss is left, and no visit is lost."""
    nodes = tree.m.tree[: tree.size]
    assert tree.m.lock[0] == 0
    assert nodes[0]["visits"] == tree.simulations
    parents = np.flatnonzero(nodes["count"])
    families = [children(tree, node) for node in nodes[parents]]
    assert sorted(chain(*families)) == [*range(1, tree.size)]
    below = np.array([nodes["visits"][family].sum() for family in families])
    assert (below <= nodes["visits"][parents]).all()
    assert (nodes["visits"] >= 0).all()
    assert (abs(nodes["total"]) <= nodes["visits"] * tree.rules.largest).all()
    assert not nodes["total"][nodes["visits"] == 0].any()


def tried(spec: str, settings: str) -> Any:
    """By default each setting on a game, and a wide one; each pair compiles.

    Tests below ask the same of a game of chance without a solver, and of hex with one.
    """
    default = (
        settings == SETTINGS[1]
        if spec == "reversi"
        else (spec == "connect4" and settings != SETTINGS[0])
    )
    return pytest.param(spec, settings, marks=[pytest.mark.full] * (not default))


@pytest.mark.parametrize(
    ("spec", "settings"),
    [tried(spec, each) for spec in ("connect4", "hex(size=3)", "reversi") for each in SETTINGS],
)
def test_a_shared_tree_is_whole(spec: str, settings: str) -> None:
    tree = grown(dragon.game(spec).start(), settings, 6000)
    check_whole(tree)
    assert tree.simulations == 6000 or tree.proof() is not None


def test_games_of_chance_share_a_tree_too() -> None:
    check_whole(grown(dragon.game("einstein").start(1), "solver=false", 6000))


@pytest.mark.parametrize(("spec", "plies"), [("tictactoe", 2), ("connect4", 28),
                                             ("nex(rows=3, cols=3)", 3)])  # fmt: skip
def test_what_a_shared_tree_proves_is_true(spec: str, plies: int) -> None:
    proven = 0
    for seed in range(8):
        state = drawn(spec, plies, seed)
        known = dragon.search("alphabeta(sooner=false)").best(state)
        found = dragon.search(f"mcts({SHARED})").best(state, Limit(simulations=30_000))
        if found.bound == Bound.EXACT:
            proven += 1
            assert found.value == known.value
            assert found.move in state.moves()
    assert proven >= 4


def test_proven_nodes_are_proven_by_what_is_below() -> None:
    """A node's proof follows from its children's, for the seat that moves there."""
    tree = grown(dragon.game("hex(size=3)").start(), "c=1.0", 20_000)
    check_whole(tree)
    nodes = tree.m.tree[: tree.size]
    checked = 0
    for node in nodes[(nodes["proof_seat0"] != UNPROVEN) & (nodes["count"] > 0)]:
        sign = 1 if tree.rules.teams[node["seat"]] == tree.rules.teams[0] else -1
        proofs = nodes["proof_seat0"][node["first"] : node["first"] + node["count"]]
        known = [sign * int(proof) for proof in proofs if proof != UNPROVEN]
        assert max(known) == sign * node["proof_seat0"]
        assert max(known) == tree.rules.largest or len(known) == node["count"]
        checked += 1
    assert checked > 10


@pytest.mark.full
def test_limits_are_those_of_all_threads() -> None:
    state = dragon.game("connect4").start()
    search = dragon.search(f"mcts({SHARED})")
    assert search.best(state, Limit(simulations=1001)).extra["simulations"] == 1001
    within = search.best(state, Limit(nodes=50_000))
    assert 50_000 <= within.nodes <= 50_000 + 3 * 50
    assert search.best(state, Limit(seconds=0.2)).seconds < 2


@pytest.mark.full
def test_the_rest_of_a_shared_tree_is_of_use_for_the_next_move() -> None:
    state = dragon.game("connect4").start()
    search: Any = dragon.search(f"mcts({SHARED}, selection='grave')").fitted(state)
    first = tree_of(search, state, None, 1, None)
    first.advance(5000, 1 << 40, lambda: False)
    after: Any = state.after(state.moves()[3])
    second = tree_of(search, after, None, 2, first)
    kept = int(second.m.tree[0]["visits"])
    assert kept > 100
    second.advance(2000, 1 << 40, lambda: False)
    assert second.m.tree[0]["visits"] == kept + 2000
    assert second.size > first.size // 20


@pytest.mark.parametrize("parallel", ["root", "tree"])
def test_threads_are_begun_once_for_all_slices(
    parallel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To begin them takes as long as a hundred simulations; under a limit slices are short."""
    pools = []

    class Counted(ThreadPoolExecutor):
        def __init__(self, *arguments: Any) -> None:
            pools.append(self)
            super().__init__(*arguments)

    for module in ("search", "driver"):
        monkeypatch.setattr(
            import_module(f"dragon.search.mcts.{module}"), "ThreadPoolExecutor", Counted
        )
    search = dragon.search(f"mcts(threads=2, parallel={parallel!r})")
    search.best(dragon.game("connect4").start(), Limit(seconds=0.05))
    assert 1 <= len(pools) <= 2


def test_one_thread_or_none_compiled_is_one_tree() -> None:
    state: Any = dragon.game("tictactoe").start()
    alone: Any = dragon.search("mcts(parallel='tree')")
    assert type(tree_of(alone, state, None, 1, None)) is Tree
    with JIT.under("0"):
        plain = dragon.search(f"mcts({SHARED})").best(state, Limit(simulations=50), seed=1)
        single = dragon.search("mcts").best(state, Limit(simulations=50), seed=1)
    assert plain.extra["moves"] == single.extra["moves"]


def test_who_ends_with_the_lock_leaves_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = grown(dragon.game("connect4").start(), "c=1.0", 100)

    def breaks() -> int:
        tree.m.lock[0] = 1
        raise ArithmeticError("a rule of this thread")

    monkeypatch.setattr(tree.threads[1], "_resume", breaks)
    ended = [False]
    work = tree.threads[2]._resume

    def slowly() -> int:
        time.sleep(0.3)
        status = work()
        ended[0] = True
        return status

    monkeypatch.setattr(tree.threads[2], "_resume", slowly)
    with pytest.raises(ArithmeticError, match="a rule of this thread"):
        tree.advance(5000, 1 << 40, lambda: False)
    assert ended[0], "another thread is still at the tree"
    assert tree.m.lock[0] == 0


def count(lock: Any, words: Any, turns: int) -> int:
    """Adds so many to words[0], a lock around each."""
    for _ in range(turns):
        acquire(lock)
        words[0] += 1
        release(lock)
    return int(words[0])


def test_under_a_lock_no_step_is_lost() -> None:
    lock, words, run = np.zeros(1, np.int64), np.zeros(1, np.int64), compile_function(count)  # type: ignore[arg-type]
    assert run.call(lock, words, 1) == 1
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda _: run.call(lock, words, 1_000_000), range(2)))
    assert (words[0], lock[0]) == (2_000_001, 0)


def exchange(words: Any, value: int) -> int:
    return swap(words, value)


def test_a_swap_means_the_same_compiled() -> None:
    run = compile_function(exchange)  # type: ignore[arg-type]
    for call in (exchange, run.call):
        words = np.array([5, 6], np.int64)
        assert call(words, -7) == 5
        assert words.tolist() == [-7, 6]
    fixed = np.zeros(1, np.int64)
    fixed.flags.writeable = False
    wrong: list[tuple[Any, Any]] = [
        (np.zeros(1), 1), (np.zeros((2, 2), np.int64), 1), (fixed, 1), (np.zeros(1, np.int64), 0.5),
    ]  # fmt: skip
    for given in wrong:
        with pytest.raises(Refused, match="give memory of int64, and an integer"):
            run.call(*given)


@pytest.mark.full
def test_numba_swaps_too() -> None:
    numba = pytest.importorskip("numba", reason="numba is not installed")
    pytest.importorskip("dragon.compiler.fallback")
    words = np.array([5, 6], np.int64)
    assert numba.njit(exchange)(words, -7) == 5
    assert words.tolist() == [-7, 6]
