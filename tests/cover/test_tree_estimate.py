"""Estimates of the size of a search before it starts."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragon.cover import Option, Problem, covers
from dragon.cover.subproblems import Descents, Moments, estimate, estimates
from dragon.errors import ConfigError


class Every:
    """A generator that takes each path in turn, and tells how likely it was."""

    def __init__(self, path: list[int]) -> None:
        self.path = path
        self.degrees: list[int] = []

    def integers(self, n: int) -> int:
        self.degrees.append(n)
        at = len(self.degrees) - 1
        return self.path[at] if at < len(self.path) else 0

    def after(self) -> list[int] | None:
        """The path after this one, in the order of an odometer."""
        path = (self.path + [0] * len(self.degrees))[: len(self.degrees)]
        while path:
            if path[-1] + 1 < self.degrees[len(path) - 1]:
                return [*path[:-1], path[-1] + 1]
            path.pop()
        return None


def expectation(problem: Problem) -> tuple[float, float]:
    """The mean of a descent over all paths, each as likely as it is."""
    paths, path = Descents(problem), []
    nodes = found = 0.0
    while path is not None:
        every: Any = Every(path)
        sample = paths.descend(every)
        likely = 1 / np.prod(every.degrees) if every.degrees else 1.0
        nodes, found = nodes + likely * sample[0], found + likely * sample[1]
        path = every.after()
    return nodes, found


def queens(n: int) -> Problem:
    """n queens, with secondary diagonals."""
    cells = [[f"r{r}", f"c{c}", f"a{r + c}", f"b{r - c}"] for r in range(n) for c in range(n)]
    lines = [f"{kind}{i}" for kind in "rc" for i in range(n)]
    diagonals = [f"a{i}" for i in range(2 * n - 1)] + [f"b{i}" for i in range(1 - n, n)]
    return Problem.of(lines, cells, diagonals)


@st.composite
def problems(draw: Any) -> Problem:
    primary, options = "abcd", []
    for i in range(draw(st.integers(0, 9))):
        items = draw(st.sets(st.sampled_from("abcdx"), min_size=1, max_size=3))
        colours = {n: draw(st.sampled_from("AB")) for n in items & {"x"}}
        options.append(Option(sorted(items), f"o{i}", colours))
    return Problem(primary, options, "x")


@pytest.mark.full
@given(problems())
def test_the_mean_over_all_paths_is_the_truth(problem):
    found = covers(problem)
    found.count()
    nodes, expected = expectation(problem)
    assert nodes == pytest.approx(found.nodes)
    assert expected == pytest.approx(found.found)


def test_the_truth_is_within_a_few_standard_errors():
    guess = estimate(queens(8), descents=400, seed=3)
    found = covers(queens(8))
    assert abs(guess.covers - found.count()) < 4 * guess.covers_error
    assert abs(guess.nodes - found.nodes) < 4 * guess.nodes_error
    assert 0 < guess.nodes_error < guess.nodes / 10


def test_a_seed_repeats_an_estimate_and_another_does_not():
    assert estimate(queens(6), 50, seed=1) == estimate(queens(6), 50, seed=1)
    assert estimate(queens(6), 50, seed=1) != estimate(queens(6), 50, seed=2)


def test_errors_shrink_with_the_root_of_the_descents():
    few, many = estimate(queens(7), 100, seed=1), estimate(queens(7), 1600, seed=1)
    assert few.nodes_error / 8 < many.nodes_error < few.nodes_error / 2


def test_trees_far_too_large_to_search_are_sized():
    items = [f"{kind}{i}" for kind in "pq" for i in range(10)]
    problem = Problem.of(items, [[f"p{i}", f"q{j}"] for i in range(10) for j in range(10)])
    guess = estimate(problem, 10)
    assert (guess.covers, guess.covers_error) == (3628800, 0)  # 10!: all descents alike


def test_one_descent_is_refused():
    with pytest.raises(ConfigError, match="ask for at least 2"):
        estimate(queens(4), descents=1)


@pytest.mark.full
@given(st.lists(st.integers(0, 10**9), min_size=2), st.integers(0, 400))
def test_means_and_their_errors_are_those_of_numpy_at_any_scale(values, power):
    moments = Moments()
    for value in values:
        moments.add(value * 10**power)
    mean, error = (float(Fraction(each) / 10**power) for each in moments.mean())
    expected = np.std(values, ddof=1) / np.sqrt(len(values))
    assert mean == pytest.approx(np.mean(values), rel=1e-9, abs=1)
    assert error == pytest.approx(expected, rel=1e-9, abs=1)


def test_seconds_end_it_after_two_descents_at_least():
    guesses = list(estimates(queens(6), seconds=1e-9))
    assert [guess.descents for guess in guesses] == [2]
    assert estimate(queens(6), descents=7, seconds=60).descents == 7
    assert estimate(queens(4)).descents == 1000
