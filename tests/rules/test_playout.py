"""Playouts: the same games compiled and interpreted, chance by its odds."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon import CHANCE, TERMINAL, RecordGame, Rules, Trait, frozen, rule
from dragon.bits import Random
from dragon.laws import check_game
from dragon.modes import JIT
from dragon.rules.playout import pick, playout, playouts
from dragon.rules.rehearsal import kernels_of

pytestmark = pytest.mark.samples(1)


@rule
def turn(s: Any) -> Any:
    return TERMINAL if s.rolls == 3 else CHANCE


@rule
def moves(s: Any, out: Any) -> Any:
    for face in range(4):
        out[face] = face
    return 4


@rule
def play(s: Any, face: Any) -> None:
    s.rolls += 1
    s.total += face


@rule
def payoff(s: Any, seat: Any) -> Any:
    return s.total


@rule
def odds(s: Any, out: Any) -> None:
    for face in range(4):
        out[face] = (face + 1) / 10


@frozen
class Dice(RecordGame):
    """Three rolls of a die with faces 0 to 3, with odds 1 : 2 : 3 : 4 or even."""

    name = "dice"
    teams = (0,)
    traits: ClassVar[Any] = frozenset({Trait.SOLO, Trait.CHANCE})
    loaded: bool = True

    def rules(self) -> Rules:
        layout = [("rolls", "i8"), ("total", "i8")]
        own = odds if self.loaded else None
        return Rules(layout, moves, play, turn, payoff, width=4, plies=3, odds=own, largest=9)


@pytest.mark.full
@pytest.mark.parametrize("loaded", [True, False])
def test_a_game_of_dice_keeps_the_laws(loaded: bool) -> None:
    assert [v.message for v in check_game(Dice(loaded)) if not v.passed] == []


@pytest.mark.parametrize(("loaded", "mean"), [(True, 6.0), (False, 4.5)])
def test_chance_follows_the_odds(loaded: bool, mean: float) -> None:
    count = 40_000
    totals = playouts(Dice(loaded).start(), count, Random(1))
    assert totals.count == count
    assert totals.plies == 3 * count
    deviation = (totals.squares[0] / count - (totals.sums[0] / count) ** 2) ** 0.5
    assert abs(totals.sums[0] / count - mean) < 4 * deviation / count**0.5
    assert deviation == pytest.approx((3 * (1.0 if loaded else 1.25)) ** 0.5, rel=0.05)


@pytest.mark.parametrize(
    "game", [Dice(True), Dice(False), dragon.game("hex(size=4)"), dragon.game("connect4")], ids=str
)
def test_a_seed_gives_the_same_games_both_ways(game: Any) -> None:
    fast, compiled = Random(7), playouts(game.start(), 5, Random(3))
    end = playout(game.start(), fast)
    with JIT.under("0"):
        plain = Random(7)
        assert playout(game.start(), plain) == end
        assert playouts(game.start(), 5, Random(3)) == compiled
    assert end.turn == TERMINAL
    assert plain.state[0] == fast.state[0], "and leaves the generator in the same place"


@pytest.mark.parametrize("spec", ["tictactoe", "hex(size=3)"])  # the second has a `sample`
def test_a_step_of_a_playout_is_a_sample(spec: str) -> None:
    state: Any = dragon.game(spec).start()
    kernels = kernels_of("dragon.rules.kernels.playout", state.rules)
    out, weights = np.empty(state.rules.width, np.int64), np.empty(0)
    for seed in range(20):
        stepped, sampled = Random(seed), Random(seed)
        record = np.frombuffer(bytearray(state.data), state.rules.layout)[0]
        code = kernels.step(record, state.turn, out, weights, stepped.state, False)
        assert state.text(int(code)) == state.sample(sampled)
        assert stepped.state[0] == sampled.state[0]


def test_one_playout_is_the_first_of_many() -> None:
    start = dragon.game("tictactoe").start()
    for seed in range(20):
        end = playout(start, Random(seed))
        totals = playouts(start, 1, Random(seed))
        assert totals.sums == end.payoff()
        assert totals.plies == sum(cell in "XO" for cell in str(end)[:-2])


def test_playouts_of_a_plain_state() -> None:
    totals = playouts(dragon.game("nim(pile=2)").start(), 4000, Random(2))
    assert totals.sums[0] == -totals.sums[1]
    assert abs(totals.sums[0]) < 4 * 4000**0.5  # take two and win, or one and lose
    assert totals.squares == (4000, 4000)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=8).filter(any), st.integers(0, 2**64 - 1))
@settings(max_examples=60)
def test_pick_never_takes_what_has_no_weight(parts: list[int], seed: int) -> None:
    weights = np.array(parts) / sum(parts)
    dice = Random(seed)
    assert all(parts[pick(dice.state, weights)] for _ in range(20))


def test_pick_follows_the_weights() -> None:
    dice, weights = Random(9), (0.1, 0.0, 0.6, 0.3)
    counts = Counter(pick(dice.state, weights) for _ in range(10_000))
    assert set(counts) == {0, 2, 3}
    for i, p in enumerate(weights):
        assert abs(counts[i] - 10_000 * p) <= 4 * (10_000 * p * (1 - p)) ** 0.5
