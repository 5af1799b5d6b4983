"""Chance in a game by Rules: odds, estimates, and a tree that is kept across a roll.

Each side in turn doubles up or not, then a die decides what it gains: a game of four
rounds, small enough for exhaustive search.
"""

from __future__ import annotations

from typing import Any

import pytest

import dragon
from dragon import CHANCE, TERMINAL, Limit, Position, RecordGame, Rules, Trait, frozen, rule
from dragon.modes import JIT

pytestmark = pytest.mark.samples(1)

ROUNDS = 4


@frozen
class Dice(RecordGame):
    """The side that has gained more wins; a bold roll gains 3 or nothing, a calm one 1 or 2."""

    name = "dice"
    weighted: bool = True

    @property
    def traits(self) -> frozenset[Trait]:
        return frozenset({Trait.DUEL, Trait.CHANCE})

    def rules(self) -> Rules:
        @rule
        def turn(s):
            if s.ply == 2 * ROUNDS:
                return TERMINAL
            return CHANCE if s.ply % 2 else s.ply // 2 % 2

        @rule
        def moves(s, out):
            out[0], out[1] = 0, 1
            return 2

        @rule
        def play(s, move):
            if s.ply % 2 == 0:
                s.bold = move
            else:
                gain = 3 * move if s.bold else 1 + move
                s.gained[s.ply // 2 % 2] += gain
            s.ply += 1

        @rule
        def payoff(s, seat):
            lead = s.gained[seat] - s.gained[1 - seat]
            return 1 if lead > 0 else -1 if lead < 0 else 0

        @rule
        def odds(s, out):
            out[0], out[1] = 0.6, 0.4

        layout = [("gained", "i8", (2,)), ("ply", "i8"), ("bold", "i8")]
        own = {"odds": odds} if self.weighted else {}
        return Rules(layout, moves, play, turn, payoff, width=2, plies=2 * ROUNDS, **own)


@pytest.fixture(params=[True, False], ids=["odds", "even"])
def game(request: pytest.FixtureRequest) -> Dice:
    return Dice(weighted=request.param)


def essence(result: dragon.Result) -> tuple[Any, ...]:
    return result.value, result.bound, result.line, result.nodes, result.extra


def test_mcts_and_montecarlo_come_near_the_exact_value(game: Dice) -> None:
    rolled = game.start().after("1")  # a CHANCE root: the value is seat 0's
    assert rolled.turn == CHANCE
    exact = dragon.search("exhaustive").best(rolled)
    assert exact.bound is dragon.Bound.EXACT
    estimate = dragon.search("mcts").best(rolled, Limit(simulations=40_000), seed=3)
    assert abs(estimate.value - exact.value) < 0.05
    flat = dragon.search("montecarlo(simulations=20000)").best(rolled)
    assert flat.line == ()
    assert flat.error < 0.02


@pytest.mark.full
def test_a_tree_kept_across_a_roll_is_the_same_compiled_and_plain(
    game: Dice, monkeypatch: pytest.MonkeyPatch
) -> None:
    search, runs = dragon.search("mcts"), []
    for jit in ("1", "0"):
        monkeypatch.setattr(JIT, "value", jit)
        state, run, results = game.start(), search.open(), []
        results.append(run.best(Position(state), Limit(simulations=300), 1))
        state = state.after(results[0].move).after("1")
        results.append(run.best(Position(state), Limit(simulations=300), 2))
        fresh = search.best(state, Limit(simulations=300), 2)
        visits = [sum(m["visits"] for m in r.extra["moves"].values()) for r in (results[1], fresh)]
        assert visits[0] > visits[1] + 20
        runs.append([essence(result) for result in results])
    assert runs[0] == runs[1]


def test_a_kept_chance_root_still_speaks_for_seat_0(game: Dice) -> None:
    state = game.start().after("0").after("1")  # now seat 1 decides
    run = dragon.search("mcts").open()
    run.best(Position(state), Limit(simulations=20_000), 1)
    rolled = state.after("0")
    kept = run.best(Position(rolled), Limit(simulations=20_000), 2)
    exact = dragon.search("exhaustive").best(rolled)
    assert abs(kept.value - exact.value) < 0.05


@pytest.mark.parametrize("search", ["alphabeta(chance=none)", "negamax"])
@pytest.mark.parametrize("jit", ["1", "0"])
def test_searches_of_best_moves_may_refuse_chance(
    search: str, jit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(JIT, "value", jit)
    game = Dice()
    assert "chance" in str(dragon.search(search).objection(game))
    for state in (game.start(), game.start().after("0")):
        with pytest.raises(dragon.Objection, match="chance"):
            dragon.search(search).best(state)


STARS = [
    "alphabeta(chance='expectimax')",
    "alphabeta(chance='star1')",
    "alphabeta",
    "alphabeta(driver='mtdf')",
    "alphabeta(table=false, pvs=false, deepening=true)",
    "alphabeta(chance='star1', depth=3)",
    "alphabeta(depth=5, killers=false)",
]


@pytest.mark.full
@pytest.mark.parametrize("search", STARS)
def test_alphabeta_averages_as_exhaustive_does(game: Dice, search: str) -> None:
    lines = ("", "1", "10", "0", "010", "1011", "00110")
    for line in lines:
        state = game.start()
        for move in line:
            state = state.after(move)
        found = dragon.search(search).best(state)
        with JIT.under("0"):
            plain = dragon.search(search).best(state)
        assert essence(found) == essence(plain)
        if found.extra.get("depth", 99) + len(line) >= 2 * ROUNDS:
            exact = dragon.search("exhaustive").best(state)
            assert (found.value, found.bound) == (pytest.approx(exact.value, abs=1e-9), exact.bound)
            if found.line:
                after = dragon.search("exhaustive").best(state.after(found.move))
                assert abs(after.value) == pytest.approx(abs(exact.value))


@pytest.mark.full
def test_windows_for_outcomes_and_probes_save_nodes() -> None:
    state = Dice().start()
    every, windows, probes = (dragon.search(search).best(state).nodes for search in STARS[:3])
    assert max(windows, probes) < every
