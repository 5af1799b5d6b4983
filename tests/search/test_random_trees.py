"""Searches on arbitrary little trees, where every shape of game may turn up.

A tree is drawn by Hypothesis: seats in any order, three seats in two teams, payoffs of
several units, payoff banked on the way, chance with any odds.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import blake2b  # `hash` gives -1 and -2 the same number
from typing import Any

import pytest
from attrs import field, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon import CHANCE, TERMINAL, Bound, Limit, Position, State

FEATURES = ("table", "deepening", "pvs", "aspiration", "killers", "history", "sooner", "bounds")
DRIVERS = ("pvs", "mtdf", "bisection")


@frozen
class Tree(State[int]):
    """A node: a seat and its (reward, child) pairs, or a leaf with seat 0's last reward."""

    node: Any = field(eq=False)
    path: tuple[int, ...] = ()
    won: int = 0
    largest = 64.0
    teams = (0, 1, 1)

    @property
    def turn(self) -> int:
        return TERMINAL if isinstance(self.node, int) else self.node[0]

    def moves(self) -> tuple[int, ...]:
        return () if self.turn == TERMINAL else tuple(range(len(self.node[1])))

    def after(self, move: int) -> Tree:
        reward, child = self.node[1][move]
        return type(self)(child, (*self.path, move), self.won + reward)

    def payoff(self) -> tuple[float, ...]:
        value = float(self.won + self.node)
        return value, -value, -value

    def odds(self) -> tuple[float, ...]:
        weights = [1 + index for index in range(len(self.node[1]))]
        return tuple(w / sum(weights) for w in weights)

    def __str__(self) -> str:
        return "/".join(map(str, self.path)) or "root"


@frozen
class DearTree(Tree):
    """A tree for stakes that are so many times as high."""

    stake = 1 << 17
    largest = 64.0 * stake

    def payoff(self) -> tuple[float, ...]:
        return tuple(self.stake * each for each in super().payoff())


@frozen
class DearestTree(DearTree):
    """A tree for still higher stakes."""

    stake = 1 << 30
    largest = 64.0 * stake


@frozen
class BankedTree(Tree):
    """A tree whose rewards are secured as soon as they are won."""

    def banked(self) -> float:
        return float(self.won)


@frozen
class BoundedTree(Tree):
    """A tree of which the least and the most of its ends are known, or a little less and more."""

    def bounds(self) -> tuple[float, float]:
        ends = list(payoffs(self))
        return min(ends) - len(self.path) % 2, max(ends) + len(self.path) % 3


@frozen
class Folded(BankedTree):
    """A tree in which states with the same future are one entry of the table.

    Some are kept nowhere, and the value has bounds where a leaf is near.
    """

    def key(self) -> int:
        digest = int.from_bytes(blake2b(repr(self.node).encode(), digest_size=8).digest())
        return 0 if digest % 5 == 0 else digest

    def bounds(self) -> tuple[float, float] | None:
        if isinstance(self.node, int) or len(self.node[1]) > 1:
            return None
        reward, child = self.node[1][0]
        if not isinstance(child, int):
            return None
        return self.won + reward + child - 1.0, self.won + reward + child + 1.0


def payoffs(state: Tree) -> Iterator[float]:
    """Give seat 0's payoff at each end."""
    if state.turn == TERMINAL:
        yield state.payoff()[0]
    for move in state.moves():
        yield from payoffs(state.after(move))


