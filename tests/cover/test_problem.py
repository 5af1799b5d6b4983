"""Cover problems as values and as text: views, mistakes, and what can be read back."""

from __future__ import annotations

import pickle
import re
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon.cover import Option, Problem, covers, parse, read, write
from dragon.cover.knuth_format import SEPARATORS
from dragon.cover.optimum import best
from dragon.errors import BadNotation, ConfigError

NAMES = st.text(
    st.sampled_from("ab:|%25 =3-AC\t\n\x85\u2028\ufeff\0") | st.characters(codec="utf-8"),
    min_size=1,
)


@st.composite
def problems(draw: Any) -> Problem:
    """Problems of every kind; names are of any characters, most of them of the grammar's own."""
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    cut = draw(st.integers(1, len(names)))
    primary, secondary = names[:cut], names[cut:]
    options = []
    for i in range(draw(st.integers(0, 6))):
        items = draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
        colours = {i: draw(NAMES) for i in items if i in secondary and draw(st.booleans())}
        weights = {
            i: draw(st.integers(-2, 2)) for i in items if i in primary and draw(st.booleans())
        }
        name = draw(st.sampled_from(["", f"option {i}"]))
        options.append(Option(items, name, colours, draw(st.integers(-3, 9)), weights))
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
    assert [_meaning(option) for option in again.options] == list(map(_meaning, problem.options))


def _meaning(option: Option) -> tuple[Any, ...]:
    """All of an option but its name; a weight of 0 is like none."""
    weights = {name: weight for name, weight in option.weights.items() if weight}
    return option.items, dict(option.colours), option.cost, weights


def test_names_that_the_grammar_would_cut_are_written_with_escapes(tmp_path: Path) -> None:
    """Without escapes `a b` would be two items, and `2|c` an item to be covered twice."""
    names = "a b", "2|c", "x:A", "| d", "%20", "100%"
    problem = Problem.of(names, [])
    problem = evolve(problem, options=[Option((name,)) for name in (*names, "a b", "2|c")])
    assert write(problem).splitlines()[0] == "a%20b 2%7Cc x%3AA %7C%20d %2520 100%"
    file = tmp_path / "names.txt"
    file.write_text(write(problem))
    assert covers(read(file)).count() == covers(problem).count() == 4


def test_every_separator_has_an_escape() -> None:
    white = {chr(i) for i in range(sys.maxunicode + 1) if chr(i).isspace()}
    white |= {chr(i) for i in range(sys.maxunicode + 1) if len(f"a{chr(i)}b".splitlines()) > 1}
    assert white <= set(SEPARATORS)


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (Problem(("a", ""), [Option(("a", ""))]), "item '' cannot be written; give it a name"),
        (Problem((), [Option("x")], "x"), "a problem without primary items cannot be written"),
        (Problem.of("a", ["ax"], "x").hide("a"), "a problem without primary items cannot be"),
    ],
)
def test_what_the_format_cannot_hold_is_refused(problem: Problem, message: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(message)):
        write(problem)


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    file = tmp_path / "marked.txt"
    file.write_text("a b\na\nb\na b\n", encoding="utf-8-sig")
    game = dragon.game(f"cover(file={str(file)!r})")
    assert read(file).primary == game.problem().primary == ("a", "b")
    assert parse(file.read_text(encoding="utf-8")).primary == ("a", "b")


def test_weights_are_written_beside_the_cost() -> None:
    problem = parse("a b | x\na b x:A |5 |a=-2 |b=1\na |a=3\nb")
    assert problem.options[0] == Option(("a", "b", "x"), "", {"x": "A"}, 5, {"a": -2, "b": 1})
    assert best(problem).covers[0].cost == 3
    wrong = (
        "line:2: '|a=4': a second weight for this item; keep one\nline:3: a weight for 'b', which"
    )
    with pytest.raises(BadNotation, match=re.escape(wrong)):
        parse("a b\na |a=3 |a=4\na |b=1")


@pytest.mark.full
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
    for search in ("dlx", "algorithm_x", "dancing_cells", "count"):
        with pytest.raises(ConfigError, match="size is -1"):
            dragon.search(search).covers(Problem.of("a", ["a"]), size=-1)
