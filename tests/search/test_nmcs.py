"""Nested Monte Carlo search: exhaustive where levels suffice, lines that pay what is said."""

from __future__ import annotations

import pytest

import dragon
from dragon import TERMINAL, Limit
from dragon.laws.searches import all_said
from dragon.modes import JIT
from tests.search.test_nrpa import Ascent


@pytest.mark.parametrize("spec", ["peg_solitaire", "queens(n=6)"])
def test_a_line_pays_what_is_claimed(spec: str) -> None:
    start = dragon.game(spec).start()
    result = dragon.search("nmcs").best(start, Limit(simulations=300))
    state = start
    for move in result.line:
        state = state.after(move)
    assert state.turn == TERMINAL
    assert state.payoff() == (result.value,)


def test_levels_enough_try_every_line() -> None:
    """Four numbers: 4 * 3 * 2 * 1 lines at most, of which one pays 3."""
    for seed in range(5):
        start = Ascent(numbers=4).start()
        result = dragon.search("nmcs(levels=4)").best(start, Limit(simulations=24), seed=seed)
        assert result.value == 3


@pytest.mark.full
def test_a_level_of_a_line_plays_every_move_once() -> None:
    """Level 1 takes 30 + 29 + ... + 1 playouts, and pays more than as many random ones."""
    start, limit = Ascent().start(), Limit(simulations=30 * 31 // 2)
    levels = [dragon.search("nmcs(levels=1)").best(start, limit, seed=i).value for i in range(5)]
    blind = [dragon.search("nrpa(alpha=1e-9)").best(start, limit, seed=i).value for i in range(5)]
    assert sum(levels) > sum(blind) + 5  # of 29 each; 35 and 25 as this was written


def test_both_forms_find_the_same() -> None:
    search, limit = dragon.search("nmcs"), Limit(simulations=60)
    fast = all_said(search, Ascent(numbers=8).start(), limit)
    with JIT.under("0"):
        assert all_said(search, Ascent(numbers=8).start(), limit) == fast


def test_a_game_for_two_is_refused() -> None:
    with pytest.raises(dragon.DragonError, match="needs solo"):
        dragon.search("nmcs").check(dragon.game("tictactoe"))