def trees(seats: tuple[int, ...]) -> st.SearchStrategy[Any]:
    rewards = st.integers(-3, 3)

    def inner(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        pairs = st.lists(st.tuples(rewards, children), min_size=1, max_size=4)
        return st.tuples(st.sampled_from(seats), pairs.map(tuple))

    return st.recursive(rewards, inner, max_leaves=40).filter(
        lambda tree: not isinstance(tree, int)
    )


def minimax(state: Tree) -> float:
    """Seat 0's value by the definition."""
    if state.turn == TERMINAL:
        return state.payoff()[0]
    values = [minimax(state.after(move)) for move in state.moves()]
    if state.turn == CHANCE:
        return sum(p * v for p, v in zip(state.odds(), values, strict=True))
    return max(values) if state.teams[state.turn] == 0 else min(values)


@frozen
class Known(Tree):
    """A tree whose worth is known wherever a seat has at most two moves."""

    def solved(self) -> tuple[float, int] | None:
        return (minimax(self), 0) if len(self.node[1]) <= 2 else None


def soonest(state: Tree) -> tuple[float, int]:
    """Seat 0's value where a win is better the sooner and a loss the later it comes; and when."""
    if state.turn == TERMINAL:
        return state.payoff()[0], 0
    found = [soonest(state.after(move)) for move in state.moves()]
    ends = [(value, plies + 1) for value, plies in found]
    best = max if state.teams[state.turn] == 0 else min
    return best(ends, key=lambda end: (end[0], -end[1] if end[0] > 0 else end[1]))


def view(state: Tree) -> int:
    return 1 if state.turn < 0 or state.teams[state.turn] == 0 else -1


@pytest.mark.samples(1)
@settings(max_examples=60)
@given(
    trees((0, 1, 2)),
    st.sampled_from(FEATURES),
    st.booleans(),
    st.sampled_from([Tree, BankedTree, BoundedTree]),
    st.sampled_from(DRIVERS),
)
def test_searches_find_the_minimax_value(
    tree: Any, feature: str, only: bool, kind: type[Tree], driver: str
):
    state = kind(tree)
    expected = minimax(state) * view(state)
    on = {f: (f == feature) == only for f in FEATURES} | {"driver": driver}
    for search in (
        dragon.search({"search": "alphabeta", "megabytes": 0.01, **on}),
        dragon.search("negamax"),
        dragon.search("exhaustive"),
    ):
        result = search.best(state)
        assert (result.value, result.bound) == (expected, Bound.EXACT), search
        end = state
        for move in result.line:
            end = end.after(move)
        if end.turn == TERMINAL:
            assert end.payoff()[0] * view(state) == expected


@pytest.mark.full
@settings(max_examples=100)
@given(trees((0, 1, 2)), st.booleans(), st.booleans(), st.booleans(), st.sampled_from(DRIVERS))
def test_bounds_change_neither_values_nor_how_soon_they_come(
    tree: Any, pvs: bool, table: bool, deepening: bool, driver: str
):
    state = BoundedTree(tree)
    on = {"pvs": pvs, "table": table, "deepening": deepening, "driver": driver}
    search = {"search": "alphabeta", **on}
    result = dragon.search({**search, "sooner": True, "megabytes": 0.01}).best(state)
    value, plies = soonest(state)
    assert (result.value, result.bound) == (value * view(state), Bound.EXACT)
    assert result.extra.get("distance") == (plies if value else None)


@pytest.mark.full
@settings(max_examples=80)
@given(
    trees((0, 1, 2)),
    st.sampled_from([Tree, Folded, Known]),
    st.sampled_from([0.0001, 0.01]),
    st.sampled_from([0.0, 0.25, 2.0]),
    st.sampled_from([0.01, 0.5, 1.0]),
    st.booleans(),
)
def test_dfpn_finds_the_minimax_value_by_true_bounds(
    tree: Any, kind: type[Tree], megabytes: float, epsilon: float, focus: float, weak: bool
) -> None:
    state = kind(tree)
    truth = minimax(state) * view(state)
    search = dragon.search(
        {
            "search": "dfpn",
            "megabytes": megabytes,
            "epsilon": epsilon,
            "focus": focus,
            "weak": weak,
            "ends": weak,
            "solved": kind is Known,
        }
    )
    results = list(search.results(state))
    for result in results:
        low, high = result.extra["at_least"], result.extra["at_most"]
        assert low <= truth <= high
        assert result.value == {Bound.LOWER: low, Bound.UPPER: high}.get(result.bound, truth)
    assert results[-1].bound is Bound.EXACT
    assert [r.bound for r in results[:-1]].count(Bound.EXACT) == 0
    end = state
    for move in results[-1].line:
        end = end.after(move)
    if end.turn == TERMINAL:
        assert end.payoff()[0] * view(state) == truth


@pytest.mark.full
@settings(max_examples=80)
@given(trees((0, 1, 2)))
def test_mcts_proves_the_minimax_value(tree: Any):
    state = Tree(tree)
    result = dragon.search("mcts(c=4)").best(state, Limit(simulations=20_000))
    assert (result.value, result.bound) == (minimax(state) * view(state), Bound.EXACT)


@pytest.mark.full
@settings(max_examples=80)
@given(
    trees((0, 1, CHANCE)),
    st.sampled_from([Tree, BankedTree, BoundedTree, DearTree, DearestTree]),
    st.sampled_from(["expectimax", "star1", "star2", "star2"]),
    st.sampled_from(DRIVERS),
    st.booleans(),
)
def test_chance_is_averaged(tree: Any, kind: type[Tree], chance: str, driver: str, sooner: bool):
    state = kind(tree)
    result = dragon.search("exhaustive").best(state)
    assert result.value == pytest.approx(minimax(state) * view(state))
    on = {"chance": chance, "driver": driver, "megabytes": 0.01, "sooner": sooner}
    found = dragon.search({"search": "alphabeta", **on}).best(state)
    assert found.value == pytest.approx(result.value, rel=1e-9, abs=1e-11 * kind.largest)
    assert found.bound is Bound.EXACT or "rounding" in found.extra
    assert ("rounding" in found.extra) <= (kind.largest > 1 << 20)
    if tree[0] == CHANCE and all(isinstance(child, int) for _, child in tree[1]):
        estimate = dragon.search("montecarlo(simulations=4000)").best(state)
        assert abs(estimate.value - result.value) <= 6 * estimate.error + 1e-9


@frozen
class Shared(Tree):
    """A tree of wins, draws and losses, in which equal parts are the same states."""

    largest = 1.0

    def key(self) -> int:
        return int.from_bytes(blake2b(repr(self.node).encode(), digest_size=8).digest())


def graph(seed: int) -> Any:
    """Return a small tree whose nodes share parts; seats in any order."""
    draw = random.Random(seed)
    parts: list[Any] = [-1, 0, 1]
    for _ in range(draw.randint(4, 14)):
        pairs = [(0, draw.choice(parts[-6:])) for _ in range(draw.randint(1, 4))]
        parts.append((draw.choice((0, 1, 2)), tuple(pairs)))
    return parts[-1]


@pytest.mark.parametrize("setting", ["threads=3", "transpositions=true"])
def test_no_move_of_a_proven_line_loses_its_value(setting: str) -> None:
    """The proof may be that of another tree, or of an equal state elsewhere in it."""
    search = dragon.search(f"mcts(c=4, {setting})")
    for seed in range(200):
        state = Shared(graph(seed))
        value, result = minimax(state), search.best(state, Limit(simulations=300), seed)
        if result.bound is Bound.EXACT:
            for move in result.line:
                state = state.after(move)
                assert minimax(state) == value, seed


def test_a_proof_of_a_reused_root_comes_with_its_move() -> None:
    """An equal state was proven elsewhere in the last tree, which had no proof of its moves."""
    search, limit = dragon.search("mcts(c=4, transpositions=true)"), Limit(simulations=300)
    for seed in range(400):
        start = Shared(graph(seed))
        with search.open() as run:
            run.best(Position(start), limit, seed)
            for state in start.successors():
                if state.turn != TERMINAL:
                    result = run.best(Position(state), limit, seed)
                    assert result.bound is Bound.EXACT, seed
                    assert minimax(state.after(result.move)) == minimax(state), seed


def test_mcts_finds_the_move_that_chance_favours():
    """One move wins 4 with odds 2 in 3, the other 1 for sure: 8/3 - 1/3 beats 1."""
    gamble = (CHANCE, ((0, -1), (0, 4)))
    state = Tree((0, ((1, 0), (0, gamble))))
    for search in ("mcts(simulations=3000)", "exhaustive", "montecarlo"):
        assert dragon.search(search).best(state).move == 1
