"""Covers counted, sampled and priced by a diagram of subproblems, each solved once."""

from __future__ import annotations

import json
import math
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon.core import Limit
from dragon.cover import Option, Problem, read
from dragon.cover.diagram import Diagram
from dragon.cover.diagram_builder import DiagramBuilder, diagram_of
from dragon.cover.kernels.diagram import BOTTOM, MET, TOP
from dragon.cover.subproblems import subproblems_of
from dragon.errors import ConfigError, SearchError
from dragon.modes import JIT, jit_enabled
from tests.reference.subproblems import Subproblem, branches, root_of, select

ORACLES = Path(__file__).parents[3] / "shared" / "oracles" / "exactcover"
compiled = pytest.mark.skipif(not jit_enabled(), reason="compares with the compiled kernel")


def agree(colours: list[str | None]) -> bool:
    """Tell whether options that give a secondary item these colours may be chosen together."""
    return len(colours) <= 1 or (None not in colours and len(set(colours)) == 1)


def is_cover(problem: Problem, chosen: tuple[int, ...]) -> bool:
    """By the definition alone."""
    options = [problem.options[i] for i in chosen]
    for name in set(problem.items) - problem.hidden_items:
        of = [option for option in options if name in option.items]
        if name in problem.secondary:
            if not agree([option.colours.get(name) for option in of]):
                return False
        elif not problem.bounds_of(name)[0] <= len(of) <= problem.bounds_of(name)[1]:
            return False
    return True


def brute(problem: Problem) -> set[tuple[int, ...]]:
    """Every set of options that may be chosen and has something to cover is looked at."""
    wanted = set(problem.items) - problem.hidden_items
    usable = [
        i
        for i, option in enumerate(problem.options)
        if str(option) not in problem.hidden_options and wanted & set(option.items)
    ]
    sets = (c for k in range(len(usable) + 1) for c in combinations(usable, k))
    return {chosen for chosen in sets if is_cover(problem, chosen)}


@st.composite
def problems(draw: st.DrawFn, bounded: bool = True) -> Problem:
    primary = "abcde"[: draw(st.integers(1, 5))]
    secondary = "xyz"[: draw(st.integers(0, 3))]
    options = []
    for i in range(draw(st.integers(0, 9))):
        items = draw(st.sets(st.sampled_from(primary + secondary), min_size=1, max_size=4))
        colours = {n: draw(st.sampled_from(["", "A", "B"])) for n in items & set(secondary)}
        colours = {n: c for n, c in colours.items() if c}
        cost = draw(st.integers(-3, 3))
        weights = {n: draw(st.integers(0, 3)) for n in items & set(primary)} if not bounded else {}
        options.append(Option(sorted(items), f"o{i}", colours, cost, weights))
    bounds = {}
    for name in primary if bounded else "":
        low = draw(st.integers(0, 2))
        bounds[name] = (low, draw(st.integers(max(1, low), 3)))
    problem = Problem(primary, options, secondary, bounds)
    hidden = draw(st.sets(st.sampled_from(problem.items), max_size=2))
    barred = draw(st.sets(st.sampled_from(problem.names), max_size=2)) if options else ()
    return problem.hide(hidden, barred)


def board(rows: int, columns: int) -> Problem:
    """Dominoes on a board."""
    cells = [(r, c) for r in range(rows) for c in range(columns)]
    pairs = [(a, b) for a in cells for b in ((a[0], a[1] + 1), (a[0] + 1, a[1])) if b in cells]
    return Problem.of([f"{r},{c}" for r, c in cells], [[f"{r},{c}" for r, c in p] for p in pairs])


def kasteleyn(rows: int, columns: int) -> float:
    """Dominoes on a board in closed form (Kasteleyn 1961)."""
    return math.prod(
        (
            4 * math.cos(math.pi * j / (rows + 1)) ** 2
            + 4 * math.cos(math.pi * k / (columns + 1)) ** 2
        )
        ** 0.25
        for j in range(1, rows + 1)
        for k in range(1, columns + 1)
    )


@pytest.mark.full
@settings(max_examples=80)
@given(st.one_of(problems(), problems(bounded=False)))
def test_a_diagram_holds_the_covers_of_brute_force(problem):
    diagram, expected = diagram_of(problem), brute(problem)
    assert diagram.count() == len(expected)
    assert {diagram.cover(i) for i in range(diagram.count())} == expected
    assert diagram.by_size() == Counter(map(len, expected))


@pytest.mark.full
@given(problems(bounded=False))
def test_the_cheapest_cover_is_that_of_brute_force(problem):
    def cost(chosen: tuple[int, ...]) -> int:
        options = [problem.options[i] for i in chosen]
        weights = sum(
            w for o in options for n, w in o.weights.items() if n not in problem.hidden_items
        )
        return sum(o.cost for o in options) + weights

    costs = {chosen: cost(chosen) for chosen in brute(problem)}
    best = diagram_of(problem).cheapest()
    if best is None:
        assert not costs
    else:
        assert best[0] == min(costs.values()) == costs[best[1]]


