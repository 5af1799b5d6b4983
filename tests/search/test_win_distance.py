"""Win distance: what a ply does to values, to the windows that ask for them, and to guesses."""

from __future__ import annotations

import math
from typing import Any

import pytest

import dragon
from dragon import Limit
from dragon.search.alphabeta.search import AlphaBeta
from dragon.search.alphabeta.settings import aside_of, guesses_of, highest_guess
from dragon.search.alphabeta.win_distance import STEPS, ply_earlier, window_later
from tests.search.test_quiescence import Plain


@pytest.mark.parametrize("guesses", [0, 1, 5])
def test_a_window_a_ply_later_asks_the_same(guesses: int) -> None:
    values = range(-12, 13)
    for alpha in values:
        for beta in range(alpha + 1, 13):
            low, high = window_later(alpha, beta, guesses)
            for value in values:
                earlier = ply_earlier(value, guesses)
                assert (value > low) == (earlier > alpha)
                assert (value < high) == (earlier < beta)


@pytest.mark.parametrize("guesses", [0, 5])
def test_a_ply_takes_one_step_of_what_is_beyond_guesses(guesses: int) -> None:
    for value in range(-12, 13):
        taken = abs(value) - abs(ply_earlier(value, guesses))
        assert taken == (abs(value) > guesses)


QUIET: dict[str, Any] = {
    "quiescence": 0,
    "late": False,
    "null": False,
    "futility": 0.0,
    "table": False,
}


@pytest.mark.parametrize("spec", ["chess", "checkers", "morris"])
@pytest.mark.parametrize("kind", [AlphaBeta, Plain])
def test_a_guess_is_worth_the_same_however_late(spec: str, kind: type[AlphaBeta]) -> None:
    state: Any = dragon.game(spec).start()
    assert guesses_of(state) == highest_guess(state) == STEPS // 2
    for depth in (1, 2, 3):
        found = kind(**QUIET).best(state, Limit(depth=depth))
        leaf = state
        for move in found.line:
            leaf = leaf.after(move)
        guess = math.trunc(leaf.evaluate(0) * highest_guess(state)) / STEPS
        assert found.value == (guess if state.turn == 0 else -guess)


def test_what_a_game_has_says_how_guesses_and_first_windows_are() -> None:
    ends_alone = dragon.game("connect4").start()
    assert guesses_of(ends_alone) == 0, "it guesses nothing"
    assert aside_of(AlphaBeta(), ends_alone) == STEPS // 128
    assert guesses_of(dragon.game("backgammon").start()) == 0, "it ends in more ways"
    dice = dragon.game("einstein").start()
    assert aside_of(AlphaBeta(), dice) == guesses_of(dice) // 2, "guesses change with the dice"
    assert aside_of(AlphaBeta(aspiration=False), ends_alone) == 0
    assert aside_of(AlphaBeta(deepening=False), ends_alone) == 0
