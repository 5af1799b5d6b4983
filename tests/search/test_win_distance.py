"""Win distance: what a ply does to values, to the windows that ask for them, and to guesses."""

from __future__ import annotations

import math
from typing import Any

import pytest

import dragon
from dragon import Limit
from dragon.rules.record import RecordState
from dragon.rules.rehearsal import kernels_of
from dragon.search.alphabeta.search import AlphaBeta, aspiration_of
from dragon.search.alphabeta.values import (
    STEPS,
    highest_of,
    ply_earlier,
    window_later,
)
from tests.search.test_quiescence import Plain


def fixed_range_of(state: RecordState) -> int:
    """Return the range of values that no ply changes, as the kernel has it."""
    return int(kernels_of("dragon.search.alphabeta.values", state.rules).fixed_range())


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


@pytest.mark.samples("AlphaBeta-*")
@pytest.mark.parametrize("spec", ["chess", "checkers", "morris"])
@pytest.mark.parametrize("kind", [AlphaBeta, Plain])
def test_a_guess_is_worth_the_same_however_late(spec: str, kind: type[AlphaBeta]) -> None:
    state: Any = dragon.game(spec).start()
    assert fixed_range_of(state) == highest_of(state) == STEPS // 2
    for depth in (1, 2, 3):
        found = kind(**QUIET).best(state, Limit(depth=depth))
        leaf = state
        for move in found.line:
            leaf = leaf.after(move)
        guess = math.trunc(leaf.evaluate(0) * highest_of(state)) / STEPS
        assert found.value == (guess if state.turn == 0 else -guess)


def test_what_a_game_has_says_how_guesses_and_first_windows_are() -> None:
    ends_alone = dragon.game("connect4").start()
    assert fixed_range_of(ends_alone) == 0, "it guesses nothing"
    assert aspiration_of(AlphaBeta(), ends_alone) == STEPS // 128
    assert fixed_range_of(dragon.game("backgammon").start()) == 0, "it ends in more ways"
    dice = dragon.game("einstein").start()
    assert aspiration_of(AlphaBeta(), dice) == fixed_range_of(dice) // 2, "dice change guesses"
    assert aspiration_of(AlphaBeta(aspiration=False), ends_alone) == 0
    assert aspiration_of(AlphaBeta(deepening=False), ends_alone) == 0


MATES = {
    "r5k1/5ppp/8/8/8/8/4R3/4R2K w - - 0 1": 3,
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1": 1,
}
"""Positions of chess, and the plies to mate."""


@pytest.mark.parametrize("fen", MATES)
def test_a_proven_mate_has_its_distance_or_no_less(fen: str) -> None:
    chess = dragon.game("chess")
    result = dragon.search("alphabeta").best(chess.parse(fen), dragon.Limit(depth=5))
    assert (result.value, result.bound) == (1.0, dragon.Bound.EXACT)
    assert result.extra.get("distance", MATES[fen]) == MATES[fen]
    assert result.extra.get("distance_at_most", MATES[fen]) >= MATES[fen]
    assert {"distance", "distance_at_most"} & result.extra.keys()


def test_a_table_that_cannot_grow_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragon.search import table

    def refuse(megabytes: float) -> table.Table:
        raise MemoryError

    for spec in ("alphabeta", "dfpn"):
        run = dragon.search(f"{spec}(megabytes=8)").open(dragon.game("nim"))
        lease = run._lease
        lease.of(dragon.game("nim").start(), 1.0)
        assert lease.notes() == {}
        with monkeypatch.context() as patched:
            patched.setattr(table, "borrow", refuse)
            lease.grow(table.transfer)
        found = [*run.results(dragon.Position(dragon.game("nim").start()))][-1]
        assert "the machine has no more memory" in found.extra["memory"], spec
        run.close()
