"""Dancing links and cells: kernels, the forms to be read, and brute force find the same covers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragon.cover import Option, Problem, cells, covers
from dragon.cover.dlx import Compiled, Interpreted
from dragon.cover.links import links_of
from dragon.errors import SearchError

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
    """Whether a set of options is an exact cover, by the definition."""
    options = [problem.options[o] for o in chosen]
    if any(str(option) in problem.hidden_options for option in options):
        return False
    seen = set(problem.items) - problem.hidden_items
    if any(not set(option.items) & set(problem.primary) & seen for option in options):
        return False  # such options are never chosen
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


def both(problem: Problem, size: int | None) -> Iterator[Compiled | Interpreted]:
    room = EVERYTHING if size is None else size
    yield Compiled(links_of(problem), room)
    yield Interpreted(links_of(problem), room)


@settings(max_examples=150, deadline=None)
@given(st.booleans().flatmap(problems), st.none() | st.integers(0, 4))
def test_every_form_finds_what_brute_force_finds(problem: Problem, size: int | None) -> None:
    compiled, interpreted = both(problem, size)
    found = compiled.advance(EVERYTHING, 10_000)
    assert interpreted.advance(EVERYTHING, 10_000) == found
    assert compiled.done
    assert interpreted.done
    assert (compiled.nodes, compiled.updates) == (interpreted.nodes, interpreted.updates)
    assert sorted(tuple(sorted(cover)) for cover in found) == brute_force(problem, size)
    assert len(set(found)) == len(found)


@settings(max_examples=150, deadline=None)
@given(problems(), st.none() | st.integers(0, 4))
def test_dancing_cells_find_what_brute_force_finds(problem: Problem, size: int | None) -> None:
    room = EVERYTHING if size is None else size
    compiled = cells.Compiled(cells.cells_of(links_of(problem)), room)
    interpreted = cells.Interpreted(cells.cells_of(links_of(problem)), room)
    found = compiled.advance(EVERYTHING, 10_000)
    assert interpreted.advance(EVERYTHING, 10_000) == found
    assert compiled.done
    assert interpreted.done
    assert (compiled.nodes, compiled.updates) == (interpreted.nodes, interpreted.updates)
    assert sorted(tuple(sorted(cover)) for cover in found) == brute_force(problem, size)
    assert len(set(found)) == len(found)


@settings(max_examples=60, deadline=None)
@given(st.booleans().flatmap(problems), st.data())
def test_stopping_anywhere_and_going_on_finds_the_same(problem: Problem, data: Any) -> None:
    whole = Compiled(links_of(problem))
    found = whole.advance(EVERYTHING, 10_000)
    for stream in (Compiled(links_of(problem)), Interpreted(links_of(problem))):
        pieces = []
        while not stream.done:
            nodes, keep = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 3))
            pieces += stream.advance(nodes, keep)
            assert 0 <= stream.fraction() <= 1
        assert pieces == found
        assert (stream.nodes, stream.updates) == (whole.nodes, whole.updates)


@settings(max_examples=60, deadline=None)
@given(st.booleans().flatmap(problems))
def test_the_links_are_as_before_bit_for_bit(problem: Problem) -> None:
    links, before = links_of(problem), links_of(problem)
    Compiled(links).advance(EVERYTHING, 0)
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


def test_cells_note_no_more_than_the_line_of_choices_asks_for() -> None:
    """Levels times items, 80 gigabytes for 100,000 items, are not asked for beforehand."""
    stream = cells.Compiled(cells.cells_of(links_of(chain(20_000))))
    assert stream._kept.nbytes < 1e6
    assert stream.advance(50, 0) == []
    assert stream._kept.nbytes < 20e6
    assert (stream.nodes, stream.found) == (50, 0)


def test_cells_go_on_where_they_were_when_their_notes_grow() -> None:
    problem = chain(14)
    stream = cells.Compiled(cells.cells_of(links_of(problem)))
    twin = cells.Interpreted(cells.cells_of(links_of(problem)))
    short = len(stream._kept)
    assert stream.advance(EVERYTHING, 10_000) == twin.advance(EVERYTHING, 10_000)
    assert len(stream._kept) > short
    assert (stream.found, stream.nodes, stream.updates) == (610, twin.nodes, twin.updates)


def test_too_many_notes_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "MEGABYTES", 0.001)
    stream = cells.Compiled(cells.cells_of(links_of(chain(40))))
    with pytest.raises(SearchError, match=r"more than 0.001 megabytes of them; take dlx"):
        stream.advance(EVERYTHING, 0)
