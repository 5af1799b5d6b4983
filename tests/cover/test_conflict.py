"""Conflicts: items that cannot be covered together."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon.core import Bound, Limit
from dragon.cover import Option, Problem
from dragon.cover.conflict import impossible


@st.composite
def problems(draw: Any) -> Problem:
    primary, secondary = "abcdef"[: draw(st.integers(1, 6))], "x"
    options = []
    for i in range(draw(st.integers(0, 7))):
        items = draw(st.sets(st.sampled_from(primary + secondary), min_size=1, max_size=4))
        options.append(Option(sorted(items), f"o{i}"))
    low = draw(st.integers(0, 2))
    bounds = {"a": (low, max(1, low))} if draw(st.booleans()) else {}
    problem = Problem(primary, options, secondary, bounds)
    return problem.hide(draw(st.sets(st.sampled_from(problem.items), max_size=2)))


def coverable(problem: Problem, items: tuple[str, ...], exact: bool, size: int | None) -> bool:
    """Tell whether these primary items can be covered, by looking at every set of options."""
    secondary = set(problem.secondary) - problem.hidden_items
    usable = [set(o.items) for o in problem.options if set(o.items) & set(items)]
    for k in range(len(usable) + 1 if size is None else min(size, len(usable)) + 1):
        for chosen in combinations(usable, k):
            times = {name: sum(name in option for option in chosen) for name in problem.items}
            fits = all(times[name] <= 1 for name in secondary)
            for name in items:
                low, high = problem.bounds_of(name)
                fits = fits and low <= times[name] and (not exact or times[name] <= high)
            if fits:
                return True
    return False


@pytest.mark.full
@settings(max_examples=60)
@given(problems(), st.booleans(), st.sampled_from([None, None, 0, 1, 2]))
def test_the_conflict_is_one_and_minimal(problem, exact, size):
    names = tuple(name for name in problem.primary if name not in problem.hidden_items)
    conflict = impossible(problem, exact, size)
    if conflict is None:
        assert coverable(problem, names, exact, size)
        return
    assert (conflict.bound, conflict.verdict) == (Bound.EXACT, "no cover")
    assert set(conflict.items) <= set(names)
    assert not coverable(problem, conflict.items, exact, size)
    for name in conflict.items:
        rest = tuple(other for other in conflict.items if other != name)
        assert coverable(problem, rest, exact, size)


def test_an_item_without_options_is_the_whole_conflict():
    items = [f"i{n}" for n in range(40)]
    problem = Problem.of(items, [[item] for item in items if item != "i23"])
    for exact in (True, False):
        conflict = impossible(problem, exact)
        assert conflict is not None
        assert conflict.items == ("i23",)


def board() -> Problem:
    """Dominoes on a board of 6 x 6 without two opposite corners."""
    cells = {(r, c) for r in range(6) for c in range(6)} - {(0, 0), (5, 5)}
    pairs = [(a, b) for a in cells for b in ((a[0] + 1, a[1]), (a[0], a[1] + 1)) if b in cells]
    names = {cell: f"{cell[0]}{cell[1]}" for cell in sorted(cells)}
    return Problem.of(names.values(), [[names[a], names[b]] for a, b in sorted(pairs)])


def test_a_board_has_more_cells_of_one_colour_than_neighbours_of_the_other():
    conflict = impossible(board())
    assert conflict is not None
    colours = [sum(map(int, name)) % 2 for name in conflict.items]
    assert sum(colours) != len(colours) / 2
    assert conflict.nodes > 0


@pytest.mark.parametrize("size", [None, 30])
def test_a_limit_is_honoured_and_reported(size):
    unknown = impossible(board(), size=size, limit=Limit(nodes=3))
    assert unknown is not None
    assert (unknown.items, unknown.bound, unknown.verdict) == ((), Bound.ESTIMATE, "unknown")
    assert unknown.nodes <= 3


@pytest.mark.full
def test_a_limit_that_comes_late_leaves_a_conflict_that_may_not_be_minimal():
    whole = impossible(board())
    assert whole is not None
    some = range(100, whole.nodes, whole.nodes // 8)
    found = [impossible(board(), limit=Limit(nodes=n)) for n in some]
    for each in found:
        assert each is not None
        if each.bound is Bound.UPPER:
            assert impossible(board().only(each.items)) is not None
            assert len(each.items) >= len(whole.items)
        else:
            assert each.items == (whole.items if each.bound is Bound.EXACT else ())
    assert any(each is not None and each.bound is Bound.UPPER for each in found)


def test_what_can_be_covered_has_no_conflict():
    assert impossible(Problem.of("ab", ["ab"])) is None
    assert impossible(Problem.of("ab", ["a", "ab"]), exact=False, size=1) is None
