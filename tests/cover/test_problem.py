"""Cover problems as values and as text: views, mistakes, and what can be read back."""

from __future__ import annotations

import inspect
import pickle
import re
import sys
import time
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from hypothesis import example, given, settings
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


@pytest.mark.full
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


PLAIN = "| a comment\np q r | x y\np q x y |5\np r x y\np x |p=2\nq x\nr y\n"


@pytest.mark.full
@settings(max_examples=150)
@given(st.integers(0, len(PLAIN)), st.characters(exclude_characters=SEPARATORS + "0123456789-"))
def test_garbage_in_a_problem_is_reported_or_changes_nothing(at: int, letter: str) -> None:
    try:
        problem = parse(PLAIN[:at] + letter + PLAIN[at:])
    except BadNotation as wrong:
        assert str(wrong).startswith("line:")  # noqa: PT017
    else:
        assert problem == parse(PLAIN)


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


@pytest.mark.full
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


KNUTH = ["0010110", "1001001", "0110010", "1001000", "0100001", "0001101"]
"""The matrix of Knuth's "Dancing links" (2000), which its rows 1, 4 and 5 cover."""


@pytest.mark.parametrize("text", [
    "\n".join(KNUTH), "\n".join(map(" ".join, KNUTH)), "\n".join(map(",".join, KNUTH)),
    str([[*map(int, row)] for row in KNUTH]).replace("], ", "],\n "), "\r\n\r\n".join(KNUTH),
    "a b c d e f g\n" + "\n".join(KNUTH), "a,b,c,d,e,f,g\n" + "\n".join(map(",".join, KNUTH)),
    "\ufeff| a comment\n" + "\n".join(KNUTH),
])  # fmt: skip
def test_a_matrix_is_a_problem(text: str) -> None:
    problem = parse(text)
    assert "".join(problem.primary) in ("1234567", "abcdefg")
    assert [[problem.names[o] for o in sorted(cover)] for cover in covers(problem)] == [
        ["row 1", "row 4", "row 5"]
    ]
    assert covers(parse(write(problem))).count() == 1


@settings(max_examples=60)
@given(
    st.integers(1, 5).flatmap(
        lambda n: st.lists(st.lists(st.booleans(), min_size=n, max_size=n), min_size=2, max_size=6)
    )
)
def test_a_matrix_has_the_covers_that_add_up_to_one_everywhere(rows: list[list[bool]]) -> None:
    text = "\n".join("".join("01"[bit] for bit in row) for row in rows)
    try:
        problem = parse(text)
    except BadNotation as wrong:
        assert not all(map(any, rows)) or len({*text.split()}) == 1, wrong  # noqa: PT017
        return
    if len({*text.split()}) == 1:  # an item of that name
        return
    sets = (s for n in range(len(rows) + 1) for s in combinations(range(len(rows)), n))
    right = [s for s in sets if all(sum(rows[i][c] for i in s) == 1 for c in range(len(rows[0])))]
    assert sorted(tuple(sorted(cover)) for cover in covers(problem)) == sorted(right)


@pytest.mark.parametrize(("text", "why"), [
    ("011\n01\n100", "line:2: 2 columns, and the first row has 3"),
    ("0 1 1\n0 2 1", "line:2: '2' in a matrix of 0 and 1; write one of them"),
    ("011\n100\n000", "line:3: a row of zeros covers nothing; leave it out"),
    ("a b\n0 1\n0 x", "line:3: 'x' in a matrix"), ("a b\n01\n1", "line:3: 1 columns"),
    ("a b\n011\n1", "line:2: no item is called '011'"),
    ("0;0;a\n001", "line:1: item '0' is given twice; rename one of the columns"),
])  # fmt: skip
def test_a_row_that_is_not_of_the_matrix_is_told(text: str, why: str) -> None:
    with pytest.raises(BadNotation, match=why):
        parse(text)


@settings(max_examples=100)
@example("0;0;a\n001")
@given(st.text("01 ,[]\n;ab|x") | st.text())
def test_any_text_is_a_problem_or_a_mistake(text: str) -> None:
    try:
        problem = parse(text)
    except BadNotation as wrong:
        assert str(wrong).startswith("line")  # noqa: PT017
    else:
        assert problem.primary


def test_items_may_be_called_0_and_1() -> None:
    for text in ("0 1\n0\n1", "01\n01", "1 0 |\n1\n0 1"):
        assert covers(parse(text)).count() == 1
        assert [*parse(text).primary] == text.split("\n")[0].replace("|", "").split()


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


@pytest.mark.full
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


def test_what_the_reference_names_is_there_with_these_arguments() -> None:
    text = (Path(__file__).parents[2] / "docs/reference.md").read_text(encoding="utf-8")
    table = text.partition("`from dragon.cover.optimum import best`")[2].partition("```pycon")[0]
    named = re.findall(r"^\| `([\w.]+)\(([\w, ]+)\)`", table, re.MULTILINE)
    assert len(named) > 8
    for path, arguments in named:
        module, _, name = f"dragon.cover.{path}".rpartition(".")
        found = getattr(import_module(module), name)
        assert {*arguments.split(", ")} <= {*inspect.signature(found).parameters}, path


@pytest.mark.parametrize(
    "text",
    ["[[0, 1, 1], [1, 0, 0]]", "[[0,1,1],[1,0,0]]", "[[0, 1, 1],\n [1, 0, 0]]", "((0,1,1) (1,0,0))",
     "[0, 1, 1]\n[1, 0, 0]"],
)  # fmt: skip
def test_rows_of_a_matrix_in_brackets_may_be_on_one_line(text: str) -> None:
    assert [option.items for option in parse(text).options] == [("2", "3"), ("1",)]


@pytest.mark.parametrize("header", ["a b |s", "a b| s"])
def test_a_bar_without_spaces_has_its_remedy(header: str) -> None:
    with pytest.raises(BadNotation, match="the bar before the secondary items has a space"):
        parse(f"{header}\na\n")
