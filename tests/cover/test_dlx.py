"""Dancing links and cells: kernels, compiled and in plain Python, find what brute force finds."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from threading import Event
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dragon
from dragon.cover import Option, Problem, covers, dancing_cells, parse
from dragon.cover.dancing_cells import DancingCells, cells_stream
from dragon.cover.exact import DancingLinks, exact_stream, links_of
from dragon.cover.searches import AlgorithmX
from dragon.errors import SearchError
from dragon.modes import JIT
from dragon.search import budget

pytestmark = pytest.mark.samples(1)

EVERYTHING = 1 << 60


@st.composite
def problems(draw: Any, bounded: bool = False) -> Problem:
    """Small problems with secondary items and colours, and with bounds if asked for."""
    primary = "abcde"[: draw(st.integers(1, 5))]
    secondary = "xyz"[: draw(st.integers(0, 3))]
    options = []
    for _ in range(draw(st.integers(0, 9))):
        items = draw(st.sets(st.sampled_from(primary + secondary), min_size=1))
        painted = [i for i in items if i in secondary and draw(st.booleans())]
        colours = {i: draw(st.sampled_from("AB")) for i in sorted(painted)}
        options.append(Option(tuple(sorted(items)), colours=colours))
    bounds = {}
    if bounded:
        for item in primary:
            low = draw(st.integers(0, 2))
            bounds[item] = (low, draw(st.integers(max(low, 1), 3)))
    problem = Problem(primary, options, secondary, bounds)
    hidden = draw(st.sets(st.sampled_from(problem.items), max_size=2))
    gone = draw(st.sets(st.sampled_from(problem.names), max_size=2)) if options else ()
    return problem.hide(hidden, gone)


def fits(problem: Problem, chosen: tuple[int, ...]) -> bool:
    """Tell whether a set of options is an exact cover, by the definition."""
    options = [problem.options[o] for o in chosen]
    if any(str(option) in problem.hidden_options for option in options):
        return False
    seen = set(problem.items) - problem.hidden_items
    if not all(seen.intersection(option.items) for option in options):
        return False  # such options cover nothing
    times = Counter(item for option in options for item in option.items)
    for item in set(problem.primary) & seen:
        low, high = problem.bounds_of(item)
        if not low <= times[item] <= high:
            return False
    for item in set(problem.secondary) & seen:
        paints = [option.colours.get(item) for option in options if item in option.items]
        if len(paints) > 1 and (None in paints or len(set(paints)) > 1):
            return False
    return True


def brute_force(problem: Problem, size: int | None = None) -> list[tuple[int, ...]]:
    numbers = range(len(problem.options))
    most = len(numbers) if size is None else size
    every = (c for k in range(most + 1) for c in combinations(numbers, k))
    return sorted(c for c in every if fits(problem, c))


Counts = tuple[list[tuple[int, ...]], int, int, int]


def searched(stream: Any) -> Counts:
    """The covers, and what was counted."""
    found = stream.advance(EVERYTHING, 10_000)
    assert stream.done
    assert stream.fraction() == 1
    return found, stream.found, stream.nodes, stream.updates


def both(stream: Any, problem: Problem, size: int | None) -> list[Counts]:
    """Give the answers of the kernel, compiled, and as the plain Python that it is written in."""
    found = []
    for jit in ("1", "0"):
        with JIT.under(jit):
            found.append(searched(stream(problem, size)))
    return found


@pytest.mark.parametrize("bounded", [False, True])
@settings(max_examples=100)
@given(st.data(), st.none() | st.integers(0, 4))
def test_dancing_links_find_what_brute_force_finds(
    bounded: bool, data: Any, size: int | None
) -> None:
    problem = data.draw(problems(bounded))
    compiled, plain = both(exact_stream, problem, size)
    assert compiled == plain
    found = compiled[0]
    assert sorted(tuple(sorted(cover)) for cover in found) == brute_force(problem, size)
    assert len(set(found)) == len(found)


@pytest.mark.full
@settings(max_examples=100)
@given(problems(), st.none() | st.integers(0, 4))
def test_dancing_cells_find_what_brute_force_finds(problem: Problem, size: int | None) -> None:
    compiled, plain = both(cells_stream, problem, size)
    assert compiled == plain
    found = compiled[0]
    assert sorted(tuple(sorted(cover)) for cover in found) == brute_force(problem, size)
    assert len(set(found)) == len(found)


@pytest.mark.full
@settings(max_examples=60)
@given(problems(), st.none() | st.integers(0, 4))
def test_algorithm_x_visits_the_nodes_of_dancing_links(problem: Problem, size: int | None) -> None:
    """A dict of sets, which shares nothing with the links: covers in order, and nodes."""
    links, sets = covers(problem, size=size), AlgorithmX().covers(problem, size=size)
    assert list(sets) == list(links)
    assert sets.nodes == links.nodes


BOUNDED = "1:2|a b 0:2|c 2:3|d | x\na b x:1\na d\nb c d x:1\nc d\nd x:2\na\nb\nb d\na c x:1"
GOLDEN = [
    ("queens(n=8)", 92, 1049, 16680),
    ("langford(n=7)", 52, 607, 8339),
    (BOUNDED, 28, 77, 133),
]
"""Problems with covers, nodes and updates, the first two as Knuth's programs count nodes."""


