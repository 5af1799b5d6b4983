"""Irredundant covers: against brute force, and the kernel compiled against the same as Python."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon.cover import Option, Problem
from dragon.cover.arrays import bitsets_of
from dragon.cover.minimal import MinimalCovers, minimal_stream
from dragon.errors import SearchError
from dragon.modes import JIT

MANY = 1 << 40


@st.composite
def problems(draw: Any, most: int = 8) -> Problem:
    """A small problem with everything that a problem may have."""
    primary = "abcdef"[: draw(st.integers(0, 6))]
    secondary = "xyz"[: draw(st.integers(0, 3))]
    options = []
    for k in range(draw(st.integers(0, most))):
        items = [i for i in primary + secondary if draw(st.booleans())]
        painted = [i for i in items if i in secondary and draw(st.booleans())]
        colours = {i: draw(st.sampled_from("AB")) for i in painted}
        options.append(Option(tuple(items), f"o{k}", colours))
    bounds = {i: draw(st.sampled_from([(0, 1), (1, 2), (2, 2), (2, 3)])) for i in primary
              if not draw(st.integers(0, 4))}  # fmt: skip
    problem = Problem(tuple(primary), tuple(options), tuple(secondary), bounds)
    gone = [i for i in problem.items if not draw(st.integers(0, 6))]
    barred = [o for o in problem.names if not draw(st.integers(0, 6))]
    return problem.hide(gone, barred)


def covers(problem: Problem, chosen: Iterable[Option]) -> bool:
    """Tell whether a set of options is an overlapping cover."""
    chosen = list(chosen)
    for item in set(problem.items) - problem.hidden_items:
        users = [o for o in chosen if item in o.items]
        if item in problem.primary and len(users) < problem.bounds_of(item)[0]:
            return False
        colours = {o.colours.get(item) for o in users}
        if item in problem.secondary and len(users) > 1 and (None in colours or len(colours) > 1):
            return False
    return not {str(o) for o in chosen} & problem.hidden_options


def irredundant(problem: Problem, size: int | None) -> list[tuple[int, ...]]:
    """Every cover none of whose options can be left out, by trying all sets of options."""
    numbers = range(len(problem.options))
    most = len(numbers) if size is None else min(size, len(numbers))
    found = []
    for n in range(most + 1):
        for chosen in combinations(numbers, n):
            options = [problem.options[o] for o in chosen]
            fewer = (options[:k] + options[k + 1 :] for k in range(n))
            if covers(problem, options) and not any(covers(problem, less) for less in fewer):
                found.append(chosen)
    return found


def whole(stream: Any, nodes: int = MANY, keep: int = MANY >> 32) -> list[tuple[int, ...]]:
    found = []
    while not stream.done:
        found += stream.advance(nodes, keep)
    return found


def kernel_stream(problem: Problem, size: int | None) -> MinimalCovers:
    """The kernel, whatever is asked for."""
    sets = bitsets_of(problem, free_items=False)
    most = min(int(sets.low.sum()), sets.rows)
    return MinimalCovers(sets, most if size is None else min(size, most))


SIZES = st.none() | st.integers(0, 6)


@given(problems(), SIZES)
@settings(max_examples=100)
def test_brute_force_finds_the_same_covers(problem: Problem, size: int | None) -> None:
    found = whole(minimal_stream(problem, size))
    assert sorted(tuple(sorted(cover)) for cover in found) == sorted(irredundant(problem, size))


@pytest.mark.full
@given(problems(14), SIZES, st.integers(1, 9), st.integers(0, 3))
@settings(max_examples=60)
def test_the_kernel_in_plain_python_does_the_same(
    problem: Problem, size: int | None, nodes: int, keep: int
) -> None:
    kernel = kernel_stream(problem, size)
    with JIT.under("0"):
        plain = kernel_stream(problem, size)
    while not (kernel.done and plain.done):
        found = kernel.advance(nodes, keep)
        with JIT.under("0"):
            assert plain.advance(nodes, keep) == found
        assert (kernel.nodes, kernel.found, kernel.done) == (plain.nodes, plain.found, plain.done)
        assert kernel.fraction() == plain.fraction()
    assert kernel.updates == plain.updates


@pytest.mark.full
@given(problems(), SIZES, st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4)), max_size=40))
@settings(max_examples=80)
def test_stopping_changes_nothing(
    problem: Problem, size: int | None, steps: list[tuple[int, int]]
) -> None:
    kernel = kernel_stream(problem, size)
    expected, got, seen = whole(kernel_stream(problem, size)), [], 0.0
    for nodes, keep in steps:
        before = kernel.found
        part = kernel.advance(nodes, keep)
        counted = kernel.found - before if not keep else 0
        assert part == expected[before : before + len(part)]
        assert keep == 0 or len(part) <= keep
        got += part if keep else expected[before : before + counted]
        assert seen <= kernel.fraction() + 1e-12
        seen = kernel.fraction()
    got += whole(kernel)
    assert got == expected
    assert kernel.fraction() == 1.0
    assert kernel.found == len(expected)


def test_many_items_and_high_bounds() -> None:
    """More than one word of items and of options; counted by hand."""
    items = [f"i{k}" for k in range(130)]
    pairs = [Option((i,), f"{i}{side}") for i in items for side in "lr"]
    problem = Problem(tuple(items), (*pairs, Option(tuple(items), "all")))
    small = problem.only(items=items[60:70])
    assert minimal_stream(small).advance(MANY, 0) == []
    stream = minimal_stream(small)
    stream.advance(MANY, 0)
    assert stream.found == 2**10 + 1
    first = minimal_stream(problem)
    assert all(len(cover) == 130 for cover in first.advance(MANY, 7))
    alone = minimal_stream(problem, 1)
    assert whole(alone) == [(260,)]
    thrice = Problem("ab", [Option("ab", f"o{k}") for k in range(70)], bounds={"b": (3, 3)})
    stream = minimal_stream(thrice)
    stream.advance(MANY, 0)
    assert stream.found == 70 * 69 * 68 // 6


def test_a_size_that_is_just_enough() -> None:
    """Two options of three items each for six items, and no pick to spare."""
    problem = Problem.of("abcdef", ["abc", "def", "ad", "be", "cf"])
    assert whole(kernel_stream(problem, 2)) == [(0, 1)]
    assert sorted(map(sorted, whole(kernel_stream(problem, 3)))) == [[0, 1], [2, 3, 4]]


def test_a_large_problem_in_plain_python() -> None:
    """Two words of items, three of options, colours and a bound of 3."""
    rng = random.Random(1)
    items = [f"i{k}" for k in range(70)]
    options = []
    for k in range(150):
        some = rng.sample(items, 8) + ["s"] * rng.randrange(2)
        options.append(Option(some, f"o{k}", {"s": "AB"[k % 2]} if "s" in some else {}))
    problem = Problem(tuple(items), tuple(options), ("s",), {"i3": (3, 3), "i9": (0, 1)})
    kernel = kernel_stream(problem, None)
    with JIT.under("0"):
        plain = kernel_stream(problem, None)
        found = plain.advance(200, 120)
    assert kernel.advance(200, 120) == found
    assert (kernel.nodes, kernel.updates) == (plain.nodes, plain.updates)
    assert kernel.found > 100


@pytest.mark.parametrize("low", [2, 3, 1_000_000, 2_000_000_000])
def test_more_than_there_is_cannot_be_asked_for(low: int) -> None:
    """`a` has one option: the bound is compared with it, and costs neither space nor time."""
    problem = Problem("ab", [Option("ab"), Option("b")], bounds={"a": (low, low)})
    stream = minimal_stream(problem)
    assert stream.advance(MANY, 5) == []
    assert (stream.done, stream.found, stream.nodes) == (True, 0, 1)
    if low < 4:
        own = kernel_stream(problem, None)
        assert whole(own) == []
        assert own.nodes == 1


@pytest.mark.full
def test_a_stack_that_is_too_large_is_refused_in_words() -> None:
    options = [Option("a", f"o{k}") for k in range(30_000)]
    problem = Problem("a", options, bounds={"a": (30_000, 30_000)})
    with pytest.raises(SearchError, match="megabytes of stack, more than 4,000; give a smaller"):
        MinimalCovers(bitsets_of(problem), 30_000)
    small = Problem("a", options[:70], bounds={"a": (70, 70)})
    assert whole(minimal_stream(small)) == [tuple(range(70))]