def visits_and_states(problem: Problem) -> tuple[int, int]:
    """Count the subproblems a search comes to, and solves, that knows them by all that they are.

    grown(subproblem) = TOP if every item is covered
                        BOTTOM if some item has too few options left
                        known[subproblem] if it has been seen
                        else what its branches make of it
    """
    whole = subproblems_of(problem)
    known: dict[Subproblem, object] = {}
    visits = 0

    def grown(at: Subproblem) -> object:
        nonlocal visits
        visits += 1
        item = select(whole, at)
        if item < 0:
            return TOP if item == MET else BOTTOM
        left = ((at.options & row).bit_count() for row in whole.rows)
        key = Subproblem(at.options, at.low, tuple(map(min, at.high, left)))
        if key not in known:
            edges = [(option, grown(after)) for option, after in branches(whole, at, item)]
            known[key] = tuple(edge for edge in edges if edge[1] != BOTTOM) or BOTTOM
        return known[key]

    grown(root_of(whole))
    return visits, len(known)


def built(problem: Problem) -> DiagramBuilder:
    """A diagram's builder at the end."""
    builder = DiagramBuilder(problem)
    while builder.advance():
        pass
    return builder


@pytest.mark.full
@settings(max_examples=100)
@given(st.one_of(problems(), problems(bounded=False)))
def test_keys_tell_subproblems_apart_and_no_more(problem):
    builder = built(problem)
    assert (builder.nodes, builder.states) == visits_and_states(problem)


@pytest.mark.full
@compiled
@settings(max_examples=60)
@given(st.one_of(problems(), problems(bounded=False)), st.integers(1, 9))
def test_the_kernel_in_plain_python_does_the_same(problem, pace):
    kernel = DiagramBuilder(problem)
    with JIT.under("0"):
        plain = DiagramBuilder(problem)
    while not kernel.done:
        kernel.work(pace)
        with JIT.under("0"):
            plain.work(pace)
        assert (kernel.nodes, kernel.states) == (plain.nodes, plain.states)
        assert kernel.path() == plain.path()
    assert plain.done
    mine, other = kernel.diagram(), plain.diagram()
    assert mine.root == other.root
    assert mine.first.tolist() == other.first.tolist()
    assert mine.edge.tolist() == other.edge.tolist()


@compiled
@pytest.mark.parametrize("name", ["queens_8", "langford_8", "latin_4", "knuth_toy_xcc"])
def test_keys_tell_the_subproblems_of_puzzles_apart(name):
    path = ORACLES / f"{name}.txt"
    if not path.exists():
        pytest.skip("needs the oracles beside the checkout")
    builder = built(read(path))
    assert (builder.nodes, builder.states) == visits_and_states(read(path))


QUICK = [
    "domino_6x6", "domino_8x8", "domino_8x8_mutilated", "knuth_toy", "knuth_toy_xcc",
    "langford_7", "langford_8", "latin_4", "pent_3x20", "pokemon_gen9_defense",
    "queens_8", "queens_9", "queens_10", "sudoku_17clue", "sudoku_escargot", "sudoku_extra",
]  # fmt: skip
LONGER = ["langford_11", "pent_5x12", "pent_6x10", "pent_8x8_scott", "queens_12"]
LONGEST = ("pent_5x12", "pent_6x10")
"""Pentominoes on boards like those of others, 3 x 20 and 8 x 8, which take less."""


def check(name: str) -> Diagram:
    if not (ORACLES / "index.json").exists():
        pytest.skip("needs the oracles beside the checkout")
    index = json.loads((ORACLES / "index.json").read_text())
    diagram = diagram_of(read(ORACLES / f"{name}.txt"))
    assert diagram.count() == index[name]["solutions"]
    return diagram


@pytest.mark.parametrize("name", QUICK)
def test_counts_are_those_of_the_oracles(name):
    check(name)


@pytest.mark.full
@compiled
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.full] * (n in LONGEST)) for n in LONGER]
)
def test_larger_counts_are_those_of_the_oracles(name):
    diagram = check(name)
    assert is_cover(diagram.problem, diagram.cover(diagram.count() - 1))


@compiled
@pytest.mark.full
def test_the_coloured_squares_of_macmahon_are_counted():
    check("macmahon_4x6_xcc")


@pytest.mark.parametrize(("rows", "columns"), [(2, 10), (4, 7), (6, 6), (5, 5)])
def test_dominoes_agree_with_the_closed_form(rows, columns):
    assert diagram_of(board(rows, columns)).count() == round(kasteleyn(rows, columns))