@pytest.mark.parametrize(("text", "found", "nodes", "updates"), GOLDEN)
def test_nodes_and_updates_are_counted_as_ever(text, found, nodes, updates):
    problem = parse(text) if "\n" in text else dragon.game(text).problem()
    for counts in both(exact_stream, problem, None):
        assert counts[1:] == (found, nodes, updates)


@pytest.mark.full
@settings(max_examples=40)
@given(st.booleans().flatmap(problems), st.sampled_from(["0", "1"]), st.data())
def test_stopping_anywhere_and_going_on_finds_the_same(
    problem: Problem, jit: str, data: Any
) -> None:
    found, *counts = searched(exact_stream(problem))
    pieces, done = [], 0.0
    with JIT.under(jit):
        stream = exact_stream(problem)
        while not stream.done:
            nodes, keep = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 3))
            pieces += stream.advance(nodes, keep)
            assert done <= stream.fraction() <= 1
            done = stream.fraction() - 1e-12
    assert pieces == found
    assert [stream.found, stream.nodes, stream.updates] == counts


@pytest.mark.full
@settings(max_examples=60)
@given(st.booleans().flatmap(problems))
def test_the_links_are_as_before_bit_for_bit(problem: Problem) -> None:
    links, before = links_of(problem), links_of(problem)
    DancingLinks(links).advance(EVERYTHING, 0)
    assert np.array_equal(links.nodes, before.nodes)
    assert np.array_equal(links.items, before.items)


@pytest.mark.parametrize("exact", [True, False])
def test_counting_listing_and_the_first_few_agree(exact: bool) -> None:
    problem = Problem.of("abcd", ["ab", "cd", "a", "b", "c", "d", "bc", "abcd"])
    listed = list(covers(problem, exact))
    found = covers(problem, exact)
    assert [next(found), next(found)] == listed[:2]
    assert found.count() == len(listed)
    assert covers(problem, exact).count() == len(listed)


def chain(n: int) -> Problem:
    """n items in a row, each covered alone or with the next; n choices one after another."""
    items = [f"i{i:06}" for i in range(n)]
    return Problem.of(items, [*([i] for i in items), *pairwise(items)])


@pytest.mark.full
def test_cells_note_no_more_than_the_line_of_choices_asks_for() -> None:
    """Levels times items, 80 gigabytes for 100,000 items, are not asked for beforehand."""
    stream = DancingCells(links_of(chain(5_000)))
    assert stream.m.sizes.nbytes < 0.25e6
    assert stream.advance(50, 0) == []
    assert stream.m.sizes.nbytes < 5e6
    assert (stream.nodes, stream.found) == (50, 0)


def test_cells_go_on_where_they_were_when_their_notes_grow() -> None:
    compiled, plain = both(cells_stream, chain(14), None)
    assert compiled == plain
    assert compiled[1] == 610
    stream = DancingCells(links_of(chain(14)))
    short = len(stream.m.sizes)
    searched(stream)
    assert len(stream.m.sizes) > short


def test_too_many_notes_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dancing_cells, "MEGABYTES", 0.001)
    stream = DancingCells(links_of(chain(40)))
    with pytest.raises(SearchError, match=r"more than 0.001 megabytes of them; take dlx"):
        stream.advance(EVERYTHING, 0)


def test_a_search_ends_when_its_client_has_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    found = covers(dragon.game("queens(n=12)").problem())
    assert len([next(found), next(found)]) == 2
    monkeypatch.setattr(budget, "unwanted", gone := Event())
    gone.set()
    known = found.found
    assert found.count() == known < 14_200
    assert found.verdict == "cover"
    assert str(found.bound) == ">="
