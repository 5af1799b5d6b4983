"""Cover problems as values and as text: views, mistakes, and what can be read back."""

from __future__ import annotations

import pickle
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon.cover import Option, Problem, covers, parse, read, write
from dragon.errors import BadNotation, ConfigError


@st.composite
def problems(draw: Any) -> Problem:
    """Problems that Knuth's format can write."""
    primary = "abcd"[: draw(st.integers(1, 4))]
    secondary = "xy"[: draw(st.integers(0, 2))]
    options = []
    for _ in range(draw(st.integers(0, 6))):
        items = draw(st.lists(st.sampled_from(primary + secondary), min_size=1, unique=True))
        colours = {i: draw(st.sampled_from("AB")) for i in items if i in secondary}
        options.append(Option(items, colours=colours, cost=draw(st.integers(-3, 9))))
    bounds = {}
    for item in primary:
        low = draw(st.integers(0, 2))
        bounds[item] = (low, draw(st.integers(max(low, 1), 3)))
    return Problem(primary, options, secondary, bounds)


@settings(max_examples=100)
@given(problems())
def test_what_is_written_reads_back(problem: Problem) -> None:
    again = parse(write(problem))
    assert (again.primary, again.secondary, again.bounds) == (
        problem.primary,
        problem.secondary,
        problem.bounds,
    )
    assert [(o.items, dict(o.colours), o.cost) for o in again.options] == [
        (o.items, dict(o.colours), o.cost) for o in problem.options
    ]


@settings(max_examples=100)
@given(problems(), st.data())
def test_a_view_is_the_problem_without_what_is_hidden(problem: Problem, data: Any) -> None:
    items = data.draw(st.sets(st.sampled_from(problem.items)))
    names = data.draw(st.sets(st.sampled_from(problem.names))) if problem.names else set()
    view = problem.hide(items).hide(options=names)
    assert pickle.loads(pickle.dumps(view)) == view
    assert view == problem.hide(items, names)
    assert hash(view) == hash(problem.hide(items, names))
    if set(problem.primary) <= items:
        return
    smaller = parse(write(view))

    def found(of: Problem) -> set[tuple[str, ...]]:
        return {tuple(sorted(_left(of, o, items) for o in cover)) for cover in covers(of)}

    assert found(view) == found(smaller)


def _left(problem: Problem, number: int, hidden: set[str]) -> str:
    """An option by what it covers, for the same line may stand twice in a file."""
    option = problem.options[number]
    kept = [f"{i}:{option.colours.get(i)}" for i in option.items if i not in hidden]
    return " ".join([*kept, str(option.cost)])


def test_lines_written_twice_get_names_that_nobody_else_has() -> None:
    problem = parse("a b (2)\na b\na b (2)\na b\na b\n")
    assert len(set(problem.names)) == 4


@pytest.mark.parametrize("bounds", [{"a": (0, 0)}, {"a": (3, 1)}, {"a": (-3, 2)}, {"z": (1, 1)}])
def test_bounds_are_checked(bounds: dict[str, tuple[int, int]]) -> None:
    with pytest.raises(ConfigError, match="bounds of"):
        Problem("ab", [Option("a"), Option("b")], bounds=bounds)


def test_bounds_of_once_are_no_bounds() -> None:
    plain = Problem.of("ab", ["a", "b"])
    assert Problem("ab", plain.options, bounds={"a": (1, 1)}) == plain
    given = {"a": (0, 2)}
    bounded = Problem("ab", plain.options, bounds=given)
    given["a"] = (5, 1)
    assert bounded.bounds == {"a": (0, 2)}
    assert not bounded.plain
    assert bounded.hide("a").plain


def test_every_mistake_is_reported_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "wrong.txt"
    file.write_text("a b a 5:2|c | x\n| a comment\na z\nx:1 b:2\n\nb b\na |x\na x:\n")
    with pytest.raises(BadNotation) as raised:
        read(file)
    lines = [line.removeprefix(f"{file}:") for line in str(raised.value).splitlines()]
    assert lines == [
        "1: item 'a' is given twice",
        "1: '5:2|c': write low:high|item, low <= high, 0 < high < 2147483648",
        "3: no item is called 'z'",
        "4: 'b' is primary and takes no colour; make it secondary",
        "6: item 'b' is given twice",
        "7: '|x' is not a cost; write |5 for a cost of 5",
        "8: the colour of 'x' is missing",
    ]


@pytest.mark.parametrize("text", ["a\na |" + "9" * 5000, "9" * 5000 + "|a\na"])
def test_numbers_beyond_measure_are_refused(text: str) -> None:
    with pytest.raises(BadNotation, match="line:"):
        parse(text)


def test_costs_that_cannot_be_added_up_are_refused_as_such() -> None:
    with pytest.raises(
        BadNotation, match=r"line:2: 9{20} is too large; write costs and weights below \d+$"
    ):
        parse("a\na |" + "9" * 20)


def test_thousands_of_names_and_of_mistakes_take_moments() -> None:
    names = [f"cell_{i}" for i in range(10_000)]
    start = time.process_time()
    problem = parse(" ".join(names) + "\n" + "\n".join(names))
    assert len(problem.options) == 10_000
    with pytest.raises(BadNotation):
        parse(" ".join(names) + "\n" + "\n".join(f"cel_{i}" for i in range(300)))
    assert time.process_time() - start < 10  # each took minutes once, of three times as many


def test_a_size_below_0_is_refused() -> None:
    import dragon

    for search in ("dlx", "algorithm_x", "dancing_cells", "count"):
        with pytest.raises(ConfigError, match="size is -1"):
            dragon.search(search).covers(Problem.of("a", ["a"]), size=-1)
