"""NRPA: gradient steps by hand, games whose best line is known, both forms alike."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dragon
from dragon import TERMINAL, Limit, RecordGame, Rules, Trait, frozen, rule
from dragon.laws.searches import all_said
from dragon.modes import JIT
from dragon.search.move_ordering import HISTORY, slot
from dragon.search.nrpa.kernel import shift, weigh


@frozen
class Ascent(RecordGame):
    """Take every number from 0 to 29 once; each that follows on the one before pays a point.

    The best line counts up, for 29 points of 29; random ones have about one.
    """

    name = "ascent"
    teams = (0,)
    numbers: int = 30

    @property
    def traits(self) -> frozenset[Trait]:
        return frozenset({Trait.SOLO})

    def rules(self) -> Rules:
        numbers = self.numbers

        @rule
        def turn(s: Any) -> int:
            return TERMINAL if s.ply == numbers else 0

        @rule
        def moves(s: Any, out: Any) -> int:
            n = 0
            for i in range(numbers):
                if s.taken[i] == 0:
                    out[n] = s.last * numbers + i
                    n += 1
            return n

        @rule
        def play(s: Any, move: Any) -> None:
            i = move % numbers
            s.points += i == s.last + 1 and s.ply > 0
            s.taken[i] = 1
            s.last = i
            s.ply += 1

        @rule
        def payoff(s: Any, seat: Any) -> Any:
            return s.points

        layout = [("taken", "i1", (numbers,)), ("last", "i8"), ("points", "i8"), ("ply", "i8")]
        return Rules(layout, moves, play, turn, payoff, numbers, numbers, largest=numbers - 1)


def test_a_policy_plays_in_proportion_to_powers_of_e() -> None:
    policy, chances = np.zeros(HISTORY), [0.0] * 3
    policy[slot(7)] = 2.0
    weigh(policy, [slot(5), slot(7), slot(9)], 3, chances)
    assert chances == pytest.approx([1 / (2 + math.e**2), math.e**2 / (2 + math.e**2),
                                     1 / (2 + math.e**2)])  # fmt: skip


def test_a_step_is_the_gradient_of_the_logarithm() -> None:
    """By Rosin: alpha for the move, and from each move alpha times how likely it was."""
    old, chances = np.zeros(HISTORY), [0.0] * 3
    old[slot(9)] = 1.0
    new = old.copy()
    shift(old, new, [slot(5), slot(7), slot(9)], 3, slot(5), chances, 0.5)
    likely = [1 / (2 + math.e), 1 / (2 + math.e), math.e / (2 + math.e)]
    assert new[slot(5)] == pytest.approx(0.5 - 0.5 * likely[0])
    assert new[slot(7)] == pytest.approx(-0.5 * likely[1])
    assert new[slot(9)] == pytest.approx(1.0 - 0.5 * likely[2])


def test_it_learns_a_line_that_random_playouts_do_not_find() -> None:
    start, limit = Ascent().start(), Limit(simulations=4000)
    found = dragon.search("nrpa").best(start, limit, seed=1)
    blind = dragon.search("nrpa(alpha=1e-9)").best(start, limit, seed=1)
    assert blind.value < 12
    assert found.value >= 20
    state, paid = start, found.value
    for move in found.line:
        state = state.after(move)
    assert state.turn == TERMINAL
    assert state.payoff() == (paid,)


def test_it_ends_where_nothing_better_can_come() -> None:
    result = dragon.search("nrpa").best(Ascent(numbers=4).start(), Limit(simulations=10_000))
    assert result.value == 3
    assert result.extra["simulations"] < 5000
    few = dragon.search("nrpa(levels=2, iterations=5)").best(Ascent().start())
    assert few.extra["simulations"] == 5**2


def test_both_forms_find_the_same() -> None:
    search, limit = dragon.search("nrpa(levels=2, iterations=8)"), Limit(simulations=60)
    start = Ascent(numbers=8).start()
    fast = all_said(search, start, limit)
    with JIT.under("0"):
        assert all_said(search, Ascent(numbers=8).start(), limit) == fast


def test_it_solves_puzzles_without_rules() -> None:
    result = dragon.search("nrpa").best(dragon.game("queens(n=5)").start(), Limit(simulations=500))
    assert result.value == 1


def test_a_game_for_two_is_refused() -> None:
    with pytest.raises(dragon.DragonError, match="needs solo"):
        dragon.search("nrpa").check(dragon.game("tictactoe"))
