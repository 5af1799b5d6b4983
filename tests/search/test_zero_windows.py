"""Zero windows: how many questions the two drivers ask, of oracles that answer as they like."""

from __future__ import annotations

import pytest

from dragon.search.alphabeta.search import WAYS, by_null_windows
from dragon.search.alphabeta.values import Outcome


class Oracle:
    """Answers with a bound beyond the window by so much at most."""

    def __init__(self, value: int, slack: int, last: int = 1000) -> None:
        self.value, self.slack, self.last, self.asked = value, slack, last, 0

    def __call__(self, low: int, high: int) -> Outcome:
        assert high == low + 1
        if self.asked == self.last:
            return Outcome(0, (), True, finished=False)
        self.asked += 1
        if self.value >= high:
            return Outcome(max(high, self.value - self.slack), ("up",), False, True)
        return Outcome(min(low, self.value + self.slack), ("down",), False, True)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("value", [-1, 0, 1])
def test_win_draw_or_loss_take_two_questions(way: str, value: int) -> None:
    unit = 1000
    oracle = Oracle(value * unit, 0)
    found = by_null_windows(oracle, way, 0, unit, 1)
    assert found.value == value * unit
    assert oracle.asked <= 2


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("slack", [0, 3, 10_000])
@pytest.mark.parametrize("guess", [-90, 0, 17])
def test_the_value_is_found_by_bounds_however_weak(way: str, slack: int, guess: int) -> None:
    for value in (-100, -99, 0, 17, 100):
        found = by_null_windows(Oracle(value, slack), way, guess, 100, 1)
        assert (found.value, found.finished) == (value, True)


def test_bisection_asks_no_more_than_the_logarithm_of_the_range() -> None:
    oracle = Oracle(313, 10_000)
    assert by_null_windows(oracle, "bisection", 0, 1 << 12, 1).value == 313
    assert oracle.asked <= 14


@pytest.mark.parametrize(("sign", "line"), [(1, ("up",)), (-1, ("down",))])
def test_the_move_is_that_of_the_last_answer_that_secures_its_value(
    sign: int, line: tuple[str]
) -> None:
    for value in (-7, 7):
        assert by_null_windows(Oracle(value, 0), "mtdf", 0, 10, sign).line == line


def test_an_early_end_keeps_what_was_secured_if_that_is_no_worse_than_the_guess() -> None:
    kept = by_null_windows(Oracle(50, 10_000, last=1), "mtdf", 20, 100, 1)
    assert (kept.finished, kept.value, kept.line) == (False, 20, ("up",))
    lost = by_null_windows(Oracle(5, 0, last=1), "bisection", 20, 100, 1)
    assert (lost.finished, lost.line) == (False, ())
