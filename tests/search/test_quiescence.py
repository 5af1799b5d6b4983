"""Alpha-beta beyond its horizon, and with late moves looked ahead less."""

from __future__ import annotations

import random
from typing import Any

import pytest
from attrs import frozen

import dragon
from dragon import TERMINAL, Bound, Limit
from dragon.modes import JIT
from dragon.search.alphabeta.search import AlphaBeta
from tests.rules.gather import Gather
from tests.search.test_random_trees import Tree, minimax, soonest, view

pytestmark = pytest.mark.samples(1)


class Plain(AlphaBeta):
    """Alpha-beta whose kernel is interpreted for every game."""

    def prepare(self, state: Any, limit: Limit, seed: int, lease: Any) -> Any:
        with JIT.under("0"):
            return super().prepare(state, limit, seed, lease)


def settled(state: Any, depth: int, beyond: int) -> float:
    """Seat 0's value by the definition: a side takes its guess, or one of the noisy moves."""
    if state.turn == TERMINAL:
        return float(state.payoff()[0])
    best = max if state.turn == 0 else min
    guess = state.evaluate(0) * (state.largest - 0.5)
    if depth > 0:
        return best(settled(state.after(move), depth - 1, beyond) for move in state.moves())
    if depth == -beyond:
        return guess
    noisy = state.noisy()
    moves = state.moves() if noisy is None else noisy
    found = [settled(state.after(move), depth - 1, beyond) for move in moves]
    return best(found if noisy is None else [guess, *found])


@pytest.mark.full
@pytest.mark.parametrize("beyond", [0, 1, 2, 4])
@pytest.mark.parametrize("pvs", [True, False])
def test_beyond_the_horizon_the_value_is_that_of_the_definition(beyond: int, pvs: bool) -> None:
    state = Gather().start()
    for move in (None, "a", "b"):
        state = state if move is None else state.after(move)
        for depth in (1, 2):
            search = dragon.search(f"alphabeta(depth={depth}, quiescence={beyond}, pvs={pvs}, "
                                   "table=false, bounds=false, reduce=false, solved=false, "
                                   "sooner=false)".lower())  # fmt: skip
            value = settled(state, depth, beyond) * (1 - 2 * state.turn)
            assert search.best(state).value == pytest.approx(value, abs=1e-4)


@pytest.mark.full
@pytest.mark.parametrize("on", [{}, {"late": False}, {"quiescence": 0}, {"pvs": False},
                                {"driver": "mtdf", "quiescence": 1}], ids=str)  # fmt: skip
def test_compiled_and_plain_visit_the_same_nodes(on: dict[str, Any]) -> None:
    endgame = dragon.game("chess").parse("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
    for state, depth in ((endgame, 3), (Gather().start(), 3)):
        found = [kind(depth=depth, megabytes=1, **on).best(state) for kind in (AlphaBeta, Plain)]
        one, other = ((each.nodes, each.value, each.line) for each in found)
        assert one == other


@frozen
class Noisy(Tree):
    """A tree with guesses that are mostly wrong, and some noisy moves, or all."""

    def evaluate(self, seat: int) -> float:
        guess = hash(self.path) % 201 / 101 - 1
        return guess if self.teams[seat] == 0 else -guess

    def noisy(self) -> tuple[int, ...] | None:
        return None if len(self.path) % 4 == 3 else self.moves()[1::2]


def grown(dice: random.Random, plies: int) -> Any:
    """A random tree in which some branches end early, most in a draw."""
    if plies == 0 or dice.random() < 0.15:
        return dice.choice((-64, 0, 0, 64))
    pairs = tuple((0, grown(dice, plies - 1)) for _ in range(dice.randint(2, 6)))
    return dice.choice((0, 1)), pairs


@pytest.mark.full
def test_what_is_proven_beside_guesses_is_true() -> None:
    reduced = early = 0
    for seed in range(30):
        tree = grown(random.Random(seed), 5)
        if isinstance(tree, int):
            continue
        state = Noisy(tree)
        value, plies = soonest(state)
        assert value == minimax(state)
        last = {}
        for late in (True, False):
            search = AlphaBeta(megabytes=0.01, late=late, futility=0.0)
            for result in search.results(state, Limit(depth=8)):
                if result.bound is Bound.EXACT:
                    assert result.value == value * view(state)
                    early += result.extra["depth"] < 5
                    if value and (late is False or "distance" in result.extra):
                        assert result.extra["distance"] == plies
            assert result.bound is Bound.EXACT
            last[late] = result
        reduced += last[True].nodes != last[False].nodes
    assert reduced > 5, "late moves are looked ahead less"
    assert early > 5, "wins are claimed before all is seen"


def test_each_is_off_where_the_game_lacks_what_it_needs() -> None:
    state = dragon.game("connect4").start()
    usual = AlphaBeta(depth=6).best(state)
    for on in ({"late": True}, {"late": False}, {"quiescence": 0}):
        assert AlphaBeta(depth=6, **on).best(state).nodes == usual.nodes


def test_a_queen_is_not_lost_beyond_the_horizon() -> None:
    """One ply ahead, the queen takes a protected pawn only if the search looks no further."""
    state = dragon.game("chess").parse("4k3/8/3p4/4p3/8/8/4Q3/4K3 w - - 0 1")
    assert AlphaBeta(depth=1).best(state).move != "Qxe5+"