@pytest.mark.full
@compiled
def test_counts_beyond_64_bits_are_exact():
    assert diagram_of(board(12, 12)).count() == 53060477521960000
    diagram = diagram_of(board(8, 24))
    assert diagram.count() > 1 << 64
    assert diagram.count() == sum(diagram.by_size().values())
    assert math.isclose(diagram.count(), kasteleyn(8, 24), rel_tol=1e-9)
    assert is_cover(diagram.problem, diagram.cover(diagram.count() - 1))


@pytest.mark.full
def test_a_sample_is_uniform_and_its_seed_repeats_it():
    diagram = diagram_of(board(4, 4))
    drawn = diagram.sample(7200, np.random.default_rng(5))
    assert drawn == diagram.sample(7200, np.random.default_rng(5))
    counts = Counter(drawn)
    assert len(counts) == diagram.count() == 36
    # chi-squared with 35 degrees of freedom: 74.9 is passed once in 10,000 seeds
    assert sum((n - 200) ** 2 / 200 for n in counts.values()) < 74.9


def test_an_unfinished_diagram_has_the_covers_found_so_far():
    problem, found = board(4, 6), []
    for nodes in range(1, 88, 8):
        builder = DiagramBuilder(problem, Limit(nodes=nodes))
        while builder.advance():
            pass
        assert builder.nodes == nodes
        assert not builder.done
        diagram = builder.diagram()
        assert all(is_cover(problem, diagram.cover(i)) for i in range(diagram.count()))
        assert len({diagram.cover(i) for i in range(diagram.count())}) == diagram.count()
        assert 0 <= builder.fraction() < 1
        found.append(diagram.count())
    assert found == sorted(found)
    assert 0 < found[-1] < 281
    with pytest.raises(SearchError, match="not complete"):
        diagram.sample(1, np.random.default_rng(0))
    with pytest.raises(SearchError, match="not complete"):
        diagram.cheapest()


def test_a_limit_or_full_tables_are_reported():
    with pytest.raises(SearchError, match="limit was reached"):
        diagram_of(board(6, 6), Limit(nodes=10))
    with pytest.raises(SearchError, match=r"0\.02 megabytes are full"):
        diagram_of(board(8, 9), megabytes=0.02)


@pytest.mark.parametrize("megabytes", [0.05, 0.06, 0.08])
def test_what_full_tables_hold_is_true(megabytes):
    builder = DiagramBuilder(board(8, 8), megabytes=megabytes)
    while builder.advance():
        pass
    assert builder.full
    assert not builder.done
    diagram = builder.diagram()
    assert 0 < diagram.count() < 12988816
    assert is_cover(diagram.problem, diagram.cover(diagram.count() - 1))


@pytest.mark.full
@compiled
def test_the_megabytes_hold_the_stack_as_well():
    """1,200 choices one after another, each of which keeps the bounds of 1,200 items."""
    items = [f"i{i}" for i in range(1200)]
    problem = Problem.of(items, [*([i] for i in items), *pairwise(items)])
    builder = DiagramBuilder(problem, megabytes=6)
    builder.work(1 << 40)
    assert builder.full
    assert not builder.done
    assert 3e6 < builder._bytes <= 6e6
    with pytest.raises(SearchError, match="6 megabytes are full"):
        diagram_of(problem, megabytes=6)
    one, two = 1, 1  # as many covers as ways to write 1200 as a sum of ones and twos
    for _ in range(1199):
        one, two = two, one + two
    assert diagram_of(problem, megabytes=60).count() == two


@compiled
def test_tables_that_never_fit_are_full_at_once():
    builder = DiagramBuilder(board(6, 6), megabytes=0.001)
    assert not builder.advance()
    assert builder.full
    assert builder.diagram().count() == 0


def test_a_limit_in_seconds_ends_a_long_run():
    builder = DiagramBuilder(board(26, 26), Limit(seconds=0.05))
    while builder.advance():
        pass
    assert not builder.done
    assert 0.05 <= builder.seconds < 5


def test_no_such_cover_and_nothing_to_sample():
    diagram = diagram_of(Problem.of("ab", ["a"]))
    assert diagram.count() == 0
    assert diagram.by_size() == {}
    assert diagram.cheapest() is None
    assert diagram.sample(0, np.random.default_rng(0)) == []
    with pytest.raises(ConfigError, match="no cover 0: there are 0"):
        diagram.cover(0)
    with pytest.raises(SearchError, match="no cover to sample"):
        diagram.sample(1, np.random.default_rng(0))


def test_weights_of_items_covered_more_often_have_no_price():
    problem = Problem("a", [Option("a", weights={"a": 2})], bounds={"a": (1, 2)})
    with pytest.raises(SearchError, match="item 'a' has weights"):
        diagram_of(problem).cheapest()
