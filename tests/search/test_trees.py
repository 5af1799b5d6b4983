"""The memory of trees of mcts: records for games of few moves, blocks for games of many."""

from __future__ import annotations

from array import array
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon import Bound, Limit, State
from dragon.bits import Random
from dragon.core import Position
from dragon.laws.searches import all_said
from dragon.modes import JIT
from dragon.rules.record import RecordState, rules_of
from dragon.search.mcts.driver import Tree
from dragon.search.mcts.interpreted import highest
from dragon.search.mcts.policies import names
from dragon.search.mcts.search import MCTS
from dragon.search.mcts.settings import FEW, NODE_BYTES, SLICE_NODES
from dragon.search.mcts.statistics.transpositions import SHORTEST
from dragon.search.mcts.tree import BLOCK, LANES, LOST, UNPROVEN, node_of, reserved
from tests.search.test_reference import positions


def grown(spec: str, simulations: int, old: Any = None, **given: Any) -> Tree:
    """A compiled tree of this number of simulations."""
    state = dragon.game(spec).start() if old is None else old
    assert isinstance(state, RecordState)
    tree = Tree(MCTS(**given), state, None, 5, None)
    tree.advance(simulations, 1 << 60, lambda: False)
    return tree


def children(tree: Tree, at: int) -> list[tuple[int, float, float]]:
    """Each tried child of a node of a tree of blocks: its index, own and spread."""
    node, blocks, found = tree.m.tree[at], tree.m.blocks, []
    for i in range(int(node["tried"])):
        child = blocks[int(node["first"]) + i // LANES]["child"][i % LANES]
        numbers, place = tree.m.tree[child], ()
        if node["tried"] == node["count"]:
            numbers, place = blocks[int(node["numbers"]) + i // LANES], i % LANES
        found.append((int(child), *(numbers[name][place] for name in ("own", "spread"))))
    return found


def test_a_record_has_a_line_of_the_cache() -> None:
    for blocked in (False, True):
        assert node_of(frozenset(), blocked).itemsize == NODE_BYTES == 64
    assert BLOCK.itemsize == NODE_BYTES


@pytest.mark.samples("hex*")
@pytest.mark.parametrize("spec", ["hex(size=5)", "reversi", "dots_and_boxes"])
def test_blocks_hold_what_records_would(spec: str) -> None:
    tree = grown(spec, 3000)
    assert rules_of(tree.root.game).width > FEW
    seen, waiting, most = 0, [0], tree.rules.largest
    while waiting:
        at = waiting.pop()
        node = tree.m.tree[at]
        below = children(tree, at)
        assert sum(tree.m.tree[i]["visits"] for i, *_ in below) <= max(node["visits"], 3000)
        codes = [int(tree.m.tree[i]["code"]) for i, *_ in below]
        assert len(set(codes)) == len(codes)
        for i, own, spread in below:
            child = tree.m.tree[i]
            seen += 1
            waiting.append(i)
            visits, proof = int(child["visits"]), int(child["proof_seat0"])
            assert spread == np.float32(1 / np.sqrt(visits))
            value = int(child["total"]) / (visits * most)
            if proof != UNPROVEN:
                value = proof * (1 if tree.teams[node["seat"]] == tree.teams[0] else -1) / most
            assert own == np.float32(LOST if value == -1 and proof != UNPROVEN else value / 2 + 0.5)
    assert seen == tree.size - 1
    nodes = tree.m.tree[: tree.size]
    many, done = nodes["count"] + LANES - 1 >> 3, nodes["tried"] == nodes["count"]
    assert ((nodes["numbers"] > 0) == (done & (nodes["count"] > 0))).all()
    assert many.sum() + many[done].sum() == tree.m.runs[0]["blocks"] - 1


@pytest.mark.samples("reversi*")
@pytest.mark.parametrize(("spec", "few"), [("sokoban", True), ("reversi", False)])
def test_positions_of_few_moves_have_records(spec: str, few: bool) -> None:
    """Sokoban has a `width` of 120 and three moves."""
    tree = grown(spec, 200)
    assert tree.rules.width > FEW
    assert tree.policies.blocked is not few
    assert (len(tree.m.blocks) == 1) is few


WIDE = [("hex(size=5)", "selection='uct'"), ("reversi", "selection='wins'"),
        ("dots_and_boxes", "playout='mast'"), ("backgammon", "solver=false"),
        ("hex(size=5)", "decisive=true, megabytes=0.02"), ("peg_solitaire", "c=0.5")]  # fmt: skip


SHARING = [("connect4", "selection='puct'"), ("hex(size=4)", "selection='grave', ref=5"),
           ("dots_and_boxes", "playout='mast'"), ("reversi(size=4)", "megabytes=0.02"),
           ("breakthrough(rows=5, columns=4)", "minimax=0.4"), ("einstein", "cut=2")]  # fmt: skip
WIDE += [(spec, f"transpositions=true, {given}") for spec, given in SHARING]


@pytest.mark.samples("hex(size=5)-selection='uct'", "einstein-*")
@pytest.mark.parametrize(("spec", "given"), WIDE)
def test_trees_grow_the_same_compiled_and_interpreted(spec: str, given: str) -> None:
    said, search = [], dragon.search(f"mcts({given})")
    for mode in ("0", "1"):
        with JIT.under(mode):
            limit = Limit(simulations=8 if spec == "backgammon" else 150)
            said.append(all_said(search, dragon.game(spec).start(1), limit, seed=3))
    assert said[0] == said[1]


@frozen
class Bare(State[str]):
    """A game by Rules as a State that has none."""

    of: RecordState

    @property
    def largest(self) -> float:  # type: ignore[override]
        return self.of.largest

    @property
    def turn(self) -> int:
        return self.of.turn

    def moves(self) -> tuple[str, ...]:
        return tuple(self.of.moves())

    def after(self, move: str) -> Bare:
        return Bare(self.of.after(move))

    def payoff(self) -> tuple[float, ...]:
        return self.of.payoff()

    def sample(self, random: Any) -> str:
        numbers = Random(0)
        numbers.state[0] = random.state[0]
        move = self.of.sample(numbers)
        random.state[0] = int(numbers.state[0])
        return move

    def __str__(self) -> str:
        return str(self.of)


@pytest.mark.samples("connect4")
@pytest.mark.parametrize("spec", ["dots_and_boxes", "connect4"])
def test_a_game_without_rules_has_the_tree_of_one_with_rules(spec: str) -> None:
    """Blocks too, where it begins with many moves."""
    state, search = dragon.game(spec).start(), dragon.search("mcts(reduce=false)")
    assert isinstance(state, RecordState)
    said = [
        (found.value, found.line, found.nodes, found.extra)
        for root in (state, Bare(state))
        for found in [search.best(root, Limit(simulations=200), seed=3)]
    ]
    assert said[0] == said[1]


@pytest.mark.samples("hex(size=5)")
@pytest.mark.parametrize("spec", ["connect4", "hex(size=5)"])
def test_a_tree_is_used_again_in_both_forms(spec: str) -> None:
    said = []
    for mode in ("0", "1"):
        with JIT.under(mode):
            state, results_of = dragon.game(spec).start(), []
            with dragon.search("mcts").open(state.game) as run:
                for ply in range(4):
                    rng = np.random.default_rng(ply)
                    results = list(run.improve(Position(state), Limit(simulations=120), rng))
                    results_of.append((results[-1].value, results[-1].line, results[-1].extra))
                    state = state.after(results[-1].move)
            said.append(results_of)
    assert said[0] == said[1]
    assert said[0][2][2]["tree"] > 120, "the part below the moves was kept"


@pytest.mark.parametrize("spec", ["connect4", "hex(size=5)"])
def test_a_full_tree_goes_on_from_its_leaves(spec: str) -> None:
    tree = grown(spec, 5000, megabytes=0.02)
    assert tree.simulations == 5000
    used = tree.size + (int(tree.m.runs[0]["blocks"]) if len(tree.m.blocks) > 1 else 0)
    assert used <= 0.02e6 // NODE_BYTES
    assert tree.children().visits.sum() == 5000


@pytest.mark.full
def test_a_slice_ends_after_so_many_nodes_and_blocks() -> None:
    """At Nex a node has up to 1,816 blocks, so that a slice of many simulations would be long."""
    tree = grown("nex(rows=11, cols=11)", 1)
    before, slices = 1, 0
    while tree.simulations < 16_000:
        tree.advance(16_000, 1 << 60, lambda: False)
        used = tree.size + int(tree.m.runs[0]["blocks"])
        assert used - before < SLICE_NODES + 2 * 1816 + 1
        before, slices = used, slices + 1
    assert slices > 20


def test_memory_that_is_not_granted_is_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    zeros, asked = np.zeros, []

    def refusing(length: int, record: Any) -> Any:
        asked.append(length)
        if length > 20_000:
            raise MemoryError
        return zeros(length, record)

    monkeypatch.setattr(np, "zeros", refusing)
    assert len(reserved(100_000, node_of(frozenset(), False))) == 12_500
    assert asked == [100_000, 50_000, 25_000, 12_500]


def test_scores_by_eights_are_those_of_numpy() -> None:
    tree = grown("hex(size=5)", 10)
    node = tree.m.tree[:1]

    @given(st.integers(1, 60), st.integers(0, 1 << 30), st.floats(0, 2))
    @settings(max_examples=60, deadline=None)
    def agree(count: int, seed: int, shared: float) -> None:
        numbers = np.random.default_rng(seed).random((2, 8, LANES)).astype(np.float32)
        own, spread = (each.ravel()[:count] for each in numbers)
        numbers[0].ravel()[count:] = LOST
        tree.m.blocks["own"][1:9], tree.m.blocks["spread"][1:9] = numbers
        node["numbers"], node["count"] = 1, count
        scores = own + np.float32(shared) * spread
        place = tree._kernel.highest(tree.m, node[0], shared)
        assert scores[place] == scores.max()
        interpreted = SimpleNamespace(
            blocks={
                i: SimpleNamespace(
                    own=array("f", b["own"].tolist()), spread=array("f", b["spread"].tolist())
                )
                for i, b in enumerate(tree.m.blocks[:9])
            }
        )
        few = SimpleNamespace(numbers=1, count=count)
        assert highest(interpreted, few, shared) == place  # type: ignore[arg-type]

    agree()


@pytest.mark.parametrize("name", names("selections"))
def test_linear_selections_score_by_mean_and_spread_alone(name: str) -> None:
    module = import_module(f"dragon.search.mcts.selections.{name}")
    if not getattr(module, "LINEAR", False):
        return
    shared = 1.5 if hasattr(module, "share") else 0.0  # as the tree gives it then
    for own, spread in ((0.25, 0.5), (1.0, 0.125)):
        child = SimpleNamespace(spread=np.float32(spread))
        score = module.score(None, None, child, own, False, shared, SimpleNamespace(c=1.0))
        assert score == own + shared * spread


@pytest.mark.full
@pytest.mark.parametrize("spec", ["reversi", "hex(size=4)"])
def test_shared_values_have_each_simulation_once(spec: str) -> None:
    tree = grown(spec, 1000, transpositions=True)
    for simulations in range(20_000, 140_000, 20_000):
        tree.advance(simulations, 1 << 60, lambda: False)
    assert spec != "reversi" or len(tree.m.shared) > SHORTEST  # it was lengthened
    nodes = tree.m.tree[1 : tree.size]
    visited = nodes[nodes["visits"] > 0]
    shared = tree.m.shared[tree.m.shared["key"] > 0]
    assert 0 < len(shared) < len(visited)
    assert len(shared) == tree.m.runs[0]["shared"]
    # Nodes may have been reached before their place was known again, and share nothing till then.
    counted = visited[visited["shared"] > 0]
    places = counted["shared"] - 1
    visits = np.bincount(places, counted["visits"], len(tree.m.shared)).astype(int)
    assert (visits == tree.m.shared["visits"]).all()
    assert shared["visits"].sum() == counted["visits"].sum() == visited["visits"].sum()


@pytest.mark.full
@pytest.mark.parametrize(
    ("spec", "plies"),
    [("dots_and_boxes(rows=2, columns=2)", 10), ("kalah(pits=2, seeds=2)", 3), ("hex(size=3)", 2),
     ("tictactoe", 3), ("domineering(rows=4, columns=4)", 3)],
)  # fmt: skip
def test_proofs_by_shared_values_are_true(spec: str, plies: int) -> None:
    """Games whose keys leave out what is `banked` are among them."""
    proven = 0
    for state in positions(spec, plies, 6):
        search = dragon.search("mcts(transpositions=true)")
        result = search.best(state, Limit(simulations=20_000), seed=2)
        if result.bound == Bound.EXACT:
            proven += 1
            assert result.value == dragon.search("exhaustive").best(state).value
    assert proven


@pytest.mark.parametrize(
    ("search", "game", "said"),
    [
        ("mcts(transpositions=true, threads=2, parallel='tree')", "hex", "leave out"),
        ("mcts(transpositions=true, selection='ucb1_tuned')", "hex", "leave out"),
        ("mcts(transpositions=true)", "kuhn", "hidden"),
    ],
)
def test_values_that_cannot_be_shared_are_refused(search: str, game: str, said: str) -> None:
    assert said in str(dragon.search(search).objection(dragon.game(game)))


@pytest.mark.full
def test_a_tree_that_is_kept_shares_again() -> None:
    start = dragon.game("connect4").start()
    with dragon.search("mcts(transpositions=true)").open() as run:
        first = run.best(Position(start), Limit(simulations=5000), 1)
        later = start.after(first.line[0]).after(first.line[1])
        moved = (first.line[0], first.line[1])
        run.best(Position(later, start, moved), Limit(simulations=5000), 2)
        tree = run.trees[0]  # type: ignore[attr-defined]
    nodes = tree.m.tree[1 : tree.size]
    counted = nodes[nodes["shared"] > 0]
    assert tree.m.shared["visits"].sum() == counted["visits"].sum()
